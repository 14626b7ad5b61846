//===- nn.td - Operators of the module `nn` -----------------------------===//
//
// Layers of neural networks (specification, section 4.4).
// Their definitions in SkriptND are in stdlib/nn.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_NN_TD
#define SKRIPTND_NN_TD

include "SkriptNDBase.td"

class NN_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"nn", mnemonic, traits>;

def NN_LinearOp : NN_Operator<"linear", [Pure, AttrSizedOperandSegments]> {
  let summary = "Fully connected layer: `input * filter^T + bias`";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$filter,
    Optional<SkriptND_Real>:$bias
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_ConvOp : NN_Operator<"conv", [Pure, AttrSizedOperandSegments]> {
  let summary = "Convolution over any number of spatial dimensions";
  let description = [{
    Without `padding` the output has the size of the input divided by the stride.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$filter,
    Optional<SkriptND_Real>:$bias,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
    Arg<DefaultValuedAttr<I64Attr, "1">, "0: one group a channel">:$groups,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN"]>, "'NCX'">, "the order of batch, channels and spatial dimensions">:$data_format,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN", "CXN"]>, "'NCX'">, "N: output channels, C: input channels of a group">:$filter_format
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_DeconvOp : NN_Operator<"deconv", [Pure, AttrSizedOperandSegments]> {
  let summary = "Transposed convolution: each element of the input adds the filter, scaled, to the elements of the output that a convolution would compute it from";
  let description = [{
    Without `padding` the output has the size of the input times the stride.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$filter,
    Optional<SkriptND_Real>:$bias,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    OptionalAttr<DenseI64ArrayAttr>:$output_size,
    Arg<DefaultValuedAttr<I64Attr, "1">, "0: one group a channel">:$groups,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN"]>, "'NCX'">, "the order of batch, channels and spatial dimensions">:$data_format,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN", "CXN"]>, "'NCX'">, "N: input channels, C: output channels of a group">:$filter_format
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_MaxPoolOp : NN_Operator<"max_pool", [Pure]> {
  let summary = "Maximum of each window that slides along `axes`";
  let description = [{
    What lies outside of the input doesn't count.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_SumPoolOp : NN_Operator<"sum_pool", [Pure]> {
  let summary = "Sum of each window that slides along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_AvgPoolOp : NN_Operator<"avg_pool", [Pure]> {
  let summary = "Mean of each window that slides along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether only elements inside of the input are counted">:$ignore_border,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_RmsPoolOp : NN_Operator<"rms_pool", [Pure]> {
  let summary = "Root of the mean square of each window that slides along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether only elements inside of the input are counted">:$ignore_border,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_LpPoolOp : NN_Operator<"lp_pool", [Pure]> {
  let summary = "p-norm of each window that slides along `axes`: `sum(abs(x) ** p) ** (1 / p)`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$stride,
    DefaultValuedAttr<SkriptND_PositiveInts, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
    F64Attr:$p
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_ReluOp : NN_Operator<"relu", [Pure, SameOperandsAndResultType]> {
  let summary = "Rectified linear unit: the larger of x and 0; optionally leaky below 0 and capped";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<OptionalAttr<F64Attr>, "slope below zero">:$alpha,
    Arg<OptionalAttr<F64Attr>, "upper limit">:$max
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_PreluOp : NN_Operator<"prelu", [Pure]> {
  let summary = "Rectified linear unit with a slope below 0 for each index along `axis`";
  let arguments = (ins
    SkriptND_Real:$x,
    SkriptND_Real:$alpha,
    DefaultValuedAttr<I64Attr, "1">:$axis
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_ThresholdedReluOp : NN_Operator<"thresholded_relu", [Pure, SameOperandsAndResultType]> {
  let summary = "The elements above a threshold, 0 for others";
  let arguments = (ins
    SkriptND_Real:$x,
    DefaultValuedAttr<F64Attr, "0.0">:$theta
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SigmoidOp : NN_Operator<"sigmoid", [Pure, SameOperandsAndResultType]> {
  let summary = "Logistic function `1 / (1 + exp(-x))`";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SiluOp : NN_Operator<"silu", [Pure, SameOperandsAndResultType]> {
  let summary = "Product of x and its logistic function";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SoftplusOp : NN_Operator<"softplus", [Pure, SameOperandsAndResultType]> {
  let summary = "Smooth rectifier `log(1 + exp(x))`, computed without overflow";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_ErfOp : NN_Operator<"erf", [Pure, SameOperandsAndResultType]> {
  let summary = "Error function";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_HardSigmoidOp : NN_Operator<"hard_sigmoid", [Pure, SameOperandsAndResultType]> {
  let summary = "Linear function between 0 and 1: `alpha * x + beta`, clamped";
  let arguments = (ins
    SkriptND_Real:$x,
    DefaultValuedAttr<F64Attr, "0.2">:$alpha,
    DefaultValuedAttr<F64Attr, "0.5">:$beta
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_EluOp : NN_Operator<"elu", [Pure, SameOperandsAndResultType]> {
  let summary = "Exponential linear unit: `alpha * (exp(x) - 1)` below 0, else x";
  let arguments = (ins
    SkriptND_Real:$x,
    DefaultValuedAttr<F64Attr, "1.0">:$alpha
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SeluOp : NN_Operator<"selu", [Pure, SameOperandsAndResultType]> {
  let summary = "Scaled exponential linear unit: `lambda` times `elu`";
  let arguments = (ins
    SkriptND_Real:$x,
    DefaultValuedAttr<F64Attr, "1.67326319">:$alpha,
    DefaultValuedAttr<F64Attr, "1.05070102">:$lambda
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_GeluOp : NN_Operator<"gelu", [Pure, SameOperandsAndResultType]> {
  let summary = "Gaussian error linear unit: exact, or approximated by a hyperbolic tangent or a logistic function";
  let arguments = (ins
    SkriptND_Real:$x,
    OptionalAttr<StrAttr>:$approximate
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_BatchNormOp : NN_Operator<"batch_norm", [Pure, AttrSizedOperandSegments]> {
  let summary = "Normalisation by given means and variances of channels: `(input - mean) / sqrt(variance + epsilon) * scale + bias`";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$mean,
    SkriptND_Real:$variance,
    Optional<SkriptND_Real>:$bias,
    Optional<SkriptND_Real>:$scale,
    DefaultValuedAttr<F64Attr, "1e-5">:$epsilon,
    DefaultValuedAttr<I64Attr, "1">:$channel_axis
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_MeanVarianceNormOp : NN_Operator<"mean_variance_norm", [Pure, AttrSizedOperandSegments]> {
  let summary = "Normalisation by the input's own mean and variance along `axes`, then scaled and shifted by channel";
  let arguments = (ins
    SkriptND_Real:$input,
    Optional<SkriptND_Real>:$bias,
    Optional<SkriptND_Real>:$scale,
    DefaultValuedAttr<DenseI64ArrayAttr, "[2:d + 2]">:$axes,
    DefaultValuedAttr<F64Attr, "1e-5">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_LocalResponseNormOp : NN_Operator<"local_response_norm", [Pure]> {
  let summary = "Division by a power of the mean square of neighbours: `input / (bias + alpha * mean) ** beta`, the mean over windows of `size` along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[1]">:$axes,
    SkriptND_PositiveInts:$size,
    DefaultValuedAttr<F64Attr, "1.0">:$alpha,
    DefaultValuedAttr<F64Attr, "0.5">:$beta,
    DefaultValuedAttr<F64Attr, "1.0">:$bias
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_L1NormOp : NN_Operator<"l1_norm", [Pure]> {
  let summary = "Division by the sum of magnitudes along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DenseI64ArrayAttr:$axes,
    Arg<OptionalAttr<F64Attr>, "added to the norm">:$bias,
    Arg<OptionalAttr<F64Attr>, "the divisor is at least this">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_L2NormOp : NN_Operator<"l2_norm", [Pure]> {
  let summary = "Division by the root of the sum of squares along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DenseI64ArrayAttr:$axes,
    Arg<OptionalAttr<F64Attr>, "added to the norm">:$bias,
    Arg<OptionalAttr<F64Attr>, "the divisor is at least this">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_SoftmaxOp : NN_Operator<"softmax", [Pure]> {
  let summary = "Exponentials, divided by their sum along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "[1]">:$axes
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_LstmStepOp : NN_Operator<"lstm_step", [Pure]> {
  let summary = "One step of a long short-term memory, from state `h0` and cell `c0` to `h1` and `c1`";
  let description = [{
    The gates stand in the order input, forget, cell, output.
  }];
  let arguments = (ins
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    SkriptND_Real:$x,
    SkriptND_Real:$W,
    SkriptND_Real:$R,
    SkriptND_Real:$B
  );
  let results = (outs SkriptND_Real:$h1, SkriptND_Real:$c1);
}

def NN_LstmLoopOp : NN_Operator<"lstm_loop", [Pure, AttrSizedOperandSegments]> {
  let summary = "A long short-term memory whose batch items all have the same number of steps: `steps`, or as many as X holds";
  let arguments = (ins
    SkriptND_Real:$X,
    SkriptND_Real:$W,
    SkriptND_Real:$R,
    SkriptND_Real:$B,
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    Optional<SkriptND_Int>:$steps
  );
  let results = (outs SkriptND_Real:$Y, SkriptND_Real:$hN, SkriptND_Real:$cN);
}

def NN_JaggedLstmLoopOp : NN_Operator<"_jagged_lstm_loop", [Pure]> {
  let summary = "A long short-term memory whose batch items have numbers of steps of their own: an item that is done keeps its state, and its outputs are 0 from there on";
  let arguments = (ins
    SkriptND_Real:$X,
    SkriptND_Real:$W,
    SkriptND_Real:$R,
    SkriptND_Real:$B,
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    SkriptND_Int:$steps
  );
  let results = (outs SkriptND_Real:$Y, SkriptND_Real:$hN, SkriptND_Real:$cN);
}

def NN_LstmOp : NN_Operator<"lstm", [Pure, AttrSizedOperandSegments]> {
  let summary = "Long short-term memory: all outputs Y, last state hN, last cell cN";
  let description = [{
    With `steps` each batch item has a number of steps of its own; Y holds as many as the longest and is 0 behind
    the last step of the others.
  }];
  let arguments = (ins
    SkriptND_Real:$X,
    SkriptND_Real:$W,
    SkriptND_Real:$R,
    SkriptND_Real:$B,
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    Optional<SkriptND_Int>:$steps
  );
  let results = (outs SkriptND_Real:$Y, SkriptND_Real:$hN, SkriptND_Real:$cN);
}

#endif // SKRIPTND_NN_TD
