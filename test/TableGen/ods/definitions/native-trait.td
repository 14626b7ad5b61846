// GENERATE: op-decls typedef-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def N : NativeTypeTrait<"N">;
def A : TypeDef<T, "A", [N]> { let mnemonic = "a"; let genVerifyDecl = 1; let parameters = (ins "int":$verify); let assemblyFormat = "`<` $verify `>`"; }
// CHECK: fn verify_n(context: &Context, parameters: &ATypeParameters,) -> Result<(), Failure>;
