include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [HasSideEffect]>;
// expected-error@-1:21 {{Variable not defined: 'HasSideEffect'}}
