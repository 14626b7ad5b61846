include "mlir/IR/OpBase.td"
def TF_Tensor : TensorOf<[AnyType]>;
def TF_AddOp : Op<"tf.Add", [NoSideEffect]>,
// expected-warning@-1:19 {{the dialect of an operation is a definition now: 'Op<TF_Dialect, "Add">'}}
// expected-warning@-2:30 {{'NoSideEffect' is called 'Pure' now}}
               Arguments<(ins TF_Tensor:$lhs, TF_Tensor:$rhs)>,
               Results<[TF_Tensor]>,
// expected-warning@-1:24 {{results are written as '(outs ...)' now}}
               Traits<["BroadcastableOperandsAndResultType"]> {
// expected-warning@-1:16 {{'Traits' is part of the list of 'Op' now}}
  let summary = "Addition operator";

  let description = [{
    Returns lhs + rhs element-wise.

    The inputs and result must be of the same elemental type.
  }];

  let reference = [{
    result[i..] = lhs[i..] + rhs[i..]
  }];
// expected-warning@-3:3 {{'reference' is no field of 'Op' now: say 'code' in place of 'let'}}
}
// UPSTREAM: refuses, these are the text's spellings
// CHECK: pub const NAME: &'static str = "tf.Add";
// CHECK: operator Add { @dtype { T: num; } @input { lhs: T[s..]; rhs: T[s..]; } @output { result: T[s..]; } @lower {
// CHECK: fn verify_broadcastable_operands_and_result_type
