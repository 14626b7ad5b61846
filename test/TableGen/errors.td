// RUN: split-file %s %t
// RUN: not skriptnd-tblgen -gen-op-defs %t/arguments.td 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not skriptnd-tblgen -gen-op-defs %t/format.td 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: skriptnd-tblgen -gen-op-defs %t/predicate.td 2>&1 | FileCheck %s --check-prefix=PREDICATE
// RUN: not skriptnd-tblgen -gen-pdl %t/pattern.td 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not skriptnd-tblgen -gen-op-defs %t/syntax.td 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not skriptnd-tblgen -gen-op-defs %t/cast.td 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not skriptnd-tblgen -gen-op-defs %t/cycle.td 2>&1 | FileCheck %s --check-prefix=CYCLE
// RUN: not skriptnd-tblgen -gen-op-defs %t/endless.td 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not skriptnd-tblgen -gen-op-defs %t/missing.td 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not skriptnd-tblgen -gen-op-defs %t/arguments.td -o %t/none/x.rs 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not skriptnd-tblgen -gen-op-doc %t/fine.td -o %t/none/x.md 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not skriptnd-tblgen -gen-op-doc %t/fine.td -dialect other 2>&1 | FileCheck %s --check-prefix=DIALECT

//--- arguments.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins Variadic<I1>:$x, T:$y);
}
// ARGUMENTS: arguments.td:4:41: error: argument 'y' is 'T', which is neither a type nor an attribute
// ARGUMENTS-NEXT: let arguments = (ins Variadic<I1>:$x, T:$y);
// ARGUMENTS-NEXT: {{^}}                                        ^

//--- format.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins AnyType:$x);
  let assemblyFormat = "$x attr-dict";
}
// FORMAT: format.td:5:25: error: assembly format: the type of operand #0, named 'x', is missing: it is not buildable

//--- predicate.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins Type<CPred<"isNice($_self)">, "nice">:$x); }
// PREDICATE: pub fn a<H: ConstraintHooks>() -> &'static OperationDefinition {
// PREDICATE: unknown function 'isNice' with 1 arguments
// PREDICATE: fn is_nice(this: Type<'_>) -> bool;

//--- pattern.td
include "mlir/IR/PatternBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> { let arguments = (ins I1:$x); let results = (outs I1:$y); }
def P : Pat<(A $x, $y), (replaceWithValue $x)>;
// RUN: not skriptnd-translate --drr-to-pdl %t/pattern.td 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: pattern.td:4:{{[0-9]+}}: error: pattern 'P': operation 't.a' has 1 arguments, the pattern gives 2

//--- syntax.td
def A {
  int x = ;
}
// SYNTAX: syntax.td:2:11: error: Unknown or reserved token when parsing a value

//--- cast.td
def A { int x = !cast<int>("B"); }
// CAST: cast.td:1:5: error: Initializer of 'x' in 'A' could not be fully resolved

//--- cycle.td
include "cycle.td"
// CYCLE: cycle.td:1:1: error: 'cycle.td' includes itself without an '#ifndef' around it

//--- endless.td
class A<int n> { int x = A<!add(n, 1)>.x; }
def B : A<0>;
// ENDLESS: endless.td:2:5: error: TableGen cannot evaluate this: a class is defined by itself or nested too deep

//--- fine.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
// MISSING: error: cannot read '{{.*}}missing.td'
// OUTPUT: error: cannot write '{{.*}}x.md'
// DIALECT: error: '{{.*}}fine.td' declares no dialect 'other'
