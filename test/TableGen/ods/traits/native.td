include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/Interfaces/ControlFlowInterfaces.td"
def A : Op<T, "a", [Commutative, SameOperandsElementType, Elementwise, Scalarizable, Vectorizable, Tensorizable, IsolatedFromAbove, SameTypeOperands, ResultsBroadcastableShape, Terminator]> { let arguments = (ins I32:$x, I32:$y); let results = (outs I32:$z); }
