include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let hasCanonicalizer = 1; }
def B : Op<T, "b"> { let hasCanonicalizeMethod = 1; }
// CHECK: fn canonicalization_patterns
// CHECK: fn canonicalize<
