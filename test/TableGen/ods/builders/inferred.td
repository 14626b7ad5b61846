include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/Interfaces/InferTypeOpInterface.td"
def A : Op<T, "a", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> { let arguments = (ins I32:$x); let results = (outs I32:$y); }
def B : Op<T, "b", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$y); }
