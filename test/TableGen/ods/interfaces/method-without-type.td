// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> {
  let methods = [
    InterfaceMethod<"d", "", "n">,
// expected-error@-1:5 {{method 'n' does not say what it returns}}
    InterfaceMethod<"d", " ", "o">];
// expected-error@-1:5 {{method 'o' does not say what it returns}}
}
// TOLD: in field 'returnType' of 'InterfaceMethod<"d", "", "n">'
// TOLD: write "void" for nothing
// UPSTREAM: takes, C++ refuses a method without type
