include "mlir/IR/OpBase.td"
def TF_Dialect : Dialect { let name = "tf"; }
def TF_AddOp : Op<"tf.Add", [NoSideEffect]>, Arguments<(ins I32:$lhs, I32:$rhs)>, Results<[I32]>;
// expected-warning@-1:19 {{the dialect of an operation is a definition now: 'Op<TF_Dialect, "Add">'}}
// expected-warning@-2:30 {{'NoSideEffect' is called 'Pure' now}}
// expected-warning@-3:91 {{results are written as '(outs ...)' now}}
def TF_SubOp : Op<"tf.Sub">, Results<[I32, F32]>;
// expected-warning@-1:19 {{the dialect of an operation is a definition now: 'Op<TF_Dialect, "Sub">'}}
// expected-warning@-2:38 {{results are written as '(outs ...)' now}}
// UPSTREAM: refuses, these are the text's spellings
// CHECK: name: "tf.Sub"
