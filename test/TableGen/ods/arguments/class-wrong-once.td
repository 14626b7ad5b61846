include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
class Twice<string name> : Op<T, name> { let arguments = (ins I32:$x, I32:$x); }
// expected-error@-1:71 {{two arguments are named 'x'}}
def A : Twice<"a">;
def B : Twice<"b">;
