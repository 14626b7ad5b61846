// Values of any number that constraints and calls take as a whole.
include "mlir/IR/PatternBase.td"
include "mlir/Dialect/Shape/IR/ShapeOps.td"
include "mlir/Dialect/Tensor/IR/TensorOps.td"

def Equal : Constraint<CPred<"llvm::all_equal($0)">>;
def Single : Constraint<CPred<[{ $0.size() == 1 }]>>;
def First : NativeCodeCall<"$0.front()">;
def OfOne : Pat<(Shape_AssumingAllOp $all), (replaceWithValue $all), [(Single $all)]>;
def OfEqual : Pat<(Shape_CstrBroadcastableOp $shapes), (Shape_ConstWitnessOp ConstBoolAttrTrue), [(Equal $shapes)]>;
// CHECK: fn equal<'c, 'a>(&self, values: &[Value<'c, 'a>]) -> bool;
def Extent : Pat<(Tensor_ExtractOp (Shape_ShapeOfOp $of), $indices), (Tensor_DimOp $of, (First $indices))>;
// CHECK: fn first<'c: 'a, 'a>(&self, editor: &Editor<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Failure>;
