include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def C : Constraint<CPred<"true">, "c">;
def A : Op<T, "a"> { let arguments = (ins C:$s); }
// expected-error@-1:43 {{argument 's' is 'C', which is neither a type nor an attribute}}
