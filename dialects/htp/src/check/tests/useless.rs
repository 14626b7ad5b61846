//! Rules that never do anything.

use super::{one, strict};

/// Messages about a rule of any graph whose replacement is given.
fn replacement(text: &str) -> Vec<String> {
    strict(&format!(
        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", LET(\"b\", Op(\"B\", \"x\"))), GT(DIM_OF(\"*\", 1), 1),\n{text})"
    ))
}

#[test]
fn replacements_that_no_graph_defines_are_refused() {
    let slice = "Op(\"A\", TYPICAL_SLICE(\"x\", \"I\"))";
    let split = |dimension: &str, size: &str| format!("AUTOSPLIT({dimension}, \"I\", {size}, {slice})");
    let extent = "the extent of the slices of an AUTOSPLIT is 1 or more";
    let steps = |from: &str, to: &str| format!("OP_ITER(Op(\"A\"), \"I\", {from}, {to}, \"x\")");
    for (text, told) in [
        (split("1", "0"), format!("{extent}, found 0")),
        (split("1", "NEG(1)"), format!("{extent}, found -1")),
        (split("SUB(1, 2)", "1"), "a dimension is 0 or more, found -1".into()),
        ("ResizeDim(1, NEG(4), Op(\"C\", \"x\"))".into(), "an extent is 0 or more, found -4".into()),
        (steps("0", "2000000000"), "an OP_ITER takes up to 16384 steps, found 2000000000".into()),
        (
            "Op(\"C\", gen_ConstArr_f32(1.0, 2000000000))".into(),
            "the number of a constant's elements is 1 to 1048576, found 2000000000".into(),
        ),
        (
            "OP_ITER(Op(\"A\"), \"I\", 0, 1000, OP_ITER(Op(\"A\"), \"J\", 0, 1000, \"x\"))".into(),
            "the replacement has more than 131072 parts, counted for each step of an iteration".into(),
        ),
        (
            "OpMultiOut(4000000000u, 0, \"C\", \"x\")".into(),
            "the number of an op's outputs is 1 to 1024, found 4000000000".into(),
        ),
        ("OpMultiOut(2, 2, \"C\", \"x\")".into(), "the index of an output is 0 to 1, found 2".into()),
        ("INPUT_OF(\"*\", 99)".into(), "the index of an input is 0 to 0, found 99".into()),
        ("Op(\"C\", INPUT_OF(\"b\", 1))".into(), "the index of an input is 0 to 0, found 1".into()),
    ] {
        let message = one(replacement(&text));
        assert!(message.ends_with(&format!(": error[restriction] {told}")), "{text}: {message}");
    }
    for good in [
        split("1", "4"),
        steps("0", "16384"),
        steps("INPUTS_OF(\"*\")", "20000"),
        "INPUT_OF(\"x\", 99)".into(),
        "OpMultiOut(1024, 1023, \"C\", \"x\")".into(),
        "Op(\"C\", gen_ConstArr_i32(1, 1048576))".into(),
    ] {
        assert_eq!(replacement(&good), [""; 0], "{good}");
    }
}

#[test]
fn encodings_that_no_tensor_has_are_refused() {
    let told = |tag: &str, zero: &str, step: &str| {
        replacement(&format!("Op(\"C\", WITH_OUTPUT_TYPE(DType::{tag}, {zero}, {step}, Op(\"D\", \"x\")))"))
    };
    for (step, written) in [("DIV(0.0, 0.0)", "NaN"), ("DIV(1.0, 0.0)", "inf"), ("0.0", "0"), ("NEG(0.5)", "-0.5")] {
        let message = one(told("QUInt8", "0", step));
        assert!(message.ends_with(&format!("a step size is finite and above 0, found {written}")), "{message}");
        // Other types have no step.
        assert_eq!(told("Float32", "0", step), [""; 0]);
    }
    assert!(one(told("QUInt8", "256", "0.5")).contains("256 is no element of type `QUInt8`"));
    assert!(one(told("QInt8", "128", "0.5")).contains("128 is no element of type `QInt8`"));
    assert!(one(told("UNKNOWN", "0", "0.5")).contains("no tensor is of type `UNKNOWN`"));
    assert_eq!(told("QUInt8", "255", "STEPSIZE_OF(\"x\")"), [""; 0]);
}

#[test]
fn branches_that_no_graph_defines_are_warned_of() {
    let branch = "SELECT(IS_FLOAT(\"x\"), Op(\"C\", \"x\"), Op(\"C\", INPUT_OF(\"*\", 1)))";
    assert!(one(replacement(branch)).contains("warning[restriction] the index of an input is 0 to 0, found 1"));
}

#[test]
fn rules_that_do_nothing_are_told() {
    let useless = |text: &str| {
        let messages = strict(text);
        messages.iter().filter(|message| message.contains("[useless-rule]")).cloned().collect::<Vec<_>>()
    };
    let rule = |pattern: &str, constraint: &str, replacement: &str| {
        format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\n{constraint},\n{replacement})\n")
    };
    let never = "warning[useless-rule] this never holds, so that the rule never applies";
    for (constraint, column) in [
        ("AND(OK, false)", 9),
        ("AND(OK, AND(IS_FLOAT(\"X\"), GE(MAX(1, 2), 3)))", 28),
        ("OR(false, NOT(OK))", 1),
        ("GT(1, 2)", 1),
    ] {
        let found = useless(&rule("Op(\"A\", \"X\")", constraint, "Op(\"B\", \"X\")"));
        assert_eq!(found, [format!("3:{column}: {never}")], "{constraint}");
    }
    let contradiction = "warning[useless-rule] this contradicts what stands before it, so that the rule never applies";
    for (constraint, column) in [
        ("AND(IS_QUINT8(\"X\"), OK, IS_FLOAT(\"X\"))", 25),
        ("AND(GT(DIM_DEPTH(\"X\"), 8), AND(IS_FLOAT(\"X\"), LE(DIM_DEPTH(\"X\"), 8)))", 47),
        ("AND(EQ(4, RANK_OF(\"X\")), EQ(RANK_OF(\"X\"), 3u))", 26),
        ("AND(IS_QUINT8(\"X\"), NOT(IS_QUINT8(\"X\")))", 21),
        ("AND(NOT(SAME_SHAPE(\"X\", \"*\")), SAME_SHAPE(\"X\", \"*\"))", 32),
        ("AND(EQ(DIM_DEPTH(\"X\"), 8), NE(DIM_DEPTH(\"X\"), 8))", 28),
        ("AND(NOT(OR(LT(DIM_DEPTH(\"X\"), 8), IS_FLOAT(\"X\"))), IS_FLOAT(\"X\"))", 52),
    ] {
        let found = useless(&rule("Op(\"A\", \"X\")", constraint, "Op(\"B\", \"X\")"));
        assert_eq!(found, [format!("3:{column}: {contradiction}")], "{constraint}");
    }
    for constraint in ["AND(OK, IS_QUINT8(\"X\"))", "AND(IS_QUINT8(\"X\"), IS_FLOAT(\"*\"))", "LT(DIM_DEPTH(\"X\"), 2)"]
    {
        assert_eq!(useless(&rule("Op(\"A\", \"X\")", constraint, "Op(\"B\", \"X\")")), [""; 0], "{constraint}");
    }
    let same = "4:1: warning[useless-rule] the match is replaced by the same: the rule applies for ever";
    assert_eq!(useless(&rule("Op(\"Gelu\", \"X\")", "OK", "Op(\"Gelu\", \"X\")")), [same]);
    assert_eq!(useless(&rule("Op(\"A\", LET(\"b\", Op(\"B\", \"X\")))", "OK", "Op(\"A\", \"b\")")), [same]);
    assert_eq!(useless(&rule("Op(\"A\", \"X\", \"Y\")", "OK", "Op(\"A\", \"Y\", INPUT_OF(\"*\", 0))")), [""; 0]);
    let again = "warning[useless-rule] the match stands again in its replacement: the rule applies for ever";
    for (replacement, column) in [("Op(\"B\", \"*\")", 9), ("WrapOp(\"B\", WITH_SIZE(\"X\", Op(\"A\", \"X\")))", 28)] {
        let found = useless(&rule("Op(\"A\", \"X\")", "OK", replacement));
        assert_eq!(found, [format!("4:{column}: {again}")], "{replacement}");
        // The constraint may see the difference.
        assert_eq!(useless(&rule("Op(\"A\", \"X\")", "IS_FLOAT(\"X\")", replacement)), [""; 0]);
    }
}

#[test]
fn what_the_match_decides_is_told() {
    let rule = |pattern: &str, constraint: &str| {
        strict(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\n{constraint},\nOp(\"B\", \"x\"))"))
    };
    let pattern = "Op(\"A\", \"x\", LET(\"c\", Op(\"C\", \"y\")))";
    let never = "warning[useless-rule] this never holds, so that the rule never applies";
    for (constraint, column) in [
        ("EQ(INPUTS_OF(\"*\"), 3)", 1),
        ("AND(IS_FLOAT(\"x\"), GT(INPUTS_OF(\"c\"), 1))", 20),
        ("LT(DIM_DEPTH(\"x\"), 0)", 1),
        ("NE(RANK_OF(\"x\"), RANK_OF(\"x\"))", 1),
        ("GE(MOD(DIM_DEPTH(\"x\"), 8), 8)", 1),
        ("EQ(OUTPUTS_OF(\"c\"), 0)", 1),
        ("NOT(SAME_SHAPE(\"x\", \"x\"))", 1),
        ("EQ(INT(DTYPE_OF(\"x\")), 77)", 1),
        ("EQ(ELEMENTSIZE_OF(\"x\"), 16)", 1),
        ("EQ(RANK_OF(\"x\"), 9)", 1),
    ] {
        assert_eq!(one(rule(pattern, constraint)), format!("3:{column}: {never}"), "{constraint}");
    }
    for (constraint, column, outcome) in [
        ("EQ(INPUTS_OF(\"*\"), 2)", 1, "always"),
        ("GE(DIM_DEPTH(\"x\"), 0)", 1, "always"),
        ("SAME_OP(\"x\", \"x\")", 1, "always"),
        // What is not one thing or not another is anything.
        ("OR(NE(DTYPE_OF(\"x\"), DType::QInt8), NE(DTYPE_OF(\"x\"), DType::QUInt8))", 1, "always"),
        ("OR(IS_FLOAT(\"x\"), NOT(IS_FLOAT(\"x\")))", 1, "always"),
        ("AND(IS_FLOAT(\"x\"), OR(LT(DIM_DEPTH(\"x\"), 8), GE(DIM_DEPTH(\"x\"), 8)))", 20, "always"),
        ("OR(IS_FLOAT(\"x\"), true)", 1, "always"),
        ("OR(IS_FLOAT(\"x\"), EQ(INPUTS_OF(\"*\"), 3))", 19, "never"),
        ("AND(IS_FLOAT(\"x\"), LE(INPUTS_OF(\"c\"), 1))", 20, "always"),
    ] {
        let expected = format!("3:{column}: warning[useless-rule] this {outcome} holds where the rule matches");
        assert_eq!(one(rule(pattern, constraint)), expected, "{constraint}");
    }
    for constraint in [
        "EQ(INPUTS_OF(\"x\"), 3)",
        "GT(DIM_DEPTH(\"x\"), 0)",
        "LT(ZERO_OFFSET_OF(\"x\"), 0)",
        "GT(SUB(DIM_DEPTH(\"x\"), 8), 0)",
        "LT(INT(DIM_DEPTH(\"x\")), 0)",
        "LE(MOD(DIM_DEPTH(\"x\"), 8), 6)",
        "GT(3, 2)",
        "NE(STEPSIZE_OF(\"x\"), STEPSIZE_OF(\"x\"))",
        "AND(GT(DIM_DEPTH(\"x\"), 8), LE(DIM_WIDTH(\"x\"), 8))",
    ] {
        let found = rule(pattern, constraint);
        assert!(found.iter().all(|message| !message.contains("useless")), "{constraint}: {found:?}");
    }
    // Behind the operands that are told there may be more.
    assert_eq!(rule("OpVarIn(\"A\", \"x\")", "EQ(INPUTS_OF(\"*\"), 3)"), [""; 0]);
    assert_eq!(one(rule("OpVarIn(\"A\", \"x\")", "EQ(INPUTS_OF(\"*\"), 0)")), format!("3:1: {never}"));
}

#[test]
fn numbers_out_of_range_are_told() {
    let body = "Op(\"A\", TYPICAL_SLICE(\"x\", \"I\"))";
    for (text, column, told) in [
        ("OP_ITER(Op(\"A\"), \"J\", 3, 1, \"x\")", 1, "the OP_ITER has no steps: 3 is not below 1"),
        ("OP_ITER(Op(\"A\"), \"J\", 1, INPUTS_OF(\"*\"), \"x\")", 1, "the OP_ITER has no steps: 1 is not below 1"),
        (
            "OP_ITER(Op(\"A\"), \"J\", 0, 5, ITER_INPUT_OF(\"*\", \"J\"))",
            29,
            "the inputs of the matched op last up to step 1, found 5",
        ),
        ("WITH_SPLIT_HISTORY(\"x\", 0, Op(\"C\", \"x\"))", 25, "the size of a split's slices is 1 or more, found 0"),
        ("WITH_SPLIT_HISTORY(\"x\", -4, Op(\"C\", \"x\"))", 25, "the size of a split's slices is 1 or more, found -4"),
        ("ResizeDim(9, 4, Op(\"C\", \"x\"))", 11, "a dimension is 0 to 7, found 9"),
        ("ResizeDim(1, 0, Op(\"C\", \"x\"))", 14, "an extent of an output is 1 or more, found 0"),
        (&format!("AUTOSPLIT(9, \"I\", 4, {body})"), 11, "a dimension is 0 to 7, found 9"),
        ("AUTOSPLIT(1, \"I\", 4, Op(\"A\", CHANGEDIM_SLICE(\"x\", \"I\", 8)))", 56, "a dimension is 0 to 7, found 8"),
        ("Op(\"C\", gen_Shape(1, DIM_OF(\"x\", 99)))", 34, "a dimension is 0 to 7, found 99"),
        ("Op(\"C\", gen_Shape(1, 1, 1, 1, 1, 1, 1, 1, 1))", 43, "a shape has up to 8 extents, found 9"),
        ("gen_Shape(1, 2)", 1, "a shape can't take the place of an op: the rule never applies"),
        (
            "SELECT(IS_FLOAT(\"x\"), Op(\"C\"), gen_ShapeOf(\"x\"))",
            32,
            "a shape can't take the place of an op: the rule does not apply where it is chosen",
        ),
    ] {
        let found = replacement(text);
        let expected = format!("2:{column}: warning[useless-rule] {told}");
        assert!(found.contains(&expected) && found.len() <= 2, "{text}: {found:?}");
    }
    let wraps = "2:29: warning[negative-size] 4294967295 does not fit in an element of 32 bits and becomes -1";
    assert_eq!(one(replacement("Op(\"C\", gen_ConstScalar_i32(4294967295u))")), wraps);
    for good in [
        "OP_ITER(Op(\"A\"), \"J\", 0, INPUTS_OF(\"*\"), ITER_INPUT_OF(\"*\", \"J\"))",
        "OP_ITER(Op(\"A\"), \"J\", 0, INPUTS_OF(\"x\"), ITER_INPUT_OF(\"x\", \"J\"))",
        "WITH_SPLIT_HISTORY(\"x\", 1, Op(\"C\", \"x\"))",
        "ResizeDim(7, 1, Op(\"C\", \"x\"))",
        "Op(\"C\", gen_Shape(0, 0, 0, 0), gen_ConstScalar_i32(-2147483648))",
    ] {
        assert_eq!(replacement(good), [""; 0], "{good}");
    }
}

#[test]
fn operands_that_a_constraint_asks_for_in_vain_are_told() {
    let rule = |constraint: &str| {
        strict(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"),\n{constraint},\nOp(\"B\", \"x\"))"))
    };
    for (constraint, column, told) in [
        ("IS_FLOAT(INPUT_OF(\"*\", 1))", 24, "the index of an input is 0 to 0, found 1"),
        ("IS_FLOAT(INPUT_OF(\"x\", -1))", 24, "the index of an input is 0 or more, found -1"),
        ("IS_FLOAT(OUTPUT_OF(\"*\", -1))", 25, "the index of an output is 0 or more, found -1"),
        (
            "GT(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 9), DIM_DEPTH(\"x\"))",
            4,
            "the chunks of `QUint8CroutonTensor` have dimensions 0 to 3, found 9",
        ),
        ("EQ(DIM_OF(\"x\", 99), 4)", 16, "a dimension is 0 to 7, found 99"),
        ("EQ(DTYPE_OF(\"x\"), DTYPE(12))", 25, "the tags of DType are counted from 0 to 9, found 12"),
    ] {
        assert_eq!(one(rule(constraint)), format!("2:{column}: warning[useless-rule] {told}"), "{constraint}");
    }
    assert_eq!(rule("IS_FLOAT(INPUT_OF(INPUT_OF(\"*\", 0), 4))"), [""; 0]);
}

#[test]
fn replacements_that_are_never_like_the_root_are_told() {
    let told = |constraint: &str, replacement: &str| {
        strict(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), {constraint},\n{replacement})"))
    };
    let (deep, float) = ("GT(DIM_DEPTH(\"*\"), 32)", "AND(IS_FLOAT(\"*\"), IS_FLOAT(\"x\"))");
    let half = "WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, Op(\"B\", \"x\"))";
    for (constraint, replacement, column, what) in [
        (deep, "WITH_SIZE(gen_Shape(1, 2), Op(\"B\", \"x\"))", 11, "size"),
        (deep, "WITH_TYPE(\"*\", WITH_SIZE(gen_Shape(1, 1, 1, 32), Op(\"B\", \"x\")))", 26, "size"),
        (deep, "AUTOSPLIT_SLICE(\"x\", gen_Shape(0, 0, 0, 0), gen_Shape(1, 1, 1, 1))", 45, "size"),
        (float, half, 18, "type"),
    ] {
        let expected = format!(
            "2:{column}: warning[useless-rule] the root has no such {what} where the constraint holds: the rule never applies"
        );
        assert_eq!(told(constraint, replacement), [expected], "{replacement}");
    }
    for (constraint, replacement) in [
        (deep, "WITH_SIZE(gen_Shape(1, 1, 1, 64), Op(\"B\", \"x\"))"),
        (deep, "WITH_SIZE(gen_Shape(1, 2), WITH_SIZE(\"*\", Op(\"B\", \"x\")))"),
        (deep, "Op(\"C\", WITH_SIZE(gen_Shape(1, 2), Op(\"B\", \"x\")))"),
        ("IS_FLOAT(\"x\")", half),
        ("OR(IS_FLOAT(\"*\"), IS_FLOAT16(\"*\"))", half),
        (float, &format!("WITH_OUTPUT_TYPE(DType::Float32, 0, 1.0f, Op(\"Cast\", {half}))")),
    ] {
        assert_eq!(told(constraint, replacement), [""; 0], "{replacement}");
    }
}
