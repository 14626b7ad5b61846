//===- quant.td - Operators of the module `quant` -----------------------===//
//
// Quantization algorithms (specification, section 4.6): each returns its operand as the quantized values represent it.
//
// Written by `cargo xtask docs` from stdlib/quant.sknd: changes belong there, traits into Traits.td.
//
//===----------------------------------------------------------------------===//

#ifndef SKRIPTND_QUANT_TD
#define SKRIPTND_QUANT_TD

include "Traits.td"

def Quant_ZeroPointLinearQuantizeOp : SkriptND_Operator<"quant", "zero_point_linear_quantize", [SameOperandsAndResultType]> {
  let summary = "Linear quantization by zero points and scales, for all channels or one for each: `input / scale`, rounded and shifted by `zero_point`, is limited to what `bits` hold";
  let description = [{
    What is not a number becomes 0.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DenseI64ArrayAttr, "what stands for 0">:$zero_point,
    Arg<DenseF64ArrayAttr, "distance of neighbouring values">:$scale,
    Arg<SkriptND_PositiveInt, "of a quantized value">:$bits,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether quantized values are signed">:$signed,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the smallest value is the negative of the largest">:$symmetric,
    Arg<DefaultValuedAttr<I64Attr, "1">, "a scalar or vector without this axis has one channel">:$channel_axis
  );
  let results = (outs SkriptND_Real:$output);
}

def Quant_MinMaxLinearQuantizeOp : SkriptND_Operator<"quant", "min_max_linear_quantize", [SameOperandsAndResultType]> {
  let summary = "Linear quantization of the range from `min` to `max`, for all channels or one for each, in as many steps as `bits` hold";
  let description = [{
    Where the two are equal, everything becomes that value.
  }];
  let arguments = (ins
    SkriptND_Real:$input,
    Arg<DenseF64ArrayAttr, "smallest value">:$min,
    Arg<DenseF64ArrayAttr, "largest value">:$max,
    Arg<SkriptND_PositiveInt, "of a quantized value">:$bits,
    Arg<DefaultValuedAttr<BoolAttr, "true">, "whether quantized values are signed">:$signed,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "whether the smallest value is the negative of the largest">:$symmetric,
    Arg<DefaultValuedAttr<I64Attr, "1">, "a scalar or vector without this axis has one channel">:$channel_axis
  );
  let results = (outs SkriptND_Real:$output);
}

#endif // SKRIPTND_QUANT_TD
