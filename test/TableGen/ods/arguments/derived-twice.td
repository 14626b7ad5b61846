include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins AnyTensor:$x, I32Attr:$n);
  DerivedTypeAttr n = DerivedTypeAttr<"return getElementTypeOrSelf(getX());">;
// expected-error@-1:19 {{derived attribute and attribute have one name, 'n'}}
}
// UPSTREAM: takes, C++ refuses two getters of one name
