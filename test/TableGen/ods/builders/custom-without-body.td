include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyOp : Op<T, "my_op", []> {
  let arguments = (ins F32Attr:$attr);
  let builders = [OpBuilder<(ins "float":$val)>, OpBuilder<(ins "int64_t":$n, "bool":$b, "StringRef":$s, "Value":$v, "Type":$t, "Attribute":$a, "ValueRange":$vs)>];
}
