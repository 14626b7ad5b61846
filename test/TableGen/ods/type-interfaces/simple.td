// GENERATE: type-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def Shaped : TypeInterface<"Shaped"> { let cppNamespace = "::t"; let methods = [InterfaceMethod<"The rank.", "unsigned", "getRank">]; }
def A : TypeDef<T, "A", [Shaped]> { let mnemonic = "a"; }
// CHECK: pub trait Shaped<'c>: TypeInterface<'c> {
// CHECK: fn get_rank(&self) -> i64;
// CHECK: impl<'c> dyn Shaped<'c> + 'c { /// The interface, if there is one, whichever dialect implements it.
// CHECK: pub fn of(r#type: Type<'c>) -> Option<Box<Self>>
// CHECK: pub trait ATypeHooks { /// The rank.
// CHECK: fn get_rank<'c>(this: AType<'c>) -> i64;
