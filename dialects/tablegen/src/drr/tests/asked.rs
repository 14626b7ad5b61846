//! What is asked of Rust: expressions and constraints whose C++ is not known, and what need not be there.

use super::*;

fn methods(module: &PdlModule) -> Vec<(&str, &str)> {
    let asked = |native: &'_ Native| match &native.kind {
        NativeKind::Asked { method, .. }
        | NativeKind::Matcher { place: NativePlace::Method(method), .. }
        | NativeKind::Function { place: NativePlace::Method(method), .. } => Some(method.clone()),
        _ => None,
    };
    let of = |native| asked(native).map(|method| (&*method.leak(), native.text.as_str()));
    module.natives.iter().filter_map(of).collect()
}

/// The Rust of the only constraint with a name that begins so.
fn rust_of<'m>(module: &'m PdlModule, name: &str) -> &'m str {
    let found = module.natives.iter().find_map(|native| match &native.kind {
        NativeKind::Predicate { rust, .. } if native.name.starts_with(name) => Some(rust.as_str()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{:?}", module.natives))
}

#[test]
fn constraints_without_names_are_asked_under_that_of_the_pattern() {
    let module = pdl("def IsLucky : Pat<(Add:$z $x, $y), (replaceWithValue $x), [
           (Constraint<CPred<\"lucky($0)\">> $x), (Constraint<CPred<\"lucky($0)\">> $y), (Constraint<CPred<\"happy($0)\">> $y),
           (Constraint<CPred<\"happy($0, $1)\">> $x, $z)]>;
         def : Pat<(Neg AnyTypeOf<[Type<CPred<\"odd($_self)\">, \"odd\">, I32]>:$x), (replaceWithValue $x)>;");
    assert_eq!(
        methods(&module),
        [
            ("is_lucky_holds", "(lucky($0))"),
            ("is_lucky_holds_2", "(happy($0))"),
            ("is_lucky_holds_of_value_value", "(happy($0, $1))"),
            ("neg_holds", "(((odd($_self))) || (($_self.isSignlessInteger(32))))"),
        ]
    );
}

#[test]
fn expressions_that_differ_are_functions_of_their_own() {
    let module = pdl("def Next : NativeCodeCall<\"$0 + 1\">;
         def P : Pat<(Cat $xs, $a), (Cat $xs, (NativeCodeCall<\"$0 * 2\"> (NativeCodeCall<\"$0 * 3\"> (Next $a))))>;
         def Q : Pat<(Pair $a, $b), (Pair (Next $a), (NativeCodeCall<\"next($0)\"> $b))>;");
    assert_eq!(methods(&module), [("next", "$0 + 1"), ("p", "$0 * 3"), ("p_2", "$0 * 2"), ("next_2", "next($0)")]);
    // The orders of `either` ask the same.
    let module = pdl("def P : Pat<(Add (either (Neg $x), $y)), (NativeCodeCall<\"$0 + $1\"> $x, $y),
           [(Constraint<CPred<\"lucky($0)\">> $x)]>;");
    assert_eq!(methods(&module).iter().map(|(method, _)| *method).collect::<Vec<_>>(), ["p_holds", "p"]);
}

#[test]
fn a_type_is_that_of_an_attribute() {
    has(
        "def Const : TOp<\"const\", [AllTypesMatch<[\"value\", \"result\"]>]> {
           let arguments = (ins AnyAttr:$value); let results = (outs AnyTensor:$result); }
         def P : Pat<(Neg $x), (Add $x, (Const (NativeCodeCall<\"crate::one($0)\"> $x)))>;",
        &[
            "%one = pdl.apply_native_rewrite \"one\"(%x : !pdl.value) : !pdl.attribute",
            "%type = pdl.apply_native_rewrite \"drr.type_of\"(%one : !pdl.attribute) : !pdl.type",
            "%const = pdl.operation \"t.const\" {\"value\" = %one} -> (%type : !pdl.type)",
        ],
    );
}

#[test]
fn types_that_follow_by_cpp_are_inferred_when_the_operation_is_made() {
    has(
        "def Less : TOp<\"less\", [TypesMatchWith<\"bits\", \"x\", \"y\", \"bits($_self)\">]> {
           let arguments = (ins AnyTensor:$x); let results = (outs AnyTensor:$y); }
         def P : Pat<(Neg $x), (Add $x, (Less $x))>;",
        &["%less = pdl.operation \"t.less\"(%x : !pdl.value)"],
    );
}

#[test]
fn constants_that_native_calls_tell_are_compared() {
    has(
        "def P : Pat<(Add $x, (ConstantLikeMatcher ConstantAttr<I64Attr, \"1\">:$one)), (Scale $x, $one, ?, ?)>;",
        &[
            "%one = pdl.apply_native_constraint \"constant_like_matcher\"(%operand, %P_name : !pdl.value, !pdl.attribute) : !pdl.attribute",
            "%constant = pdl.attribute = 1 : i64",
            "pdl.apply_native_constraint \"drr.is\"(%one, %constant : !pdl.attribute, !pdl.attribute)",
        ],
    );
}

#[test]
fn what_may_be_absent_is_asked_for() {
    let constraints = [
        ("$0 == nullptr", "$bias", "p0.is_none()"),
        ("!$0", "$bias", "p0.is_none()"),
        (
            "!$0 || ::llvm::isa<IntegerAttr>($0)",
            "$bias",
            "(p0.is_none() || p0.is_some_and(|present| (predicate::is_integer_attr(present))))",
        ),
        ("::llvm::cast<IntegerAttr>($0).getInt() > 2", "$bias", "p0.is_some_and(|p0| (predicate::integer(p0) > 2))"),
        (
            "$0.getType() == $1.getType()",
            "$x, $y",
            "p1.is_some_and(|p1| (predicate::type_of(p0) == predicate::type_of(p1)))",
        ),
        ("$0 != Value()", "$y", "p0.is_some()"),
        ("$0 != nullptr", "$x", "true"),
    ];
    let operation = "def Opt : TOp<\"opt\"> { let arguments = (ins AnyTensor:$x, Optional<AnyTensor>:$y, OptionalAttr<I64Attr>:$bias); let results = (outs AnyTensor:$z); }";
    for (predicate, about, expected) in constraints {
        let pattern = format!(
            "{operation} def C : Constraint<CPred<\"{predicate}\">>; def P : Pat<(Opt $x, $y, $bias), (replaceWithValue $x), [(C {about})]>;"
        );
        assert_eq!(rust_of(&pdl(&pattern), "C"), expected, "{predicate}");
    }
    // What null pointers decide beyond that is asked.
    let module = pdl(&format!(
        "{operation} def Odd : Constraint<CPred<\"$0 == nullptr || ::llvm::cast<IntegerAttr>($0).getInt() > 2\">>;
         def P : Pat<(Opt $x, $y, $bias), (replaceWithValue $x), [(Odd $bias)]>;"
    ));
    assert_eq!(methods(&module).len(), 1);
    // No uses, as older code says it.
    let module = pdl(
        "def C : Constraint<CPred<\"$0.getUses().empty()\">>; def P : Pat<(Two:$t $x), (Two (Neg $x)), [(C $t__1)]>;",
    );
    assert_eq!(rust_of(&module, "C"), "predicate::use_empty(p0)");
}
