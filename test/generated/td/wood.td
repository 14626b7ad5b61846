include "Interfaces.td"
include "mlir/IR/AttrTypeBase.td"

def Wood : Dialect {
  let name = "wood";
  let cppNamespace = "::wood";
}

// Which widths there are says a trait with parameters.
class WidthBelow<int bound> : ParamNativeTrait<"WidthBelow", !cast<string>(bound), "Type">;

def Wood_PlankType : TypeDef<Wood, "Plank", [
    DeclareTypeInterfaceMethods<Wide, ["getArea"]>, DeclareTypeInterfaceMethods<Hidden>, WidthBelow<100>]> {
  let mnemonic = "plank";
  let parameters = (ins "unsigned":$width);
  let assemblyFormat = "`<` $width `>`";
}

def Wood_FlagAttr : AttrDef<Wood, "Flag", [Striped]> {
  let mnemonic = "flag";
  let parameters = (ins "unsigned":$stripes);
  let assemblyFormat = "`<` $stripes `>`";
}

// Whatever dialect has the types and attributes.
def Wood_SawOp : Op<Wood, "saw"> {
  let arguments = (ins Wide:$wood, OptionalAttr<Striped>:$marks, Variadic<AnyTypeOf<[Wide, I32]>>:$others);
}

def Wood_HideOp : Op<Wood, "hide"> {
  let arguments = (ins Hidden:$what);
}
