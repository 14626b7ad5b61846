//===- Htp.td - All operations of the htp dialect ---------------------------===//

#ifndef HTP_TD
#define HTP_TD

include "HtpBase.td"

//===----------------------------------------------------------------------===//
// The framework's own
//===----------------------------------------------------------------------===//

def Htp_ShapeOp : Htp_Op<"$Shape"> {
  let summary = "A shape: the shape of the result is its value";
  let description = [{
    Strides and window sizes are shapes `[1, height, width, 1]`, so that rules read them by `DIM_HEIGHT` and
    `DIM_WIDTH`.
  }];
  let hasVerifier = 1;
}

def Htp_ConstOp : Htp_Op<"$Const"> {
  let summary = "A constant";
  let description = [{
    `elements` is a dense array of `i64` or `f64` with one number for each element of the result.
  }];
  let arguments = (ins AnyAttrOf<[DenseI64ArrayAttr, DenseF64ArrayAttr]>:$elements);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Package q
//===----------------------------------------------------------------------===//

class Htp_Conv2d<string mnemonic> : Htp_Op<mnemonic> {
  let arguments = (ins
    Htp_Tensor:$input,    // [batch, height, width, channels]
    Htp_Tensor:$filter,   // [height, width, channels of a group, channels of the output]
    Htp_Tensor:$bias,     // [channels of the output]
    Htp_Ints:$stride,     // a shape
    Htp_Ints:$pad_amount, // before and behind height, before and behind width
    Htp_Ints:$dilation,   // a shape
    Htp_Ints:$groups      // a constant
  );
}

def Htp_Conv2dOp : Htp_Conv2d<"q.Conv2d"> {
  let summary = "Convolution of images";
}

def Htp_Conv2dReluOp : Htp_Conv2d<"q.Conv2d.relu"> {
  let summary = "Convolution of images, values below zero cut off";
}

class Htp_DepthWiseConv2d<string mnemonic> : Htp_Op<mnemonic> {
  let arguments = (ins
    Htp_Tensor:$input,  // [batch, height, width, channels]
    Htp_Tensor:$filter, // [height, width, 1, channels of the output]
    Htp_Tensor:$bias, Htp_Ints:$stride, Htp_Ints:$pad_amount, Htp_Ints:$dilation
  );
}

def Htp_DepthWiseConv2dOp : Htp_DepthWiseConv2d<"q.DepthWiseConv2d"> {
  let summary = "Convolution of each channel on its own";
}

def Htp_DepthWiseConv2dReluOp : Htp_DepthWiseConv2d<"q.DepthWiseConv2d.relu"> {
  let summary = "Convolution of each channel on its own, values below zero cut off";
}

def Htp_TransposeConv2dOp : Htp_Op<"q.TransposeConv2d"> {
  let summary = "Transposed convolution of images: what a convolution would compute the input from";
  let arguments = (ins
    Htp_Tensor:$input,  // [batch, height, width, channels]
    Htp_Tensor:$filter, // [height, width, channels of the output's group, channels]
    Htp_Tensor:$bias, Htp_Ints:$stride, Htp_Ints:$pad_amount, Htp_Ints:$dilation, Htp_Ints:$groups
  );
}

class Htp_Pool2d<string mnemonic> : Htp_Op<mnemonic> {
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$size, Htp_Ints:$pad_amount, Htp_Ints:$stride);
}

def Htp_PoolMax2dOp : Htp_Pool2d<"q.PoolMax2d"> {
  let summary = "Maximum of each window";
}

def Htp_PoolAvg2dOp : Htp_Op<"q.PoolAvg2d"> {
  let summary = "Mean of each window";
  let description = [{
    `count_pad` is 1 where what lies outside of the image counts, as zeros.
  }];
  let arguments = (ins
    Htp_Tensor:$input, Htp_Ints:$size, Htp_Ints:$pad_amount, Htp_Ints:$stride, Htp_Ints:$count_pad);
}

class Htp_FullyConnected<string mnemonic> : Htp_Op<mnemonic> {
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$filter, Htp_Tensor:$bias);
}

def Htp_FullyConnectedOp : Htp_FullyConnected<"q.FullyConnected"> {
  let summary = "Fully connected layer: `input * filter^T + bias`";
}

def Htp_FullyConnectedReluOp : Htp_FullyConnected<"q.FullyConnected.relu"> {
  let summary = "Fully connected layer, values below zero cut off";
}

def Htp_MatMulOp : Htp_Op<"q.MatMul"> {
  let summary = "Products of matrices, each operand transposed where its flag says so, and what is added to them";
  let arguments = (ins Htp_Tensor:$lhs, Htp_Tensor:$rhs, Optional<Htp_Tensor>:$bias, Htp_Ints:$transpose_lhs, Htp_Ints:$transpose_rhs);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

class Htp_Unary<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let arguments = (ins Htp_Tensor:$input);
}

def Htp_ReluOp : Htp_Unary<"q.Relu", "Values below zero cut off">;
def Htp_SigmoidOp : Htp_Unary<"q.Sigmoid", "The logistic function">;
def Htp_TanhOp : Htp_Unary<"q.Tanh", "The hyperbolic tangent">;
def Htp_GeluOp : Htp_Unary<"q.Gelu", "The Gaussian error linear unit">;
def Htp_SiluOp : Htp_Unary<"q.Silu", "The product of a value and its logistic function">;
def Htp_HardSwishOp : Htp_Unary<"q.HardSwish", "`x * clamp(x + 3, 0, 6) / 6`, computed in this order">;
def Htp_SoftplusOp : Htp_Unary<"q.ElementWiseSoftplus", "`log(1 + exp(x))`">;
def Htp_ElementWiseNegOp : Htp_Unary<"q.ElementWiseNeg", "The negative">;
def Htp_ElementWiseAbsOp : Htp_Unary<"q.ElementWiseAbs", "The magnitude">;
def Htp_ElementWiseSignOp : Htp_Unary<"q.ElementWiseSign", "-1, 0 or 1">;
def Htp_ElementWiseExpOp : Htp_Unary<"q.ElementWiseExp", "The exponential">;
def Htp_ElementWiseLogOp : Htp_Unary<"q.ElementWiseLog", "The natural logarithm">;
def Htp_ElementWiseSquareRootOp : Htp_Unary<"q.ElementWiseSquareRoot", "The square root">;
def Htp_ElementWiseRsqrtOp : Htp_Unary<"q.ElementWiseRsqrt", "The reciprocal of the square root">;
def Htp_ElementWiseSinOp : Htp_Unary<"q.ElementWiseSin", "The sine">;
def Htp_ElementWiseCosOp : Htp_Unary<"q.ElementWiseCos", "The cosine">;
def Htp_ElementWiseFloorOp : Htp_Unary<"q.ElementWiseFloor", "The next integer below">;
def Htp_ElementWiseCeilOp : Htp_Unary<"q.ElementWiseCeil", "The next integer above">;
def Htp_ElementWiseRoundOp : Htp_Unary<"q.ElementWiseRound", "The nearest integer">;

def Htp_ReluMinMaxOp : Htp_Op<"q.ReluMinMax"> {
  let summary = "Values limited to a range";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$min, Htp_Tensor:$max);
}

def Htp_LeakyReluOp : Htp_Op<"q.LeakyRelu"> {
  let summary = "Values below zero scaled by `alpha`";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$alpha);
}

def Htp_PreluOp : Htp_Op<"q.Prelu"> {
  let summary = "Values below zero scaled by the slope at their index along `axis`";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$slopes, Htp_Ints:$axis);
}

def Htp_EluOp : Htp_Op<"q.Elu"> {
  let summary = "`alpha * (exp(x) - 1)` below zero";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$alpha);
}

def Htp_HardSigmoidOp : Htp_Op<"q.HardSigmoid"> {
  let summary = "`alpha * x + beta`, limited to the range from 0 to 1";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$alpha, Htp_Tensor:$beta);
}

class Htp_Binary<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let description = [{
    Extents of 1 and missing leading dimensions are repeated.
  }];
  let arguments = (ins Htp_Tensor:$lhs, Htp_Tensor:$rhs);
}

def Htp_ElementWiseAddOp : Htp_Binary<"q.ElementWiseAdd", "Sums">;
def Htp_ElementWiseSubtractOp : Htp_Binary<"q.ElementWiseSubtract", "Differences">;
def Htp_ElementWiseMultiplyOp : Htp_Binary<"q.ElementWiseMultiply", "Products">;
def Htp_ElementWiseDivideOp : Htp_Binary<"q.ElementWiseDivide", "Quotients">;
def Htp_ElementWisePowerOp : Htp_Binary<"q.ElementWisePower", "Powers">;
def Htp_ElementWiseMinimumOp : Htp_Binary<"q.ElementWiseMinimum", "The smaller values">;
def Htp_ElementWiseMaximumOp : Htp_Binary<"q.ElementWiseMaximum", "The larger values">;

//===----------------------------------------------------------------------===//
// Normalization and reduction
//===----------------------------------------------------------------------===//

def Htp_SoftmaxOp : Htp_Op<"q.Softmax"> {
  let summary = "Exponentials, scaled by beta before, that add up to 1 along the last dimension";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$beta);
}

def Htp_BatchnormOp : Htp_Op<"q.Batchnorm"> {
  let summary = "Normalization by given means and variances of the indices along `axis`";
  let arguments = (ins
    Htp_Tensor:$input, Htp_Tensor:$mean, Htp_Tensor:$variance, Htp_Tensor:$bias, Htp_Tensor:$scale,
    Htp_Tensor:$epsilon, Htp_Ints:$axis);
}

def Htp_InstanceNormOp : Htp_Op<"q.InstanceNorm"> {
  let summary = "Normalization by mean and variance along `axes`, then scaled and shifted along dimension 1";
  let arguments = (ins
    Htp_Tensor:$input, Htp_Tensor:$bias, Htp_Tensor:$scale, Htp_Ints:$axes, Htp_Tensor:$epsilon);
}

def Htp_LayerNormOp : Htp_Op<"q.LayerNorm"> {
  let summary = "Normalization by mean and variance along `axes`, the last dimensions, then scaled and shifted for each of their indices";
  let arguments = (ins
    Htp_Tensor:$input, Htp_Tensor:$scale, Htp_Tensor:$bias, Htp_Ints:$axes, Htp_Tensor:$epsilon);
}

class Htp_Reduce<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let description = [{
    The dimensions `axes` vanish where `squeeze` is 1, and have the extent 1 where it is 0.
  }];
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axes, Htp_Ints:$squeeze);
}

def Htp_ReduceMeanOp : Htp_Reduce<"q.ReduceMean", "Means">;
def Htp_ReduceSumOp : Htp_Reduce<"q.ReduceSum", "Sums">;
def Htp_ReduceProdOp : Htp_Reduce<"q.ReduceProd", "Products">;
def Htp_ReduceMinOp : Htp_Reduce<"q.ReduceMin", "The smallest values">;
def Htp_ReduceMaxOp : Htp_Reduce<"q.ReduceMax", "The largest values">;

class Htp_Arg<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let description = [{
    The dimension vanishes where `squeeze` is 1, and has the extent 1 where it is 0.
  }];
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axis, Htp_Ints:$squeeze);
}

def Htp_ArgminOp : Htp_Arg<"q.Argmin", "Indices along `axis` of the first smallest values">;
def Htp_ArgmaxOp : Htp_Arg<"q.Argmax", "Indices along `axis` of the first largest values">;

def Htp_TopKOp : Htp_Op<"q.TopK"> {
  let summary = "The `k` largest elements along the last dimension, or the smallest where `largest` is 0, in their order, and their indices";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$k, Htp_Ints:$largest);
  let results = (outs Htp_Tensor:$values, Htp_Tensor:$indices);
}

def Htp_CumulativeSumOp : Htp_Op<"q.CumulativeSum"> {
  let summary = "Sums of all values up to each along `axis`, without it where `exclusive` is 1, from the end where `reverse` is 1";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axis, Htp_Ints:$exclusive, Htp_Ints:$reverse);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

def Htp_ReshapeOp : Htp_Op<"q.Reshape"> {
  let summary = "The same elements in another shape";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$shape);
}

def Htp_TransposeOp : Htp_Op<"q.Transpose"> {
  let summary = "Dimensions in another order";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$permutation);
}

def Htp_SliceShapeOp : Htp_Op<"q.Slice_shape"> {
  let summary = "The part of a tensor that begins at `start` and has the extents `size`, both shapes";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$start, Htp_Ints:$size);
}

def Htp_StridedSliceOp : Htp_Op<"q.StridedSlice"> {
  let summary = "Every `stride`-th element from `begin` (inclusive) to `end` (exclusive) along `axes`";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axes, Htp_Ints:$begin, Htp_Ints:$end, Htp_Ints:$stride);
}

def Htp_ConcatOp : Htp_Op<"q.Concat"> {
  let summary = "Tensors, one behind the other along a dimension";
  let arguments = (ins Htp_Ints:$axis, Variadic<Htp_Tensor>:$inputs);
}

def Htp_PadOp : Htp_Op<"q.Pad"> {
  let summary = "Elements added before and behind the dimensions `axes`";
  let description = [{
    `padding` has what is added before each of them, then what behind; `method` is 0 where `value` is added, 1 for
    reflection, 2 for the border, 3 for reflection with the border.
  }];
  let arguments = (ins Htp_Tensor:$input, Optional<Htp_Tensor>:$value, Htp_Ints:$axes, Htp_Ints:$padding, Htp_Ints:$method);
}

def Htp_GatherOp : Htp_Op<"q.Gather"> {
  let summary = "The slices along `axis` that `index` names";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$index, Htp_Ints:$axis);
}

def Htp_GatherNdOp : Htp_Op<"q.GatherNd"> {
  let summary = "The slices at the positions that the last dimension of `index` holds, behind `batch_dims` common dimensions";
  let arguments = (ins Htp_Tensor:$input, Htp_Tensor:$index, Htp_Ints:$batch_dims);
}

def Htp_TileOp : Htp_Op<"q.Tile"> {
  let summary = "A tensor repeated along each dimension as often as `multiples` says";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$multiples);
}

def Htp_ChannelShuffleOp : Htp_Op<"q.ChannelShuffle"> {
  let summary = "Groups of a dimension, interleaved";
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axis, Htp_Ints:$groups);
}

class Htp_BlockMove<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let description = [{
    `block_size` has height and width of a block; `mode` is 0 where the blocks are the outer part of the channels, and 1
    where they are the inner part.
  }];
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$block_size, Htp_Ints:$mode);
}

def Htp_DepthToSpaceOp : Htp_BlockMove<"q.DepthToSpace", "Blocks of channels moved to height and width">;
def Htp_SpaceToDepthOp : Htp_BlockMove<"q.SpaceToDepth", "Blocks of height and width moved to the channels">;

class Htp_Resize<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let description = [{
    `transform` is 0 where the centres of borders coincide, 1 for their corners, 2 for their ends.
  }];
}

def Htp_ResizeBilinearOp : Htp_Resize<"q.ResizeBilinear", "Linear interpolation to the extents `size` along `axes`"> {
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axes, Htp_Ints:$size, Htp_Ints:$transform);
}

def Htp_ResizeNearestNeighborOp
    : Htp_Resize<"q.ResizeNearestNeighbor", "The nearest elements, to the extents `size` along `axes`"> {
  let arguments = (ins Htp_Tensor:$input, Htp_Ints:$axes, Htp_Ints:$size, Htp_Ints:$transform, Htp_Ints:$rounding);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Htp_Cast<string mnemonic, string text> : Htp_Op<mnemonic> {
  let summary = text;
  let arguments = (ins Htp_Tensor:$input);
}

def Htp_QuantizeOp : Htp_Cast<"q.Quantize", "Real numbers as quantized ones">;
def Htp_DequantizeOp : Htp_Cast<"q.Dequantize", "Quantized numbers as the real ones that they stand for">;
def Htp_RequantizeOp : Htp_Cast<"q.Requantize", "Quantized numbers with another step and zero">;
def Htp_CastOp : Htp_Cast<"q.Cast", "Numbers in another type">;

//===----------------------------------------------------------------------===//
// Layouts and places
//===----------------------------------------------------------------------===//

class Htp_Relaid<string mnemonic, string text> : Htp_Op<mnemonic, [SameOperandsAndResultType]> {
  let summary = text;
  let description = [{
    The elements are the same; `place-htp-tensors` puts such ops where formats differ.
  }];
  let arguments = (ins Htp_Tensor:$input);
}

def Htp_ForceFormatFlatOp : Htp_Relaid<"q.ForceFormat_Flat", "A tensor laid out flat, where it is">;
def Htp_ForceFormatCroutonOp : Htp_Relaid<"q.ForceFormat_Crouton", "A tensor laid out in croutons, where it is">;
def Htp_FlatToVtcmOp : Htp_Relaid<"q.flat_to_vtcm", "A flat tensor, brought from main memory to VTCM">;
def Htp_FlatFromVtcmOp : Htp_Relaid<"q.flat_from_vtcm", "A flat tensor, brought from VTCM to main memory">;
def Htp_CroutonToVtcmOp : Htp_Relaid<"q.crouton_to_vtcm", "A tensor of croutons, brought from main memory to VTCM">;
def Htp_CroutonFromVtcmOp : Htp_Relaid<"q.crouton_from_vtcm", "A tensor of croutons, brought from VTCM to main memory">;

#endif // HTP_TD
