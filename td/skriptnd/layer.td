//===- layer.td - Operators of the module `layer` -----------------------===//
//
// Layers that bring their own variables; otherwise as in `nn`. Channels come second.
//
// Written by `cargo xtask docs` from stdlib/layer.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LAYER_TD
#define SKRIPTND_LAYER_TD

include "Traits.td"

def Layer_LinearOp : SkriptND_StatefulOperator<"layer", "linear"> {
  let summary = "Fully connected layer with a filter and a bias of its own";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<SkriptND_PositiveInt, "of the output">:$channels,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether something is added to each channel">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_ConvOp : SkriptND_StatefulOperator<"layer", "conv"> {
  let summary = "Convolution with a filter and a bias of its own";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<SkriptND_PositiveInt, "of the output">:$channels,
    Arg<SkriptND_PositiveInts, "extents of the filter">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<StrAttr, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the output's size is rounded up">:$ceil_mode,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "1">, "0: one group a channel">:$groups,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether something is added to each channel">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_DeconvOp : SkriptND_StatefulOperator<"layer", "deconv"> {
  let summary = "Transposed convolution with a filter and a bias of its own";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<SkriptND_PositiveInt, "of the output, in each group">:$channels,
    Arg<SkriptND_PositiveInts, "extents of the filter">:$size,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of neighbouring windows">:$stride,
    Arg<DefaultValuedAttr<SkriptND_PositiveInts, "1">, "distances of the elements within a window">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<StrAttr, "\"UPPER\"">, "where the odd element of automatic padding goes">:$padding_align,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "extents of the output, where strides leave them open">:$output_size,
    Arg<DefaultValuedAttr<SkriptND_NonNegativeInt, "1">, "0: one group a channel">:$groups,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether something is added to each channel">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_BatchNormOp : SkriptND_StatefulOperator<"layer", "batch_norm", [SameOperandsAndResultType]> {
  let summary = "Normalisation of channels by means and variances that are stored; with `momentum` by those of the operand, which the stored ones follow from run to run";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DefaultValuedAttr<F64Attr, "1e-5">, "added to the variances">:$epsilon,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether something is added to each channel">:$use_bias,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether each channel is scaled">:$use_scale,
    Arg<DefaultValuedAttr<F64Attr, "0.0">, "weight of the operand's means and variances in what is stored; 0: they are not taken">:$momentum
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_LAYER_TD
