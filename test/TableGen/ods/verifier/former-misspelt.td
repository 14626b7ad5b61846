include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let verifyer = [{ return ::verify(*this); }]; }
// expected-error@-1:26 {{Value 'verifyer' unknown!}}
