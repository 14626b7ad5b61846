include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def Right : Op<T, "right">;

def Wrong : Op<?, "wrong">;
// expected-error@-1:16 {{'?' stands for 'dialect' of 'Op', which needs a record}}
// TOLD: in field 'opDialect' of 'Wrong'
def Other : Op<T, "other">;
