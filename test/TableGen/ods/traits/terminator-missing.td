include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [SingleBlockImplicitTerminator<"NoOp">]> { let regions = (region AnyRegion:$body); }
// expected-warning@-1:5 {{the trait SingleBlockImplicitTerminator names 'NoOp', which nothing defines here: it is taken for 't.no'}}
