include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<Concat<"(", F32.predicate, "">, "f32">:$c); }
