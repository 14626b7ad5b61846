include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, "abc(">:$n); }
// expected-error@-1:43 {{the default value 'abc(' of 'n' is no expression: '(' is not closed}}
// UPSTREAM: takes, C++ refuses what is made of it
