// GENERATE: op-decls
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def I : TypeInterface<"I">;
def J : AttrInterface<"J">;
def A : TypeDef<T, "A", [DeclareTypeInterfaceMethods<J>]> { let mnemonic = "a"; }
// expected-error@-1:54 {{Value specified for template argument 'DeclareTypeInterfaceMethods:interface' is of type AttrInterface; expected type TypeInterface: J}}
