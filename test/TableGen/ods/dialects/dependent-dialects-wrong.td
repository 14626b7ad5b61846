include "mlir/IR/OpBase.td"
def T_Dialect : Dialect {
  let name = "t";
  let cppNamespace = "::t";
  let dependentDialects = ["::", "two words", "arith"];
}
def A : Op<T_Dialect, "a">;
// expected-error@-3:7 {{'::' names no dialect}}
// expected-error@-4:7 {{'two words' names no dialect}}
// UPSTREAM: takes, C++ refuses the class
