include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [FirstAttrDerivedResultType]> { let results = (outs AnyType:$r); }
// expected-error@-1:5 {{FirstAttrDerivedResultType takes the type of the results from the first attribute, and operation 't.a' has none}}
def B : Op<T, "b", [FirstAttrDerivedResultType]> {
  let arguments = (ins TypeAttr:$type);
  let results = (outs AnyType:$r);
}
