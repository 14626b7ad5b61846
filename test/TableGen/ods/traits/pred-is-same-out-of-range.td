include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"element types", TCopVTEtIsSameAs<0, 3>>]> { let arguments = (ins AnyTensor:$x); }
// expected-error@-1:21 {{the trait 'element types' is about operand 3 of operation 't.a', which has 1 operand}}
// UPSTREAM: takes, and makes an operation that is never right
