// GENERATE: op-interface-decls op-decls
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Words : OpInterface<"two words">;
// expected-error@-1:25 {{'two words' is no name of an interface}}
// TOLD: in field 'cppInterfaceName' of 'Words'
def Untyped : OpInterface<"Untyped"> {
  let methods = [InterfaceMethod<"d", "int", "f", (ins "":$a)>];
// expected-error@-1:18 {{a parameter needs a C++ type}}
}
// UPSTREAM: takes, C++ refuses both
