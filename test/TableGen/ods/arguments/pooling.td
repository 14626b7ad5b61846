include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
def T : Dialect { let name = "t"; }
def T_FpTensor : TensorOf<[AnyFloat]>;
class T_AnyStrAttrOf<list<string> vals> : StringBasedAttr<CPred<!interleave(!foreach(val, vals, "::llvm::cast<StringAttr>($_self).getValue() == \"" # val # "\""), " || ")>, "string attribute whose value is " # !interleave(vals, ", or ")>;
def T_ConvertDataFormatAttr : T_AnyStrAttrOf<["NHWC", "NCHW"]>;
class T_DerivedOperandTypeAttr<int idx> : DerivedTypeAttr<"return getOperand(" # idx # ").getType();">;
def T_AvgPoolOp : Op<T, "AvgPool", [Pure]> {
  let summary = "Performs average pooling on the input.";
  let description = [{
Each entry in `output` is the mean of the corresponding size `ksize`
window in `value`.
  }];
  let arguments = (ins
    T_FpTensor:$value,
    ConfinedAttr<I64ArrayAttr, [ArrayMinCount<4>]>:$ksize,
    ConfinedAttr<I64ArrayAttr, [ArrayMinCount<4>]>:$strides,
    T_AnyStrAttrOf<["SAME", "VALID"]>:$padding,
    DefaultValuedAttr<T_ConvertDataFormatAttr, "NHWC">:$data_format
  );
  let results = (outs T_FpTensor:$output);
  T_DerivedOperandTypeAttr A = T_DerivedOperandTypeAttr<0>;
}
// CHECK: pub fn ksize(self) -> Result<Vec<Attribute<'c>>, Failure>
// CHECK: .data_format_attribute().map_or(Some("NHWC"), attributes::as_string)
// CHECK: traits: &[Trait::AlwaysSpeculatable], effects: Some(&[])
