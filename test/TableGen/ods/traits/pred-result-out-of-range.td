include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [PredOpTrait<"r", TCresVTEtIsSameAsOp<1, 0>>]> {
// expected-error@-1:21 {{the trait 'r' is about result 1 of operation 't.a', which has 1 result}}
  let arguments = (ins AnyTensor:$x);
  let results = (outs AnyTensor:$r);
}
def B : Op<T, "b", [PredOpTrait<"x", TCopVTEtIsSameAs<0, 2>>]> { let arguments = (ins AnyTensor:$x, Variadic<AnyTensor>:$y); }
// UPSTREAM: takes, and makes an operation that is never right
