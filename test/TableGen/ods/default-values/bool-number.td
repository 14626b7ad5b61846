include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<BoolAttr, "maybe">:$n); }
// expected-warning@-1:43 {{the default value 'maybe' is C++ without a counterpart: the getter of 'n' knows no value for an absent one}}
