include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a", Commutative>;
// expected-error@-1:20 {{Value specified for template argument 'Op:props' is of type NativeOpTrait; expected type list<Trait>: Commutative}}
