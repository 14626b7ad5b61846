// Rules in PDL are given when the tool runs: by hand, or made of a .td file. Rules without end are named.
// RUN: split-file %s %t
// RUN: skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/rules.pdl"' --skriptnd-trace-rewrites 2>%t/trace | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRACE < %t/trace
// RUN: skriptnd-tblgen -gen-pdl %t/rules.td -o %t/made.pdl
// RUN: skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/made.pdl"' | FileCheck %s
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/endless.pdl" max-rewrites=100' 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/growing.pdl"' 2>&1 | FileCheck %s --check-prefix=GROWING
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/erased.pdl"' 2>&1 | FileCheck %s --check-prefix=ERASED
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/none.pdl"' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/graph.mlir"' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/wrong.pdl"' 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: echo > %t/empty.pdl
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns='file="%/t/empty.pdl"' 2>&1 | FileCheck %s --check-prefix=EMPTY

//--- graph.mlir
// CHECK: arith.muli
// CHECK-NOT: arith.addi
// TRACE: rules.pdl:1:1: rule 'doubled' rewrites 'arith.addi' at {{.*}}graph.mlir:14:
// ENDLESS: {{.*}}graph.mlir:{{[0-9]+}}:8: error: rewriting does not end: after 100 rewrites these rules still apply: 'swapped'
// GROWING: {{.*}}graph.mlir:{{[0-9]+}}:8: error: rewriting does not end: after 10100 rewrites these rules still apply: 'growing'
// ERASED: {{.*}}graph.mlir:14:8: error: pattern `erased` at {{.*}}erased.pdl:1:1 erases `arith.addi` at {{.*}}graph.mlir:14:{{[0-9]+}}, which is used
// WRONG: {{.*}}graph.mlir:13:1: error: expected 'pdl.pattern', found 'func.func'
// EMPTY: {{.*}}empty.pdl:1:1: error: there is no pattern in this text
// NONE: cannot read '{{.*}}none.pdl'
// TYPO: {{.*}}wrong.pdl:3:3: error: custom op 'pdl.rewrit' is unknown
// TYPO-NOT: graph.mlir
// NEEDS: needs a file: apply-pdl-patterns{file=FILE}
func.func @f(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.muli %0, %y : i32
  return %1 : i32
}

//--- rules.pdl
pdl.pattern @doubled : benefit(1) {
  %type = pdl.type
  %x = pdl.operand : %type
  %add = pdl.operation "arith.addi"(%x, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %add {
    %new = pdl.operation "arith.muli"(%x, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    pdl.replace %add with %new
  }
}

//--- wrong.pdl
pdl.pattern @typo : benefit(1) {
  %root = pdl.operation "arith.addi"
  pdl.rewrit %root {
    pdl.erase %root
  }
}

//--- rules.td
include "mlir/IR/PatternBase.td"
include "mlir/Dialect/Arith/IR/ArithOps.td"
def Doubled : Pat<(Arith_AddIOp $x, $x, $flags), (Arith_MulIOp $x, $x, $flags)>;

//--- endless.pdl
pdl.pattern @swapped : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %mul = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %mul {
    %new = pdl.operation "arith.muli"(%y, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    pdl.replace %mul with %new
  }
}

//--- growing.pdl
pdl.pattern @growing : benefit(1) {
  %type = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %mul = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %mul {
    %one = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    %z = pdl.result 0 of %one
    %two = pdl.operation "arith.muli"(%z, %x : !pdl.value, !pdl.value) -> (%type : !pdl.type)
    pdl.replace %mul with %two
  }
}

//--- erased.pdl
pdl.pattern @erased : benefit(1) {
  %x = pdl.operand
  %t = pdl.type
  %add = pdl.operation "arith.addi"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %add { pdl.erase %add }
}
