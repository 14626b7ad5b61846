//! Result patterns and directives.

use super::*;

#[test]
fn native_calls_take_their_arguments_in_the_order_that_they_say() {
    let module = pdl("def Swap : NativeCodeCall<\"crate::swap($_builder, $1, $0)\">;
         def P : Pat<(Add $x, $y), (Swap $x, $y)>;");
    assert!(
        module.text.contains("%swap = pdl.apply_native_rewrite \"swap\"(%y, %x : !pdl.value, !pdl.value) : !pdl.value"),
        "{}",
        module.text
    );
    let swap = NativeKind::Function {
        place: NativePlace::Path("crate::swap".into()),
        parameters: vec![ParameterKind::Value, ParameterKind::Value],
        returns: vec![ReturnKind::Value],
    };
    assert_eq!(module.natives[0].kind, swap);
}

#[test]
fn a_place_is_that_of_what_was_matched() {
    has(
        "def P : Pat<(Neg:$a (Neg:$b $x)), (NativeCodeCall<\"make($_builder, $_loc, $0)\"> $x)>;",
        &[
            "%make = pdl.apply_native_rewrite \"make\"(%b, %a, %x : !pdl.operation, !pdl.operation, !pdl.value) : !pdl.value",
        ],
    );
    has(
        "def P : Pat<(Neg:$a (Neg:$b $x)), (NativeCodeCall<\"make($_loc, $0)\"> $x, (location \"here\", $b))>;",
        &[
            "%make = pdl.apply_native_rewrite \"make\"(%here_name, %b, %x : !pdl.attribute, !pdl.operation, !pdl.value) : !pdl.value",
        ],
    );
}

#[test]
fn places_are_set_in_three_forms() {
    let located = |directive: &str, expected: &str| {
        let source = format!("def P : Pat<(Neg:$a (Neg:$b $x)), (Neg $x, (location {directive}))>;");
        let line = lines(&source).into_iter().find(|line| line.contains("drr.locate")).unwrap();
        assert_eq!(line, format!("pdl.apply_native_rewrite \"drr.locate\"({expected})"));
    };
    located("$b", "%neg, %b : !pdl.operation, !pdl.operation");
    located("$a, $b", "%neg, %a, %b : !pdl.operation, !pdl.operation, !pdl.operation");
    located("\"outer\"", "%neg, %outer_name : !pdl.operation, !pdl.attribute");
    located("\"outer\", $x", "%neg, %outer_name, %x : !pdl.operation, !pdl.attribute, !pdl.value");
}

#[test]
fn types_are_said_in_three_forms() {
    let added = |types: &str| format!("def P : Pat<(Neg $x), (Neg (Add $x, $x, (returnType {types})))>;");
    has(&added("$x"), &["%add = pdl.operation \"t.add\"(%x, %x : !pdl.value, !pdl.value) -> (%x_type : !pdl.type)"]);
    has(&added("\"$_builder.getI32Type()\""), &["%type = pdl.type : i32"]);
    has(
        &added("(NativeCodeCall<\"wide($0)\"> $x)"),
        &["%wide = pdl.apply_native_rewrite \"wide\"(%x : !pdl.value) : !pdl.type"],
    );
    // C++ that is not known is asked of the author.
    let module = pdl(&added("\"makeType()\""));
    assert!(module.text.contains("%make_type = pdl.apply_native_rewrite \"make_type\" : !pdl.type"), "{}", module.text);
    has(
        "def P : Pat<(Neg $x), (Neg (Two:$t__1 $x, (returnType $x, \"$_builder.getF32Type()\")))>;",
        &[
            "%type = pdl.type : f32",
            "%t = pdl.operation \"t.two\"(%x : !pdl.value) -> (%x_type, %type : !pdl.type, !pdl.type)",
        ],
    );
}

#[test]
fn types_follow_from_the_declaration() {
    // Of an operand, through what is made inside, of a trait, of the declaration.
    has(
        "def P : Pat<(Add $x, $y), (Neg (Neg (Same (Neg $x))))>;",
        &[
            "%neg = pdl.operation \"t.neg\"(%x : !pdl.value) -> (%x_type : !pdl.type)",
            "%same = pdl.operation \"t.same\"(%neg_result : !pdl.value) -> (%x_type : !pdl.type)",
            "%neg_3 = pdl.operation \"t.neg\"(%neg_2_result : !pdl.value) -> (%add_type : !pdl.type)",
        ],
    );
    has(
        "def P : Pat<(Pair $a, $b), (NativeCodeCall<\"crate::f($0)\"> (Pair $b, $a))>;",
        &[
            "%type = pdl.type : i32",
            "%pair_2 = pdl.operation \"t.pair\" {\"a\" = %b, \"b\" = %a} -> (%type : !pdl.type)",
        ],
    );
}

#[test]
fn types_that_pdl_does_not_name_are_asked_of_values() {
    has(
        "def P : Pat<(Neg $x), (Neg (Neg (NativeCodeCall<\"crate::f($0)\"> $x)))>;",
        &[
            "%type = pdl.apply_native_rewrite \"drr.type_of\"(%f : !pdl.value) : !pdl.type",
            "%neg_2 = pdl.operation \"t.neg\"(%f : !pdl.value) -> (%type : !pdl.type)",
        ],
    );
}

#[test]
fn several_results_replace_several_results() {
    let text = pdl("def P : Pattern<(Two $x), [(Neg:$n $x), (Neg $n), (replaceWithValue $n)]>;").text;
    assert!(text.contains("pdl.replace %two with (%neg_result, %n_result_2 : "), "{text}");
    has(
        "def P : Pattern<(Two:$t $x), [(Two $x)], [(HasNoUseOf:$t__1)]>;",
        &[
            "%t_result = pdl.result 1 of %t",
            "%two = pdl.operation \"t.two\"(%x : !pdl.value) -> (%t_type, %t_type_2 : !pdl.type, !pdl.type)",
            "pdl.replace %t with %two",
        ],
    );
    // The first of these gives two values, the second one.
    let text = pdl("def P : Pattern<(Three $x), [(Two $x), (Neg $x)]>;").text;
    assert!(text.contains("pdl.replace %three with (%two_result, %two_result_2, %neg_result : "), "{text}");
    // One result of something made, and another of the same.
    has(
        "def P : Pattern<(Two:$t $x), [(Three:$r__2 $x, (returnType $x, $x, $t__0)), (replaceWithValue $r__0)]>;",
        &["%r_result_2 = pdl.result 2 of %r", "pdl.replace %t with (%r_result_2, %r_result : !pdl.value, !pdl.value)"],
    );
}

#[test]
fn native_calls_return_several_values() {
    has(
        "def P : Pattern<(Two $x), [(Neg (NativeCodeCall<\"halves($0)\", 2>:$h__0 $x)), (Neg $h__1)]>;",
        &[
            "%halves, %halves_2 = pdl.apply_native_rewrite \"halves\"(%x : !pdl.value) : !pdl.value, !pdl.value",
            "%neg = pdl.operation \"t.neg\"(%halves : !pdl.value) -> (%two_type : !pdl.type)",
        ],
    );
}

#[test]
fn attributes_are_made_and_transformed() {
    has(
        "def P : Pat<(Cat $xs, $a), (Cat $xs, NativeCodeCall<\"next($_self)\">:$a)>;",
        &["%next = pdl.apply_native_rewrite \"next\"(%a : !pdl.attribute) : !pdl.attribute"],
    );
    has(
        "def P : Pat<(Cat $xs, $a), (Cat $xs, (NativeCodeCall<\"$_builder.getI32IntegerAttr(5)\">))>;",
        &["%constant = pdl.attribute = 5 : i32"],
    );
    // With something of the pattern it is no constant.
    let module =
        pdl("def P : Pat<(Pair $a, $b), (Pair (NativeCodeCall<\"$_builder.getArrayAttr({$0, $1})\"> $a, $b), $b)>;");
    assert_eq!(module.natives.len(), 1, "{}", module.text);
    has("def P : Pat<(Cat $xs, $a), (Cat $xs, 5)>;", &["%constant = pdl.attribute = 5 : i32"]);
    // What is given of an attribute that may be absent, and of one with a default.
    let module = pdl("def P : Pat<(Scale $x, $by, $b, $t), (Scale $x, (NativeCodeCall<\"f($0, $1)\"> $b, $t), ?, ?)>;");
    let f = NativeKind::Function {
        place: NativePlace::Method("f".into()),
        parameters: vec![ParameterKind::OptionalAttribute, ParameterKind::Attribute],
        returns: vec![ReturnKind::Attribute],
    };
    assert!(module.natives.iter().any(|native| native.kind == f), "{:?}", module.natives);
    let given = "\"f\"(%scale, %bias_name, %scale, %times_name, %constant :";
    assert!(module.text.contains(given), "{}", module.text);
}

#[test]
fn what_stands_for_an_absent_attribute_is_given_where_absence_means_something_else() {
    let operation = "def Other : TOp<\"other\"> { let arguments = (ins OptionalAttr<I64Attr>:$times, DefaultValuedAttr<I64Attr, \"4\">:$four, DefaultValuedAttr<I64Attr, \"3\">:$three); let results = (outs AnyTensor:$y); }
         def P : Pat<(Scale $x, $_, $_, $t), (Other $t, $t, $t)>;";
    has(
        operation,
        &[
            "%times = pdl.apply_native_rewrite \"drr.default\"(%scale, %times_name, %constant : !pdl.operation, !pdl.attribute, !pdl.attribute) : !pdl.attribute",
            "%other = pdl.operation \"t.other\" {\"times\" = %times, \"four\" = %times_2} -> (%scale_type : !pdl.type)",
            "pdl.apply_native_rewrite \"drr.copy\"(%scale, %times_name, %other, %three_name : !pdl.operation, !pdl.attribute, !pdl.operation, !pdl.attribute)",
        ],
    );
}

#[test]
fn supplementals_run_before_the_replacement() {
    has(
        "def GetOwner : NativeCodeCall<\"$0.getOwner()\">;
         def CopyFoo : NativeCodeCallVoid<\"$1->setAttr(\\\"foo\\\", $0->getInherentAttr(\\\"foo\\\"))\">;
         def Note : NativeCodeCall<\"note($0)\">;
         def P : Pattern<(Three:$src $x), [(Sink:$sink $x), (Three:$made $x)],
           [], [(CopyFoo (GetOwner $src__0), $sink), (Note:$noted $made__1), (Sink $noted)]>;",
        &[
            "%sink = pdl.operation \"t.sink\"(%x : !pdl.value)",
            "pdl.apply_native_rewrite \"copy_foo\"(%src, %sink : !pdl.operation, !pdl.operation)",
            "%note = pdl.apply_native_rewrite \"note\"(%made_result : !pdl.value) : !pdl.value",
            "%sink_2 = pdl.operation \"t.sink\"(%note : !pdl.value)",
            "pdl.replace %src with %made",
        ],
    );
}

#[test]
fn an_operation_without_results_is_erased() {
    let text = pdl("def P : Pattern<(Sink (Neg $x)), []>;").text;
    assert!(text.contains("pdl.erase %sink"), "{text}");
}

#[test]
fn types_that_a_builder_deduces_are_asked_of_the_author() {
    let text = "def B : TOp<\"b\"> { let arguments = (ins AnyTensor:$x, I32Attr:$a); let results = (outs AnyTensor:$y);
  let builders = [OpBuilder<(ins \"Value\":$x, \"IntegerAttr\":$a)>]; }
def P : Pat<(Cat (variadic $x), $a), (Same (B $x, $a))>;";
    has(
        text,
        &[
            "%types = pdl.apply_native_rewrite \"b_types\"(%x, %a : !pdl.value, !pdl.attribute) : !pdl.type",
            "%b = pdl.operation \"t.b\"(%x : !pdl.value) {\"a\" = %a} -> (%types : !pdl.type)",
        ],
    );
}

#[test]
fn functions_of_one_name_are_told_apart_by_what_they_take() {
    let module = pdl("def F : NativeCodeCall<\"f($0)\">;
def P : Pat<(Neg $x), (F $x)>;
def Q : Pat<(Cat (variadic $x, $y), $a), (Cat $x, (F $a))>;");
    let methods: Vec<String> = module.natives.iter().map(|native| format!("{:?}", native.kind)).collect();
    assert!(methods.iter().any(|kind| kind.contains("Method(\"f\")")), "{methods:?}");
    assert!(methods.iter().any(|kind| kind.contains("Method(\"f_of_attribute\")")), "{methods:?}");
}
