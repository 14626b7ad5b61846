//===- layout.td - Operators of the module `layout` ---------------------===//
//
// Creation, rearrangement and selection of data (specification, section 4.1).
//
// Written by `cargo xtask docs` from stdlib/layout.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LAYOUT_TD
#define SKRIPTND_LAYOUT_TD

include "Traits.td"

def Layout_ConstantOp : SkriptND_Operator<"layout", "constant"> {
  let summary = "A constant tensor: one value for all elements, or all elements in row-major order";
  let arguments = (ins
    Arg<SkriptND_NonNegativeInts, "extents">:$shape,
    Arg<AnyAttr, "the elements in row-major order, or the one that all have">:$value,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_TensorOp : SkriptND_Operator<"layout", "tensor"> {
  let summary = "A constant tensor; the newer name of `constant`";
  let arguments = (ins
    Arg<SkriptND_NonNegativeInts, "extents">:$shape,
    Arg<AnyAttr, "the elements in row-major order, or the one that all have">:$value,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UniformOp : SkriptND_Operator<"layout", "uniform"> {
  let summary = "A tensor that is filled with a scalar";
  let arguments = (ins
    SkriptND_Any:$value,
    Arg<SkriptND_NonNegativeInts, "extents">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_RangeOp : SkriptND_Operator<"layout", "range"> {
  let summary = "Numbers from `first` (inclusive) to `last` (exclusive)";
  let arguments = (ins
    Arg<AnyAttr, "inclusive">:$first,
    Arg<AnyAttr, "exclusive">:$last,
    Arg<DefaultValuedAttr<AnyAttr, "T(1)">, "difference of neighbours">:$stride,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Num:$output);
}

def Layout_ShapeOp : SkriptND_Operator<"layout", "shape"> {
  let summary = "The extents of a tensor";
  let arguments = (ins
    SkriptND_Any:$input
  );
  let results = (outs SkriptND_Int:$output);
}

def Layout_CastOp : SkriptND_Operator<"layout", "cast"> {
  let summary = "Conversion of each element to another type";
  let arguments = (ins
    SkriptND_Arith:$x,
    OptionalAttr<TypeAttr>:$R
  );
  let results = (outs SkriptND_Arith:$y);
}

def Layout_ReshapeOp : SkriptND_Operator<"layout", "reshape"> {
  let summary = "Replaces `rank` dimensions from `axis` on by `shape`; one extent may be -1, which stands for what is left";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<I64Attr, "0">, "dimension where reshaping starts">:$axis,
    Arg<DefaultValuedAttr<I64Attr, "d">, "number of replaced dimensions">:$rank,
    Arg<DenseI64ArrayAttr, "their new extents">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_FlattenOp : SkriptND_Operator<"layout", "flatten"> {
  let summary = "Merges `rank` dimensions from `axis` on into one";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<I64Attr, "0">, "dimension where flattening starts">:$axis,
    Arg<DefaultValuedAttr<I64Attr, "d">, "number of merged dimensions">:$rank
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UnflattenOp : SkriptND_Operator<"layout", "unflatten"> {
  let summary = "Splits a dimension into several";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<I64Attr, "the dimension">:$axis,
    Arg<SkriptND_NonNegativeInts, "its parts">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SqueezeOp : SkriptND_Operator<"layout", "squeeze"> {
  let summary = "Removes singular dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DenseI64ArrayAttr, "removed dimensions">:$axes
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UnsqueezeOp : SkriptND_Operator<"layout", "unsqueeze"> {
  let summary = "Inserts singular dimensions, which have the numbers `axes` in the result";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DenseI64ArrayAttr, "inserted dimensions, by their numbers in the result">:$axes
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ConcatOp : SkriptND_Operator<"layout", "concat", [SizedOperands]> {
  let summary = "Joins tensors along a dimension";
  let arguments = (ins
    Variadic<SkriptND_Any>:$inputs,
    Arg<I64Attr, "dimension along which tensors are joined">:$axis
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SplitOp : SkriptND_Operator<"layout", "split", [SizedResults]> {
  let summary = "Takes a tensor apart along a dimension, into parts of the given sizes or of equal ones";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<I64Attr, "dimension that is split">:$axis,
    Arg<OptionalAttr<SkriptND_NonNegativeInt>, "how many parts, of equal size unless `sizes` are given">:$count,
    Arg<OptionalAttr<SkriptND_NonNegativeInts>, "extents of the parts along `axis`">:$sizes
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
}

def Layout_StackOp : SkriptND_Operator<"layout", "stack", [SizedOperands]> {
  let summary = "Joins tensors along a new dimension, or along a singular one with `squeeze`";
  let description = [{
    A negative axis counts from the rank of the inputs: -1 puts the new dimension before their last one.
  }];
  let arguments = (ins
    Variadic<SkriptND_Any>:$inputs,
    Arg<I64Attr, "number of the new dimension">:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the operands have the dimension already, with extent 1">:$squeeze
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UnstackOp : SkriptND_Operator<"layout", "unstack", [SizedResults]> {
  let summary = "Takes a tensor apart along a dimension, which vanishes unless `squeeze` is false";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<I64Attr, "dimension along which the tensor is taken apart">:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether the dimension vanishes">:$squeeze
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
}

def Layout_TileOp : SkriptND_Operator<"layout", "tile"> {
  let summary = "Repeats a tensor along axes";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "repeated dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "how often each of them is repeated">:$repeats
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_BroadcastOp : SkriptND_Operator<"layout", "broadcast"> {
  let summary = "Repeats singular dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "repeated dimensions">:$axes,
    Arg<SkriptND_PositiveInts, "new extents along `axes`">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SliceOp : SkriptND_Operator<"layout", "slice"> {
  let summary = "Every `stride`-th element from `begin` (inclusive) to `end` (exclusive); negative positions count from the end";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "sliced dimensions">:$axes,
    Arg<DenseI64ArrayAttr, "inclusive">:$begin,
    Arg<DenseI64ArrayAttr, "exclusive">:$end,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "1">, "distances of the elements">:$stride
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_PadOp : SkriptND_Operator<"layout", "pad", [SizedOperands]> {
  let summary = "Adds elements at both ends of dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    Optional<SkriptND_Any>:$value,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">, "padded dimensions">:$axes,
    Arg<SkriptND_NonNegativeInts, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["CONSTANT", "REFLECT", "REPLICATE", "SYMMETRIC"]>, "\"CONSTANT\"">, "CONSTANT, REFLECT, REPLICATE or SYMMETRIC">:$method
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_TransposeOp : SkriptND_Operator<"layout", "transpose"> {
  let summary = "Permutes dimensions from `axis` on";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<I64Attr, "0">, "first permuted dimension">:$axis,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[rank - 1:rank - d - 1:-1]">, "where each dimension of the result comes from">:$perm
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SpaceToBatchOp : SkriptND_Operator<"layout", "space_to_batch"> {
  let summary = "Moves blocks of the spatial dimensions to the batch dimension";
  let description = [{
    A spatial dimension consists of `block_size` contiguous parts; where `blocks_first` or `data_format` is given, of
    interleaved ones: of blocks with `block_size` elements.
  }];
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<SkriptND_PositiveInts, "parts along each spatial dimension">:$block_size,
    Arg<OptionalAttr<BoolAttr>, "whether the parts are the outer factor of the result's batch; true without">:$blocks_first,
    Arg<OptionalAttr<SkriptND_OneOf<["NCX", "NXC"]>>, "NCX or NXC, where the channels stand; NCX without">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_BatchToSpaceOp : SkriptND_Operator<"layout", "batch_to_space"> {
  let summary = "Moves blocks of the batch dimension to the spatial dimensions: the inverse of `space_to_batch`";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<SkriptND_PositiveInts, "parts along each spatial dimension">:$block_size,
    Arg<OptionalAttr<BoolAttr>, "whether the parts are the outer factor of the operand's batch; true without">:$blocks_first,
    Arg<OptionalAttr<SkriptND_OneOf<["NCX", "NXC"]>>, "NCX or NXC, where the channels stand; NCX without">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SpaceToDepthOp : SkriptND_Operator<"layout", "space_to_depth"> {
  let summary = "Moves blocks of the spatial dimensions to the channel dimension";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<SkriptND_PositiveInts, "extents of a block">:$block_size,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether blocks are the outer part of the result's channels">:$blocks_first,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC"]>, "\"NCX\"">, "NCX or NXC, where the channels stand">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_DepthToSpaceOp : SkriptND_Operator<"layout", "depth_to_space"> {
  let summary = "Moves blocks of the channel dimension to the spatial dimensions: the inverse of `space_to_depth`";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<SkriptND_PositiveInts, "extents of a block">:$block_size,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether blocks are the outer part of the operand's channels">:$blocks_first,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC"]>, "\"NCX\"">, "NCX or NXC, where the channels stand">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ShuffleOp : SkriptND_Operator<"layout", "shuffle", [SameOperandsAndResultType]> {
  let summary = "Interleaves groups of a dimension";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<I64Attr, "dimension that is interleaved">:$axis,
    Arg<SkriptND_PositiveInt, "how many groups it consists of">:$groups
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_NonzeroOp : SkriptND_Operator<"layout", "nonzero"> {
  let summary = "The positions of elements that are not zero, as columns, in row-major order";
  let arguments = (ins
    SkriptND_Arith:$input
  );
  let results = (outs SkriptND_Int:$index);
}

def Layout_GatherOp : SkriptND_Operator<"layout", "gather"> {
  let summary = "Selects slices along a dimension";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$index,
    Arg<I64Attr, "dimension that indices refer to">:$axis
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_GatherNdOp : SkriptND_Operator<"layout", "gather_nd"> {
  let summary = "Selects slices at positions of several dimensions: the last dimension of `indices` holds a position";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$indices,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "0">, "leading dimensions that `data` and `indices` share">:$batch_dims
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ScatterOp : SkriptND_Operator<"layout", "scatter"> {
  let summary = "Replaces slices along a dimension; of several updates of one position the last wins";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$indices,
    SkriptND_Any:$updates,
    Arg<I64Attr, "dimension that indices refer to">:$axis
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ScatterNdOp : SkriptND_Operator<"layout", "scatter_nd"> {
  let summary = "Replaces slices at positions of several dimensions; of several updates of one position the last wins";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$indices,
    SkriptND_Any:$updates,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "0">, "leading dimensions that all operands share">:$batch_dims
  );
  let results = (outs SkriptND_Any:$output);
}

#endif // SKRIPTND_LAYOUT_TD
