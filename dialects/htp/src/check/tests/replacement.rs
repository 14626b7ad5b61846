//! Replacements and what the published text restricts of them.

use super::{check_text, one, parts, replacement};
use crate::grammar::Mode;

#[test]
fn restrictions() {
    let cases = [
        ("\"*\"", "the replacement may not be \"*\", the node that is to be replaced"),
        (
            "SELECT(OK, \"X\", SELECT(OK, \"*\", \"X\"))",
            "the replacement may not be \"*\", the node that is to be replaced",
        ),
        ("WITH_TYPE(\"X\", gen_Shape(1))", "the last operand of a modifier must construct an Op"),
        (
            "WITH_SIZE(Op(\"A\"), Op(\"B\"))",
            "`WITH_SIZE` takes a shape from an existing operand or a shape construction",
        ),
        (
            "WITH_SIZE(gen_ConstScalar_i32(1), Op(\"B\"))",
            "`WITH_SIZE` takes a shape from an existing operand or a shape construction",
        ),
        (
            "Op(\"A\", EXTERNAL_REPLACE(f))",
            "`EXTERNAL_REPLACE` may only be the root of a replacement, or stand in a SELECT there",
        ),
        (
            "Op(\"A\", AUTOSPLIT(1, \"I\", 8, Op(\"B\", TYPICAL_SLICE(\"X\", \"I\"))))",
            "`AUTOSPLIT` may only be the root of a replacement, or stand in a SELECT there",
        ),
        (
            "OP_ITER(gen_Shape(1), \"I\", 0, 1, Op(\"B\"))",
            "the first operand of OP_ITER must be Op(...) or an existing operand",
        ),
        (
            "AUTOSPLIT_SLICE(\"X\", Op(\"A\"), gen_Shape(1))",
            "`AUTOSPLIT_SLICE` takes a shape from an existing operand or a shape construction",
        ),
        (
            "WITH_SPLIT_HISTORY(\"X\", ADD(1, 2), Op(\"A\"))",
            "the second operand of WITH_SPLIT_HISTORY must be an integer constant",
        ),
    ];
    for (text, expected) in cases {
        let message = one(replacement(text));
        assert!(message.ends_with(&format!("error[restriction] {expected}")), "{text}: {message}");
        let rule = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"X\"), GT(DIM_DEPTH(\"X\"), 1), {text})");
        let (rules, messages) = check_text(&rule, Mode::Sdk);
        let severity = if text.contains("\"*\"") { "error" } else { "warning" };
        assert!(one(messages).contains(&format!("{severity}[restriction] {expected}")), "{text}");
        assert_eq!(rules.len(), usize::from(severity == "warning"));
    }
}

#[test]
fn replacement_errors() {
    let error = |text: &str| one(replacement(text));
    assert_eq!(error("OpVarIn(\"A\")"), "4:1: error[wrong-place] expected a replacement, found `OpVarIn(...)`");
    assert_eq!(
        error("WITH_TYPE(Op(\"A\"), Op(\"B\"))"),
        "4:11: error[wrong-place] expected an operand tag, INPUT_OF or OUTPUT_OF, found `Op(...)`"
    );
    assert_eq!(error("WITH_OUTPUT_TYPE(1, 0, 1.0, Op(\"A\"))"), "4:18: error[type] expected type dtype, found int");
    assert_eq!(
        error("WITH_OUTPUT_TYPE(DType::Int32, 0.5, 1.0, Op(\"A\"))"),
        "4:32: error[type] expected type int, found float"
    );
    assert_eq!(
        error("WITH_OUTPUT_TYPE(DType::Int32, 0, 1, Op(\"A\"))"),
        "4:35: error[type] expected type float, found int"
    );
    assert_eq!(
        error("WITH_SPLIT_HISTORY(\"X\")"),
        "4:1: error[operand-count] `WITH_SPLIT_HISTORY` takes 2 to 3 operands, found 1"
    );
    assert_eq!(error("Op(\"A\", gen_Shape(1.5))"), "4:19: error[type] expected type int or size, found float");
    assert_eq!(
        error("Op(\"A\", gen_ConstScalar_f32(OK))"),
        "4:29: error[type] expected type int, size or float, found bool"
    );
    assert_eq!(
        error("AUTOSPLIT(1, \"I\", 8, Op(\"A\", \"X\"))"),
        "4:14: error[split-tag] the body of the AUTOSPLIT never refers to its split tag \"I\""
    );
    assert_eq!(error("SELECT(1, Op(\"A\"), Op(\"B\"))"), "4:8: error[type] expected type bool, found int");
    assert_eq!(
        error("Op(\"A\", ITER_INPUT_OF(\"*\", \"I\"))"),
        "4:28: error[split-tag] no AUTOSPLIT or OP_ITER around this has the split tag \"I\""
    );
    assert_eq!(error("SHAPEFN_APPLY(\"f\")"), "4:15: error[unexpected] expected the name of a function, found `\"f\"`");
    for good in [
        "Operand(\"X\")",
        "INPUT_OF(\"*\", 0)",
        "WrapOp(\"A\", WrapOpAlways(\"B\", \"X\"))",
        "WITH_SIZE(gen_ShapeOf(\"X\"), Op(\"A\"))",
        "WITH_SPLIT_HISTORY(\"X\", 3, WITH_SAME_ID(\"*\", ResizeDim(1, 2, Op(\"A\"))))",
        "EXTERNAL_REPLACE(f)",
        "WITH_MULTI_OUT(2, Op(\"A\"))",
        "OP_ITER(\"X\", \"I\", 0, ITER, Op(\"A\"))",
    ] {
        let messages = replacement(&good.replace("ITER,", "ADD(1, 1),"));
        assert_eq!(messages, [""; 0], "{good}");
    }
}

#[test]
fn splits_without_guard_are_suspicious() {
    let rule = |constraint: &str| {
        parts("Op(\"A\", \"X\")", constraint, "AUTOSPLIT(1, \"I\", 8, Op(\"A\", TYPICAL_SLICE(\"X\", \"I\")))")
    };
    assert_eq!(
        one(rule("OK")),
        "3:1: warning[split-unguarded] the constraint compares no dimension: the rule splits even where the dimension fits one slice"
    );
    assert_eq!(rule("AND(OK, GT(SUB(DIM_OF(\"*\", 1), 0), 8))"), [""; 0]);
}
