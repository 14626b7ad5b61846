include "mlir/IR/OpBase.td"
def AddOp : Op<"Add", [NoSideEffect]>;
// expected-error@-1:24 {{Encountered a list when expecting a string}}
