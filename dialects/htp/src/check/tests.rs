mod registered;
mod silent;
mod slips;
mod useless;

use crate::apply::Functions;
use crate::check::{Terms, check, is_supported};
use crate::explain::explain;
use crate::grammar::model::Rule;
use crate::grammar::passes::PassTable;
use crate::grammar::{Directories, Mode, PRELUDE, read};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Diagnostics, Severity};

/// The rules of a text, and the messages as `line:column: severity[code] message`.
fn check_text(text: &str, mode: Mode) -> (Vec<Rule>, Vec<String>) {
    let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
    let prelude = (mode == Mode::Sdk).then_some(PRELUDE);
    let file = read("test.htp", text, mode, &Directories::default(), prelude, &mut sources, &mut found);
    let terms = Terms { mode, passes: &PassTable::default(), package: None };
    let rules = check(&file, terms, &sources, &mut found);
    let messages = found.iter().map(|d| {
        let (line, column) = sources.position(d.span);
        let severity = if d.severity == Severity::Error { "error" } else { "warning" };
        format!("{line}:{column}: {severity}[{}] {}", d.code, d.message)
    });
    (rules, messages.collect())
}

fn strict(text: &str) -> Vec<String> {
    check_text(text, Mode::Strict).1
}

/// Messages about a rule whose parts are given.
fn parts(pattern: &str, constraint: &str, replacement: &str) -> Vec<String> {
    strict(&format!("DEF_PACKAGE_OPTIMIZATION(EARLY,\n{pattern},\n{constraint},\n{replacement})"))
}

/// Messages about a constraint on `Op("Relu", "X")`.
fn constraint(text: &str) -> Vec<String> {
    parts("Op(\"Relu\", \"X\")", text, "Op(\"Relu2\", \"X\")")
}

/// Messages about a replacement of `Op("Relu", "X")`.
fn replacement(text: &str) -> Vec<String> {
    parts("Op(\"Relu\", \"X\")", "GT(DIM_DEPTH(\"X\"), 32)", text)
}

fn blocks(text: &str) -> Vec<(&str, &str)> {
    text.split("\n//=== ").skip(1).map(|block| block.split_once('\n').unwrap()).collect()
}

fn shared(name: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/rules").join(name);
    std::fs::read_to_string(path).ok()
}

#[test]
fn shared_valid() {
    let Some(text) = shared("valid.htp") else { return };
    for (title, block) in blocks(&text) {
        let (rules, messages) = check_text(block, Mode::Strict);
        println!("{title}: {messages:?}");
        assert_eq!(rules.len(), 1, "{title}");
    }
}

#[test]
fn shared_broken() {
    let Some(text) = shared("broken.htp") else { return };
    for (title, block) in blocks(&text) {
        let messages = strict(block);
        println!("{title}\n    {messages:?}");
        assert!(messages.iter().any(|m| m.contains("error")), "{title}");
    }
}

fn one(messages: Vec<String>) -> String {
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.into_iter().next().unwrap()
}

#[test]
fn constraint_types() {
    let error = |text: &str| one(constraint(text));
    assert_eq!(error("DIM_DEPTH(\"X\")"), "3:1: error[type] expected type bool, found size");
    assert_eq!(error("AND(OK, 1)"), "3:9: error[type] expected type bool, found int");
    assert_eq!(error("NOT(1.5)"), "3:5: error[type] expected type bool, found float");
    assert_eq!(error("IS_POW2(2.0)"), "3:9: error[type] expected type int or size, found float");
    assert_eq!(error("EQ(ROUNDUP(4, 3), 4)"), "3:15: error[roundup] `ROUNDUP` rounds to a power of 2, found 3");
    assert_eq!(error("EQ(DIV(4, 0), 4)"), "3:11: error[division-by-zero] an integer is divided by 0");
    assert_eq!(error("EQ(MOD(4, SUB(1, 1)), 4)"), "3:11: error[division-by-zero] an integer is divided by 0");
    assert_eq!(error("EQ(ROUNDUP(4, ADD(1, 2)), 4)"), "3:15: error[roundup] `ROUNDUP` rounds to a power of 2, found 3");
    assert_eq!(error("EQ(OK, 1)"), "3:1: error[type] `EQ` needs operands of one type, found bool and int");
    assert_eq!(error("LT(true, false)"), "3:1: error[type] `LT` compares numbers, found bool");
    assert_eq!(
        error("EQ(SELECT(OK, 1, OK), 1)"),
        "3:4: error[type] `SELECT` needs operands of one type, found int and bool"
    );
    assert_eq!(
        error("EQ(FLOAT(DType::Int32), 1.0)"),
        "3:10: error[type] a value of type dtype can't be converted to float"
    );
    assert_eq!(
        error("EQ(DTYPE(1.0), DType::Int32)"),
        "3:10: error[type] a value of type float can't be converted to dtype"
    );
    assert_eq!(error("EQ(DIM_OF(\"X\", 1.0), 1)"), "3:16: error[type] expected type int or size, found float");
    assert_eq!(
        error("EXTERNAL_CONSTRAINT(f, \"X\", DType::Int32)"),
        "3:29: error[type] expected type bool, int, size or float, found dtype"
    );
    assert_eq!(error("EQ(ADD(1, DType::Int32), 1)"), "3:11: error[type] expected type int, size or float, found dtype");
    assert_eq!(
        error("LT(DIM_DEPTH(\"X\"), -1)"),
        "3:20: warning[negative-size] -1 meets a value of type size and becomes a huge number"
    );
    for good in [
        "OK",
        "XOR(true)",
        "EQ(ABS(NEG(-5)), 5)",
        "EQ(SUB(DIM_DEPTH(\"X\"), 1), 3.0)",
        "GE(MAX(1, 2u), 0.5)",
        "EQ(OK, true)",
        "OPTION_BOOL(\"a\")",
        "NE(DTYPE(3), DTYPE_OF(\"*\"))",
        "EQ(INT(DType::QInt8), 3)",
        "CONSTVAL_INT_VALID(\"X\", RANK_OF(\"X\"))",
        "EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3), 32)",
        "SAME_SHAPE(SELECT(OK, \"X\", \"*\"), INPUT_OF(\"*\", 0))",
        "EQ(OPTION_INT(\"o\"), ROUNDUP(3, 4))",
        "LT(CONSTVAL_FLOAT(OUTPUT_OF(\"*\", 0), 1), NEG_INF)",
    ] {
        assert_eq!(constraint(good), [""; 0], "{good}");
    }
}

#[test]
fn names_places_and_counts() {
    let error = |text: &str| one(constraint(text));
    assert_eq!(error("DIM_OF(\"X\")"), "3:1: error[operand-count] `DIM_OF` takes 2 operands, found 1");
    assert_eq!(error("IS_FLOAT(\"X\", \"X\")"), "3:1: error[operand-count] `IS_FLOAT` takes 1 operand, found 2");
    assert_eq!(error("AND()"), "3:1: error[operand-count] `AND` takes 1 or more operands, found 0");
    assert_eq!(
        error("IS_QUINT_8(\"X\")"),
        "3:1: error[unknown-name] expected a constraint expression, found unknown name `IS_QUINT_8`"
    );
    assert_eq!(error("Op(\"A\")"), "3:1: error[wrong-place] expected a constraint expression, found `Op(...)`");
    assert_eq!(error("OKAY"), "3:1: error[unknown-name] `OKAY` is no constant of the rule language");
    assert_eq!(error("\"X\""), "3:1: error[unexpected] expected a constraint expression, found `\"X\"`");
    assert_eq!(
        error("IS_FLOAT(3)"),
        "3:10: error[unexpected] expected an operand tag, INPUT_OF or OUTPUT_OF, found `3`"
    );
    assert_eq!(error("IS_FLOAT(\"Y\")"), "3:10: error[unknown-tag] the match has no operand tag \"Y\"");
    assert_eq!(
        error("EQ(ZERO_OFFSET_OF(\"X\"), 0)"),
        "3:4: error[extension] `ZERO_OFFSET_OF` is no part of the published grammar"
    );
    assert_eq!(
        error("EQ(QType::Int8, 1)"),
        "3:4: error[unknown-name] expected `DType::Int8` or another constant, found `QType::Int8`"
    );
    assert_eq!(
        error("EQ(DTYPE_OF(\"X\"), DType::Float)"),
        "3:19: warning[dtype-float] `DType::Float` is no tag of DType; it is taken as `DType::Float32`"
    );
    assert_eq!(
        error("EQ(SPLIT_START(\"I\"), 0)"),
        "3:16: error[split-tag] no AUTOSPLIT or OP_ITER around this has the split tag \"I\""
    );
    assert_eq!(
        error("EXTERNAL_CONSTRAINT(f, INPUT_OF(\"X\", 0))"),
        "3:24: error[unexpected] expected an operand tag as a string constant, found `INPUT_OF(...)`"
    );
    assert_eq!(
        error("EQ(LAYOUT_CHUNKSIZE(T, ADD(1, 2)), 1)"),
        "3:24: error[unexpected] expected a dimension as an integer constant, found `ADD(...)`"
    );
    assert_eq!(error("EQ(010, 8)"), "3:4: warning[octal] `010` is an octal constant of value 8");
    assert_eq!(error("EQ(08, 8)"), "3:4: error[number] `08` is no number");
    assert_eq!(error("EQ(3000000000, 8)"), "3:4: error[number] `3000000000` is beyond the range of its type");
    assert_eq!(
        error("IS_FLOAT(\"a\\n\")"),
        "3:10: error[string-constant] a string constant must not hold `\\`: only printable ASCII characters except `\"` and `\\`"
    );
    // Independent errors of one rule are all told.
    assert_eq!(constraint("AND(IS_FLOAT(\"Y\"), GT(1, OK), OKAY)").len(), 3);
}

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
    assert_eq!(one(rule("split, op, int", split)), "3:88: error[type] function `f` takes a `int` here, found a node");
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
