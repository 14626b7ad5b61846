include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def MyAttr : Attr<CPred<"true">, "my attribute"> { let storageType = I32; }
// expected-error@-1:56 {{Field 'storageType' of type 'string' is incompatible with value 'I32' of type 'I'}}
