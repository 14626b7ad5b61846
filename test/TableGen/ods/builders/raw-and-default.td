include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my"> {
  let arguments = (ins I32:$x, StrAttr:$s, DefaultValuedAttr<BoolAttr, "true">:$flag, DefaultValuedStrAttr<StrAttr, "NHWC">:$format);
  let results = (outs I32:$y);
}
