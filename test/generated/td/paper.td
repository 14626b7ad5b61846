include "Interfaces.td"
include "mlir/IR/AttrTypeBase.td"

def Paper : Dialect {
  let name = "paper";
  let cppNamespace = "::paper";
}

def Paper_BoardType : TypeDef<Paper, "Board", [Wide]> {
  let mnemonic = "board";
}

def Paper_StackType : TypeDef<Paper, "Stack"> {
  let mnemonic = "stack";
  let parameters = (ins "::shared::Wide":$item, "int":$count);
  let assemblyFormat = "`<` $item `x` $count `>`";
}

def Paper_RibbonAttr : AttrDef<Paper, "Ribbon", [DeclareAttrInterfaceMethods<Striped, ["getMost"]>]> {
  let mnemonic = "ribbon";
}
