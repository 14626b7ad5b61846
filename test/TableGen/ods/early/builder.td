include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let builder = [{ static void build(Builder *b, OperationState *s, float val = 0.5f) {} }]; }
// expected-error@-1:26 {{Value 'builder' unknown!}}
