// GENERATE: op-interface-decls op-interface-docs op-decls op-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> {
  let methods = [
    InterfaceMethod<"d", "unsigned", "n", (ins), [{ return 1; }]>,
    InterfaceMethod<"d", "unsigned", "n", (ins), [{}], [{ return 2; }]>,
// expected-error@-1:5 {{interface 'MyInterface' has two methods 'n()'}}
    InterfaceMethod<"d", "unsigned", "n", (ins "int":$x)>,
    StaticInterfaceMethod<"d", "int", "n", (ins "int":$y)>,
// expected-error@-1:5 {{interface 'MyInterface' has two methods 'n(int)'}}
    InterfaceMethod<"d", "unsigned", "o">, InterfaceMethod<"d", "unsigned", "o">];
// expected-error@-1:44 {{interface 'MyInterface' has two methods 'o()'}}
}
// TOLD: in field 'methods' of 'MyInterface'
// UPSTREAM: takes, C++ refuses the second
