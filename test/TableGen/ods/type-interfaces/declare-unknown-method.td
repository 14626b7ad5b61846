// GENERATE: type-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : TypeInterface<"I"> { let cppNamespace = "::t"; let methods = [InterfaceMethod<"d", "unsigned", "n">]; }
def A : TypeDef<T, "A", [DeclareTypeInterfaceMethods<I, ["m"]>]> { let mnemonic = "a"; }
// expected-warning@-1:26 {{the interface 'I' has no method 'm': it is left out}}
