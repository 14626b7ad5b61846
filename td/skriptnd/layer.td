//===- layer.td - Operators of the module `layer` -----------------------===//
//
// Layers that bring their own variables; otherwise as in `nn`. Channels come second.
// Their definitions in SkriptND are in stdlib/layer.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LAYER_TD
#define SKRIPTND_LAYER_TD

include "SkriptNDBase.td"

class Layer_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"layer", mnemonic, traits>;

def Layer_LinearOp : Layer_Operator<"linear"> {
  let summary = "Fully connected layer with a filter and a bias of its own";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<I64Attr, "of the output">:$channels,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_ConvOp : Layer_Operator<"conv"> {
  let summary = "Convolution with a filter and a bias of its own";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<I64Attr, "of the output">:$channels,
    DenseI64ArrayAttr:$size,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$stride,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
    Arg<DefaultValuedAttr<I64Attr, "1">, "0: one group a channel">:$groups,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_DeconvOp : Layer_Operator<"deconv"> {
  let summary = "Transposed convolution with a filter and a bias of its own";
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<I64Attr, "of the output, in each group">:$channels,
    DenseI64ArrayAttr:$size,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$stride,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$dilation,
    Arg<OptionalAttr<DenseI64ArrayAttr>, "before each spatial dimension, then behind each of them">:$padding,
    Arg<DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">, "where the odd element of automatic padding goes">:$padding_align,
    OptionalAttr<DenseI64ArrayAttr>:$output_size,
    Arg<DefaultValuedAttr<I64Attr, "1">, "0: one group a channel">:$groups,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_BatchNormOp : Layer_Operator<"batch_norm"> {
  let summary = "Normalisation of channels by means and variances that are stored";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<F64Attr, "1e-5">:$epsilon,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias,
    DefaultValuedAttr<BoolAttr, "true">:$use_scale,
    Arg<DefaultValuedAttr<F64Attr, "0.0">, "weight of the operand's means and variances in what is stored">:$momentum
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_LAYER_TD
