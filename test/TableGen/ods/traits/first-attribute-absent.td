include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [FirstAttrDerivedResultType]> {
  let arguments = (ins OptionalAttr<TypeAttr>:$type, I32Attr:$x);
// expected-error@-1:24 {{FirstAttrDerivedResultType takes the type of the results from the first attribute, and 'type' may be absent}}
  let results = (outs AnyType:$r);
}
// TOLD: in field 'arguments' of 'A'
// UPSTREAM: takes, its builder makes no results where the attribute is absent
