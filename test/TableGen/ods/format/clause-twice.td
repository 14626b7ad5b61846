include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins OptionalAttr<I32Attr>:$a, OptionalAttr<I32Attr>:$b);
  let assemblyFormat = "oilist(`a` $a | `a` $b) attr-dict";
// expected-error@-1:25 {{assembly format: format ambiguity because a is used twice in one oilist}}
}
// UPSTREAM: takes, the second is never read
