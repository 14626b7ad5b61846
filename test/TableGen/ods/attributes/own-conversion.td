include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyAttr : Attr<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "my attribute"> {
  let storageType = "::mlir::StringAttr";
  let returnType = "my::Thing";
  let convertFromStorage = "my::toThing($_self.getValue())";
}
def A : Op<T, "a"> { let arguments = (ins MyAttr:$n); }
// expected-warning@-3:7 {{'MyAttr' makes a 'my::Thing' of an attribute in C++: getters in Rust return what is stored}}
