include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def IntegerOf32Or64 : AttrConstraint<And<[
  CPred<"$_self.isa<IntegerAttr>()">,
  Or<[
    CPred<"$_self.cast<IntegerAttr>().getType().isInteger(32)">,
    CPred<"$_self.cast<IntegerAttr>().getType().isInteger(64)">
  ]>
]>, "a 32-bit or 64-bit integer">;
def A : Op<T, "a"> { let arguments = (ins IntegerOf32Or64:$n); }
// UPSTREAM: refuses, the text takes an AttrConstraint
// CHECK: predicate::is_integer_attr(this) && (predicate::is_integer(predicate::type_of_attribute(this), Some(32)) || predicate::is_integer(predicate::type_of_attribute(this), Some(64)))
