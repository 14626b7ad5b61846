include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"$_me.isInteger(32)">, "good">:$c); }
