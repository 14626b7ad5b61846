include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/Interfaces/InferTypeOpInterface.td"
class T_Op<string mnemonic, list<Trait> traits = []> : Op<T, mnemonic, traits>;
class T_Binary<string mnemonic, TypeConstraint type> : T_Op<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
}
def T_AddOp : T_Binary<"add", I32>;
def T_SubOp : T_Binary<"sub", AnyFloat>;
// CHECK: name: "t.add"
