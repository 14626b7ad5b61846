include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, 5>;
// expected-error@-1:15 {{Value specified for template argument 'Op:mnemonic' is of type int; expected type string: 5}}
