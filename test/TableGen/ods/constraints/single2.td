include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def ScalarLike : AnyTypeOf<[I32, F32, Index], "a scalar">;
def A : Op<T, "a"> { let arguments = (ins F32:$f, TensorOf<[F32]>:$t, F32Attr:$a, F32ArrayAttr:$b, AnyTypeOf<[I32, F64]>:$o, RankedTensorOf<[I1]>:$r, MemRefOf<[I8, F16]>:$m, VectorOfLengthAndType<[4], [F32]>:$v, Index:$i, NoneType:$n, AnyInteger:$ai, Complex<F32>:$c, NestedTupleOf<[I32]>:$tu, StaticShapeTensorOf<[F32]>:$st, 2DTensorOf<[F32]>:$td, ScalarLike:$sc); }
