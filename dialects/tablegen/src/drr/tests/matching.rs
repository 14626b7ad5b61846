//! Source patterns, constraints, benefits.

use super::*;

#[test]
fn patterns_are_readable() {
    let text = pdl("def Twice : Pat<(Neg (Neg:$inner $x)), (replaceWithValue $x)>;").text;
    let expected = "pdl.pattern @Twice : benefit(2) {
    %x = pdl.operand
    %inner = pdl.operation \"t.neg\"(%x : !pdl.value) -> (%inner_type : !pdl.type)
    %inner_result = pdl.result 0 of %inner
    %neg = pdl.operation \"t.neg\"(%inner_result : !pdl.value) -> (%neg_type : !pdl.type)
    pdl.rewrite %neg {
        pdl.replace %neg with (%x : !pdl.value)
    }
}";
    let lines: Vec<&str> = text.lines().filter(|line| !line.ends_with("= pdl.type")).collect();
    let text = lines.join("\n");
    assert_eq!(text.rsplit_once(" loc(").unwrap().0, expected);
}

#[test]
fn what_is_matched_has_each_result_once() {
    let lines = lines(
        "def P : Pat<(Add (Neg:$n $x), $n), (replaceWithValue $n), [(HasNoUseOf:$n), (F32Tensor:$n), (HasNoUseOf:$x)]>;",
    );
    assert_eq!(lines.iter().filter(|line| line.contains("pdl.result 0 of %n")).count(), 2, "{lines:#?}");
    for expected in [
        "pdl.apply_native_constraint \"drr.is\"(%operand, %n_result : !pdl.value, !pdl.value)",
        "%add = pdl.operation \"t.add\"(%n_result, %operand : !pdl.value, !pdl.value) -> (%add_type : !pdl.type)",
        "pdl.apply_native_constraint \"HasNoUseOf\"(%n_result : !pdl.value)",
        "pdl.apply_native_constraint \"F32Tensor\"(%n_result : !pdl.value)",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:#?}");
    }
}

#[test]
fn what_is_said_twice_is_asked_once() {
    let lines = lines(
        "def P : Pat<(Add (Neg F32Tensor:$x), $y), (replaceWithValue $x), [(F32Tensor:$x), (HasNoUseOf:$y), (HasNoUseOf:$y)]>;",
    );
    let asked = |name: &str| lines.iter().filter(|line| line.contains(&format!("constraint \"{name}\""))).count();
    assert_eq!((asked("F32Tensor"), asked("HasNoUseOf")), (1, 1), "{lines:#?}");
}

#[test]
fn an_operand_named_twice_is_compared() {
    let lines = lines("def P : Pat<(Add $x, $x), (replaceWithValue $x)>;");
    assert!(lines.iter().any(|line| line.contains("\"t.add\"(%x, %x : ")), "{lines:#?}");
}

#[test]
fn benefits_are_upstreams() {
    let module = pdl("def Small : Pat<(Neg $x), (replaceWithValue $x)>;
         def Large : Pat<(Neg (Neg $x)), (replaceWithValue $x)>;
         def Raised : Pat<(Add $x, $x), (replaceWithValue $x), [], [], (addBenefit 5)>;
         def Lowered : Pat<(Add (Neg $x), $y), (replaceWithValue $x), [], [], (addBenefit -2)>;
         def Grouped : Pat<(Cat (variadic (Neg $x), $y), $a), (Cat (variadic $y, $x), $a)>;");
    let rules: Vec<_> = module.rules.iter().map(|rule| (rule.name.as_str(), rule.benefit)).collect();
    assert_eq!(rules, [("Raised", 6), ("Large", 2), ("Grouped", 2), ("Small", 1), ("Lowered", 0)]);
    assert!(module.text.contains("@Raised : benefit(6) {"), "{}", module.text);
}

#[test]
fn either_stands_for_both_orders() {
    let module = pdl("def P : Pat<(Add (either (Neg $x), $y)), (replaceWithValue $y)>;");
    let names: Vec<_> = module.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["P_0", "P_1"]);
    assert!(module.text.contains("\"t.add\"(%neg_result, %y"), "{}", module.text);
    assert!(module.text.contains("\"t.add\"(%y, %neg_result"), "{}", module.text);
    assert_eq!(module.warnings, []);
}

#[test]
fn groups_of_known_size_fix_the_segments() {
    has(
        "def P : Pat<(Join (variadic $a, $b), (variadic)), (Join (variadic $b, $a), ?)>;",
        &[
            "%segments = pdl.attribute = array<i32: 2, 0>",
            "%join = pdl.operation \"t.join\"(%a, %b : !pdl.value, !pdl.value) {\"operandSegmentSizes\" = %segments} -> (%join_type : !pdl.type)",
            "%segments_2 = pdl.attribute = array<i32: 2, 0>",
            "%join_2 = pdl.operation \"t.join\"(%b, %a : !pdl.value, !pdl.value) {\"operandSegmentSizes\" = %segments_2} -> (%join_type : !pdl.type)",
        ],
    );
}

#[test]
fn groups_have_names() {
    has(
        "def P : Pat<(Cat (variadic:$in $a, (Neg $b)), $axis), (Cat $in, $axis)>;",
        &[
            "%cat_2 = pdl.operation \"t.cat\"(%a, %neg_result : !pdl.value, !pdl.value) {\"axis\" = %axis} -> (%cat_type : !pdl.type)",
        ],
    );
    has(
        "def P : Pat<(Cat (variadic:$in $a, $b), $axis), (NativeCodeCall<\"crate::f($0)\"> $in)>;",
        &["%f = pdl.apply_native_rewrite \"f\"(%a, %b : !pdl.value, !pdl.value) : !pdl.value"],
    );
}

#[test]
fn groups_of_unknown_size_are_ranges_that_are_counted_when_operations_are_made() {
    has(
        "def P : Pat<(Join $xs, (variadic $y)), (Join $xs, ?)>;",
        &[
            "%xs = pdl.operands",
            "%segments = pdl.attribute = array<i32: -1, 0>",
            "%segments_2 = pdl.apply_native_rewrite \"drr.segments\"(%segments, %xs : !pdl.attribute, !pdl.range<value>) : !pdl.attribute",
        ],
    );
}

#[test]
fn constants_of_every_kind_are_matched() {
    let cases = [
        ("ConstantAttr<I64Attr, \"7\">", "7 : i64"),
        ("ConstantAttr<SI32Attr, \"-7\">", "-7 : si32"),
        ("ConstantAttr<UI8Attr, \"7\">", "7 : ui8"),
        ("ConstantAttr<IndexAttr, \"7\">", "7 : index"),
        ("ConstantAttr<F64Attr, \"1\">", "1.0 : f64"),
        ("ConstF32Attr<\"0.5\">", "0.5 : f32"),
        ("ConstBoolAttrTrue", "true"),
        ("ConstUnitAttr", "unit"),
        ("ConstantStrAttr<StrAttr, \"text\">", "\"text\""),
        ("ConstantAttr<DenseI64ArrayAttr, \"{1, 2}\">", "array<i64: 1, 2>"),
        ("ConstantAttr<DenseBoolArrayAttr, \"{true}\">", "array<i1: true>"),
        ("ConstantAttr<I64ArrayAttr, \"{1, 2}\">", "[1 : i64, 2 : i64]"),
        ("ConstantAttr<StrArrayAttr, \"{\\\"a\\\"}\">", "[\"a\"]"),
        ("ConstantAttr<TypeAttr, \"$_builder.getF32Type()\">", "f32"),
        ("ConstantAttr<FlatSymbolRefAttr, \"\\\"f\\\"\">", "@\"f\""),
        ("ConstantAttr<I32ElementsAttr, \"1\">", "dense<1> : tensor<i32>"),
        ("ConstantAttr<RankedF32ElementsAttr<[2]>, \"{1.0, 2.0}\">", "dense<[1.0, 2.0]> : tensor<2xf32>"),
        ("ConstantAttr<AnyAttr, \"$_builder.getI32IntegerAttr(5)\">", "5 : i32"),
        ("ConstantEnumCase<Kind, \"Blue\">", "4 : i32"),
    ];
    for (constant, expected) in cases {
        let source = format!("def P : Pat<(Pair {constant}:$a, $b), (Pair $b, {constant})>;");
        let count =
            lines(&source).iter().filter(|line| line.ends_with(&format!("= pdl.attribute = {expected}"))).count();
        assert_eq!(count, 2, "{source}: {:#?}", lines(&source));
    }
}

#[test]
fn cases_of_enumerations_are_attributes() {
    let case = "def Blue : I32EnumAttrCase<\"Blue\", 4>; def P : Pat<(Painted $x, Blue), (Painted $x, Blue)>;";
    assert_eq!(lines(case).iter().filter(|line| line.ends_with("= 4 : i32")).count(), 2);
}

#[test]
fn an_absent_attribute_is_its_default() {
    // What equals the default may be absent; what does not must be there.
    has(
        "def P : Pat<(Scale $x, $_, $_, ConstantAttr<I64Attr, \"3\">), (replaceWithValue $x)>;",
        &[
            "%times_name = pdl.attribute = \"times\"",
            "%constant = pdl.attribute = 3 : i64",
            "pdl.apply_native_constraint \"drr.same\"(%scale, %times_name, %constant, %constant : !pdl.operation, !pdl.attribute, !pdl.attribute, !pdl.attribute)",
        ],
    );
    let text = pdl("def P : Pat<(Scale $x, $_, $_, ConstantAttr<I64Attr, \"4\">), (replaceWithValue $x)>;").text;
    assert!(text.contains("{\"times\" = %constant}") && !text.contains("drr."), "{text}");
    // A constraint sees the default.
    let text =
        pdl("def P : Pat<(Scale $x, $_, $_, ConfinedAttr<I64Attr, [IntPositive]>:$t), (replaceWithValue $x)>;").text;
    assert!(text.contains("(%scale, %times_name, %constant : ") && !text.contains("\"times\" ="), "{text}");
    // A name that stands twice compares what is there, or what stands for it.
    let twice = "def P : Pat<(Scale (Scale $x, $b, $_, $t), $b, $_, $t), (replaceWithValue $x)>;";
    let text = pdl(twice).text;
    assert!(text.contains("\"drr.same\"(%scale_2, %times_name, %scale, %times_name, %constant :"), "{text}");
}

#[test]
fn attributes_that_may_be_absent_are_copied_if_they_are_there() {
    has(
        "def P : Pat<(Scale (Neg $x), $by, $bias, $times), (Scale $x, $by, $bias, $times)>;",
        &[
            "%scale = pdl.operation \"t.scale\"(%neg_result : !pdl.value) {\"by\" = %by} -> (%scale_type : !pdl.type)",
            "%scale_2 = pdl.operation \"t.scale\"(%x : !pdl.value) {\"by\" = %by} -> (%scale_type : !pdl.type)",
            "%bias_name = pdl.attribute = \"bias\"",
            "pdl.apply_native_rewrite \"drr.copy\"(%scale, %bias_name, %scale_2, %bias_name : !pdl.operation, !pdl.attribute, !pdl.operation, !pdl.attribute)",
            "%times_name = pdl.attribute = \"times\"",
            "pdl.apply_native_rewrite \"drr.copy\"(%scale, %times_name, %scale_2, %times_name : !pdl.operation, !pdl.attribute, !pdl.operation, !pdl.attribute)",
        ],
    );
}

#[test]
fn absence_is_a_constraint() {
    has(
        "def P : Pat<(Scale $x, ConstantAttr<I64Attr, \"1\">, IsNullAttr, $_), (replaceWithValue $x)>;",
        &[
            "%constant = pdl.attribute = 1 : i64",
            "%bias_name = pdl.attribute = \"bias\"",
            "pdl.apply_native_constraint \"drr.absent\"(%scale, %bias_name : !pdl.operation, !pdl.attribute)",
        ],
    );
}

#[test]
fn constraints_become_rust() {
    let module = pdl("def SameTypes : Constraint<CPred<\"$0.getType() == $1.getType()\">, \"same\">;
         def P : Pat<(Neg F32Tensor:$x), (replaceWithValue $x), [(SameTypes $x, $x), (HasNoUseOf:$x)]>;");
    let predicate = |name: &str| {
        module.natives.iter().find(|native| native.name == name).map(|native| match &native.kind {
            NativeKind::Predicate { parameters, rust } => (parameters.len(), rust.as_str()),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(predicate("SameTypes"), Some((2, "(predicate::type_of(p0) == predicate::type_of(p1))")));
    assert_eq!(predicate("HasNoUseOf"), Some((1, "predicate::use_empty(p0)")));
    let (_, tensor) = predicate("F32Tensor").unwrap();
    assert!(tensor.starts_with("p0.iter().all(|value| "), "{tensor}");
}

#[test]
fn constraints_that_are_not_understood_are_asked_of_the_author() {
    let module = pdl("def IsLucky : Constraint<CPred<\"lucky($0, $1)\">, \"is lucky\">;
         def P : Pat<(Neg:$y $x), (replaceWithValue $x), [(IsLucky $x, $y)]>;");
    let asked =
        NativeKind::Asked { method: "is_lucky".into(), parameters: vec![ParameterKind::Value, ParameterKind::Value] };
    assert_eq!(module.natives[0].kind, asked);
    assert_eq!(module.natives[0].text, "(lucky($0, $1))");
    let module = pdl("def Wide : TypeInterface<\"Wide\"> { let cppNamespace = \"::t\"; }
         def P : Pat<(Sink Wide:$x), (Sink (Neg $x))>;");
    let asked = NativeKind::Asked { method: "wide".into(), parameters: vec![ParameterKind::Values(Some(1))] };
    assert_eq!(module.natives[0].kind, asked);
}

#[test]
fn native_calls_are_matched() {
    has(
        "def P : Pat<(Add (NativeCodeCall<\"Foo($_self, &$0)\"> I32Attr:$value), $y), (Cat (variadic $y), $value)>;",
        &[
            "%operand = pdl.operand",
            "%value = pdl.apply_native_constraint \"foo\"(%operand, %P_name : !pdl.value, !pdl.attribute) : !pdl.attribute",
            "pdl.apply_native_constraint \"I32Attr\"(%value : !pdl.attribute)",
            "%cat = pdl.operation \"t.cat\"(%y : !pdl.value) {\"axis\" = %value} -> (%add_type : !pdl.type)",
        ],
    );
    // A function of Rust that is given nothing.
    has(
        "def P : Pat<(Add (NativeCodeCall<\"crate::foo(&$0)\"> I32Attr:$value), $y), (Cat (variadic $y), $value)>;",
        &[
            "%value = pdl.apply_native_constraint \"foo\"(%operand, %P_name : !pdl.value, !pdl.attribute) : !pdl.attribute",
        ],
    );
    let module = pdl("def P : Pat<(Add (ConstantLikeMatcher AnyAttr:$value), $y), (replaceWithValue $y)>;");
    let matcher = NativeKind::Matcher {
        place: NativePlace::Method("constant_like_matcher".into()),
        parameters: vec![ParameterKind::DefiningOperation],
        returns: vec![ReturnKind::Attribute],
    };
    assert!(module.natives.iter().any(|native| native.kind == matcher), "{:?}", module.natives);
}

#[test]
fn one_of_several_results_is_matched_inside() {
    has(
        "def P : Pat<(Add (Two:$t__1 $x), $y), (Add $t__0, $t__1)>;",
        &[
            "%t_result = pdl.result 1 of %t",
            "%add = pdl.operation \"t.add\"(%t_result, %y : !pdl.value, !pdl.value) -> (%add_type : !pdl.type)",
            "%t_result_2 = pdl.result 0 of %t",
            "%t_result_3 = pdl.result 1 of %t",
        ],
    );
}

#[test]
fn patterns_that_never_apply_and_such_that_overlap_are_told() {
    let module = pdl("def First : Pat<(Neg $x), (replaceWithValue $x)>;
def Second : Pat<(Neg F32Tensor:$x), (replaceWithValue $x)>;
def Left : Pat<(Add (Neg $x), $y), (Add $x, $y)>;
def Right : Pat<(Add $x, (Neg $y)), (Add $x, $y)>;
def Apart : Pat<(Scale $x, ConstantAttr<I64Attr, \"1\">, $_, $_), (replaceWithValue $x)>;
def Other : Pat<(Scale $x, ConstantAttr<I64Attr, \"2\">, $_, $_), (Neg (Neg $x))>;");
    let messages: Vec<_> = module.warnings.iter().map(Diagnostic::message).collect();
    assert_eq!(
        messages,
        [
            "patterns 'Left' and 'Right' of benefit 2 may match at one operation: the first of the file goes first",
            "pattern 'Second' never applies: 'First' matches whatever it matches and goes first",
        ]
    );
}

#[test]
fn what_depends_on_what_it_replaces_is_told() {
    let module = pdl("def P : Pat<(Neg:$n (Add $x, $y)), (Neg (Neg $n))>;
def Q : Pattern<(Three:$r $x), [(Neg $r__0), (Neg $x), (Neg $r__0)]>;
def R : Pattern<(Two:$r $x), [(Neg $x), (Neg $r__0)]>;");
    let messages: Vec<_> = module.warnings.iter().map(Diagnostic::message).collect();
    assert_eq!(
        messages,
        [
            "pattern 'P': what replaces a result of the root 't.neg' depends on that result",
            "pattern 'Q': what replaces a result of the root 't.three' depends on that result",
        ]
    );
}

#[test]
fn a_name_that_stands_twice_beside_an_open_group_compares() {
    has(
        "def M : TOp<\"m\"> { let arguments = (ins AnyTensor:$x, Variadic<AnyTensor>:$xs, AnyTensor:$y); let results = (outs AnyTensor:$z); }
def P : Pat<(M $x, $xs, $x), (replaceWithValue $x)>;",
        &[
            "pdl.apply_native_constraint \"drr.equal\"(%m, %groups, %index, %x : !pdl.operation, !pdl.attribute, !pdl.attribute, !pdl.value)",
            "pdl.replace %m with (%x : !pdl.value)",
        ],
    );
}

#[test]
fn properties_are_matched_and_made_as_the_attributes_that_store_them() {
    has(
        "def N : TOp<\"n\", [SameOperandsAndResultType]> { let arguments = (ins F32Tensor:$x, I32Prop:$n, StringProp:$s); let results = (outs F32Tensor:$y); }
def P : Pat<(N $x, ConstantProp<I32Prop, \"3\">:$n, $s), (N $x, 4, $s)>;",
        &[
            "%n = pdl.attribute = 3 : i32",
            "%n_2 = pdl.operation \"t.n\"(%x : !pdl.value) {\"n\" = %n, \"s\" = %s} -> (%n_2_type : !pdl.type)",
            "%constant = pdl.attribute = 4 : i32",
            "%n_3 = pdl.operation \"t.n\"(%x : !pdl.value) {\"n\" = %constant, \"s\" = %s} -> (%n_2_type : !pdl.type)",
        ],
    );
}
