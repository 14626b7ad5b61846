include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
// GENERATE: typedef-defs
def A : TypeDef<T, "A"> {
  let mnemonic = "p";
// expected-error@-1:7 {{must specify either 'assemblyFormat' or 'hasCustomAssemblyFormat' when 'mnemonic' is set}}
  let parameters = (ins "int":$x);
}
def C : TypeDef<T, "C"> { let mnemonic = "c"; }
