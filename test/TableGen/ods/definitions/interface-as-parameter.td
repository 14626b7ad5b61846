// GENERATE: attrdef-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : AttrInterface<"I"> { let cppNamespace = "::t"; }
def A : AttrDef<T, "A"> { let mnemonic = "a"; let parameters = (ins "::t::I":$n, I:$m); let assemblyFormat = "`<` $n `,` $m `>`"; }
// expected-error@-1:82 {{parameter 'm' is neither a C++ type nor a parameter record}}
