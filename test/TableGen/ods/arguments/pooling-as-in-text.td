include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def T_FpTensor : TensorOf<[AnyFloat]>;
class T_AnyStrAttrOf<list<string> vals> : StringBasedAttr<CPred<!interleave(!foreach(val, vals, "$_self.cast<StringAttr>().getValue() == \"" # val # "\""), " || ")>, "string attribute whose value is " # !interleave(vals, ", or ")>;
def T_ConvertDataFormatAttr : T_AnyStrAttrOf<["NHWC", "NCHW"]>;
class T_DerivedOperandTypeAttr<int idx> : DerivedTypeAttr<"return getOperand(" # idx # ")->getType();">;
def T_AvgPoolOp : Op<T, "avg_pool", [NoSideEffect]> {
// expected-warning@-1:38 {{'NoSideEffect' is called 'Pure' now}}
  let summary = "Performs average pooling on the input.";
  let arguments = (ins
    T_FpTensor:$value,
    Confined<I64ArrayAttr, [ArrayMinCount<4>]>:$ksize,
// expected-warning@-1:5 {{'Confined' is called 'ConfinedAttr' now}}
    Confined<I64ArrayAttr, [ArrayMinCount<4>]>:$strides,
// expected-warning@-1:5 {{'Confined' is called 'ConfinedAttr' now}}
    T_AnyStrAttrOf<["SAME", "VALID"]>:$padding,
    DefaultValuedAttr<T_ConvertDataFormatAttr, "NHWC">:$data_format
  );
  let results = (outs T_FpTensor:$output);
  T_DerivedOperandTypeAttr A = T_DerivedOperandTypeAttr<0>;
}
// UPSTREAM: refuses, these are the text's spellings
// CHECK: .data_format_attribute().map_or(Some("NHWC"), attributes::as_string)
