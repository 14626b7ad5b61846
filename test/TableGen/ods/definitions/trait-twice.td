// GENERATE: op-decls typedef-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : TypeInterface<"I"> { let cppNamespace = "::t"; let methods = [InterfaceMethod<"d", "int", "n">]; }
def A : TypeDef<T, "A", [I, DeclareTypeInterfaceMethods<I>]> { let mnemonic = "a"; }
