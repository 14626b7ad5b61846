include "mlir/IR/OpBase.td"
def T : Dialect;
// expected-error@-1:5 {{Initializer of 'cppNamespace' in 'T' could not be fully resolved: name}}
def A : Op<T, "a">;
// expected-error@-1:5 {{Initializer of 'cppNamespace' in 'A' could not be fully resolved: T.cppNamespace}}
