include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins AnyTensor:$x, DerivedTypeAttr<"return getX().getType();">:$n);
// expected-error@-1:38 {{the derived attribute 'n' cannot be an argument}}
}
