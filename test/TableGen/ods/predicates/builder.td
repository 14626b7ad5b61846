include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"$_self == $_builder.getI32Type()">, "i32">:$c); }
