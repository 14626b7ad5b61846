//! Patterns from each paragraph of upstream's text about DRR are taken and refused as `mlir-tblgen` takes and refuses them.
//! What C++ would refuse only when it is compiled is refused here.

use std::{path::Path, process::Command};

use skriptnd_tablegen::{Records, drr, llvm_prefix, search_path};

const PRELUDE: &str = r#"
include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def T : Dialect { let name = "t"; let cppNamespace = "::t"; }
class TOp<string name, list<Trait> traits = []> : Op<T, name, traits>;
def AOp : TOp<"a"> { let arguments = (ins AnyType:$x, AnyAttr:$attr); let results = (outs AnyType:$r); }
def BOp : TOp<"b"> { let arguments = (ins); let results = (outs AnyType:$r); }
def COp : TOp<"c", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$x, AnyAttr:$attr); let results = (outs AnyType:$r); }
def DOp : TOp<"d", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$x, AnyType:$y); let results = (outs AnyType:$r); }
def IOp : TOp<"i"> { let arguments = (ins I32:$x); let results = (outs I32:$r); }
def Zero : TOp<"zero"> { let arguments = (ins AnyType:$x); }
def Two : TOp<"two"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$a, AnyType:$b); }
def Three : TOp<"three"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$a, AnyType:$b, AnyType:$c); }
def Cat : TOp<"cat"> { let arguments = (ins Variadic<AnyTensor>:$xs, I32Attr:$axis); let results = (outs AnyTensor:$r); }
def Many : TOp<"many"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r, Variadic<AnyType>:$rs); }
def Attrs : TOp<"attrs"> { let arguments = (ins AnyAttr:$a, AnyAttr:$b); let results = (outs AnyType:$r); }
def Opt : TOp<"opt"> { let arguments = (ins AnyType:$x, OptionalAttr<I32Attr>:$a); let results = (outs AnyType:$r); }
def Body : TOp<"body"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); let regions = (region AnyRegion:$body); }
def Make : NativeCodeCall<"make($_builder, $0, $1)">;
def MakeVoid : NativeCodeCallVoid<"make($_builder, $0)">;
def MakeTwo : NativeCodeCall<"make($_loc, $0)", 2>;
def Unused : Constraint<CPred<"$_self.use_empty()">, "unused">;
def SameTypes : Constraint<CPred<"$0.getType() == $1.getType()">, "same">;
"#;

/// What becomes of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Both {
    Take,
    Refuse,
    /// Upstream takes what C++ refuses later, or what can never work.
    RefuseHere,
    /// The text has it, upstream refuses it.
    TakeHere,
}
use Both::{Refuse, RefuseHere, Take, TakeHere};

const CASES: &[(Both, &str)] = &[
    // Rule definition.
    (Take, "def : Pat<(AOp $x, $a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp $x), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $a, $b), (COp $x, $a)>;"),
    (Refuse, "def : Pattern<(AOp $x, $a), []>;"),
    (Refuse, "def : Pat<(T $x), (COp $x, $x)>;"),
    (Refuse, "def : Pat<(replaceWithValue $x), (COp $x, $x)>;"),
    // Binding arguments.
    (Take, "def : Pat<(AOp $x, F32Attr:$a), (COp $x, $a)>;"),
    (Take, "def : Pat<(AOp F32:$x, $a), (COp $x, $a)>;"),
    (RefuseHere, "def : Pat<(AOp $_, $a), (AOp (BOp), $a)>;"),
    (Take, "def : Pat<(AOp $x, F32Attr), (replaceWithValue $x)>;"),
    (Take, "def : Pat<(DOp $x, $x), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(AOp F32Attr:$x, $a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp $x, F32:$a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $x), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $y, $a)>;"),
    (Refuse, "def : Pat<(AOp $_, $a), (COp $_, $a)>;"),
    (Take, "def : Pat<(AOp $x, ConstantAttr<I32Attr, \"3\">), (replaceWithValue $x)>;"),
    (Take, "def : Pat<(Opt $x, IsNullAttr), (replaceWithValue $x)>;"),
    // Matching operations inside, and their results.
    (Take, "def : Pat<(AOp (BOp), $a), (BOp)>;"),
    (Take, "def : Pat<(AOp (BOp:$b), $a), (COp $b, $a)>;"),
    (Take, "def : Pat<(AOp:$all (AOp:$in $x, $a), $b), (replaceWithValue $in), [(SameTypes $all, $in)]>;"),
    (RefuseHere, "def : Pat<(AOp (Zero $x), $a), (COp $x, $a)>;"),
    (RefuseHere, "def : Pat<(AOp $x, (BOp)), (COp $x, $x)>;"),
    (Take, "def : Pat<(AOp (IOp I32:$x), $a), (IOp $x)>;"),
    // Making operations.
    (Take, "def : Pat<(AOp $x, $a), (COp (COp $x, $a), $a)>;"),
    (Take, "def : Pat<(AOp $x, $a), (DOp (COp:$c $x, $a), $c)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp (BOp), $a)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp (AOp $x, $a), $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp:$x $x, $a)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (Body $x)>;"),
    // Native calls.
    (Take, "def : Pat<(Attrs $a, $b), (AOp (Make $a, $b), $a)>;"),
    (Take, "def : Pat<(AOp $x, $a), (Make $x, $a)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (Make $x)>;"),
    (Take, "def : Pat<(AOp (NativeCodeCall<\"foo($_self, &$0)\"> I32Attr:$v), $a), (AOp (Make $v, $v), $a)>;"),
    (Take, "def : Pattern<(Two $x), [(MakeTwo $x)]>;"),
    (Refuse, "def : Pattern<(Two $x), [(MakeVoid $x)]>;"),
    (Take, "def : Pattern<(AOp $x, $a), [(MakeVoid $x), (replaceWithValue $x)]>;"),
    (
        Refuse,
        "def : Pat<(AOp (NativeCodeCall<\"foo($_self, &$0)\"> (NativeCodeCall<\"bar($_self, &$0)\"> I32Attr:$v)), $a), (AOp (Make $v, $v), $a)>;",
    ),
    (Refuse, "def : Pat<(AOp (NativeCodeCall<\"foo($_self, &$0)\"> (AOp $x, $b)), $a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp (NativeCodeCall<\"foo($_self)\">:$n), $a), (COp $n, $a)>;"),
    (Refuse, "def : Pat<(NativeCodeCall<\"foo($_self)\">), (BOp)>;"),
    // Several results and several patterns.
    (Take, "def : Pattern<(AOp $x, $a), [(Zero $x), (COp $x, $a)]>;"),
    (Take, "def : Pattern<(Two:$r $x), [(replaceWithValue $r__1), (replaceWithValue $r__0)]>;"),
    (TakeHere, "def : Pattern<(Two $x), [(Three:$r__2 $x, (returnType $x, $x, $x)), (replaceWithValue $r__0)]>;"),
    (Take, "def : Pat<(Three $x), (Three $x)>;"),
    (Take, "def : Pattern<(Three $x), [(Two $x), (COp $x, ConstantAttr<I32Attr, \"1\">)]>;"),
    (Refuse, "def : Pattern<(Three $x), [(Two $x), (Two $x)]>;"),
    (Refuse, "def : Pat<(Three $x), (Two $x)>;"),
    (Refuse, "def : Pat<(AOp (Two:$t $x), $a), (COp $t__5, $a)>;"),
    // Variadic operands.
    (Take, "def : Pat<(Cat (variadic $x, $y), $a), (DOp $x, $y)>;"),
    (Take, "def : Pat<(Cat (variadic:$xs $x, $y), $a), (Cat $xs, $a)>;"),
    (Take, "def : Pat<(Cat (variadic (COp $x, $b), (COp $y, $c)), $a), (DOp $x, $y)>;"),
    (Take, "def : Pat<(Cat $xs, $a), (Cat $xs, $a)>;"),
    (Refuse, "def : Pat<(AOp (variadic $x, $y), $a), (DOp $x, $y)>;"),
    (Refuse, "def : Pat<(variadic $x), (replaceWithValue $x)>;"),
    // Constraints.
    (TakeHere, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(F32:$r), (Unused:$r), (SameTypes $r, $x)]>;"),
    (Refuse, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(SameTypes $r, $nothing)]>;"),
    (Refuse, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(AOp $r, $x)]>;"),
    // Supplemental patterns.
    (Take, "def : Pattern<(AOp $x, $a), [(COp:$c $x, $a)], [], [(MakeVoid $c)]>;"),
    (Refuse, "def : Pattern<(AOp $x, $a), [(COp $x, $a)], [], [(MakeVoid $c)]>;"),
    // Benefits.
    (Take, "def : Pat<(AOp $x, $a), (COp $x, $a), [], [], (addBenefit 3)>;"),
    (Take, "def : Pat<(AOp $x, $a), (COp $x, $a), [], [], (addBenefit -1)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a), [], [], (addBenefit)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp $x, $a), [], [], (location 3)>;"),
    // Locations.
    (Take, "def : Pat<(AOp:$s $x, $a), (COp $x, $a, (location $s))>;"),
    (Take, "def : Pat<(AOp:$s (COp:$t $x, $b), $a), (COp $x, $a, (location $s, $t))>;"),
    (Take, "def : Pat<(AOp $x, $a), (COp $x, $a, (location \"outer\"))>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp (location \"outer\"), $x, $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a, (location))>;"),
    // `replaceWithValue`.
    (Take, "def : Pat<(AOp $x, $a), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (replaceWithValue $x, $x)>;"),
    (Take, "def : Pat<(AOp $x, $a), (COp (replaceWithValue $x), $a)>;"),
    // `returnType`.
    (Take, "def : Pat<(AOp $x, $a), (COp (BOp (returnType $x)), $a)>;"),
    (Take, "def : Pat<(AOp $x, $a), (COp (BOp (returnType \"$_builder.getI32Type()\")), $a)>;"),
    (Take, "def : Pat<(AOp $x, $a), (COp (BOp (returnType (NativeCodeCall<\"typeOf($0)\"> $x))), $a)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp (BOp (returnType)), $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a, (returnType $x))>;"),
    // `either`.
    (Take, "def : Pat<(DOp (either $x, (COp $y, $a))), (DOp $x, $y)>;"),
    (Refuse, "def : Pat<(DOp (either $x, $y), $z), (DOp $x, $y)>;"),
    (Refuse, "def : Pat<(AOp (either $x, $a)), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(DOp (either $x)), (replaceWithValue $x)>;"),
];

fn upstream_takes(file: &Path) -> bool {
    let prefix = llvm_prefix();
    let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
    command.args(["-gen-rewriters", "-o", "/dev/null", "-I"]).arg(prefix.join("include")).arg(file);
    command.output().unwrap().status.success()
}

#[test]
fn patterns_are_taken_and_refused_as_upstream_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.td");
    let mut different = Vec::new();
    for (expected, case) in CASES {
        std::fs::write(&file, format!("{PRELUDE}{case}\n")).unwrap();
        let read = Records::from_file(&file, &search_path(&file, &[])).and_then(|records| drr::translate(&records));
        let found = match (upstream_takes(&file), read.is_ok()) {
            (true, true) => Take,
            (false, false) => Refuse,
            (true, false) => RefuseHere,
            (false, true) => TakeHere,
        };
        if found != *expected {
            let said = read.err().map(|error| error.to_string()).unwrap_or_default();
            different.push(format!("{case}: {found:?}, not {expected:?} {said}"));
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
}
