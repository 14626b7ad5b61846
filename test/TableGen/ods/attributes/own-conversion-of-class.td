include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Typed : Attr<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "text"> {
  let storageType = "::mlir::StringAttr";
  let returnType = "::llvm::StringRef";
}
def Itself : Attr<CPred<"::llvm::isa<::t::MineAttr>($_self)">, "mine"> {
  let storageType = "::t::MineAttr";
  let returnType = "t::MineAttr";
  let convertFromStorage = "$_self";
}
def Untyped : Attr<CPred<"::llvm::isa<::t::MineAttr>($_self)">, "mine"> {
  let storageType = "::t::MineAttr";
  let returnType = "int";
// expected-warning@-1:7 {{'Untyped' makes a 'int' of an attribute in C++: getters in Rust return what is stored}}
}
def A : Op<T, "a"> { let arguments = (ins Typed:$text, Itself:$itself, Untyped:$untyped); }
// CHECK: pub fn text(self) -> Result<&'c str, Failure>
// CHECK: pub fn untyped(self) -> Result<Attribute<'c>, Failure>
