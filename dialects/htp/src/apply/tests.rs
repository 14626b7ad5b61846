//! Values of expressions, as the engine and as the direct evaluation has them.

use super::{Bindings, Elements, Encoding, Environment, Evaluation, Functions, Options, OutputDef, Scalar};
use crate::commands::{RuleSet, Settings};
use crate::direct::{Facts, Match, Node, Output, PlainGraph, Value};
use crate::grammar::model::DType;

fn tensor(dims: &[u64], dtype: DType) -> OutputDef {
    OutputDef { dims: dims.to_vec(), encoding: Encoding::plain(dtype) }
}

/// `A(x, c)` of a quantized image and a constant.
fn sample() -> (PlainGraph, Vec<Output>) {
    let mut graph = PlainGraph::default();
    let encoding = Encoding::new(DType::QUInt8, 128, 0.5);
    let x = graph.add(Node::new(None, &[], OutputDef { dims: vec![1, 8, 16, 32], encoding }, None)).output(0);
    let values = Elements::Reals(vec![1.5, 7.0, 3e10]);
    let output = tensor(&[1, 1, 1, 3], DType::Float32);
    let c = graph.add(Node::new(Some("$Const"), &[], output, Some(values))).output(0);
    let output = tensor(&[1, 8, 16, 32], DType::Float16);
    let root = graph.add(Node::new(Some("q::A"), &[x, c], output, None)).output(0);
    graph.outputs.push(root);
    (graph, vec![x, c, root])
}

/// The value of a condition on the sample; `None` if it is undefined.
fn condition(text: &str) -> Option<bool> {
    let rule = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\", \"c\"), {text}, Op(\"B\"))");
    let set = RuleSet::parse("test.htp", &rule, &Settings::default());
    assert!(!set.found.has_errors(), "{}", set.messages());
    let (graph, nodes) = sample();
    let bindings = Bindings { root: nodes[2], tags: vec![("x", nodes[0]), ("c", nodes[1])] };
    let options = Options::parse(&["flag=true", "count=7", "ratio=0.25", "name=fast", "empty="]).unwrap();
    let functions = Functions::default().constrain("deeper", |operand, values| {
        let Scalar::Int(least) = values.first()? else { return None };
        Some(operand.dims()?.len() > usize::try_from(*least).ok()?)
    });
    let environment = Environment { options, functions, ..Environment::default() };
    let condition = &set.rules[0].constraint;
    let found = Match { root: nodes[2], tags: bindings.tags.clone() };
    let facts = Facts { graph: &graph, found: &found, environment: &environment, scopes: &[] };
    let value = Evaluation::new(&graph, &bindings, &environment).evaluate(condition);
    assert_eq!(facts.value(condition), value.map(Value::of), "{text}");
    match value {
        Some(Scalar::Bool(value)) => Some(value),
        other => {
            assert_eq!(other, None);
            None
        }
    }
}

#[test]
fn conditions_hold_and_fail() {
    // Each condition with another that is false.
    let pairs = [
        ("OK", "false"),
        ("EQ(RANK_OF(\"x\"), 4)", "EQ(RANK_OF(\"x\"), 3)"),
        ("EQ(DIM_DEPTH(\"x\"), 32)", "EQ(DIM_WIDTH(\"x\"), 32)"),
        ("EQ(DIM_OF(\"x\", 4), 0)", "EQ(DIM_OF(\"x\", 1), 0)"),
        ("EQ(DIM_OF(\"x\", SUB(0u, 1)), 0)", "EQ(DIM_OF(\"x\", SUB(3u, 1)), 0)"),
        ("EQ(DIM_OF(\"x\", UINT(-2.25f)), 0)", "NE(DIM_OF(\"x\", NEG(DIM_OF(\"x\", 0))), 0)"),
        ("EQ(DIM_FILTHEIGHT(\"x\"), 1)", "EQ(DIM_FILTWIDTH(\"x\"), 1)"),
        ("EQ(STEPSIZE_OF(\"x\"), 0.5)", "EQ(STEPSIZE_OF(\"c\"), 0.5)"),
        ("IS_QUINT8(\"x\")", "IS_QINT8(\"x\")"),
        ("IS_FLOAT(\"c\")", "IS_FLOAT(\"*\")"),
        ("IS_FLOAT16(\"*\")", "IS_FLOAT16(\"x\")"),
        ("EQ(DTYPE_OF(\"c\"), DType::Float32)", "NE(DTYPE_OF(\"c\"), DType::Float32)"),
        ("EQ(ELEMENTSIZE_OF(\"*\"), 2)", "EQ(ELEMENTSIZE_OF(\"x\"), 2)"),
        ("EQ(INPUTS_OF(\"*\"), 2)", "EQ(INPUTS_OF(\"x\"), 2)"),
        ("EQ(OUTPUTS_OF(\"*\"), 1)", "EQ(OUTPUTS_OF(\"*\"), 2)"),
        ("SAME_OP(\"x\", INPUT_OF(\"*\", 0))", "SAME_OP(\"x\", INPUT_OF(\"*\", 1))"),
        ("SAME_SHAPE(\"x\", \"*\")", "SAME_SHAPE(\"x\", \"c\")"),
        ("SAME_ENCODING(\"c\", \"c\")", "SAME_ENCODING(\"x\", \"c\")"),
        ("EQ(CONSTVAL_FLOAT(\"c\", 0), 1.5)", "EQ(CONSTVAL_FLOAT(\"c\", 3), CONSTVAL_FLOAT(\"c\", 3))"),
        ("CONSTVAL_FLOAT_VALID(\"c\", 2)", "CONSTVAL_FLOAT_VALID(\"c\", 3)"),
        ("EQ(CONSTVAL_INT(\"c\", 1), 7)", "EQ(CONSTVAL_INT(\"c\", 0), 1)"),
        ("CONSTVAL_INT_VALID(\"c\", 1)", "CONSTVAL_INT_VALID(\"c\", 2)"),
        ("CONSTVAL_INT_VALID(\"c\", SUB(2u, 1))", "CONSTVAL_INT_VALID(\"c\", SUB(0u, 1))"),
        ("EQ(CONSTVAL_INT(\"x\", 0), SUB(-2147483647, 1))", "CONSTVAL_FLOAT_VALID(\"x\", 0)"),
        ("EQ(REM(-7, 3), -1)", "EQ(REM(-7, 3), 2)"),
        ("EQ(MOD(-7, 3), 2)", "EQ(MOD(-7, 3), -1)"),
        ("EQ(MOD(7, -3), -2)", "EQ(MOD(6, -3), -3)"),
        ("EQ(DIV(-7, 2), -3)", "EQ(DIV(7.0, 2), 3.0)"),
        ("EQ(DIV(1, 4.0), 0.25)", "EQ(DIV(1, 4), 0.25)"),
        ("EQ(ROUNDUP(33, 32), 64)", "EQ(ROUNDUP(32, 32), 64)"),
        ("GT(SUB(DIM_DEPTH(\"c\"), 4), 1000000)", "GT(INT(SUB(DIM_DEPTH(\"c\"), 4)), 0)"),
        ("EQ(MIN(3, 1, 2), 1)", "EQ(MAX(3, 1, 2), 1)"),
        ("EQ(MUL(2, 3, 4), 24)", "EQ(ADD(2, 3, 4), 24)"),
        ("IS_POW2(64)", "IS_POW2(0)"),
        ("IS_POW2(DIM_DEPTH(\"x\"))", "IS_POW2(-8)"),
        ("EQ(NEG(3), -3)", "EQ(ABS(-3), -3)"),
        ("XOR(true, false, false)", "XOR(true, true)"),
        ("NOT(false)", "NOT(OK)"),
        ("EQ(SELECT(IS_QUINT8(\"x\"), 1, 2), 1)", "EQ(SELECT(IS_QINT8(\"x\"), 1, 2), 1)"),
        ("EQ(INT(2.9), 2)", "EQ(INT(-2.9), -3)"),
        ("EQ(DTYPE(INT(DTYPE_OF(\"x\"))), DType::QUInt8)", "EQ(DTYPE(99), DType::QUInt8)"),
        ("LT(NEG_INF, -1.0)", "LT(INF, 1.0)"),
        ("EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3), 32)", "EQ(LAYOUT_CHUNKSIZE(QUint16CroutonTensor, 2), 8)"),
        ("OPTION_BOOL(\"flag\")", "OPTION_BOOL(\"missing\")"),
        ("EQ(OPTION_INT(\"count\"), 7)", "EQ(OPTION_INT(\"ratio\"), 7)"),
        ("EQ(OPTION_FLOAT(\"ratio\"), 0.25)", "EQ(OPTION_UINT(\"missing\"), 1)"),
        ("OPTION_BOOL(\"name\")", "OPTION_BOOL(\"empty\")"),
        ("EXTERNAL_CONSTRAINT(deeper, \"x\", 3)", "EXTERNAL_CONSTRAINT(deeper, \"x\", 4)"),
    ];
    for (holds, fails) in pairs {
        assert_eq!(condition(holds), Some(true), "{holds}");
        assert_eq!(condition(fails), Some(false), "{fails}");
    }
}

#[test]
fn logic_stops_early_and_choices_evaluate_one_branch() {
    let undefined = "EQ(DIV(1, INT(DIM_OF(\"x\", 9))), 1)";
    assert_eq!(condition(undefined), None);
    assert_eq!(condition(&format!("AND(false, {undefined})")), Some(false));
    assert_eq!(condition(&format!("OR(OK, {undefined})")), Some(true));
    assert_eq!(condition(&format!("AND(OK, {undefined})")), None);
    assert_eq!(condition(&format!("SELECT(OK, false, {undefined})")), Some(false));
    assert_eq!(condition("EQ(RANK_OF(INPUT_OF(\"*\", 2)), 4)"), None);
    assert_eq!(condition("EQ(RANK_OF(SELECT(OK, \"x\", INPUT_OF(\"*\", 2))), 4)"), Some(true));
}

#[test]
fn options_are_read_as_written() {
    let error = Options::parse(&["name"]).unwrap_err();
    assert_eq!(error, "expected `name=value`, found `name`");
    let environment = Environment::default();
    let (graph, nodes) = sample();
    let bindings = Bindings { root: nodes[2], tags: Vec::new() };
    let rule = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\"), EQ(OPTION_INT(\"o\"), OPTION_INT(\"o\")), Op(\"B\"))";
    let set = RuleSet::parse("test.htp", rule, &Settings::default());
    assert!(Evaluation::new(&graph, &bindings, &environment).holds(&set.rules[0].constraint));
    assert_eq!(environment.options.missing(), ["o"]);
}

#[test]
fn options_have_one_value_each() {
    for (pairs, told) in [
        (&["=1"][..], "expected `name=value`, found `=1`"),
        (&["a"], "expected `name=value`, found `a`"),
        (&["a=1", "b=1", "a=2"], "`a` is given twice"),
    ] {
        assert_eq!(Options::parse(pairs).unwrap_err(), told);
    }
}
