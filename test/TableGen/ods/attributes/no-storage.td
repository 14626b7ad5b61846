include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyAttr : Attr<CPred<"true">, "my attribute">;
def A : Op<T, "a"> { let arguments = (ins MyAttr:$n); }
