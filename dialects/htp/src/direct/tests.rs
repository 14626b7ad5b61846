use super::{Node, Output, PlainGraph, run};
use crate::apply::{Elements, Encoding, Environment, Limits, OutputDef};
use crate::commands::{RuleSet, Settings};
use crate::grammar::model::{DType, Rule};

pub fn rules(text: &str) -> Vec<Rule> {
    let set = RuleSet::parse("test.htp", text, &Settings::default()).for_application(&Environment::default().functions);
    assert!(!set.found.has_errors(), "{}", set.messages());
    set.rules
}

fn op(graph: &mut PlainGraph, name: Option<&str>, inputs: &[Output], dims: &[u64]) -> Output {
    let output = OutputDef { dims: dims.to_vec(), encoding: Encoding::plain(DType::Float32) };
    graph.add(Node::new(name, inputs, output, None)).output(0)
}

/// Names of the ops of a graph, in order.
fn names(graph: &PlainGraph) -> Vec<String> {
    graph.order().iter().filter_map(|id| graph.node(*id).op.clone()).collect()
}

/// A chain of ops on one input of shape [1, 2, 3, 4].
fn chain(ops: &[&str]) -> PlainGraph {
    let mut graph = PlainGraph::default();
    let mut last = op(&mut graph, None, &[], &[1, 2, 3, 4]);
    for name in ops {
        last = op(&mut graph, Some(name), &[last], &[1, 2, 3, 4]);
    }
    graph.outputs.push(last);
    graph
}

fn applied(graph: &mut PlainGraph, text: &str) -> Vec<(usize, usize)> {
    let counts = run(graph, &rules(text), &Environment::default(), Limits::default()).unwrap();
    counts.into_iter().collect()
}

#[test]
fn a_chain_collapses() {
    let mut graph = chain(&["q::Relu", "q::Relu", "q::Relu", "q::Tanh", "q::Relu"]);
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Relu\", \"X\")), OK, Op(\"Relu\", \"X\"))";
    assert_eq!(applied(&mut graph, text), [(0, 2)]);
    assert_eq!(names(&graph), ["q::Relu", "q::Tanh", "q::Relu"]);
}

#[test]
fn passes_run_in_rising_number_and_rules_in_order() {
    let rule = |pass: &str, from: &str, to: &str| {
        format!("DEF_PACKAGE_OPTIMIZATION({pass}, Op(\"{from}\", \"X\"), OK, Op(\"{to}\", \"X\"))\n")
    };
    let mut graph = chain(&["q::A"]);
    // Written late first: EARLY + 1 must see what EARLY leaves.
    let text = [rule("LATE", "C", "D"), rule("EARLY + 1", "B", "C"), rule("EARLY", "A", "B"), rule("EARLY", "A", "X")];
    assert_eq!(applied(&mut graph, &text.concat()), [(0, 1), (1, 1), (2, 1)]);
    assert_eq!(names(&graph), ["q::D"]);
}

#[test]
fn repeated_tags_are_the_same_node() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Mul\", \"x\", \"x\"), OK, Op(\"Square\", \"x\"))\n\
                DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Sub\", LET(\"r\", Op(\"Relu\", \"x\")), \"r\"), OK, Op(\"Zero\", \"x\"))";
    let mut graph = PlainGraph::default();
    let (x, y) = (op(&mut graph, None, &[], &[1, 2]), op(&mut graph, None, &[], &[1, 2]));
    let (r, s) = (op(&mut graph, Some("q::Relu"), &[x], &[1, 2]), op(&mut graph, Some("q::Relu"), &[y], &[1, 2]));
    for (name, a, b) in [("q::Mul", x, x), ("q::Mul", x, y), ("q::Sub", r, r), ("q::Sub", r, s), ("q::Sub", x, x)] {
        let id = op(&mut graph, Some(name), &[a, b], &[1, 2]);
        graph.outputs.push(id);
    }
    assert_eq!(applied(&mut graph, text), [(0, 1), (1, 1)]);
    assert_eq!(names(&graph), ["q::Relu", "q::Relu", "q::Square", "q::Mul", "q::Zero", "q::Sub", "q::Sub"]);
}

#[test]
fn open_matches_take_more_operands() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, OpVarIn(\"Cat\", \"a\", \"b\"), GT(INPUTS_OF(\"*\"), 2), Op(\"Many\", \"a\"))\n\
                DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Cat\", \"a\", \"b\"), OK, Op(\"Two\", \"a\"))";
    let mut graph = PlainGraph::default();
    let x = op(&mut graph, None, &[], &[1]);
    for count in 1..4 {
        let id = op(&mut graph, Some("q::Cat"), &vec![x; count], &[1]);
        graph.outputs.push(id);
    }
    applied(&mut graph, text);
    assert_eq!(names(&graph), ["q::Cat", "q::Two", "q::Many"]);
}

#[test]
fn modifiers_set_output_definitions() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), OK, Op(\"Root\", \
        WITH_SIZE(gen_Shape(9, 8), Op(\"Sized\", Op(\"Inner\", \"x\"))), \
        WITH_TYPE(\"x\", Op(\"Typed\")), WITH_SAME_OUTPUT(\"x\", Op(\"Same\")), \
        WITH_OUTPUT_TYPE(DType::QInt16, 3, 0.5, ResizeDim(1, ADD(DIM_OF(\"x\", 1), 1), Op(\"Out\"))), \
        WrapOp(\"Wrap\", WITH_SIZE(gen_ShapeOf(\"x\"), Op(\"Wrap\"))), WrapOpAlways(\"Sized\", \"x\"), \
        gen_ConstArr_f32(2, 3), gen_ConstArr_vals_i32(1, -2), gen_ConstScalar_i32(7)))";
    let mut graph = PlainGraph::default();
    let x = op(&mut graph, None, &[], &[4, 5]);
    let encoding = Encoding::new(DType::QUInt8, 1, 0.25);
    let output = OutputDef { dims: vec![6, 7], encoding };
    let root = graph.add(Node::new(Some("q::A"), &[x], output, None)).output(0);
    graph.outputs.push(root);
    applied(&mut graph, text);
    let of = |name: &str| {
        let found = graph.order().iter().map(|id| graph.node(*id)).filter(|n| n.op.as_deref() == Some(name));
        found.map(|n| (n.outputs[0].dims.clone(), n.outputs[0].encoding.dtype())).collect::<Vec<_>>()
    };
    assert_eq!(of("q::Root"), [(vec![6, 7], DType::QUInt8)]);
    assert_eq!(of("q::Inner"), [(vec![9, 8], DType::QUInt8)]);
    assert_eq!(of("q::Typed"), [(vec![6, 7], DType::Float32)]);
    assert_eq!(of("q::Same"), [(vec![4, 5], DType::Float32)]);
    assert_eq!(of("q::Out"), [(vec![6, 6], DType::QInt16)]);
    assert_eq!(of("q::Wrap"), [(vec![4, 5], DType::QUInt8)]);
    assert_eq!(of("q::Sized"), [(vec![9, 8], DType::QUInt8), (vec![4, 5], DType::Float32)]);
    let constants: Vec<_> = graph.order().iter().filter_map(|id| graph.node(*id).elements.clone()).collect();
    assert_eq!(constants, [Elements::Reals(vec![2.0; 3]), Elements::Ints(vec![1, -2]), Elements::Ints(vec![7])]);
}

#[test]
fn undefined_replacements_do_not_apply() {
    for replacement in [
        "INPUT_OF(\"*\", RANK_OF(\"x\"))",                        // there is no such input
        "Op(\"B\", gen_Shape(NEG(INT(RANK_OF(\"x\")))))",         // an extent below zero
        "Op(\"B\", gen_ConstArr_f32(1, SUB(RANK_OF(\"x\"), 4)))", // no elements
        "WITH_SIZE(gen_Shape(5), Op(\"B\", \"x\"))",              // the root's users would see another shape
        "Op(\"B\", ResizeDim(7, 1, Op(\"C\")))",                  // no such dimension
    ] {
        let mut graph = chain(&["q::A"]);
        let text = format!("DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), OK, {replacement})");
        assert_eq!(applied(&mut graph, &text), [], "{replacement}");
        assert_eq!(names(&graph), ["q::A"]);
    }
}

#[test]
fn a_rule_that_matches_its_own_output_is_stopped() {
    let mut graph = chain(&["q::A"]);
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\"), OK, Op(\"A\", \"x\"))";
    let error = run(&mut graph, &rules(text), &Environment::default(), Limits::default()).unwrap_err();
    assert_eq!(error.rules, [0]);
}

#[test]
fn common_subexpressions_merge_between_passes() {
    let mut graph = PlainGraph::default();
    let x = op(&mut graph, None, &[], &[1]);
    let (a, b) = (op(&mut graph, Some("q::A"), &[x], &[1]), op(&mut graph, Some("q::B"), &[x], &[1]));
    let sum = op(&mut graph, Some("q::Add"), &[a, b], &[1]);
    graph.outputs.push(sum);
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"B\", \"x\"), OK, Op(\"A\", \"x\"))\n\
                DEF_PACKAGE_OPTIMIZATION(LATE, Op(\"Add\", \"x\", \"x\"), OK, Op(\"Double\", \"x\"))";
    assert_eq!(applied(&mut graph, text), [(0, 1), (1, 1)]);
    assert_eq!(names(&graph), ["q::A", "q::Double"]);
}
