// GENERATE: attr-interface-decls op-decls op-defs dialect-defs
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
def Named : AttrInterface<"Named"> { let cppNamespace = "::t"; let methods = [
  InterfaceMethod<"d", "::llvm::StringRef", "getName", (ins), [{}], [{ return "nobody"; }]>,
  StaticInterfaceMethod<"d", "unsigned", "getMost", (ins), [{ return 3; }]>]; }
def A : AttrDef<T, "A", [DeclareAttrInterfaceMethods<Named, ["getName"]>]> { let mnemonic = "a"; }
def B : AttrDef<T, "B", [Named]> { let mnemonic = "b"; }
// CHECK: fn get_most(&self) -> i64 { 3 }
// CHECK: pub trait AAttrHooks
// CHECK: fn get_name<'c>(this: AAttr<'c>) -> String;
