// GENERATE: op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
include "mlir/IR/BuiltinTypeInterfaces.td"
def A : TypeDef<T, "A", [DeclareTypeInterfaceMethods<ShapedTypeInterface>]> { let mnemonic = "a"; }
// expected-warning@-1:26 {{MLIR itself does not find the interface 'ShapedType' in 't.a', which Rust declares: only Rust does}}
// CHECK: fn has_rank<'c>(this: AType<'c>) -> bool;
