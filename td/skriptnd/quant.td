//===- quant.td - Operators of the module `quant` -----------------------===//
//
// Quantization algorithms (specification, section 4.6): each returns its operand as the quantized values represent it.
// Their definitions in SkriptND are in stdlib/quant.sknd; a test holds both together.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_QUANT_TD
#define SKRIPTND_QUANT_TD

include "SkriptNDBase.td"

class Quant_Operator<string mnemonic, list<Trait> traits = []>
    : SkriptND_Operator<"quant", mnemonic, traits>;

def Quant_ZeroPointLinearQuantizeOp : Quant_Operator<"zero_point_linear_quantize", [Pure, SameOperandsAndResultType]> {
  let summary = "Linear quantization by zero points and scales, for all channels or one for each: `input / scale`, rounded and shifted by `zero_point`, is limited to what `bits` hold";
  let arguments = (ins
    SkriptND_Real:$input,
    DenseI64ArrayAttr:$zero_point,
    DenseF64ArrayAttr:$scale,
    I64Attr:$bits,
    DefaultValuedAttr<BoolAttr, "true">:$signed,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the smallest value is the negative of the largest">:$symmetric,
    DefaultValuedAttr<I64Attr, "1">:$channel_axis
  );
  let results = (outs SkriptND_Real:$output);
}

def Quant_MinMaxLinearQuantizeOp : Quant_Operator<"min_max_linear_quantize", [Pure, SameOperandsAndResultType]> {
  let summary = "Linear quantization of the range from `min` to `max`, for all channels or one for each, in as many steps as `bits` hold";
  let arguments = (ins
    SkriptND_Real:$input,
    DenseF64ArrayAttr:$min,
    DenseF64ArrayAttr:$max,
    I64Attr:$bits,
    DefaultValuedAttr<BoolAttr, "true">:$signed,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the smallest value is the negative of the largest">:$symmetric,
    DefaultValuedAttr<I64Attr, "1">:$channel_axis
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_QUANT_TD
