include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def T_AddOp : Op<T, "add">;
def X_AddOp : Op<T, "xadd">;
// expected-error@-1:5 {{operations 't.add' and 't.xadd' are both 'AddOp' in Rust}}
// UPSTREAM: takes, C++ has two classes of one name
