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
def Mv : TOp<"mv"> { let arguments = (ins AnyType:$x, Variadic<AnyType>:$xs, AnyType:$y); let results = (outs AnyType:$r, Variadic<AnyType>:$rs, AnyType:$q); }
def Seg : TOp<"seg", [AttrSizedOperandSegments]> { let arguments = (ins Variadic<AnyType>:$xs, Variadic<AnyType>:$ys); let results = (outs AnyType:$r); }
def Pairs : TOp<"pairs", [SameVariadicOperandSize]> { let arguments = (ins Variadic<AnyType>:$xs, Variadic<AnyType>:$ys); let results = (outs AnyType:$r); }
def Tern : TOp<"tern"> { let arguments = (ins AnyType:$x, AnyType:$y, AnyType:$z); let results = (outs AnyType:$r); }
def OneAttr : TOp<"one_attr"> { let arguments = (ins ArrayAttr:$a); let results = (outs AnyType:$r); }
def Kind : I32EnumAttr<"Kind", "", [I32EnumAttrCase<"Red", 0>, I32EnumAttrCase<"Blue", 4>]> { let cppNamespace = "::t"; }
def Painted : TOp<"painted"> { let arguments = (ins AnyType:$x, Kind:$kind); let results = (outs AnyType:$r); }
def Body : TOp<"body"> { let arguments = (ins AnyType:$x); let results = (outs AnyType:$r); let regions = (region AnyRegion:$body); }
def Num : TOp<"num"> { let arguments = (ins AnyType:$x, I64Prop:$n); let results = (outs AnyType:$r); }
def Flags : TOp<"flags", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$x, BoolProp:$b, StringProp:$s, UnitProp:$u); let results = (outs AnyType:$r); }
def Usual : TOp<"usual"> { let arguments = (ins AnyType:$x, DefaultValuedProp<I64Prop, "7">:$n); let results = (outs AnyType:$r); }
def Built : TOp<"built"> { let arguments = (ins AnyType:$x, AnyAttr:$a); let results = (outs AnyType:$r); let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Attribute":$a)>]; }
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
    (TakeHere, "def : Pattern<(Two $x), [(Three:$r__2 $x, (returnType $x, $x, $x)), (replaceWithValue $r__0)]>;"),
    (Take, "def : Pat<(Three $x), (Three $x)>;"),
    (Take, "def : Pattern<(Three $x), [(Two $x), (COp $x, ConstantAttr<I32Attr, \"1\">)]>;"),
    (Refuse, "def : Pattern<(Three $x), [(Two $x), (Two $x)]>;"),
    (Refuse, "def : Pat<(Three $x), (Two $x)>;"),
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
    // Groups that stand beside each other.
    (Take, "def : Pat<(Mv $x, $xs, $y), (Mv $y, $xs, $x)>;"),
    (Take, "def : Pat<(Mv $x, (variadic $p, $q), $y), (Mv $x, (variadic $q), $y)>;"),
    (Take, "def : Pattern<(Mv:$r $x, $xs, $y), [(COp $x, ConstantAttr<I32Attr, \"1\">), (Many $y)]>;"),
    (
        Take,
        "def : Pattern<(Mv:$r $x, $xs, $y), [(AOp $x, ConstantAttr<I32Attr, \"1\">), (replaceWithValue $xs), (replaceWithValue $y)]>;",
    ),
    (Take, "def : Pat<(Seg (variadic $p, $q), $y), (DOp $p, $q)>;"),
    (Take, "def : Pat<(Seg $y, (variadic $p, $q)), (Seg $y, (variadic $q, $p))>;"),
    (Take, "def : Pat<(Pairs $xs, $ys), (Cat $xs, ConstantAttr<I32Attr, \"1\">)>;"),
    (RefuseHere, "def : Pat<(Pairs (variadic $a, $b), (variadic $c)), (DOp $a, $b)>;"),
    (Refuse, "def : Pat<(Mv $x, $xs, (BOp)), (COp $x, ConstantAttr<I32Attr, \"1\">)>;"),
    (Take, "def : Pattern<(Mv $x, $xs, (AOp $y, $a)), [(COp $x, $a), (Many $y)]>;"),
    (Refuse, "def : Pat<(Cat (variadic (variadic $x, $y), $z), $_), (BOp)>;"),
    (Refuse, "def : Pat<(Cat (variadic (either $x, $y)), $_), (DOp $x, $y)>;"),
    (RefuseHere, "def : Pat<(Cat $xs, $_), (DOp $xs, $xs)>;"),
    // Native calls in place of an attribute are given the operation that has it.
    (Take, "def : Pat<(OneAttr (NativeCodeCall<\"Foo($_self, &$0)\"> I32Attr:$val)), (Attrs $val, $val)>;"),
    (RefuseHere, "def : Pat<(OneAttr (NativeCodeCall<\"Foo($_self, &$0)\"> I32Attr:$val):$name), (Attrs $val, $val)>;"),
    // Placeholders.
    (Take, "def F : NativeCodeCall<\"f($1, $2, $0)\">; def : Pat<(Tern $a, $b, $c), (F $a, $b, $c)>;"),
    (Take, "def F : NativeCodeCall<\"f($1...)\">; def : Pat<(Tern $a, $b, $c), (F $a, $b, $c)>;"),
    (RefuseHere, "def F : NativeCodeCall<\"f($3)\">; def : Pat<(Tern $a, $b, $c), (F $a, $b)>;"),
    (RefuseHere, "def F : NativeCodeCall<\"f($_self, $0)\">; def : Pat<(Tern $a, $b, $c), (F $a, $b)>;"),
    (Take, "def F : NativeCodeCall<\"f($_loc, $0)\">; def : Pat<(Tern $a, $b, $c), (F $a, (location $b))>;"),
    (Take, "def F : NativeCodeCall<\"f($0)\", 2>; def : Pattern<(Two $x), [(DOp (F:$r__0 $x), $x), (DOp $r__1, $x)]>;"),
    (
        RefuseHere,
        "def F : NativeCodeCall<\"f($0)\", 2>; def : Pattern<(Two $x), [(DOp (F:$r__0 $x), $x), (DOp $r__2, $x)]>;",
    ),
    (
        RefuseHere,
        "def F : NativeCodeCall<\"f($0)\", 2>; def : Pattern<(Two $x), [(DOp (F:$r $x), $x), (DOp $r__1, $x)]>;",
    ),
    (Refuse, "def : Pat<(AOp $x, $a), (DOp (MakeVoid $x), $x)>;"),
    // Suffixes.
    (Refuse, "def : Pat<(AOp $x__0, $a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $a__1), (COp $x, $a__1)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp $x__1, $a)>;"),
    (RefuseHere, "def : Pat<(AOp (Two $x), $a), (COp $x, $a)>;"),
    (Take, "def : Pat<(AOp (Two:$t__1 $x), $a), (COp $t__0, $a)>;"),
    (RefuseHere, "def : Pat<(AOp (Two:$t__2 $x), $a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(AOp:$x $x, $a), (COp $x, $a)>;"),
    (Refuse, "def : Pat<(DOp (BOp:$u), (BOp:$u)), (replaceWithValue $u)>;"),
    (Refuse, "def : Pattern<(Two $x), [(DOp:$u $x, $x), (DOp:$u $x, $x)]>;"),
    // Constraints over several.
    (Take, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(SameTypes $r, $x)]>;"),
    (RefuseHere, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(SameTypes $r)]>;"),
    (RefuseHere, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(SameTypes)]>;"),
    (Refuse, "def : Pat<(AOp:$r $x, $a), (COp $x, $a), [(SameTypes $r, (COp $x, $a))]>;"),
    (Refuse, "def : Pat<(AOp:$r $x, $a), (COp:$c $x, $a), [(SameTypes $r, $c)]>;"),
    (Take, "def : Pat<(Cat (variadic:$xs $p, $q), $a), (Cat $xs, $a), [(SameTypes $p, $q)]>;"),
    // Constants.
    (Refuse, "def : Pat<(AOp $x, \"text\"), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (AOp $x, \"text\")>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (AOp $x, F32Attr)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (Cat $x, ConstantAttr<I32Attr, \"99999999999\">)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (AOp $x, ConstantAttr<F32Attr, \"abc\">)>;"),
    (Take, "def : Pat<(Painted $x, ConstantEnumCase<Kind, \"Red\">), (Painted $x, ConstantEnumCase<Kind, \"Blue\">)>;"),
    (Refuse, "def : Pat<(Painted $x, ConstantEnumCase<Kind, \"Green\">), (replaceWithValue $x)>;"),
    (RefuseHere, "def Green : I32EnumAttrCase<\"Green\", 7>; def : Pat<(Painted $x, Green), (replaceWithValue $x)>;"),
    // Directives where they cannot be.
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a, (location \"a\", \"b\"))>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a, (location 3))>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a, (location:$l \"a\"))>;"),
    (Refuse, "def : Pat<(AOp:$o $x, $a), (COp $x, $a, (location $o), (location \"b\"))>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp $x, $a, (location $a))>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a, (location $none))>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (replaceWithValue (BOp))>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (replaceWithValue $x, (location \"b\"))>;"),
    (Refuse, "def : Pat<(COp (replaceWithValue $x), $a), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(Three $x), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (returnType $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp (BOp (returnType (BOp))), $a)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (DOp (Two:$t__1 $x, (returnType $x)), $x)>;"),
    (Take, "def : Pat<(AOp $x, $a), (DOp (Two:$t__1 $x, (returnType $x, \"$_builder.getI64Type()\")), $x)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp (BOp (returnType $x), (returnType $x)), $a)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (Make $x, $a, (returnType $x))>;"),
    (Take, "def : Pat<(Tern $c, (either $a, (BOp))), (DOp $a, $c)>;"),
    (Refuse, "def : Pat<(Tern (either $a, $b, $c)), (Tern $a, $b, $c)>;"),
    (Refuse, "def : Pat<(Tern (either $a, (either $b, $c))), (Tern $a, $b, $c)>;"),
    (Refuse, "def : Pat<(DOp $x, $y), (DOp (either $x, $y))>;"),
    (Refuse, "def : Pat<(either (BOp), (BOp)), (BOp)>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (COp $x, $a), [], [], (addBenefit 1, 2)>;"),
    (RefuseHere, "def : Pat<(AOp $x, $a), (COp $x, $a), [], [], (addBenefit -2)>;"),
    (Take, "def : Pattern<(Three:$s $x), [(Zero:$d $x), (Three:$t $x)], [], [(MakeVoid $s), (MakeVoid $t__1)]>;"),
    (Refuse, "def : Pattern<(Two $x), [(COp $x, ConstantAttr<I32Attr, \"1\">)]>;"),
    (Refuse, "def : Pat<(AOp $x, $a), (Zero $x)>;"),
    (Take, "def : Pattern<(Zero $x), []>;"),
    // Properties, which are stored as attributes.
    (Take, "def : Pat<(Num $x, $n), (Num $x, $n)>;"),
    (Take, "def : Pat<(Num $x, I64Prop:$n), (Num $x, $n)>;"),
    (Take, "def : Pat<(Num $x, ConstantProp<I64Prop, \"3\">), (replaceWithValue $x)>;"),
    (
        Take,
        "def : Pat<(Num $x, ConfinedProp<I64Prop, CPred<\"$_self > 3\">>:$n), (Num $x, ConstantProp<I64Prop, \"3\">)>;",
    ),
    (Take, "def : Pat<(Flags $x, $b, $s, $_), (Flags $x, $b, $s, ConstantProp<UnitProp, \"true\">)>;"),
    (Take, "def : Pat<(Usual $x, $n), (Usual $x, $n)>;"),
    (Take, "def F : NativeCodeCall<\"f($0)\">; def : Pat<(Num $x, I64Prop:$n), (Num $x, (F $n))>;"),
    (RefuseHere, "def : Pat<(Num $x, ConstantProp<I64Prop, \"true thing\">), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(Num $x, I64Attr:$n), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(Num $x, F32:$n), (replaceWithValue $x)>;"),
    (Refuse, "def : Pat<(AOp $x, I64Prop:$n), (replaceWithValue $x)>;"),
    // Types that a builder deduces.
    (Take, "def : Pat<(AOp $x, $a), (COp (Built $x, $a), $a)>;"),
    // Names that stand twice beside an open group.
    (Take, "def : Pat<(Mv $x, $xs, $x), (Mv $x, $xs, $x)>;"),
    (Take, "def : Pat<(Seg $xs, $xs), (Cat $xs, ConstantAttr<I32Attr, \"1\">)>;"),
    // The root in place of itself, and what would depend on itself.
    (RefuseHere, "def : Pat<(AOp:$r $x, $a), (replaceWithValue $r)>;"),
    (RefuseHere, "def : Pattern<(Two:$r $x), [(replaceWithValue $r__1), (replaceWithValue $r__0)]>;"),
    (Take, "def : Pat<(AOp:$r $x, $a), (COp $r, $a)>;"),
    (Refuse, "def : Pat<(AOp (NativeCodeCall<\"foo(&$0)\"> I32Attr:$v), $a), (AOp (Make $v, $v), $a)>;"),
    (Take, "def : Pattern<(AOp:$r $x, $a), [(Zero $r), (COp $x, $a)]>;"),
    (Take, "def : Pattern<(AOp:$r $x, $a), [(COp $x, $a), (Zero $r)]>;"),
    (Take, "def : Pattern<(AOp:$r $x, $a), [(Zero $r), (replaceWithValue $x)]>;"),
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
