// All errors of a run, each at the part of the value that is wrong; what is left out is named.
// RUN: split-file %s %t
// RUN: not skriptnd-tblgen -gen-op-doc %t/several.td 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: skriptnd-tblgen -gen-op-doc %t/several.td -dialect fine | FileCheck %s --check-prefix=ASKED
// RUN: not skriptnd-tblgen -gen-op-doc %t/formats.td 2>&1 | FileCheck %s --check-prefix=FORMATS
// RUN: not skriptnd-tblgen -gen-op-doc %t/joined.td 2>&1 | FileCheck %s --check-prefix=JOINED
// RUN: skriptnd-tblgen -gen-op-doc %t/left-out.td 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: not skriptnd-tblgen -gen-op-doc %t/fine.td -predicates %t/names.txt 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not skriptnd-tblgen -gen-typedef-doc %t/types.td 2>&1 | FileCheck %s --check-prefix=TYPES

//--- several.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def F : Dialect { let name = "fine"; }
def A : Op<T, "a"> {
  let arguments = (ins
    T:$x,
    I32Attr
  );
  let results = (outs I32Attr:$r);
}
def B : Op<F, "b">;
def C : Op<T, "c"> { let arguments = (outs I32:$x); }
// SEVERAL: several.td:6:5: error: argument 'x' is 'T', which is neither a type nor an attribute
// SEVERAL-NEXT: {{^}}    T:$x,
// SEVERAL-NEXT: {{^}}    ^
// SEVERAL: help: an argument is a TypeConstraint, an AttrConstraint or a Property
// SEVERAL: several.td:7:5: error: an attribute needs a name
// SEVERAL: several.td:9:23: error: a result is 'I32Attr', which is not a type
// SEVERAL: several.td:12:26: error: 'arguments' must start with 'ins', not 'outs'
// SEVERAL: note: in field 'arguments' of 'C'
// ASKED: ### `fine.b`

//--- formats.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def A : Op<T, "a"> {
  let arguments = (ins I32:$x);
  let assemblyFormat = [{
    $x attr-dict
      $x
  }];
}
def B : Op<T, "b"> {
  let arguments = (ins AnyType:$x, AnyType:$y);
  let assemblyFormat = "attr-dict";
}
// FORMATS: formats.td:7:7: error: assembly format: operand 'x' is already bound
// FORMATS-NEXT: {{^}}      $x
// FORMATS-NEXT: {{^}}      ^
// FORMATS: formats.td:12:25: error: assembly format: operand #0, named 'x', is missing
// FORMATS: help: add '$x' to the format
// FORMATS: formats.td:12:25: error: assembly format: operand #1, named 'y', is missing

//--- joined.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
class C<string rest> : Op<T, "a"> { let assemblyFormat = "attr-dict " # rest; }
def A : C<"$none">;
// JOINED: joined.td:3:41: error: assembly format: '$none' is not an argument, result, region or successor of the operation
// JOINED: note: assemblyFormat:1:11: here
// JOINED-NEXT: attr-dict $none
// JOINED-NEXT: {{^}}          ^

//--- left-out.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; let extraClassDeclaration = "int n;"; }
def A : Op<T, "a"> { string mine = "said"; }
// LEFT: left-out.td:2:39: warning: 'extraClassDeclaration' concerns C++ only: it is left out of 'T'
// LEFT: left-out.td:3:29: warning: 'mine' is no field of ODS and read by nobody: it is left out of 'A'

//--- fine.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }

//--- names.txt
# What C++ names are in Rust.
function nice = crate::nice
klass X = y



// NAMES: names.txt:3:1: error: 'klass X = y' is no rule
// NAMES: help: a rule is 'class NAME = PATH'

//--- types.td
include "mlir/IR/OpBase.td"
def T : Dialect { let name = "t"; }
def M : TypeDef<T, "M"> {
  let mnemonic = "m";
  let parameters = (ins "int":$a, "int":$a);
}
def N : TypeDef<T, "N"> {
  let typeName = "t.n"; let parameters = (ins "int":$a);
  let assemblyFormat = "`<` $b `>`";
}
// TYPES: types.td:5:35: error: two parameters are named 'a'
// TYPES: types.td:9:29: error: assembly format: 'b' is no parameter
// TYPES: types.td:9:7: error: 'assemblyFormat' or 'hasCustomAssemblyFormat' can only be used when 'mnemonic' is set
