include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", [GenInternalOpTrait<"X">]>;
// expected-warning@-1:21 {{the generator knows no trait 'X': it is left out}}
