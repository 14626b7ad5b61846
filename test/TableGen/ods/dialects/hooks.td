include "mlir/IR/OpBase.td"
def T : Dialect {
  let name = "t";
  let cppNamespace = "::t";
  let dependentDialects = ["::mlir::arith::ArithDialect", "LLVM::LLVMDialect", "DLTIDialect"];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}
def A : Op<T, "a">;
// GENERATE: dialect-defs
// CHECK: fn materialize_constant
// CHECK: fn canonicalization_patterns() -> Vec<OperationPattern>;
// CHECK: fn verify_operation_attribute(
// CHECK: fn verify_region_argument_attribute(
// CHECK: fn verify_region_result_attribute(
// CHECK: .dependent_dialect("arith") .dependent_dialect("llvm") .dependent_dialect("dlti")
// CHECK: .operation_attribute_verifier(<H as DialectHooks>::verify_operation_attribute)
