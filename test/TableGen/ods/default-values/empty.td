include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins DefaultValuedAttr<I32Attr, "">:$n); }
