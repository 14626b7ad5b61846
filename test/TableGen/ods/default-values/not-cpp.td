include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, "abc(">:$n); }
// expected-warning@-1:43 {{the default value 'abc(' is C++ without a counterpart: the getter of 'n' knows no value for an absent one}}
