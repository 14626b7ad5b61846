//===- layer.td - Operators of the module `layer` -----------------------===//
//
// Layers that bring their own variables; otherwise as in `nn`.
// Their definitions in SkriptND are in stdlib/layer.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_LAYER_TD
#define SKRIPTND_LAYER_TD

include "SkriptNDBase.td"

class Layer_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"layer", mnemonic, traits>;

def Layer_LinearOp : Layer_Operator<"linear"> {
  let summary = "Fully connected layer";
  let arguments = (ins
    SkriptND_Real:$input,
    I64Attr:$channels,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_ConvOp : Layer_Operator<"conv"> {
  let summary = "Convolution; channels come second";
  let arguments = (ins
    SkriptND_Real:$input,
    I64Attr:$channels,
    DenseI64ArrayAttr:$size,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$stride,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$dilation,
    OptionalAttr<DenseI64ArrayAttr>:$padding,
    DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">:$padding_align,
    DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_DeconvOp : Layer_Operator<"deconv"> {
  let summary = "Transposed convolution; channels come second";
  let arguments = (ins
    SkriptND_Real:$input,
    I64Attr:$channels,
    DenseI64ArrayAttr:$size,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$stride,
    DefaultValuedAttr<DenseI64ArrayAttr, "1">:$dilation,
    OptionalAttr<DenseI64ArrayAttr>:$padding,
    DefaultValuedAttr<SkriptND_OneOf<["LOWER", "UPPER"]>, "'UPPER'">:$padding_align,
    OptionalAttr<DenseI64ArrayAttr>:$output_size,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias
  );
  let results = (outs SkriptND_Real:$output);
}

def Layer_BatchNormOp : Layer_Operator<"batch_norm"> {
  let summary = "Normalisation of channels by stored means and variances; channels come second";
  let arguments = (ins
    SkriptND_Real:$input,
    DefaultValuedAttr<F64Attr, "1e-5">:$epsilon
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_LAYER_TD
