// What is emitted is PDL that MLIR accepts.
// RUN: skriptnd-tblgen -gen-pdl %s > %t
// RUN: mlir-opt %t -o /dev/null
// RUN: FileCheck %s < %t
// RUN: skriptnd-translate --drr-to-pdl %s | FileCheck %s
// RUN: skriptnd-tblgen -gen-rewriters %s | FileCheck %s --check-prefix=RUST

include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Test_Dialect : Dialect { let name = "test"; }
class TestOp<string name, list<Trait> traits = []> : Op<Test_Dialect, name, traits>;
def NegOp : TestOp<"neg", [SameOperandsAndResultType]> { let arguments = (ins F32Tensor:$x); let results = (outs F32Tensor:$y); }
def AddOp : TestOp<"add"> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); let results = (outs AnyTensor:$z); }
def SubOp : TestOp<"sub"> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); let results = (outs AnyTensor:$z); }
def ScaleOp : TestOp<"scale"> {
  let arguments = (ins AnyTensor:$x, I64Attr:$by, OptionalAttr<I64Attr>:$bias);
  let results = (outs AnyTensor:$y);
}
def JoinOp : TestOp<"join", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyTensor>:$xs, Optional<AnyTensor>:$y);
  let results = (outs AnyTensor:$z);
}

// A result that is used twice is compared: PDL would not.
// CHECK-LABEL: pdl.pattern @SubtractSelf : benefit(
// CHECK: %n = pdl.operation "test.neg"
// CHECK: [[A:%n_result[_0-9]*]] = pdl.result 0 of %n
// CHECK: pdl.apply_native_constraint "drr.is"([[B:%[a-z]+]], [[A]] : !pdl.value, !pdl.value)
// CHECK: pdl.operation "test.sub"([[A]], [[B]] : !pdl.value, !pdl.value)
def SubtractSelf : Pat<(SubOp (NegOp:$n $x), $n), (AddOp $x, (NegOp $x))>;

// CHECK-LABEL: pdl.pattern @Reorder_0 :
// CHECK: pdl.operation "test.add"(%neg_result, %y :
// CHECK-LABEL: pdl.pattern @Reorder_1 :
// CHECK: pdl.operation "test.add"(%y, %neg_result :
def Reorder : Pat<(AddOp (either (NegOp $x), $y)), (SubOp $y, $x)>;

// CHECK-LABEL: pdl.pattern @NegOp_1 :
// CHECK: pdl.replace {{.*}} with (%x : !pdl.value)

// CHECK-LABEL: pdl.pattern @MergeScales :
// CHECK: pdl.apply_native_constraint "drr.absent"(%inner, %bias_name : !pdl.operation, !pdl.attribute)
// CHECK: pdl.rewrite
// CHECK: %product = pdl.apply_native_rewrite "product"(%a, %b : !pdl.attribute, !pdl.attribute) : !pdl.attribute
// CHECK: %scale_2 = pdl.operation "test.scale"(%x : !pdl.value) {"by" = %product} -> (%scale_type : !pdl.type)
// CHECK: pdl.apply_native_rewrite "drr.copy"(%scale, %bias_name_2, %scale_2, %bias_name_2 :
// CHECK: pdl.replace %scale with %scale_2
// RUST: .rewrite(
// RUST-NEXT: "product",
// RUST-NEXT: |editor, arguments| {
// RUST: let p0 = given.attribute().ok_or_else(natives::mismatch)?;
// RUST: let made = crate::natives::product(editor, p0, p1)?;
def Product : NativeCodeCall<"crate::natives::product($0, $1)">;
def : Pat<(NegOp (NegOp $x)), (replaceWithValue $x)>;
def MergeScales : Pat<(ScaleOp:$scale (ScaleOp:$inner $x, $a, IsNullAttr), $b, $bias), (ScaleOp $x, (Product $a, $b), $bias)>;

// CHECK-LABEL: pdl.pattern @Shrink :
// CHECK: pdl.operation "test.join"(%xs, %y : !pdl.range<value>, !pdl.value)
// CHECK: pdl.apply_native_constraint "HasOneUse"(
// CHECK: [[SIZES:%segments[_0-9]*]] = pdl.apply_native_rewrite "drr.segments"(%segments, %xs : !pdl.attribute, !pdl.range<value>) : !pdl.attribute
// CHECK: pdl.operation "test.join"(%xs : !pdl.range<value>) {"operandSegmentSizes" = [[SIZES]]}
// RUST: .constraint(
// RUST-NEXT: "HasOneUse",
// RUST-NEXT: |_, arguments| {
// RUST-NEXT: let mut given = natives::Given::new(arguments);
// RUST-NEXT: let p0 = given.value()?;
// RUST-NEXT: let holds = predicate::has_one_use(p0);
// RUST-NEXT: holds.then(Vec::new)
def HasOneUse : Constraint<CPred<"$_self.hasOneUse()">, "has one use">;
def Shrink : Pat<(JoinOp:$join $xs, (variadic $y)), (JoinOp $xs, ?), [(HasOneUse $join)]>;
