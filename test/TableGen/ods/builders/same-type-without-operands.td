include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/Interfaces/InferTypeOpInterface.td"
def B : Op<T, "b", [SameOperandsAndResultType]> { let results = (outs AnyType:$y); }
// expected-error@-1:5 {{operation 't.b' has no operand whose type its results could have}}
