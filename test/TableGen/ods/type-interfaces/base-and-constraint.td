// GENERATE: type-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def Base : TypeInterface<"Base"> { let cppNamespace = "::t"; let methods = [InterfaceMethod<"d", "bool", "foo">]; }
def I : TypeInterface<"I", [Base]> { let cppNamespace = "::t"; let methods = [InterfaceMethod<"d", "bool", "bar", (ins "::mlir::Value":$of)>]; let extraClassOf = "return $_type.foo();"; }
def A : TypeDef<T, "A", [DeclareTypeInterfaceMethods<I>]> { let mnemonic = "a"; }
def X : Op<T, "x"> { let arguments = (ins I:$i, Base:$b); }
// CHECK: pub trait I<'c>: TypeInterface<'c> + Base<'c>
// CHECK: fn bar<'c: 'a, 'a>(this: AType<'c>, of: Value<'c, 'a>) -> bool;
// CHECK: fn is_i(this: Type<'_>) -> bool { super::interfaces::has_i(this) }
