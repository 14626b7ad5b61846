use super::*;

const PRELUDE: &str = r#"
include "mlir/IR/PatternBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def T : Dialect { let name = "t"; }
class TOp<string name, list<Trait> traits = []> : Op<T, name, traits>;
def Neg : TOp<"neg", [SameOperandsAndResultType]> { let arguments = (ins F32Tensor:$x); let results = (outs F32Tensor:$y); }
def Add : TOp<"add"> { let arguments = (ins AnyTensor:$x, AnyTensor:$y); let results = (outs AnyTensor:$z); }
def Scale : TOp<"scale"> {
  let arguments = (ins AnyTensor:$x, I64Attr:$by, OptionalAttr<I64Attr>:$bias); let results = (outs AnyTensor:$y);
}
def Join : TOp<"join", [AttrSizedOperandSegments]> {
  let arguments = (ins Variadic<AnyTensor>:$xs, Optional<AnyTensor>:$y); let results = (outs AnyTensor:$z);
}
def Two : TOp<"two"> { let arguments = (ins AnyTensor:$x); let results = (outs AnyTensor:$a, AnyTensor:$b); }
def Sink : TOp<"sink"> { let arguments = (ins AnyTensor:$x); }
"#;

fn pdl(patterns: &str) -> std::result::Result<PdlModule, String> {
    let directories = [PathBuf::from("/usr/lib/llvm-22/include")];
    let records = Records::from_text(&format!("{PRELUDE}{patterns}"), "test.td", &directories).unwrap();
    translate(&records).map_err(|error| error.message().to_string())
}

/// The lines of the only pattern, without those around them.
fn lines(patterns: &str) -> Vec<String> {
    let text = pdl(patterns).unwrap().text;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(text.matches("pdl.pattern").count(), 1, "{text}");
    lines[1..lines.len() - 1].iter().map(|line| line.to_string()).collect()
}

#[test]
fn each_use_of_a_result_is_a_result_of_its_own() {
    let lines = lines("def P : Pat<(Add (Neg:$n $x), $n), (replaceWithValue $n)>;");
    let results = lines.iter().filter(|line| line.contains("pdl.result 0 of %n")).count();
    assert_eq!(results, 3, "{lines:#?}");
    assert!(
        lines.contains(
            &"%t_add = pdl.operation \"t.add\"(%result, %result_2 : !pdl.value, !pdl.value) -> (%type_3 : !pdl.type)"
                .into()
        ) || lines.iter().any(|line| line.contains("\"t.add\"(%result, %result_2 :"))
    );
}

#[test]
fn an_operand_named_twice_is_compared() {
    let lines = lines("def P : Pat<(Add $x, $x), (replaceWithValue $x)>;");
    assert!(lines.iter().any(|line| line.contains("\"t.add\"(%x, %x : ")), "{lines:#?}");
}

#[test]
fn benefits_decrease_strictly_in_the_order_of_the_file() {
    let module = pdl("def Small : Pat<(Neg $x), (replaceWithValue $x)>;
         def Late : Pat<(Neg $x), (replaceWithValue $x)>;
         def Large : Pat<(Neg (Neg $x)), (replaceWithValue $x)>;
         def Raised : Pat<(Add $x, $x), (replaceWithValue $x), [], [], (addBenefit 5)>;")
    .unwrap();
    assert_eq!(module.patterns, ["Raised", "Large", "Small", "Late"]);
    let benefits: Vec<&str> =
        module.text.lines().filter_map(|line| line.strip_prefix("pdl.pattern @")?.split(' ').nth(2)).collect();
    assert_eq!(benefits, ["benefit(4)", "benefit(3)", "benefit(2)", "benefit(1)"]);
}

#[test]
fn either_stands_for_both_orders() {
    let module = pdl("def P : Pat<(Add (either (Neg $x), $y)), (replaceWithValue $y)>;").unwrap();
    assert_eq!(module.patterns, ["P_0", "P_1"]);
    assert!(module.text.contains("\"t.add\"(%result, %y"), "{}", module.text);
    assert!(module.text.contains("\"t.add\"(%y, %result"), "{}", module.text);
}

#[test]
fn groups_of_known_size_fix_the_segments() {
    let lines = lines("def P : Pat<(Join (variadic $a, $b), (variadic)), (Join (variadic $b, $a), ?)>;");
    assert!(lines.iter().any(|line| line == "%segments = pdl.attribute = array<i32: 2, 0>"), "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("\"t.join\"(%a, %b : ") && line.contains("\"operandSegmentSizes\" = %segments"))
    );
    assert!(
        lines.iter().any(|line| line.contains("\"t.join\"(%b, %a : ") && line.contains("-> (%type_3 : !pdl.type)")),
        "{lines:#?}"
    );
}

#[test]
fn groups_of_unknown_size_are_ranges_that_are_counted_when_operations_are_made() {
    let module = pdl("def P : Pat<(Join $xs, (variadic $y)), (Join $xs, ?)>;").unwrap();
    assert!(module.text.contains("\"t.join\"(%xs, %y : !pdl.range<value>, !pdl.value)"), "{}", module.text);
    assert!(
        module.text.contains("pdl.apply_native_rewrite \"segments:*,0\"(%xs : !pdl.range<value>) : !pdl.attribute")
    );
    let counted = Native { name: "segments:*,0".into(), kind: NativeKind::SegmentSizes(vec![None, Some(0)]) };
    assert!(module.natives.contains(&counted));
}

#[test]
fn attributes_that_may_be_absent_are_copied_if_they_are_there() {
    let module = pdl("def P : Pat<(Scale (Neg $x), $by, $bias), (Scale $x, $by, $bias)>;").unwrap();
    let text = &module.text;
    assert!(text.contains("{\"by\" = %by}") && !text.contains("\"bias\" ="), "{text}");
    assert!(
        text.contains(
            "pdl.apply_native_rewrite \"copy:bias:bias\"(%t_scale, %t_scale_2 : !pdl.operation, !pdl.operation)"
        ) || text.contains("\"copy:bias:bias\"(%scale, %scale_2"),
        "{text}"
    );
}

#[test]
fn absence_is_a_constraint() {
    let module =
        pdl("def P : Pat<(Scale $x, ConstantAttr<I64Attr, \"1\">, IsNullAttr), (replaceWithValue $x)>;").unwrap();
    assert!(module.text.contains("%constant = pdl.attribute = 1 : i64"), "{}", module.text);
    assert!(
        module.text.contains("pdl.apply_native_constraint \"absent:bias\"(%scale : !pdl.operation)"),
        "{}",
        module.text
    );
}

#[test]
fn constraints_become_rust() {
    let module = pdl("def Same : Constraint<CPred<\"$0.getType() == $1.getType()\">, \"same\">;
         def P : Pat<(Neg F32Tensor:$x), (replaceWithValue $x), [(Same $x, $x), (HasNoUseOf:$x)]>;")
    .unwrap();
    let predicate = |name: &str| {
        module.natives.iter().find(|native| native.name == name).map(|native| match &native.kind {
            NativeKind::Predicate { parameters, rust } => (parameters.len(), rust.as_str()),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(predicate("Same"), Some((2, "(predicate::type_of(p0) == predicate::type_of(p1))")));
    assert_eq!(predicate("HasNoUseOf"), Some((1, "predicate::use_empty(p0)")));
    let (_, tensor) = predicate("F32Tensor").unwrap();
    assert!(tensor.starts_with("p0.iter().all(|value| "), "{tensor}");
}

#[test]
fn native_calls_take_their_arguments_in_the_order_that_they_say() {
    let module = pdl("def Swap : NativeCodeCall<\"crate::swap($1, $0)\">;
         def P : Pat<(Add $x, $y), (Swap $x, $y)>;")
    .unwrap();
    assert!(
        module.text.contains("%swap = pdl.apply_native_rewrite \"swap\"(%y, %x : !pdl.value, !pdl.value) : !pdl.value"),
        "{}",
        module.text
    );
    assert_eq!(module.natives, [Native { name: "swap".into(), kind: NativeKind::Function("crate::swap".into()) }]);
}

#[test]
fn several_results_replace_several_results() {
    let text = pdl("def P : Pattern<(Two $x), [(Neg:$n $x), (Neg $n), (replaceWithValue $n)]>;").unwrap().text;
    assert!(
        text.contains("pdl.replace %t_two with (%result_2, %result_3 : ")
            || text.contains("pdl.replace %two with (%result_"),
        "{text}"
    );
    let text = pdl("def P : Pattern<(Two:$t $x), [(Two $x)], [(HasNoUseOf:$t__1)]>;").unwrap().text;
    assert!(text.contains("pdl.result 1 of %t"), "{text}");
    assert!(text.contains("-> (%type_2, %type_3 : !pdl.type, !pdl.type)\n        pdl.replace %t with"), "{text}");
}

#[test]
fn an_operation_without_results_is_erased() {
    let text = pdl("def P : Pattern<(Sink (Neg $x)), []>;").unwrap().text;
    assert!(text.contains("pdl.erase %"), "{text}");
}

#[test]
fn refusals_say_why() {
    let cases = [
        (
            "def P : Pat<(Neg $x, $y), (replaceWithValue $x)>;",
            "pattern: operation 't.neg' has 1 arguments, the pattern gives more",
        ),
        (
            "def P : Pat<(Add $x), (replaceWithValue $x)>;",
            "pattern: operation 't.add' has 2 arguments, the pattern gives 1",
        ),
        ("def P : Pat<(Neg $x), (replaceWithValue $y)>;", "pattern 'P': '$y' is not bound"),
        ("def P : Pat<(T $x), (replaceWithValue $x)>;", "pattern: 'T' cannot be matched: it is not an operation"),
        (
            "def P : Pat<(Neg I64Attr:$x), (replaceWithValue $x)>;",
            "pattern: 'I64Attr' is not a type constraint, which an operand needs",
        ),
        ("def P : Pat<(Add (Neg:$n $x), (Neg:$n $y)), (replaceWithValue $x)>;", "pattern 'P': '$n' is bound twice"),
        (
            "def P : Pat<(Add (Two $x), $y), (replaceWithValue $y)>;",
            "pattern 'P': 't.two' has 2 results: say which by '$op__N'",
        ),
        ("def P : Pat<(Neg $x), (Scale $x, ?, ?)>;", "pattern 'P': attribute 'by' must be given"),
        (
            "def P : Pat<(Neg $x), (Neg (Add $x, $x))>;",
            "pattern 'P': the types of 't.add' cannot be inferred; say them by (returnType ...)",
        ),
        ("def P : Pattern<(Two $x), [(Neg $x)]>;", "pattern 'P': the root has 2 results, the pattern gives 1"),
        (
            "def P : Pattern<(Neg $x), [(Two $x)]>;",
            "pattern 'P': an operation cannot both help and replace the root: it has more results than are left",
        ),
        (
            "def C : NativeCodeCall<\"a b\">; def P : Pat<(Neg $x), (C $x)>;",
            "pattern: the native call 'a b' is not of the form 'function($0, $1)'",
        ),
        (
            "def P : Pat<(Neg $x), (Neg $x, (location \"here\"))>;",
            "pattern: 'location' is not supported: operations get the place of what they replace",
        ),
        (
            "def P : Pat<(Neg $x), (replaceWithValue $x), [], [], (addBenefit 100000)>;",
            "pattern: the benefit must be (addBenefit N) with N between -1000 and 1000",
        ),
    ];
    for (pattern, expected) in cases {
        assert_eq!(pdl(pattern).unwrap_err(), expected, "{pattern}");
    }
}
