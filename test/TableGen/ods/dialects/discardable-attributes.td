include "mlir/IR/OpBase.td"
def T : Dialect {
  let name = "t";
  let cppNamespace = "::t";
  let discardableAttrs = (ins "::mlir::StringAttr":$note, I32Attr:$how_many, UnitAttr:$seen);
}
def A : Op<T, "a">;
// GENERATE: dialect-defs
// CHECK: pub mod discardable
// CHECK: pub const NAME: &'static str = "t.note";
// CHECK: pub struct HowManyAttribute;
// CHECK: pub fn get<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<i64>
