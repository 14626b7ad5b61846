include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let results = (outs I32:$y, I32:$z); let hasFolder = 1; }
