include "mlir/IR/OpBase.td"
def T_Dialect : Dialect {
  let name = "t";
  let cppNamespace = "::t";
  let dependentDialects = ["::t::TDialect"];
}
def A : Op<T_Dialect, "a">;
// expected-error@-3:7 {{dialect 't' depends on itself}}
// UPSTREAM: takes, without a word
