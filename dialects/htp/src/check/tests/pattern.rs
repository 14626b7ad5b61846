//! Passes and matches.

use super::{check_text, one, parts, strict};
use crate::explain::explain;
use crate::grammar::Mode;

#[test]
fn match_errors() {
    let error = |pattern: &str| one(parts(pattern, "OK", "Op(\"B\")"));
    assert_eq!(
        error("LET(\"r\", Op(\"A\"))"),
        "2:1: error[let] the root of a match must be Op or OpVarIn, found `LET(...)`"
    );
    assert_eq!(
        error("\"X\""),
        "2:1: error[unexpected] the root of a match must be Op or OpVarIn, found an operand tag"
    );
    assert_eq!(
        error("Op(\"A\", \"*\")"),
        "2:9: error[operand-tag] \"*\" is the root of the match, and no operand tag within it"
    );
    assert_eq!(
        error("Op(\"A\", LET(\"r\", Op(\"C\", \"r\")))"),
        "2:26: error[let] tag \"r\" stands within the LET that gives it"
    );
    assert_eq!(error("Op(A)"), "2:4: error[unexpected] expected the name of an op as a string constant, found `A`");
    assert_eq!(error("Op()"), "2:1: error[operand-count] `Op` takes 1 or more operands, found 0");
    assert_eq!(
        error("Op(\"A\", DIM_OF(\"X\", 1))"),
        "2:9: error[wrong-place] expected Op, OpVarIn, LET or an operand tag, found `DIM_OF(...)`"
    );
    assert_eq!(
        error("Op(FROM_DEFAULT_PACKAGE(\"A\"))"),
        "2:4: error[extension] `FROM_DEFAULT_PACKAGE` is no part of the published grammar"
    );
    let nested = "Op(\"A\", LET(\"r\", LET(\"s\", Op(\"C\"))))";
    assert_eq!(error(nested), "2:18: error[let] `LET` names an Op or OpVarIn, found `LET(...)`");
    let cycle = "Op(\"A\", LET(\"r\", Op(\"C\", \"s\")), LET(\"s\", Op(\"D\", \"r\")))";
    assert_eq!(error(cycle), "2:18: error[let] tag \"r\" stands within the LET that gives it");
    assert_eq!(parts("Op(\"A\", \"r\", LET(\"r\", Op(\"C\")), OpVarIn(\"D\"))", "OK", "Op(\"B\", \"r\")"), [""; 0]);
}

#[test]
fn passes_and_operands_of_rules() {
    let error = |text: &str| one(strict(&format!("DEF_PACKAGE_OPTIMIZATION({text}, Op(\"A\"), OK, Op(\"B\"))")));
    assert_eq!(
        error("EARLY + 0x10"),
        "1:32: error[pass-offset] the offset of a pass is a decimal constant without sign or suffix, found `0x10`"
    );
    assert_eq!(
        error("EARLY + 5u"),
        "1:32: error[pass-offset] the offset of a pass is a decimal constant without sign or suffix, found `5u`"
    );
    assert_eq!(error("EARLY - 5"), "1:32: error[extension] the published grammar can only add to a pass group");
    assert_eq!(error("EALRY"), "1:26: error[unknown-pass] `EALRY` is no pass group");
    let (rules, messages) =
        check_text("DEF_PACKAGE_OPTIMIZATION(LATE - 5, Op(FROM_DEFAULT_PACKAGE(\"A\")), 1, Op(\"B\"))", Mode::Sdk);
    assert_eq!(messages, ["1:67: warning[type] a value of type int is taken as a condition: true unless it is 0"]);
    assert_eq!((rules[0].pass.number, rules[0].pattern.name.qualified("mine").as_str()), (3995, "q::A"));
    assert_eq!(rules[0].name, "test.htp:1");
    let few = one(strict("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"), OK)"));
    assert_eq!(
        few,
        "1:1: error[operand-count] `DEF_PACKAGE_OPTIMIZATION` takes pass, match, constraint and replacement, found 3 operands"
    );
}

#[test]
fn operands_may_have_to_be_constants() {
    let text = |tag: &str| {
        format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\", OPCONST({tag})), IS_FLOAT(\"X\"), Op(\"B\", \"C\"))")
    };
    let (rules, messages) = check_text(&text("\"C\""), Mode::Sdk);
    assert_eq!(messages, [""; 0]);
    let expected = "where    element 0 of C is a constant\n  and      dtype of X == Float32\n";
    assert!(explain(&rules[0]).contains(expected), "{}", explain(&rules[0]));
    assert!(strict(&text("\"C\""))[0].starts_with("1:46: error[extension]"), "{:?}", strict(&text("\"C\"")));
    assert!(one(check_text(&text("Op(\"K\")"), Mode::Sdk).1).starts_with("1:54: error[unexpected]"));
    let root = "DEF_PACKAGE_OPTIMIZATION(EARLY, OPCONST(\"C\"), OK, Op(\"B\"))";
    assert!(one(check_text(root, Mode::Sdk).1).starts_with("1:33: error[unexpected]"));
}
