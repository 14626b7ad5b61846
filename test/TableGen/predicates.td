// Predicates over the whole operation, and constraints in Rust.
// RUN: skriptnd-tblgen -gen-op-defs %s | FileCheck %s

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"

def Test_Dialect : Dialect { let name = "test"; }
class RustPred<string expression> : Pred { string rust = expression; }

def Even : AttrConstraint<RustPred<"crate::is_even($_self)">, "whose value is even">;

// CHECK: name: "count", required: true, summary: "64-bit signless integer attribute whose minimum value is 2 whose value is even", accepts: [[COUNT:constraint_[0-9]+]]
// CHECK: summary: "all of {lhs, rhs} have same element type", holds: [[SAME:constraint_[0-9]+]]
// CHECK: fn [[COUNT]](this: Attribute<'_>) -> bool {
// CHECK-NEXT: predicate::is_integer_attr(this){{.*}}predicate::is_signless_integer(predicate::type_of_attribute(this), Some(64)){{.*}}predicate::integer(this) >= 2{{.*}}(crate::is_even(this))
// CHECK: fn [[SAME]](this: OperationRef<'_, '_>) -> bool {
// CHECK-NEXT: predicate::element_type(predicate::type_of(operand_group(this, &PAIR, 0)[0])) == predicate::element_type(predicate::type_of(operand_group(this, &PAIR, 1)[0]))
def Test_PairOp : Op<Test_Dialect, "pair", [AllElementTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs, ConfinedAttr<I64Attr, [IntMinValue<2>, Even]>:$count);
}
