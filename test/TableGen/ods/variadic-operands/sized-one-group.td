include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [AttrSizedOperandSegments]> { let arguments = (ins Variadic<F32>:$xs); }
// expected-error@-1:5 {{op must have at least two variadic operands to use 'AttrSizedOperandSegments' trait}}
