// What native calls tell several patterns is told each of them: PDL would ask once, and not always before it is needed.
// RUN: skriptnd-tblgen -gen-pdl %s -o %t.pdl && mlir-opt %t.pdl --convert-pdl-to-pdl-interp -o /dev/null
// RUN: FileCheck %s < %t.pdl

include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
class TOp<string name> : Op<T, name> { let results = (outs AnyType:$r); }
def Neg : TOp<"neg"> { let arguments = (ins AnyType:$x); }
def Abs : TOp<"abs"> { let arguments = (ins AnyType:$x); }
def Add : TOp<"add"> { let arguments = (ins AnyType:$x, AnyType:$y); }
def One : TOp<"one"> { let arguments = (ins AnyType:$x, AnyAttr:$a); }

// CHECK-LABEL: pdl.pattern @Inner
// CHECK: %Inner_name = pdl.attribute = "Inner"
// CHECK: %c0 = pdl.apply_native_constraint "constant_like_matcher"(%{{.*}}, %Inner_name : !pdl.value, !pdl.attribute) : !pdl.attribute
// CHECK: %c1 = pdl.apply_native_constraint "constant_like_matcher"(%{{.*}}, %Inner_name : !pdl.value, !pdl.attribute) : !pdl.attribute
def Inner : Pat<(Add (Add $x, (ConstantLikeMatcher I64Attr:$c0)), (ConstantLikeMatcher I64Attr:$c1)), (One $x, $c1), [(HasNoUseOf:$x)]>;
def Negated : Pat<(Add (Neg $x), (ConstantLikeMatcher I32Attr:$c)), (One $x, $c)>;
def Absolute : Pat<(Add (Abs $x), (ConstantLikeMatcher I64Attr:$c)), (One $x, $c)>;
// CHECK-LABEL: pdl.pattern @Zero
// CHECK: pdl.apply_native_constraint "constant_like_matcher"(%{{.*}}, %Zero_name :
def Zero : Pat<(Add $x, (ConstantLikeMatcher ConstantAttr<I32Attr, "0">)), (replaceWithValue $x)>;
