// Predicates over the whole operation, and constraints in Rust.
// RUN: skriptnd-tblgen -gen-op-defs %s | FileCheck %s

include "rust/OpBase.td"
include "mlir/IR/CommonAttrConstraints.td"

def Test_Dialect : Dialect { let name = "test"; }

def Even : AttrConstraint<RustPred<"crate::is_even($_self)">, "whose value is even">;

// CHECK: name: "count",
// CHECK-NEXT: required: true,
// CHECK-NEXT: default: None,
// CHECK-NEXT: summary: "64-bit signless integer attribute whose minimum value is 2 whose value is even",
// CHECK-NEXT: accepts: [[COUNT:is_of_64_bit_signless_integer_attribute_whose_minimum_value_is_2_whose_value]],
// CHECK: summary: "all of {lhs, rhs} have same element type",
// CHECK-NEXT: holds: [[SAME:all_of_lhs_rhs_have_same_element_type]],
// CHECK: fn [[SAME]](this: OperationRef<'_, '_>) -> bool {
// CHECK: predicate::type_of(PAIR_SIGNATURE.operand_group(this, 0)[0])
// CHECK: predicate::type_of(PAIR_SIGNATURE.operand_group(this, 1)[0])
// CHECK: fn [[COUNT]](
// CHECK: predicate::is_integer_attr(this)
// CHECK: && predicate::is_signless_integer(
// CHECK: predicate::type_of_attribute(this),
// CHECK: && predicate::integer(this) >= 2 && crate::is_even(this)
def Test_PairOp : Op<Test_Dialect, "pair", [AllElementTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs, ConfinedAttr<I64Attr, [IntMinValue<2>, Even]>:$count);
}
