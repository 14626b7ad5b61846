//! Rules that an earlier one leaves nothing.

use super::strict;

/// Messages about rules that can't do anything.
fn useless(text: &str) -> Vec<String> {
    strict(text).into_iter().filter(|message| message.contains("[useless-rule]")).collect()
}

fn rule(pattern: &str, constraint: &str, replacement: &str) -> String {
    format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\n{constraint},\n{replacement})\n")
}

const SHADOWED: &str = "5:1: warning[useless-rule] an earlier rule of this pass applies wherever this one would";

const BY_PASS: &str = "5:1: warning[useless-rule] a rule of an earlier pass takes all that this one would, and none makes more of \
                       that before this pass";

const UNLESS_UNDEFINED: &str = "5:1: warning[useless-rule] an earlier rule of this pass takes all nodes that this one does, \
                                unless its replacement is undefined there";

/// Whether the second of two rules with such matches and conditions is told to be shadowed.
fn is_shadowed([first, condition]: [&str; 2], [second, other]: [&str; 2]) -> bool {
    let text = rule(first, condition, "Op(\"C\", \"X\")") + &rule(second, other, "Op(\"D\")");
    match useless(&text)[..] {
        [] => false,
        [ref message] if message == SHADOWED => true,
        ref others => panic!("{text}: {others:?}"),
    }
}

#[test]
fn what_always_holds_shadows() {
    let two = |first: &str, constraint: &str, second: &str| {
        let text = rule(first, constraint, "Op(\"C\", \"X\")") + &rule(second, "IS_FLOAT(\"*\")", "Op(\"D\", \"X\")");
        useless(&text).into_iter().filter(|message| message.contains("an earlier rule")).collect::<Vec<_>>()
    };
    let (wide, narrow) = ("Op(\"A\", \"X\")", "Op(\"A\", Op(\"B\", \"X\"))");
    assert_eq!(two(wide, "OK", narrow), [SHADOWED]);
    for (first, constraint, second) in [
        (narrow, "OK", wide),
        (wide, "IS_FLOAT(\"X\")", narrow),
        ("Op(\"A\", \"X\", \"X\")", "OK", "Op(\"A\", \"X\", \"Y\")"),
        (wide, "OK", "OpVarIn(\"A\", \"X\")"),
        ("Op(\"A\", LET(\"t\", Op(\"B\", \"X\")), \"t\")", "OK", "Op(\"A\", Op(\"B\", \"X\"), \"Y\")"),
        // Undefined, and no warrant that the rule applies, where the node has only one input.
        (wide, "OR(IS_FLOAT(INPUT_OF(\"X\", 1)), OK)", narrow),
        (wide, "NOT(AND(IS_FLOAT(INPUT_OF(\"X\", 1)), false))", narrow),
    ] {
        assert_eq!(two(first, constraint, second), [""; 0], "{first} {second}");
    } // The earlier replacement may be undefined, or of another type than the root.
    for (earlier, told) in [
        ("Op(\"C\", Op(\"D\", \"X\"), \"X\")", true),
        ("\"X\"", false),
        ("Op(\"C\", INPUT_OF(\"X\", 0))", false),
        ("WITH_TYPE(\"X\", Op(\"C\", \"X\"))", false),
        ("Op(\"C\", WITH_OUTPUT_TYPE(DType::QInt8, 0, STEPSIZE_OF(\"X\"), Op(\"D\", \"X\")))", false),
        ("OpMultiOut(2, 0, \"C\", \"X\")", false),
    ] {
        let found = useless(&(rule(wide, "OK", earlier) + &rule(narrow, "OK", "Op(\"D\", \"X\")")));
        assert_eq!(found, [if told { SHADOWED } else { UNLESS_UNDEFINED }], "{earlier}");
    }
    let several = "WITH_MULTI_OUT(2, Op(\"D\", \"X\"))";
    assert_eq!(useless(&(rule(wide, "OK", "Op(\"C\", \"X\")") + &rule(wide, "OK", several))), [""; 0]);
    // What stands before it is known.
    assert_eq!(two(wide, "OR(false, GT(2, 1), IS_FLOAT(\"X\"))", narrow), [SHADOWED]);
}

#[test]
fn equal_conditions_shadow() {
    let pattern = "Op(\"A\", \"X\", \"Y\")";
    for condition in [
        "IS_QUINT8(\"X\")",
        "GT(DIM_OF(\"X\", 1), 8)",
        "AND(IS_FLOAT(\"X\"), GT(DIM_OF(INPUT_OF(\"X\", 0), 1), OPTION_INT(\"o\")))",
        "OR(IS_FLOAT(\"*\"), EXTERNAL_CONSTRAINT(f, \"X\", 1))",
        "SAME_SHAPE(\"X\", \"*\")",
    ] {
        assert!(is_shadowed([pattern, condition], [pattern, condition]), "{condition}");
        let renamed = condition.replace("\"X\"", "\"Q\"");
        let other = "Op(\"A\", \"Q\", \"X\")";
        assert!(is_shadowed([pattern, condition], [other, &renamed]), "{renamed}");
        if renamed != condition {
            // The same text of another operand.
            assert!(!is_shadowed([pattern, condition], [other, condition]), "{condition}");
        }
    }
    let same = "Op(\"A\", \"X\", \"X\")";
    assert!(is_shadowed([same, "IS_FLOAT(\"X\")"], [same, "IS_FLOAT(\"X\")"]));
    let named = "Op(\"A\", LET(\"t\", Op(\"B\", \"X\")))";
    let condition = "IS_FLOAT(\"t\")";
    assert!(is_shadowed([named, condition], [named, condition]));
    assert!(!is_shadowed([named, condition], ["Op(\"A\", Op(\"B\", \"X\"))", "IS_FLOAT(\"X\")"]));
    assert!(is_shadowed(["Op(\"A\", \"X\")", "IS_FLOAT(\"X\")"], [named, condition]));
}

#[test]
fn implied_conditions_shadow() {
    let pattern = "Op(\"A\", \"X\")";
    let (float, deep) = ("IS_FLOAT(\"X\")", "GT(DIM_DEPTH(\"X\"), 32)");
    for (wide, narrow) in [
        (deep, "GT(DIM_DEPTH(\"X\"), 64)"),
        (deep, "EQ(64, DIM_DEPTH(\"X\"))"),
        (deep, "AND(IS_FLOAT(\"X\"), LT(32, DIM_DEPTH(\"X\")))"),
        (float, "AND(NOT(IS_QUINT8(\"*\")), EQ(DType::Float32, DTYPE_OF(\"X\")))"),
        ("OR(IS_FLOAT16(\"X\"), IS_FLOAT(\"X\"))", float),
        ("OR(IS_FLOAT16(\"X\"), IS_FLOAT(\"X\"))", "OR(IS_FLOAT(\"X\"), IS_FLOAT16(\"X\"))"),
        ("NOT(IS_QUINT8(\"X\"))", float),
        ("NE(DIM_DEPTH(\"X\"), DIM_WIDTH(\"X\"))", "NOT(EQ(DIM_WIDTH(\"X\"), DIM_DEPTH(\"X\")))"),
        ("LE(DIM_DEPTH(\"X\"), DIM_WIDTH(\"X\"))", "NOT(LT(DIM_WIDTH(\"X\"), DIM_DEPTH(\"X\")))"),
        (
            "AND(SAME_SHAPE(\"X\", \"*\"), GT(DIM_DEPTH(\"X\"), 1))",
            "AND(GT(DIM_DEPTH(\"X\"), 1), SAME_SHAPE(\"*\", \"X\"))",
        ),
    ] {
        assert!(is_shadowed([pattern, wide], [pattern, narrow]), "{wide} and {narrow}");
    }
    for (wide, narrow) in [
        ("GT(DIM_DEPTH(\"X\"), 64)", deep),
        (float, "IS_FLOAT(\"*\")"),
        (float, "OR(IS_FLOAT(\"X\"), IS_FLOAT16(\"X\"))"),
        (float, "OK"),
        // With NaN neither holds.
        ("GE(STEPSIZE_OF(\"X\"), 0.5)", "NOT(LT(STEPSIZE_OF(\"X\"), 0.5))"),
        // Undefined, where X has no second input.
        ("OR(IS_FLOAT(INPUT_OF(\"X\", 1)), IS_FLOAT(\"X\"))", float),
    ] {
        assert!(!is_shadowed([pattern, wide], [pattern, narrow]), "{wide} and {narrow}");
    }
}

#[test]
fn equal_replacements_shadow() {
    let (pattern, condition) = ("Op(\"A\", \"X\")", "GT(DIM_DEPTH(\"*\"), 32)");
    let split = |tag: &str| {
        rule(
            &pattern.replace('X', tag),
            condition,
            &format!("AUTOSPLIT(3, \"I\", 32, Op(\"A\", TYPICAL_SLICE(\"{tag}\", \"I\")))"),
        )
    };
    assert_eq!(useless(&(split("X") + &split("Y"))), [SHADOWED]);
    // In a pass before, it is another rule.
    assert_eq!(useless(&(split("X") + &split("Y").replace("EARLY", "LATE"))), [BY_PASS]);
    assert_eq!(useless(&(split("X").replace("EARLY", "LATE") + &split("Y"))), [BY_PASS.replace("5:1", "1:1")]);
    // The first one may be undefined where the second is not.
    assert_eq!(useless(&(split("X") + &rule(pattern, condition, "Op(\"B\", \"X\")"))), [UNLESS_UNDEFINED]);
    // What a function makes may be what was there.
    let external = rule(pattern, condition, "SELECT(IS_FLOAT(\"X\"), EXTERNAL_REPLACE(f), Op(\"B\", \"X\"))");
    assert_eq!(useless(&(external + &split("X"))), [""; 0]);
}

/// What an earlier pass leaves nothing is told, unless something between them makes what is matched.
#[test]
fn earlier_passes_shadow() {
    let of_pass = |pass: &str, pattern: &str, constraint: &str, replacement: &str| {
        rule(pattern, constraint, replacement).replace("EARLY", pass)
    };
    let wide = of_pass("EARLY", "Op(\"A\", \"X\", \"Y\")", "OK", "Op(\"B\", \"X\", \"Y\")");
    let narrow = of_pass("LATE", "Op(\"A\", \"X\", \"Y\")", "IS_QUINT8(\"X\")", "Op(\"C\", \"X\")");
    let deep = of_pass("LATE", "Op(\"A\", Op(\"D\", \"X\"), \"Y\")", "OK", "Op(\"C\", \"X\")");
    for later in [&narrow, &deep] {
        assert_eq!(useless(&(wide.clone() + later)), [BY_PASS], "{later}");
        // The order of the text is not that of the passes.
        assert_eq!(useless(&(later.to_string() + &wide)), [BY_PASS.replace("5:1", "1:1")], "{later}");
    }
    for (pass, pattern, replacement, told) in [
        ("MIDDLE", "Op(\"E\", \"X\")", "Op(\"A\", \"X\", \"X\")", 0),
        ("LATE", "Op(\"E\", \"X\")", "Op(\"F\", WrapOp(\"A\", \"X\"))", 0),
        ("MIDDLE", "Op(\"E\", \"X\")", "EXTERNAL_REPLACE(f)", 0),
        // Before the end of the earlier pass it is taken, behind the later one it comes too late.
        ("EARLY", "Op(\"E\", \"X\")", "Op(\"A\", \"X\", \"X\")", 1),
        ("LATE + 1", "Op(\"E\", \"X\")", "Op(\"A\", \"X\", \"X\")", 1),
        ("MIDDLE", "Op(\"E\", \"X\")", "Op(\"F\", \"X\")", 1),
        ("MIDDLE", "Op(\"E\", \"X\")", "\"X\"", 1),
    ] {
        let between = of_pass(pass, pattern, "OK", replacement);
        assert_eq!(useless(&(wide.clone() + &narrow + &between)).len(), told, "{pass} {replacement}");
    }
    // Ops of a match of several may meet anew.
    let bypass = of_pass("MIDDLE", "Op(\"E\", \"X\")", "OK", "\"X\"");
    assert_eq!(useless(&(wide + &deep + &bypass)), [""; 0]);
}
