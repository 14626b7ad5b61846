include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/Interfaces/ControlFlowInterfaces.td"
def A : Op<T, "a", [NativeOpTrait<"A">, NativeOpTrait<"B">, TraitList<[Commutative, Terminator]>]>;
