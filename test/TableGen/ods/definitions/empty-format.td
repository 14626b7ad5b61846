// GENERATE: attrdef-defs dialect-defs
// An empty format is one (`#ml_program.extern`): nothing stands behind the mnemonic.
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; }
def A : AttrDef<T, "A"> { let mnemonic = "a"; let parameters = (ins AttributeSelfTypeParameter<"">:$type); let assemblyFormat = ""; }
