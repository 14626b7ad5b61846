include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my"> {
  let arguments = (ins I32:$i32_operand, F32:$f32_operand, I32Attr:$i32_attr, F32Attr:$f32_attr);
  let results = (outs I32:$i32_result, F32:$f32_result);
}
// CHECK: pub fn i32_operand(
// CHECK: pub fn f32_attr(
