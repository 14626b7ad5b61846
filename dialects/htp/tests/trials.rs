//! `skriptnd rules test` on rules that few graphs fit.

use skriptnd_htp::commands::{Settings, test_rules};
use skriptnd_htp::grammar::Mode;

/// What is said of the only rule of a file.
fn tried(pattern: &str, constraint: &str, replacement: &str, mode: Mode) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rule.htp");
    let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, {pattern}, {constraint}, {replacement})\n");
    std::fs::write(&file, text).unwrap();
    let output = test_rules(&file, &Settings { mode, ..Settings::default() }, 60, None).unwrap();
    assert!(output.good, "{}{}", output.set.messages(), output.text);
    output.text
}

#[test]
fn graphs_are_made_that_rules_apply_to() {
    let (pattern, deep) = ("Op(\"A\", \"x\", \"y\")", "GT(DIM_DEPTH(\"*\"), 32)");
    for (pattern, constraint, replacement) in [
        // The tag stands before the op that it names.
        ("Op(\"A\", \"t\", LET(\"t\", Op(\"C\", \"x\")))", "OK", "Op(\"B\", \"x\", \"t\")"),
        // An operand has inputs of its own.
        (pattern, "EQ(RANK_OF(INPUT_OF(\"x\", 0)), 4)", "Op(\"B\", \"x\")"),
        (pattern, "OK", "Op(\"B\", INPUT_OF(\"y\", 1))"),
        // What is made has a type or a size of its own, and takes the root's place only where that has it.
        (pattern, deep, "WITH_OUTPUT_TYPE(DType::QUInt8, 128, 0.5, Op(\"B\", \"x\"))"),
        (pattern, "OK", "WITH_SIZE(gen_Shape(1, 2), Op(\"B\", Op(\"C\", \"x\")))"),
        (pattern, "OK", "AUTOSPLIT_SLICE(\"x\", gen_Shape(0, 0, 0, 0), gen_Shape(1, 1, 1, 1))"),
    ] {
        let told = tried(pattern, constraint, replacement, Mode::Strict);
        assert!(
            told.contains("passed: applied to ") && !told.contains("none of"),
            "{constraint} {replacement}: {told}"
        );
    }
}

/// Public rule files slice what they make, which the text advises against.
#[test]
fn slices_of_new_ops_apply() {
    let pattern = "Op(\"A\", \"x\", \"y\")";
    for body in [
        "TYPICAL_SLICE(Op(\"D\", \"x\"), \"I\")",
        "TYPICAL_SLICE(WITH_SIZE(\"*\", Op(\"D\", \"x\")), \"I\")",
        "CHANGEDIM_SLICE(Op(\"D\", Op(\"E\", \"x\")), \"I\", 3)",
        "AUTOSPLIT_SLICE(Op(\"D\", \"x\"), gen_Shape(0, 0, 0, SPLIT_START(\"I\")), gen_Shape(1, 1, 1, SPLIT_SIZE(\"I\")))",
    ] {
        let split = format!("AUTOSPLIT(3, \"I\", 2, Op(\"B\", {body}))");
        let told = tried(pattern, "GT(DIM_DEPTH(\"*\"), 2)", &split, Mode::Sdk);
        assert!(told.contains("passed: applied to ") && !told.contains("none of"), "{body}: {told}");
    }
}
