//===- layout.td - Operators of the module `layout` ---------------------===//
//
// Creation, rearrangement and selection of data (specification, section 4.1).
// Their definitions in SkriptND are in stdlib/layout.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LAYOUT_TD
#define SKRIPTND_LAYOUT_TD

include "SkriptNDBase.td"

class Layout_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"layout", mnemonic, traits>;

def Layout_ConstantOp : Layout_Operator<"constant", [Pure]> {
  let summary = "A constant tensor: one value for all elements, or all elements in row-major order";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    AnyAttr:$value,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_TensorOp : Layout_Operator<"tensor", [Pure]> {
  let summary = "A constant tensor; the newer name of `constant`";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    AnyAttr:$value,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UniformOp : Layout_Operator<"uniform", [Pure]> {
  let summary = "A tensor that is filled with a scalar";
  let arguments = (ins
    SkriptND_Any:$value,
    DenseI64ArrayAttr:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_RangeOp : Layout_Operator<"range", [Pure]> {
  let summary = "Numbers from `first` (inclusive) to `last` (exclusive)";
  let arguments = (ins
    AnyAttr:$first,
    AnyAttr:$last,
    DefaultValuedAttr<AnyAttr, "T(1)">:$stride,
    OptionalAttr<TypeAttr>:$T
  );
  let results = (outs SkriptND_Num:$output);
}

def Layout_ShapeOp : Layout_Operator<"shape", [Pure]> {
  let summary = "The extents of a tensor";
  let arguments = (ins
    SkriptND_Any:$input
  );
  let results = (outs SkriptND_Int:$output);
}

def Layout_CastOp : Layout_Operator<"cast", [Pure]> {
  let summary = "Conversion of each element to another type";
  let arguments = (ins
    SkriptND_Arith:$x,
    OptionalAttr<TypeAttr>:$R
  );
  let results = (outs SkriptND_Arith:$y);
}

def Layout_ReshapeOp : Layout_Operator<"reshape", [Pure]> {
  let summary = "Replaces `rank` dimensions from `axis` on by `shape`; one extent may be -1, which stands for what is left";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<I64Attr, "0">, "dimension where reshaping starts">:$axis,
    Arg<DefaultValuedAttr<I64Attr, "d">, "number of replaced dimensions">:$rank,
    Arg<DenseI64ArrayAttr, "their new extents">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_FlattenOp : Layout_Operator<"flatten", [Pure]> {
  let summary = "Merges `rank` dimensions from `axis` on into one";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<DefaultValuedAttr<I64Attr, "0">, "dimension where flattening starts">:$axis,
    Arg<DefaultValuedAttr<I64Attr, "d">, "number of merged dimensions">:$rank
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UnflattenOp : Layout_Operator<"unflatten", [Pure]> {
  let summary = "Splits a dimension into several";
  let arguments = (ins
    SkriptND_Any:$input,
    Arg<I64Attr, "the dimension">:$axis,
    Arg<DenseI64ArrayAttr, "its parts">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SqueezeOp : Layout_Operator<"squeeze", [Pure]> {
  let summary = "Removes singular dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    DenseI64ArrayAttr:$axes
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UnsqueezeOp : Layout_Operator<"unsqueeze", [Pure]> {
  let summary = "Inserts singular dimensions, which have the numbers `axes` in the result";
  let arguments = (ins
    SkriptND_Any:$input,
    DenseI64ArrayAttr:$axes
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ConcatOp : Layout_Operator<"concat", [Pure, AttrSizedOperandSegments]> {
  let summary = "Joins tensors along a dimension";
  let arguments = (ins
    Variadic<SkriptND_Any>:$inputs,
    I64Attr:$axis
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SplitOp : Layout_Operator<"split", [Pure, AttrSizedResultSegments]> {
  let summary = "Takes a tensor apart along a dimension, into parts of the given sizes or of equal ones";
  let arguments = (ins
    SkriptND_Any:$input,
    I64Attr:$axis,
    OptionalAttr<I64Attr>:$count,
    DefaultValuedAttr<DenseI64ArrayAttr, "[(z / count)..(count)]">:$sizes
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
}

def Layout_StackOp : Layout_Operator<"stack", [Pure, AttrSizedOperandSegments]> {
  let summary = "Joins tensors along a new dimension, or along a singular one with `squeeze`";
  let arguments = (ins
    Variadic<SkriptND_Any>:$inputs,
    I64Attr:$axis,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the operands have the dimension already, with extent 1">:$squeeze
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_UnstackOp : Layout_Operator<"unstack", [Pure, AttrSizedResultSegments]> {
  let summary = "Takes a tensor apart along a dimension, which vanishes unless `squeeze` is false";
  let arguments = (ins
    SkriptND_Any:$input,
    I64Attr:$axis,
    DefaultValuedAttr<BoolAttr, "true">:$squeeze
  );
  let results = (outs Variadic<SkriptND_Any>:$outputs);
}

def Layout_TileOp : Layout_Operator<"tile", [Pure]> {
  let summary = "Repeats a tensor along axes";
  let arguments = (ins
    SkriptND_Any:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    DenseI64ArrayAttr:$repeats
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_BroadcastOp : Layout_Operator<"broadcast", [Pure]> {
  let summary = "Repeats singular dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DenseI64ArrayAttr, "new extents along `axes`">:$shape
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SliceOp : Layout_Operator<"slice", [Pure]> {
  let summary = "Every `stride`-th element from `begin` (inclusive) to `end` (exclusive); negative positions count from the end";
  let arguments = (ins
    SkriptND_Any:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    DenseI64ArrayAttr:$begin,
    DenseI64ArrayAttr:$end,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$stride
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_PadOp : Layout_Operator<"pad", [Pure, AttrSizedOperandSegments]> {
  let summary = "Adds elements at both ends of dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    Optional<SkriptND_Any>:$value,
    DefaultValuedAttr<DenseI64ArrayAttr, "[0:d]">:$axes,
    Arg<DenseI64ArrayAttr, "before each of the axes, then behind each of them">:$padding,
    DefaultValuedAttr<StrAttr, "'CONSTANT'">:$method
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_TransposeOp : Layout_Operator<"transpose", [Pure]> {
  let summary = "Permutes dimensions from `axis` on";
  let arguments = (ins
    SkriptND_Any:$input,
    DefaultValuedAttr<I64Attr, "0">:$axis,
    DefaultValuedAttr<DenseI64ArrayAttr, "[rank - 1:rank - d - 1:-1]">:$perm
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SpaceToBatchOp : Layout_Operator<"space_to_batch", [Pure]> {
  let summary = "Moves blocks of the spatial dimensions to the batch dimension";
  let arguments = (ins
    SkriptND_Any:$input,
    DenseI64ArrayAttr:$block_size,
    Arg<OptionalAttr<BoolAttr>, "whether the parts are the outer factor of the batch">:$blocks_first,
    Arg<OptionalAttr<SkriptND_OneOf<["NCX", "NXC"]>>, "where the channels stand">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_BatchToSpaceOp : Layout_Operator<"batch_to_space", [Pure]> {
  let summary = "Moves blocks of the batch dimension to the spatial dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    DenseI64ArrayAttr:$block_size,
    Arg<OptionalAttr<BoolAttr>, "whether the parts are the outer factor of the batch">:$blocks_first,
    Arg<OptionalAttr<SkriptND_OneOf<["NCX", "NXC"]>>, "where the channels stand">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_SpaceToDepthOp : Layout_Operator<"space_to_depth", [Pure]> {
  let summary = "Moves blocks of the spatial dimensions to the channel dimension";
  let arguments = (ins
    SkriptND_Any:$input,
    DenseI64ArrayAttr:$block_size,
    DefaultValuedAttr<BoolAttr, "true">:$blocks_first,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC"]>, "'NCX'">, "where the channels stand">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_DepthToSpaceOp : Layout_Operator<"depth_to_space", [Pure]> {
  let summary = "Moves blocks of the channel dimension to the spatial dimensions";
  let arguments = (ins
    SkriptND_Any:$input,
    DenseI64ArrayAttr:$block_size,
    DefaultValuedAttr<BoolAttr, "true">:$blocks_first,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC"]>, "'NCX'">, "where the channels stand">:$data_format
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ShuffleOp : Layout_Operator<"shuffle", [Pure]> {
  let summary = "Interleaves groups of a dimension";
  let arguments = (ins
    SkriptND_Any:$input,
    I64Attr:$axis,
    I64Attr:$groups
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_NonzeroOp : Layout_Operator<"nonzero", [Pure]> {
  let summary = "The positions of elements that are not zero, as columns, in row-major order";
  let arguments = (ins
    SkriptND_Arith:$input
  );
  let results = (outs SkriptND_Int:$index);
}

def Layout_GatherOp : Layout_Operator<"gather", [Pure]> {
  let summary = "Selects slices along a dimension";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$index,
    I64Attr:$axis
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_GatherNdOp : Layout_Operator<"gather_nd", [Pure]> {
  let summary = "Selects slices at positions of several dimensions: the last dimension of `indices` holds a position";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$indices,
    DefaultValuedAttr<I64Attr, "0">:$batch_dims
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ScatterOp : Layout_Operator<"scatter", [Pure]> {
  let summary = "Replaces slices along a dimension; of several updates of one position the last wins";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$indices,
    SkriptND_Any:$updates,
    I64Attr:$axis
  );
  let results = (outs SkriptND_Any:$output);
}

def Layout_ScatterNdOp : Layout_Operator<"scatter_nd", [Pure]> {
  let summary = "Replaces slices at positions of several dimensions; of several updates of one position the last wins";
  let arguments = (ins
    SkriptND_Any:$data,
    SkriptND_Int:$indices,
    SkriptND_Any:$updates,
    DefaultValuedAttr<I64Attr, "0">:$batch_dims
  );
  let results = (outs SkriptND_Any:$output);
}

#endif // SKRIPTND_LAYOUT_TD
