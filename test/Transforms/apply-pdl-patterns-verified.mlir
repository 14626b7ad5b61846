// What rules in PDL make is verified before it is folded or matched: the message names the rule. Dialects that only a rule
// names are loaded.
// RUN: split-file %s %t
// RUN: skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/load.pdl | FileCheck %s --check-prefix=LOAD
// RUN: skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/replaced.pdl | FileCheck %s --check-prefix=REPLACED
// RUN: skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/erased.pdl | FileCheck %s --check-prefix=ERASED
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/operands.pdl 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/none.pdl 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/inferred.pdl 2>&1 | FileCheck %s --check-prefix=INFERRED
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/attribute.pdl 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/type.pdl 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/region.pdl 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/successor.pdl 2>&1 | FileCheck %s --check-prefix=SUCCESSOR
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/segments.pdl 2>&1 | FileCheck %s --check-prefix=SEGMENTS
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/unknown.pdl 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/flags.pdl 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/exact.pdl 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/twice.pdl 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not skriptnd-opt %t/graph.mlir --apply-pdl-patterns=file=%t/users.pdl 2>&1 | FileCheck %s --check-prefix=USERS

//--- graph.mlir
// LOAD: llvm.mul
// LOAD-NOT: arith.muli
// REPLACED: math.absi %{{.*}} : i32
// ERASED: arith.addi %{{.*}}, %arg0 : i32
// OPERANDS: pattern `operands` at {{.*}}operands.pdl:1:1 creates an invalid `arith.addi`: expected 2 operands, but found 1
// NONE: pattern `none` at {{.*}}none.pdl:1:1 creates an invalid `arith.subi`: expected 2 operands, but found 0
// INFERRED: pattern `inferred` at {{.*}}inferred.pdl:1:1 creates an invalid `arith.subi`: expected 2 operands, but found 1
// ATTRIBUTE: pattern `attribute` at {{.*}}attribute.pdl:1:1 creates an invalid `arith.constant`: requires attribute 'value'
// TYPE: pattern `type` at {{.*}}type.pdl:1:1 creates an invalid `arith.addi`: result #0 must be signless-integer-like, but got 'f32'
// REGION: pattern `region` at {{.*}}region.pdl:1:1 creates an invalid `scf.if`: expected 2 regions
// SUCCESSOR: pattern `successor` at {{.*}}successor.pdl:1:1 creates an invalid `cf.br`: requires 1 successor but found 0
// SEGMENTS: pattern `segments` at {{.*}}segments.pdl:1:1 creates an invalid `memref.alloc`: operand count (2) does not match
// UNKNOWN: pattern `unknown` at {{.*}}unknown.pdl:1:1 creates an invalid `arith.nothing`: unregistered operation 'arith.nothing' found
// FLAGS: {{.*}}graph.mlir:{{[0-9]+}}:14: error: pattern `flags` at {{.*}}flags.pdl:1:1 creates an invalid `arith.addi`: attribute `overflowFlags` has the wrong kind: expected one such as `#arith.overflow<none>`, found `99 : i32`
// EXACT: {{.*}}graph.mlir:{{[0-9]+}}:14: error: pattern `exact` at {{.*}}exact.pdl:1:1 creates an invalid `arith.divsi`: attribute `isExact` has the wrong kind: expected unit, found `3 : i32`
// TWICE: {{.*}}graph.mlir:{{[0-9]+}}:14: error: pattern `twice` at {{.*}}twice.pdl:1:1 replaces `arith.muli` at {{.*}}, which it has replaced or erased before
// USERS: pattern `users` at {{.*}}users.pdl:1:1 leaves an invalid `arith.addi`: requires the same type
func.func @f(%a: i32, %b: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %sum = arith.addi %a, %zero : i32
  %product = arith.muli %sum, %b : i32
  %low, %high = arith.mulsi_extended %a, %b : i32
  %all = arith.addi %low, %product : i32
  return %all, %high : i32, i32
}

//--- load.pdl
pdl.pattern @load : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "llvm.mul"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- replaced.pdl
pdl.pattern @replaced : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "math.absi"(%x : !pdl.value)
    pdl.replace %o with %n
  }
}

//--- erased.pdl
pdl.pattern @erased : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "arith.addi"(%x : !pdl.value) -> (%t : !pdl.type)
    pdl.erase %n
    pdl.replace %o with (%x : !pdl.value)
  }
}

//--- operands.pdl
pdl.pattern @operands : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "arith.addi"(%x : !pdl.value) -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- none.pdl
pdl.pattern @none : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "arith.subi" -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- inferred.pdl
pdl.pattern @inferred : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "arith.subi"(%x : !pdl.value)
    pdl.replace %o with %n
  }
}

//--- attribute.pdl
pdl.pattern @attribute : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "arith.constant"
    pdl.replace %o with %n
  }
}

//--- type.pdl
pdl.pattern @type : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %f = pdl.type : f32
    %n = pdl.operation "arith.addi"(%x, %y : !pdl.value, !pdl.value) -> (%f : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- region.pdl
pdl.pattern @region : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "scf.if"(%x : !pdl.value) -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- successor.pdl
pdl.pattern @successor : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    pdl.operation "cf.br"
    pdl.replace %o with (%x : !pdl.value)
  }
}

//--- segments.pdl
pdl.pattern @segments : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "memref.alloc"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- unknown.pdl
pdl.pattern @unknown : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %n = pdl.operation "arith.nothing"(%x : !pdl.value) -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- users.pdl
pdl.pattern @users : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %l = pdl.type : i64
    %n = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%l : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- flags.pdl
pdl.pattern @flags : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %a = pdl.attribute = 99 : i32
    %n = pdl.operation "arith.addi"(%x, %y : !pdl.value, !pdl.value) {"overflowFlags" = %a} -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- exact.pdl
pdl.pattern @exact : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    %a = pdl.attribute = 3 : i32
    %n = pdl.operation "arith.divsi"(%x, %y : !pdl.value, !pdl.value) {"isExact" = %a} -> (%t : !pdl.type)
    pdl.replace %o with %n
  }
}

//--- twice.pdl
pdl.pattern @twice : benefit(1) {
  %t = pdl.type
  %x = pdl.operand
  %y = pdl.operand
  %o = pdl.operation "arith.muli"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %o {
    pdl.replace %o with (%x : !pdl.value)
    pdl.replace %o with (%y : !pdl.value)
  }
}
