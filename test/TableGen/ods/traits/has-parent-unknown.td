include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [HasParent<"NoOp">]>;
// expected-warning@-1:5 {{the trait HasParent names 'NoOp', which nothing defines here: it is taken for 't.no'}}
