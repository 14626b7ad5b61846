include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; }
def B : AttrDef<T, "B"> { let mnemonic = "b"; let parameters = (ins "int":$x); let assemblyFormat = ""; }
// expected-error@-1:103 {{assembly format: format is missing reference to parameter: x}}
