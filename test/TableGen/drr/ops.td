// What the cases are about: the operations of upstream's text about DRR, and some more.

include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def T_Dialect : Dialect { let name = "t"; let cppNamespace = "::t"; }
class TOp<string name, list<Trait> traits = []> : Op<T_Dialect, name, traits>;

def AOp : TOp<"a"> { let arguments = (ins AnyType:$a_input, AnyAttr:$a_attr); let results = (outs AnyType:$a_output); }
def BOp : TOp<"b"> { let arguments = (ins); let results = (outs AnyType:$b_output); }
def COp : TOp<"c", [AllTypesMatch<["c_input", "c_output"]>]> {
  let arguments = (ins AnyType:$c_input, AnyAttr:$c_attr); let results = (outs AnyType:$c_output);
}
def DOp : TOp<"d"> { let arguments = (ins AnyType:$d_input1, AnyType:$d_input2); let results = (outs AnyType:$d_output); }
def TwoAttrOp : TOp<"two_attr"> { let arguments = (ins AnyAttr:$op_attr1, AnyAttr:$op_attr2); let results = (outs AnyType:$op_output); }
def OneAttrOp : TOp<"one_attr"> { let arguments = (ins ArrayAttr:$op_attr); let results = (outs AnyType:$op_output); }
def ZeroResultOp : TOp<"zero_result"> { let arguments = (ins AnyType:$x); }
def OneResultOp : TOp<"one_result", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$output); }
def TwoResultOp : TOp<"two_result"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$output1, AnyType:$output2); }
def ThreeResultOp : TOp<"three_result"> {
  let arguments = (ins AnyType:$x); let results = (outs AnyType:$output1, AnyType:$output2, AnyType:$output3);
}
def ConcatenateOp : TOp<"concatenate"> { let arguments = (ins Variadic<AnyTensor>:$inputs, I32Attr:$axis); let results = (outs AnyTensor:$output); }
def VStackOp : TOp<"vstack"> { let arguments = (ins Variadic<AnyTensor>:$inputs); let results = (outs AnyTensor:$output); }
def MultiVariadicOp : TOp<"multi_variadic"> {
  let arguments = (ins AnyTensor:$input1, Variadic<AnyTensor>:$input2, AnyTensor:$input3);
  let results = (outs AnyTensor:$output1, Variadic<AnyTensor>:$output2, AnyTensor:$output3);
}
def OptionsOp : TOp<"options", [AttrSizedOperandSegments]> {
  let arguments = (ins AnyType:$x, Optional<AnyType>:$bias, Variadic<AnyType>:$rest, OptionalAttr<I64Attr>:$count,
                       DefaultValuedAttr<I64Attr, "3">:$times, UnitAttr:$exact);
  let results = (outs AnyType:$y);
}
def BuiltOp : TOp<"built"> {
  let arguments = (ins AnyType:$x, AnyAttr:$attr, OptionalAttr<I64Attr>:$count);
  let results = (outs AnyType:$y);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Attribute":$attr, "::mlir::IntegerAttr":$count)>];
}
def BuiltPairOp : TOp<"built_pair"> {
  let arguments = (ins Variadic<AnyType>:$xs); let results = (outs AnyType:$y, AnyType:$z);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$xs)>];
}
def ConstantOp : TOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins AnyAttr:$value); let results = (outs AnyType:$result);
}
def Red : I32EnumAttrCase<"Red", 1>;
def Blue : I32EnumAttrCase<"Blue", 2>;
def Color : I32EnumAttr<"Color", "a color", [Red, Blue]> { let cppNamespace = "::t"; }
def PaintOp : TOp<"paint", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$x, Color:$color); let results = (outs AnyType:$y); }
def TwoValueOp : TOp<"two_value"> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$z); }
def ThreeValueOp : TOp<"three_value"> { let arguments = (ins AnyType:$x, Color:$color); let results = (outs AnyType:$z); }
def FourValueOp : TOp<"four_value"> { let arguments = (ins AnyType:$x, Color:$color); let results = (outs AnyType:$z); }
def NumberOp : TOp<"number"> { let arguments = (ins AnyType:$x, I64Prop:$n); let results = (outs AnyType:$y); }
def BodyOp : TOp<"body"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$y); let regions = (region AnyRegion:$body); }
