include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let description = [{ abc; }
// expected-error@-1:40 {{unterminated code block}}
