// GENERATE: op-interface-decls op-interface-docs op-decls op-defs
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> {
  let methods = [
    InterfaceMethod<"d", "unsigned", "n", (ins), [{ return 1; }]>,
    InterfaceMethod<"d", "unsigned", "n", (ins), [{}], [{ return 2; }]>];
}
