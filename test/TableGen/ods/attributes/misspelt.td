include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyAttr : Attr<CPred<"true">, "my attribute"> { let storagetype = "X"; }
// expected-error@-1:56 {{Value 'storagetype' unknown!}}
