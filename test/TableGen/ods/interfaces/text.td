// GENERATE: op-interface-decls op-interface-docs op-decls op-defs dialect-defs op-doc
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyInterface : OpInterface<"MyInterface"> {
  let description = [{
    My interface is very interesting. ...
  }];
  let methods = [
    // A simple non-static method with no inputs.
    InterfaceMethod<"'foo' is a non-static method with no inputs.",
      "unsigned", "foo"
    >,
    // A new non-static method accepting an input argument.
    InterfaceMethod<"/*insert doc here*/",
      "Value ", "bar", (ins "unsigned":$i)
    >,
    // Query a static property of the derived operation.
    StaticInterfaceMethod<"'fooStatic' is a static method with no inputs.",
      "unsigned", "fooStatic"
    >,
    // Provide the definition of a static interface method.
    StaticInterfaceMethod<"/*insert doc here*/",
      "Operation *", "create", (ins "OpBuilder &":$builder, "Location":$loc), [{
        return builder.create<ConcreteOp>(loc);
    }]>,
    // Provide a definition of the non-static method.
    InterfaceMethod<"/*insert doc here*/",
      "unsigned", "getNumInputsAndOutputs", (ins), [{
        return op.getNumInputs() + op.getNumOutputs();
    }]>,
    // Provide only a default definition of the method.
    InterfaceMethod<"/*insert doc here*/",
      "unsigned", "getNumInputsAndOutputs2", (ins), /*methodBody=*/[{}], [{
        ConcreteOp op = cast<ConcreteOp>(getOperation());
        return op.getNumInputs() + op.getNumOutputs();
    }]>,
  ];
}
def OpWithInferTypeInterfaceOp : Op<T, "with", [DeclareOpInterfaceMethods<MyInterface>]>;
def OpWithout : Op<T, "without", [MyInterface]>;
// CHECK: fn foo(&self) -> i64
// CHECK: fn bar(&self, i: i64) -> Value<'c, 'a>
// CHECK: fn get_num_inputs_and_outputs(&self) -> i64
