include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins OptionalAttr<DefaultValuedAttr<I32Attr, "4">>:$n, DefaultValuedAttr<OptionalAttr<I32Attr>, "4">:$m); }
