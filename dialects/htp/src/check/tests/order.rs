//! Operands in each other's places, and parts that belong together: one mistake, one error.

use super::{constraint, one, parts, replacement, strict};

#[test]
fn operands_in_another_order_are_one_mistake() {
    let split = "Op(\"A\", TYPICAL_SLICE(\"X\", \"I\"))";
    let within = |slice: &str| format!("AUTOSPLIT(3, \"I\", 32, Op(\"A\", {slice}))");
    for (text, column, name) in [
        (format!("AUTOSPLIT(\"I\", 3, 32, {split})"), 1, "AUTOSPLIT"),
        (format!("AUTOSPLIT(3, 32, \"I\", {split})"), 1, "AUTOSPLIT"),
        (within("CHANGEDIM_SLICE(\"X\", 2, \"I\")"), 31, "CHANGEDIM_SLICE"),
        (within("AUTOSPLIT_SHAPEFN_APPLY(f, \"X\", \"I\")"), 31, "AUTOSPLIT_SHAPEFN_APPLY"),
        ("WITH_MULTI_OUT(Op(\"B\"), 2)".into(), 1, "WITH_MULTI_OUT"),
        ("WITH_TYPE(Op(\"B\"), \"X\")".into(), 1, "WITH_TYPE"),
        ("WITH_OUTPUT_TYPE(0, 1.0f, DType::QInt8, Op(\"B\"))".into(), 1, "WITH_OUTPUT_TYPE"),
        ("WITH_SPLIT_HISTORY(32, \"X\", Op(\"B\"))".into(), 1, "WITH_SPLIT_HISTORY"),
        ("ResizeDim(Op(\"B\"), 1, 4)".into(), 1, "ResizeDim"),
        ("WrapOp(Op(\"B\"), \"C\")".into(), 1, "WrapOp"),
        ("OP_ITER(\"I\", Op(\"B\"), 0, 2, \"X\")".into(), 1, "OP_ITER"),
        ("SELECT(Op(\"B\"), OK, Op(\"C\"))".into(), 1, "SELECT"),
        ("SELECT(Op(\"B\"), Op(\"C\"), IS_FLOAT(\"X\"))".into(), 1, "SELECT"),
    ] {
        let expected = format!("4:{column}: error[unexpected] the operands of `{name}` stand in another order");
        assert_eq!(one(replacement(&text)), expected, "{text}");
    }
    let expected = "3:1: error[unexpected] the operands of `EXTERNAL_CONSTRAINT` stand in another order";
    assert_eq!(one(constraint("EXTERNAL_CONSTRAINT(\"X\", f)")), expected);
    // No order would do.
    assert!(one(replacement("WITH_TYPE(Op(\"B\"), Op(\"C\"))")).contains("4:11: error[wrong-place]"));
    assert!(one(replacement(&format!("AUTOSPLIT(3, 1, 32, {split})"))).contains("4:14: error[unexpected]"));
}

#[test]
fn parts_of_a_rule_in_another_order_are_one_mistake() {
    let expected = |place: &str| {
        let what = "match, constraint and replacement of `DEF_PACKAGE_OPTIMIZATION` stand in another order";
        format!("{place}: error[unexpected] {what}")
    };
    assert_eq!(one(parts("Op(\"A\", \"X\")", "Op(\"B\", \"X\")", "OK")), expected("3:1"));
    assert_eq!(one(parts("OK", "Op(\"A\", \"X\")", "Op(\"B\", \"X\")")), expected("2:1"));
    assert_eq!(one(parts("Op(\"A\", \"X\")", "\"X\"", "IS_FLOAT(\"X\")")), expected("3:1"));
}

#[test]
fn what_is_chosen_or_compared_is_told_once() {
    let number = "4:12: error[unexpected] expected a replacement, found `1`";
    assert_eq!(one(replacement("SELECT(OK, 1, 2)")), number);
    let operands = "3:1: error[type] `EQ` compares values, found two operands";
    assert_eq!(one(constraint("EQ(\"X\", \"*\")")), operands);
    // An op and a number are a mistake in one branch.
    assert!(one(replacement("SELECT(OK, Op(\"B\"), 2)")).starts_with("4:21: "));
}

#[test]
fn commas_are_missed_between_strings() {
    let tags = "2:9: error[unknown-tag] string constants side by side are one operand tag, \"XY\", and \"X\" is none";
    assert_eq!(one(parts("Op(\"A\", \"X\" \"Y\")", "IS_FLOAT(\"X\")", "Op(\"B\", \"X\", \"Y\")")), tags);
    let name = "2:4: warning[string-constant] string constants side by side name the op `AX` here";
    assert_eq!(one(parts("Op(\"A\" \"X\")", "OK", "Op(\"B\")")), name);
    assert_eq!(parts("Op(\"A\" \"a\", \"X\" \"1\")", "IS_FLOAT(\"X1\")", "Op(\"B\" \"b\", \"X1\")"), [""; 0]);
}

#[test]
fn names_of_ops_are_whole() {
    for name in ["::A", "q::", "q:::A"] {
        let expected = format!("2:4: error[string-constant] \"{name}\" is no name of an op: a part of it is empty");
        assert_eq!(one(parts(&format!("Op(\"{name}\", \"X\")"), "OK", "Op(\"B\")")), expected);
    }
    let text = |pattern: &str| format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\nOK,\nOp(\"B\"))");
    let around = super::check_text(&text("FROM_DEFAULT_PACKAGE(Op(\"A\"))"), crate::grammar::Mode::Sdk).1;
    assert_eq!(one(around), "2:1: error[wrong-place] `FROM_DEFAULT_PACKAGE(...)` is the name of an op, and no op");
    assert_eq!(strict(&text("Op(\"a::A\")")), [""; 0]);
}

#[test]
fn functions_like_those_of_the_framework_are_told() {
    let text = |function: &str| {
        let start = format!("AUTOSPLIT_SHAPEFN_APPLY({function}, \"I\", \"X\")");
        replacement(&format!("AUTOSPLIT(3, \"I\", 32, Op(\"A\", {start}))"))
    };
    let told = "4:55: warning[unknown-name] no annotation announces `simple_split_strat`";
    assert_eq!(one(text("simple_split_strat")), told);
    assert_eq!(text("simple_split_start"), [""; 0]);
    assert_eq!(text("my_split_start"), [""; 0]);
    // Without its tag a split is not asked for operands as well.
    assert!(one(replacement("Op(\"A\", AUTOSPLIT_SHAPEFN_APPLY(simple_split_start, \"X\"))")).contains("[split-tag]"));
}

#[test]
fn outputs_and_slices_are_as_they_are_made() {
    let out = |operands: &str| replacement(&format!("Op(\"$Out\", {operands})"));
    let made = "WITH_MULTI_OUT(2, Op(\"B\", \"X\"))";
    for (operands, column, told) in [
        ("\"X\"".to_owned(), 4, "`$Out` takes an op and a shape of its outputs, found 1 operand"),
        (format!("{made}, Op(\"C\")"), 45, "`$Out` takes an op and a shape of its outputs, found no shape"),
        (
            format!("{made}, gen_Shape(0, 2, 1)"),
            45,
            "`$Out` takes an op and a shape of its outputs, found a shape of 3",
        ),
        (format!("{made}, gen_Shape(0, 1, 2, 1)"), 58, "this extent of the shape of `$Out` is 0 to 0, found 1"),
        (format!("{made}, gen_Shape(0, 0, 2, 2)"), 64, "the index of an output is 0 to 1, found 2"),
        (format!("{made}, gen_Shape(0, 0, 3, 2)"), 61, "the op has 2 outputs, found 3 in the shape of `$Out`"),
        ("Op(\"B\"), gen_Shape(0, 0, 2, 1)".to_owned(), 37, "the op has 1 output, found 2 in the shape of `$Out`"),
    ] {
        let message = one(out(&operands));
        assert!(message.starts_with(&format!("4:{column}: error[restriction] {told}")), "{operands}: {message}");
    }
    for good in [format!("{made}, gen_Shape(0, 0, 2, 1)"), "\"X\", \"X\"".to_owned()] {
        assert_eq!(out(&good), [""; 0], "{good}");
    }
    let ranks = "start and size of a slice have the rank of what is sliced, found 3 and 4 extents";
    let slice = "Op(\"B\", AUTOSPLIT_SLICE(\"X\", gen_Shape(0, 0, 0), gen_Shape(1, 1, 1, 1)))";
    assert_eq!(one(replacement(slice)), format!("4:9: error[restriction] {ranks}"));
    let constant = "4:4: error[restriction] `$Const` is made of values, and not as an op";
    assert_eq!(one(replacement("Op(\"$Const\", \"X\")")), constant);
}

#[test]
fn a_parenthesis_may_close_too_late() {
    let rule = |text: &str| one(strict(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{text})")));
    let told = |place: &str, name: &str| {
        format!("{place}: error[unclosed] the `(` of `{name}` is not closed before the next part of the rule")
    };
    assert_eq!(rule("Op(\"A\", \"X\", OK, Op(\"B\", \"X\"))"), told("2:1", "Op"));
    assert_eq!(rule("Op(\"A\", \"X\"), GT(RANK_OF(\"X\", 4), Op(\"B\", \"X\"))"), told("2:15", "GT"));
    assert!(rule("Op(\"A\", \"X\"), OK").contains("found 3 operands"));
}
