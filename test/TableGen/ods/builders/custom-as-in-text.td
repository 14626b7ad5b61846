include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let arguments = (ins F32Attr:$attr);
  let results = (outs);
  let builders = [
    OpBuilder<"Builder *builder, OperationState &state, float val = 0.5f", [{
      state.addAttribute("attr", builder->getF32FloatAttr(val));
    }]>
// expected-warning@-3:15 {{the parameters of 'OpBuilder' are written as '(ins CArg<"float", "0.5f">:$val)' now}}
  ];
}
// UPSTREAM: refuses, this is the text's spelling
// CHECK: fn build_with_val
