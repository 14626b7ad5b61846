include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<And<[CPred<"$_self.isa<TensorType>()">, CPred<"$_self.cast<TensorType>().getElementType().isF32()">, CPred<"$_self.dyn_cast<RankedTensorType>() != nullptr">, CPred<"$_self.cast<ShapedType>().hasRank()">]>, "x">:$c); }
