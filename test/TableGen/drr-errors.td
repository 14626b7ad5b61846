// All that is wrong with patterns is told in one run, each at its argument.
// RUN: not skriptnd-tblgen -gen-pdl %s 2>&1 | FileCheck %s

include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I1:$x, I64Attr:$n); let results = (outs I1:$y); }

// CHECK: drr-errors.td:[[# @LINE + 3]]:24: error: pattern 'P': operation 't.a' has 2 arguments, the pattern gives 3
// CHECK-NEXT: def P : Pat<(A $x, $n, $m), (replaceWithValue $x)>;
// CHECK-NEXT: ^
def P : Pat<(A $x, $n, $m), (replaceWithValue $x)>;
// CHECK: drr-errors.td:[[# @LINE + 1]]:35: error: pattern 'Q': '$z' is not bound
def Q : Pat<(A $x, $n), (A (A $x, $z), $w)>;
// CHECK: drr-errors.td:[[# @LINE - 1]]:40: error: pattern 'Q': '$w' is not bound
