include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I32:$x); let results = (outs I32:$x); }
// expected-error@-1:72 {{result and operand have one name, 'x'}}
