include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/Interfaces/InferTypeOpInterface.td"
def B : Op<T, "b", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$y); }
