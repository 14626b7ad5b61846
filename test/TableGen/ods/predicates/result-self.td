include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs Type<CPred<"$_self.isInteger(32) || $_self.isF32()">, "i32 or f32">:$c); }
