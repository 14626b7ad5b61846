include "mlir/IR/OpBase.td"
def T : Dialect {
  let name = "t";
  let hasOperationInterfaceFallback = 1;
}
def A : Op<T, "a">;
// expected-error@-3:7 {{interfaces that a dialect finds for its operations at run time have no counterpart in Rust}}
// UPSTREAM: takes, C++ asks for the function
