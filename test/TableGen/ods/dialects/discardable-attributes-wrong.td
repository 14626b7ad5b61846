include "mlir/IR/OpBase.td"
def T : Dialect {
  let name = "t";
  let cppNamespace = "::t";
  let discardableAttrs = (ins I32:$type, I32Attr:$twice, "::mlir::StringAttr":$twice, I32Attr, 3:$number,
    DefaultValuedAttr<I32Attr, "7">:$absent);
}
def A : Op<T, "a">;
// expected-error@-4:31 {{a discardable attribute is 'I32', which is no constraint on attributes}}
// expected-error@-5:58 {{'twice' is declared twice}}
// expected-error@-6:87 {{a discardable attribute needs a name}}
// expected-error@-7:96 {{an entry of 'discardableAttrs' is not a constraint}}
// expected-error@-7:5 {{'absent' has a default value: it stands for no absent attribute here}}
