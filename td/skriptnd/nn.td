//===- nn.td - Operators of the module `nn` -----------------------------===//
//
// Layers of neural networks (specification, section 4.4).
//
// Written by `cargo xtask docs` from stdlib/nn.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_NN_TD
#define SKRIPTND_NN_TD

include "Traits.td"

def NN_LinearOp : SkriptND_Operator<"nn", "linear", [SizedOperands]> {
  let summary = "Fully connected layer: `input * filter^T + bias`";
  let arguments = (ins
    SkriptND_Num:$input,
    SkriptND_Num:$filter,
    Optional<SkriptND_Num>:$bias
  );
  let results = (outs SkriptND_Num:$output);
}

def NN_ConvOp : SkriptND_Operator<"nn", "conv", [SizedOperands]> {
  let summary = "Convolution over any number of spatial dimensions";
  let description = [{
    Without `padding` the output has the size of the input divided by the stride.
  }];
  let arguments = (ins
    SkriptND_Num:$input,
    SkriptND_Num:$filter,
    Optional<SkriptND_Num>:$bias,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "1">, "0: one group a channel">:$groups,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN"]>, "\"NCX\"">, "the order of batch, channels and spatial dimensions">:$data_format,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN", "CXN"]>, "\"NCX\"">, "N: output channels, C: input channels of a group">:$filter_format
  );
  let results = (outs SkriptND_Num:$output);
}

def NN_DeconvOp : SkriptND_Operator<"nn", "deconv", [SizedOperands]> {
  let summary = "Transposed convolution: each element of the input adds the filter, scaled, to the elements of the output that a convolution would compute it from";
  let description = [{
    Without `padding` the output has the size of the input times the stride.
  }];
  let arguments = (ins
    SkriptND_Num:$input,
    SkriptND_Num:$filter,
    Optional<SkriptND_Num>:$bias,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "extents of the output, where strides leave them open">:$output_size,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "1">, "0: one group a channel">:$groups,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN"]>, "\"NCX\"">, "the order of batch, channels and spatial dimensions">:$data_format,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["NCX", "NXC", "XCN", "CXN"]>, "\"NCX\"">, "N: input channels, C: output channels of a group">:$filter_format
  );
  let results = (outs SkriptND_Num:$output);
}

def NN_MaxPoolOp : SkriptND_Operator<"nn", "max_pool"> {
  let summary = "Maximum of each window that slides along `axes`";
  let description = [{
    What lies outside of the input doesn't count.
  }];
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">, "dimensions along which windows slide">:$axes,
    Arg<SkriptND_PositiveInts, "extents of a window">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode
  );
  let results = (outs SkriptND_Num:$output);
}

def NN_SumPoolOp : SkriptND_Operator<"nn", "sum_pool"> {
  let summary = "Sum of each window that slides along `axes`";
  let arguments = (ins
    SkriptND_Num:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">, "dimensions along which windows slide">:$axes,
    Arg<SkriptND_PositiveInts, "extents of a window">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode
  );
  let results = (outs SkriptND_Num:$output);
}

def NN_AvgPoolOp : SkriptND_Operator<"nn", "avg_pool"> {
  let summary = "Mean of each window that slides along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">, "dimensions along which windows slide">:$axes,
    Arg<SkriptND_PositiveInts, "extents of a window">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether only elements inside of the input are counted">:$ignore_border,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_RmsPoolOp : SkriptND_Operator<"nn", "rms_pool"> {
  let summary = "Root of the mean square of each window that slides along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">, "dimensions along which windows slide">:$axes,
    Arg<SkriptND_PositiveInts, "extents of a window">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether only elements inside of the input are counted">:$ignore_border,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_LpPoolOp : SkriptND_Operator<"nn", "lp_pool"> {
  let summary = "p-norm of each window that slides along `axes`: `sum(abs(x) ** p) ** (1 / p)`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[2:d]">, "dimensions along which windows slide">:$axes,
    Arg<SkriptND_PositiveInts, "extents of a window">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each of the axes, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode,
    Arg<F64Attr, "exponent of the norm">:$p
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_ReluOp : SkriptND_Operator<"nn", "relu", [SameOperandsAndResultType]> {
  let summary = "Rectified linear unit: the larger of x and 0; optionally leaky below 0 and capped";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<OptionalAttr<F64Attr>, "slope below zero">:$alpha,
    Arg<OptionalAttr<F64Attr>, "upper limit">:$max
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_PreluOp : SkriptND_Operator<"nn", "prelu"> {
  let summary = "Rectified linear unit with a slope below 0 for each index along `axis`";
  let arguments = (ins
    SkriptND_Real:$x,
    SkriptND_Real:$alpha,
    Arg<DefaultValuedAttr<I64Attr, "1">, "dimension that has the slopes">:$axis
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_ThresholdedReluOp : SkriptND_Operator<"nn", "thresholded_relu", [SameOperandsAndResultType]> {
  let summary = "The elements above a threshold, 0 for others";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<DefaultValuedAttr<F64Attr, "0.0">, "the threshold">:$theta
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SigmoidOp : SkriptND_Operator<"nn", "sigmoid", [SameOperandsAndResultType]> {
  let summary = "Logistic function `1 / (1 + exp(-x))`";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SiluOp : SkriptND_Operator<"nn", "silu", [SameOperandsAndResultType]> {
  let summary = "Product of x and its logistic function";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SoftplusOp : SkriptND_Operator<"nn", "softplus", [SameOperandsAndResultType]> {
  let summary = "Smooth rectifier `log(1 + exp(x))`, computed without overflow";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_ErfOp : SkriptND_Operator<"nn", "erf", [SameOperandsAndResultType]> {
  let summary = "Error function";
  let arguments = (ins
    SkriptND_Real:$x
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_HardSigmoidOp : SkriptND_Operator<"nn", "hard_sigmoid", [SameOperandsAndResultType]> {
  let summary = "Linear function between 0 and 1: `alpha * x + beta`, clamped";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<DefaultValuedAttr<F64Attr, "0.2">, "slope">:$alpha,
    Arg<DefaultValuedAttr<F64Attr, "0.5">, "value at 0">:$beta
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_EluOp : SkriptND_Operator<"nn", "elu", [SameOperandsAndResultType]> {
  let summary = "Exponential linear unit: `alpha * (exp(x) - 1)` below 0, else x";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<DefaultValuedAttr<F64Attr, "1.0">, "scale below 0">:$alpha
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_SeluOp : SkriptND_Operator<"nn", "selu", [SameOperandsAndResultType]> {
  let summary = "Scaled exponential linear unit: `lambda` times `elu`";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<DefaultValuedAttr<F64Attr, "1.67326319">, "scale below 0, beside `lambda`">:$alpha,
    Arg<DefaultValuedAttr<F64Attr, "1.05070102">, "scale everywhere">:$lambda
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_GeluOp : SkriptND_Operator<"nn", "gelu", [SameOperandsAndResultType]> {
  let summary = "Gaussian error linear unit: exact, or approximated by a hyperbolic tangent or a logistic function";
  let arguments = (ins
    SkriptND_Real:$x,
    Arg<OptionalAttr<SkriptND_OneOf<["TANH", "SIGMOID"]>>, "'TANH' or 'SIGMOID'; exact without it">:$approximate
  );
  let results = (outs SkriptND_Real:$y);
}

def NN_BatchNormOp : SkriptND_Operator<"nn", "batch_norm", [AttrSizedOperandSegments]> {
  let summary = "Normalisation by given means and variances of channels: `(input - mean) / sqrt(variance + epsilon) * scale + bias`";
  let arguments = (ins
    SkriptND_Real:$input,
    SkriptND_Real:$mean,
    SkriptND_Real:$variance,
    Optional<SkriptND_Real>:$bias,
    Optional<SkriptND_Real>:$scale,
    Arg<DefaultValuedAttr<F64Attr, "1e-5">, "added to the variances">:$epsilon,
    Arg<DefaultValuedAttr<I64Attr, "1">, "dimension of the channels">:$channel_axis
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_MeanVarianceNormOp : SkriptND_Operator<"nn", "mean_variance_norm", [AttrSizedOperandSegments]> {
  let summary = "Normalisation by the input's own mean and variance along `axes`, then scaled and shifted by channel";
  let arguments = (ins
    SkriptND_Real:$input,
    Optional<SkriptND_Real>:$bias,
    Optional<SkriptND_Real>:$scale,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[2:d + 2]">, "dimensions over which mean and variance are taken">:$axes,
    Arg<DefaultValuedAttr<F64Attr, "1e-5">, "added to the variances">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_LocalResponseNormOp : SkriptND_Operator<"nn", "local_response_norm", [SameOperandsAndResultType]> {
  let summary = "Division by a power of the mean square of neighbours: `input / (bias + alpha * mean) ** beta`, the mean over windows of `size` along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[1]">, "dimensions along which neighbours lie">:$axes,
    Arg<SkriptND_PositiveInts, "extents of the neighbourhood">:$size,
    Arg<DefaultValuedAttr<F64Attr, "1.0">, "weight of the mean">:$alpha,
    Arg<DefaultValuedAttr<F64Attr, "0.5">, "exponent of the divisor">:$beta,
    Arg<DefaultValuedAttr<F64Attr, "1.0">, "added to the weighted mean">:$bias
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_L1NormOp : SkriptND_Operator<"nn", "l1_norm", [SameOperandsAndResultType]> {
  let summary = "Division by the sum of magnitudes along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DenseI64ArrayAttr, "dimensions over which the norm is taken">:$axes,
    Arg<OptionalAttr<F64Attr>, "added to the norm">:$bias,
    Arg<OptionalAttr<F64Attr>, "the divisor is at least this">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_L2NormOp : SkriptND_Operator<"nn", "l2_norm", [SameOperandsAndResultType]> {
  let summary = "Division by the root of the sum of squares along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DenseI64ArrayAttr, "dimensions over which the norm is taken">:$axes,
    Arg<OptionalAttr<F64Attr>, "added to the norm">:$bias,
    Arg<OptionalAttr<F64Attr>, "the divisor is at least this">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_SoftmaxOp : SkriptND_Operator<"nn", "softmax", [SameOperandsAndResultType]> {
  let summary = "Exponentials, divided by their sum along `axes`";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<DenseI64ArrayAttr, "[1]">, "dimensions over which results sum to 1">:$axes
  );
  let results = (outs SkriptND_Real:$output);
}

def NN_LstmCellOp : SkriptND_Operator<"nn", "_lstm_cell"> {
  let summary = "One step of a long short-term memory, of what the gates get from its input";
  let arguments = (ins
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    SkriptND_Real:$y,
    Arg<SkriptND_Real, "weights of the state">:$R
  );
  let results = (outs
    SkriptND_Real:$h1,
    SkriptND_Real:$c1
  );
}

def NN_LstmGatesOp : SkriptND_Operator<"nn", "_lstm_gates"> {
  let summary = "What the gates of a long short-term memory get from all items of a sequence: one product";
  let arguments = (ins
    SkriptND_Real:$X,
    SkriptND_Real:$W,
    SkriptND_Real:$B
  );
  let results = (outs SkriptND_Real:$ys);
}

def NN_LstmStepOp : SkriptND_Operator<"nn", "lstm_step"> {
  let summary = "One step of a long short-term memory, from state `h0` and cell `c0` to `h1` and `c1`";
  let description = [{
    The gates stand in the order input, forget, cell, output.
  }];
  let arguments = (ins
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    SkriptND_Real:$x,
    Arg<SkriptND_Real, "weights of the input, gate by gate">:$W,
    Arg<SkriptND_Real, "weights of the state">:$R,
    Arg<SkriptND_Real, "bias">:$B
  );
  let results = (outs
    SkriptND_Real:$h1,
    SkriptND_Real:$c1
  );
}

def NN_LstmLoopOp : SkriptND_Operator<"nn", "lstm_loop", [SizedOperands]> {
  let summary = "A long short-term memory whose batch items all have the same number of steps: `steps`, or as many as X holds";
  let arguments = (ins
    Arg<SkriptND_Real, "steps, batch items, features">:$X,
    Arg<SkriptND_Real, "weights of the input, gate by gate">:$W,
    Arg<SkriptND_Real, "weights of the state">:$R,
    Arg<SkriptND_Real, "bias">:$B,
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    Arg<Optional<SkriptND_Int>, "how many; else all">:$steps
  );
  let results = (outs
    SkriptND_Real:$Y,
    SkriptND_Real:$hN,
    SkriptND_Real:$cN
  );
}

def NN_JaggedLstmLoopOp : SkriptND_Operator<"nn", "_jagged_lstm_loop"> {
  let summary = "A long short-term memory whose batch items have numbers of steps of their own: an item that is done keeps its state, and its outputs are 0 from there on";
  let arguments = (ins
    Arg<SkriptND_Real, "steps, batch items, features">:$X,
    Arg<SkriptND_Real, "weights of the input, gate by gate">:$W,
    Arg<SkriptND_Real, "weights of the state">:$R,
    Arg<SkriptND_Real, "bias">:$B,
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    SkriptND_Int:$steps
  );
  let results = (outs
    SkriptND_Real:$Y,
    SkriptND_Real:$hN,
    SkriptND_Real:$cN
  );
}

def NN_LstmOp : SkriptND_Operator<"nn", "lstm", [SizedOperands]> {
  let summary = "Long short-term memory: all outputs Y, last state hN, last cell cN";
  let description = [{
    With `steps` each batch item has a number of steps of its own; Y holds as many as the longest and is 0 behind the
    last step of the others.
  }];
  let arguments = (ins
    Arg<SkriptND_Real, "steps, batch items, features">:$X,
    Arg<SkriptND_Real, "weights of the input, gate by gate">:$W,
    Arg<SkriptND_Real, "weights of the state">:$R,
    Arg<SkriptND_Real, "bias">:$B,
    SkriptND_Real:$h0,
    SkriptND_Real:$c0,
    Arg<Optional<SkriptND_Int>, "how many of each batch item; else all">:$steps
  );
  let results = (outs
    SkriptND_Real:$Y,
    SkriptND_Real:$hN,
    SkriptND_Real:$cN
  );
}

#endif // SKRIPTND_NN_TD
