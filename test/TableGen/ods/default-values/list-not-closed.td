include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins
  DefaultValuedAttr<DenseI64ArrayAttr, "{1, 2">:$e,
// expected-error@-1:3 {{the default value '{1, 2' of 'e' is no expression: '{' is not closed}}
  DefaultValuedAttr<DenseI64ArrayAttr, "{1, 2}">:$f);
}
// UPSTREAM: takes, C++ refuses what is made of it
