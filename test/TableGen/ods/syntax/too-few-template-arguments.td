include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T>;
// expected-error@-1:9 {{value not specified for template argument 'Op:mnemonic'}}
