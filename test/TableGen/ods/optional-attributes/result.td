include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs OptionalAttr<I32Attr>:$n); }
// expected-error@-1:42 {{a result is 'OptionalAttr<I32Attr>', which is not a type}}
