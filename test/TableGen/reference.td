// What a record says that an operation computes is SkriptND, and is checked at its place.
// RUN: split-file %s %t
// RUN: skriptnd-tblgen -gen-op-decls %t/fine.td | FileCheck %s --check-prefix=FINE
// RUN: not skriptnd-tblgen -gen-op-decls %t/wrong.td 2>&1 | FileCheck %s --check-prefix=WRONG

//--- fine.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "add"> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$result);
  code reference = [{ result[i..] = lhs[i..] + rhs[i..], i < s; }];
}
// FINE: /// What it computes, in SkriptND.
// FINE: operator: "add",
// FINE: pub fn evaluate<E: skriptnd_ods::Evaluator>(

//--- wrong.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "add"> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$result);
  code reference = [{
    result[i..] = lhs[i..] + nope[i..], i < s;
  }];
}
// WRONG: wrong.td:7:30: error: reference: {{.*}}nope
