//! External functions, and macros that are not at hand.

use super::{check_text, one, strict};
use crate::apply::Functions;
use crate::check::is_supported;
use crate::explain::explain;
use crate::grammar::Mode;
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::Diagnostics;

#[test]
fn annotated_functions_have_their_parameters() {
    let rule = "// :::EXTERNAL_SHAPEFN::: { OpRef f(Replacement &rpx, OpRef x); }\n\
                DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), OK, Op(\"B\", SHAPEFN_APPLY(f, \"X\", 1)))";
    assert_eq!(one(strict(rule)), "2:73: error[operand-count] function `f` takes 1 operand, found 2");
    assert_eq!(strict(&rule.replace("\"X\", 1", "\"X\"")), [""; 0]);
}

#[test]
fn annotated_functions_are_checked_by_type() {
    let rule = |annotation: &str, apply: &str| {
        strict(&format!(
            "// :::EXTERNAL_SHAPEFN::: {{ shape f({annotation}); }}\n\
             DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), GT(DIM_DEPTH(\"X\"), 8),\n\
             AUTOSPLIT(3, \"I\", 8, Op(\"A\", AUTOSPLIT_SLICE(\"X\", {apply}, \"X\"), gen_Shape(SPLIT_SIZE(\"I\")))))"
        ))
    };
    let split = "AUTOSPLIT_SHAPEFN_APPLY(f, \"I\", \"X\", gen_ShapeOf(\"X\"))";
    // What the framework gives may be left out.
    for annotation in
        ["split, op, op", "op, op", "Replacement &rpx, Split_Context const &info, OpRef x, OpRef const &y"]
    {
        assert_eq!(rule(annotation, split), [""; 0], "{annotation}");
    }
    assert_eq!(one(rule("split, op, int", split)), "3:88: error[type] function `f` takes `int` here, found a node");
    let scalars = "AUTOSPLIT_SHAPEFN_APPLY(f, \"I\", \"X\", DIM_DEPTH(\"X\"), 0.5, true)";
    assert_eq!(rule("split, op, int, float, bool", scalars), [""; 0]);
    let messages = rule("split, op, bool, size_t, op", scalars);
    assert_eq!(messages.len(), 3, "{messages:?}");
    let without = "SHAPEFN_APPLY(f, \"X\")";
    assert_eq!(one(rule("split, op", without)), "3:65: error[wrong-place] function `f` takes the context of a split");
}

#[test]
fn what_is_not_at_hand_leaves_a_rule_out() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), EXTERNAL_CONSTRAINT(f, \"X\"),\n\
                AUTOSPLIT(1, \"I\", 8, Op(\"A\", AUTOSPLIT_SLICE(\"X\", AUTOSPLIT_SHAPEFN_APPLY(g, \"I\"), AUTOSPLIT_SHAPEFN_APPLY(g, \"I\")))))";
    let (rules, _) = check_text(text, Mode::Strict);
    let mut sources = SourceMap::default();
    sources.add("test.htp", text);
    let missing = |functions: &Functions| {
        let mut found = Diagnostics::default();
        let supported = is_supported(&rules[0], functions, &mut found);
        assert_eq!(supported, found.is_empty());
        found.iter().map(|d| (sources.position(d.span), d.message.clone())).collect::<Vec<_>>()
    };
    let functions = Functions::default();
    let unbound = |name: &str| format!("the external function `{name}` is not bound");
    assert_eq!(missing(&functions), [((1, 47), unbound("f")), ((2, 51), unbound("g"))]);
    let functions = functions.constrain("f", |_, _| Some(true)).shape("g", |_, _| None);
    assert_eq!(missing(&functions), []);
}

#[test]
fn unknown_names_leave_a_rule_out_in_sdk_mode() {
    let rule = |constraint: &str, mode| {
        check_text(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"X\"), {constraint}, Op(\"B\", \"X\"))"), mode)
    };
    let (rules, messages) = rule("SPECIAL_CASE(\"X\")", Mode::Sdk);
    let expected = "1:47: warning[unknown-name] expected a constraint expression, found unknown name `SPECIAL_CASE`";
    assert_eq!((rules.len(), one(messages).as_str()), (0, expected));
    // A name of the language that is misspelt is an error in both modes.
    for (constraint, mode) in [("SPECIAL_CASE(\"X\")", Mode::Strict), ("IS_FLAOT(\"X\")", Mode::Sdk)] {
        assert!(one(rule(constraint, mode).1).contains("error[unknown-name]"), "{constraint}");
    }
    assert_eq!(rule("IS_QUANT_TYPE(\"X\")", Mode::Sdk).1, [""; 0]);
    let (rules, messages) = rule("IS_FLOAT32_ALL(\"X\", \"*\", INPUT_OF(\"*\", 0))", Mode::Sdk);
    assert_eq!((explain(&rules[0]).matches("== Float32").count(), messages), (3, Vec::new()));
}
