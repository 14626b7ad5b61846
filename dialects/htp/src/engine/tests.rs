mod random;
mod structure;

use super::{Engine, EngineError, Limits};
use crate::apply::{Channels, Elements, Encoding, Environment, OutputDef};
use crate::commands::{RuleSet, Settings};
use crate::dialect;
use crate::direct::{Node, Output, PlainGraph};
use crate::grammar::model::DType;
use crate::trial::{Random, Verdict, compare, try_rule};
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::{Context, parse_module};
use strum::VariantArray;

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(dialect::dialect()).unwrap();
    registry.context()
}

/// Knows ops of any operands.
fn context_of_any_ops() -> Context {
    let mut registry = Registry::new();
    registry.add_dialect(dialect::undeclared()).unwrap();
    registry.context()
}

fn load(text: &str) -> RuleSet {
    let set = RuleSet::parse("test.htp", text, &Settings::default()).for_application(&Environment::default().functions);
    assert!(!set.found.has_errors(), "{}", set.messages());
    set
}

const RULES: &str = r#"
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Relu", Op("Relu", "X")), OK, Op("Relu", "X"))
DEF_PACKAGE_OPTIMIZATION(EARLY, Op("Mul", "x", "x"), OK, Op("Square", "x"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Add", LET("r", Op("Relu", "a")), "r"), SAME_SHAPE("*", "r"), Op("Double", "r"))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Add", "a", "b"), EQ(DIM_DEPTH("*"), 4),
    WITH_SIZE(gen_Shape(9, 9), Op("Add4", "b", Op("Inner", "a", gen_ConstScalar_f32(0.5)))))
DEF_PACKAGE_OPTIMIZATION(EARLY + 1, Op("Add", "a", "b"), EQ(DIM_DEPTH("*"), 4), Op("AddD", "b", Op("Inner", "a", gen_ShapeOf("b"))))
DEF_PACKAGE_OPTIMIZATION(MIDDLE, OpVarIn("Cat", "a", Op("Tanh", "b")), GT(INPUTS_OF("*"), 2),
    Op("CatTanh", "a", INPUT_OF("*", 2), gen_ConstArr_vals_i32(DIM_DEPTH("b"), -1)))
DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op("Tanh", Op("Mul", "a", LET("t", Op("Tanh", "a")))), OR(IS_FLOAT("a"), SAME_OP("a", "t")),
    SELECT(SAME_SHAPE("a", "*"), "a", WITH_SAME_OUTPUT("t", WrapOp("Tanh", "t"))))
DEF_PACKAGE_OPTIMIZATION(LATE, Op("Square", Op("Square", "x")), OK, Op("Power4", WITH_OUTPUT_TYPE(DType::QInt16, 0, 0.5, Op("Quantize", "x"))))
"#;

/// A graph of some ops over two inputs; all shapes are one of two.
fn random_graph(seed: u64) -> PlainGraph {
    let mut random = Random::new(seed);
    let mut graph = PlainGraph::default();
    let mut nodes: Vec<Output> = Vec::new();
    let size = 5 + random.below(40);
    for index in 0..size {
        let depth = random.choose(&[4, 4, 4, 8]).unwrap();
        let output = OutputDef { dims: vec![1, 2, 2, depth], encoding: Encoding::plain(DType::Float32) };
        let (op, arity) = random
            .choose(&[("Relu", 1), ("Relu", 1), ("Mul", 2), ("Add", 2), ("Tanh", 1), ("Cat", 3), ("Square", 1)])
            .unwrap();
        let node = if index < 2 {
            Node::new(None, &[], output, None)
        } else {
            // Mostly recent nodes, so that patterns of several ops are met.
            let recent = nodes.len().saturating_sub(4);
            let inputs: Vec<_> = (0..arity).map(|_| nodes[recent + random.below(nodes.len() - recent)]).collect();
            Node::new(Some(&format!("q::{op}")), &inputs, output, None)
        };
        nodes.push(graph.add(node).output(0));
    }
    graph.outputs = nodes.iter().rev().take(3).copied().collect();
    graph
}

#[test]
fn engine_and_direct_evaluation_make_the_same_graph() {
    let (context, set) = (context_of_any_ops(), load(RULES));
    let mut applied = 0;
    for seed in 1..300 {
        match compare(&context, &random_graph(seed), &set.rules, &set.sources, &Settings::default()) {
            Ok(count) => applied += count,
            Err(verdict) => panic!("seed {seed}: {verdict:?}"),
        }
    }
    assert!(applied > 1000, "{applied}");
}

#[test]
fn every_rule_applies_somewhere() {
    let (context, set) = (context_of_any_ops(), load(RULES));
    // The fourth changes the root's shape, so it never applies.
    for (index, rule) in set.rules.iter().enumerate() {
        let verdict = try_rule(&context, rule, &set.sources, &Settings::default(), 100);
        match verdict {
            Verdict::Applied(_) => assert_ne!(index, 3),
            Verdict::NeverApplied(held) => assert!(index == 3 && held > 0, "{}", rule.name),
            verdict => panic!("{}: {verdict:?}", rule.name),
        }
    }
}

/// What stands in for functions that nobody has bound makes slices smaller than the whole, so that a rule that asks for
/// that ends.
#[test]
fn rules_with_functions_of_packages_are_tried() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Linear\", \"x\", \"w\"), GT(DIM_OF(\"w\", 2), 1), \
                AUTOSPLIT(3, \"I\", DIV(DIM_OF(\"*\", 3), DIM_OF(\"w\", 2)), Op(\"Linear\", \"x\", AUTOSPLIT_SLICE(\"w\", \
                AUTOSPLIT_SHAPEFN_APPLY(chunk_start, \"I\", \"w\", 2), AUTOSPLIT_SHAPEFN_APPLY(chunk_size, \"I\", \"w\", 2)))))";
    let set = RuleSet::parse("test.htp", text, &Settings::default());
    let verdict = try_rule(&context_of_any_ops(), &set.rules[0], &set.sources, &Settings::default(), 50);
    assert!(matches!(verdict, Verdict::Applied(_)), "{verdict:?}");
}

/// Where there is no constant yet, its element is no number, which is near to nothing.
#[test]
fn rules_with_many_exact_constants_are_tried() {
    let asked = |query: &str, tag: &str, values: &[&str]| {
        let each = values.iter().enumerate().map(|(at, value)| format!("EQ({query}(\"{tag}\", {at}), {value})"));
        each.collect::<Vec<_>>().join(", ")
    };
    let conditions = [
        asked("CONSTVAL_FLOAT", "a", &["0.16666667f", "0.5f", "-3.25f", "1e-3f", "7.125f"]),
        asked("CONSTVAL_FLOAT", "b", &["0.1f", "0.2f", "0.3f"]),
        asked("CONSTVAL_INT", "c", &["0", "2", "3", "1"]),
    ];
    let text = format!(
        "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\", \"a\", \"b\", \"c\"), AND({}), Op(\"B\", \"x\"))",
        conditions.join(", ")
    );
    let infinite = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\", \"a\", \"b\"), AND(EQ(CONSTVAL_FLOAT(\"a\", 0), INF), \
                    EQ(CONSTVAL_FLOAT(\"b\", 1), NEG_INF)), Op(\"B\", \"x\"))";
    for text in [&text, infinite] {
        let set = RuleSet::parse("test.htp", text, &Settings::default());
        let verdict = try_rule(&context_of_any_ops(), &set.rules[0], &set.sources, &Settings::default(), 50);
        assert!(matches!(verdict, Verdict::Applied(5..)), "{text}: {verdict:?}");
    }
}

/// What is sliced extends as far as what is split, along the dimension of the slice.
#[test]
fn splits_of_filters_are_tried() {
    let text = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Linear\", \"x\", \"w\", \"b\"),\n\
                AND(EQ(RANK_OF(\"*\"), 2), EQ(RANK_OF(\"w\"), 2), EQ(RANK_OF(\"b\"), 1), GT(DIM_OF(\"*\", 1), 256)),\n\
                AUTOSPLIT(1, \"I\", 256, Op(\"Linear\", \"x\", CHANGEDIM_SLICE(\"w\", \"I\", 0), CHANGEDIM_SLICE(\"b\", \"I\", 0))))";
    let set = RuleSet::parse("test.htp", text, &Settings::default());
    let verdict = try_rule(&context_of_any_ops(), &set.rules[0], &set.sources, &Settings::default(), 50);
    assert!(matches!(verdict, Verdict::Applied(5..)), "{verdict:?}");
}

fn run(text: &str, rules: &str) -> Result<(String, Vec<String>), EngineError> {
    let (context, set) = (context(), load(rules));
    let mut module = parse_module(&context, text, "graph.mlir").unwrap();
    let engine = Engine::new(&set.rules, &set.sources, Environment::default());
    let firings = engine.with_limits(Limits { sweeps: 20, applications: 1000 }).run(&mut module.root())?.firings;
    let firings = firings.iter().map(|f| {
        let position = f.position.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{} {} {position}", set.rules[f.rule].name, f.operation)
    });
    Ok((module.as_operation().to_string(), firings.collect()))
}

const CHAIN: &str = "module { func.func @f(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {\n\
    %0 = htp.q.Relu(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>\n\
    %1 = htp.q.Relu(%0) : (tensor<1x4xf32>) -> tensor<1x4xf32>\n\
    return %1 : tensor<1x4xf32>\n}}";

#[test]
fn firings_tell_rule_and_place() {
    let rule = "\nDEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", Op(\"Relu\", \"X\")), OK, Op(\"Relu\", \"X\"))";
    let (text, firings) = run(CHAIN, rule).unwrap();
    assert_eq!(text.matches("htp.q.Relu").count(), 1, "{text}");
    assert_eq!(firings, ["test.htp:2 htp.q.Relu graph.mlir:3:6"]);
}

#[test]
fn a_rule_that_never_ends_is_named() {
    let rule = "DEF_PACKAGE_OPTIMIZATION(EARLY + 3, Op(\"Relu\", \"X\"), OK, Op(\"Relu\", Op(\"Relu\", \"X\")))";
    let error = run(CHAIN, rule).unwrap_err().to_string();
    let expected = "pass 2003 does not end: after 1000 applications in 9 sweeps over the graph, these rules still apply: test.htp:1";
    assert_eq!(error, expected);
    let rule = "DEF_PACKAGE_OPTIMIZATION(EARLY + 3, Op(\"Relu\", \"X\"), OK, Op(\"Relu\", \"X\"))";
    let error = run(CHAIN, rule).unwrap_err().to_string();
    let expected = "pass 2003 does not end: after 42 applications in 21 sweeps over the graph, these rules still apply: test.htp:1";
    assert_eq!(error, expected);
}

#[test]
fn the_first_of_two_rules_wins() {
    let rules = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"X\"), OK, Op(\"First\", \"X\"))\n\
                 DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"X\"), OK, Op(\"Second\", \"X\"))";
    let (text, _) = run(CHAIN, rules).unwrap();
    assert_eq!((text.matches("htp.q.First").count(), text.matches("htp.q.Second").count()), (2, 0), "{text}");
}

#[test]
fn constants_and_shapes_are_verified() {
    let refused = |op: &str| parse_module(&context(), op, "graph.mlir").unwrap_err().to_string();
    let message = refused("\"htp.$Const\"() {elements = array<i64: 1, 2>} : () -> tensor<3xi32>");
    assert!(message.contains("'htp.$Const' op expected 3 elements, found 2"), "{message}");
    let message = refused("\"htp.$Const\"() : () -> tensor<3xi32>");
    assert!(message.contains("'htp.$Const' op requires attribute 'elements'"), "{message}");
    let message = refused("\"htp.$Shape\"() : () -> tensor<?xi32>");
    assert!(message.contains("expected a result of static shape"), "{message}");
}

#[test]
fn encodings_round_trip() {
    let context = context();
    for dtype in &DType::VARIANTS[1..] {
        let step_size = if dtype.is_quantized() { 0.25 } else { 0.0 };
        let zero_offset = i32::from(*dtype == DType::QUInt8) * 128;
        let def = OutputDef { dims: vec![2, 3], encoding: Encoding::new(*dtype, zero_offset, step_size) };
        let ty = dialect::encoding::tensor_type(&context, &def).unwrap();
        assert_eq!(dialect::encoding::output_def(ty), Some(def), "{ty}");
    }
    // Steps have digits that printing leaves out.
    for step in [1.0 / 3.0, 0.1, 1.234_567_8e-3, f32::MIN_POSITIVE, 98_765.43] {
        let def = OutputDef { dims: vec![2], encoding: Encoding::new(DType::QInt16, -7, step) };
        let ty = dialect::encoding::tensor_type(&context, &def).unwrap();
        assert_eq!(dialect::encoding::output_def(ty), Some(def), "{ty}");
    }
    for (bits, is_signed, is_symmetric) in [(4, true, false), (4, false, false), (4, true, true), (16, true, true)] {
        let values = Encoding::of_integers(bits, is_signed, is_symmetric).unwrap();
        let channels = Channels { axis: 1, each: vec![(0, 0.1), (3, 1.0 / 3.0)] };
        for encoding in [values.clone().with_step(1, 0.1), values.with_channels(channels)] {
            let def = OutputDef { dims: vec![3, 2], encoding };
            let ty = dialect::encoding::tensor_type(&context, &def).unwrap();
            assert_eq!(dialect::encoding::output_def(ty), Some(def), "{ty}");
        }
    }
    let of_three = Channels { axis: 0, each: vec![(0, 0.5); 3] };
    let def = OutputDef { dims: vec![2], encoding: Encoding::new(DType::QInt8, 0, 1.0).with_channels(of_three) };
    assert_eq!(dialect::encoding::tensor_type(&context, &def), None);
    // Rules have no tag for a range of any other kind.
    let other = skriptnd_mlir::ir::types::parse(&context, "tensor<2x!quant.uniform<i8<-8:7>:f32, 0.5>>").unwrap();
    assert_eq!(dialect::encoding::output_def(other).unwrap().encoding, Encoding::plain(DType::Unknown));
    assert_eq!(
        dialect::encoding::tensor_type(
            &context,
            &OutputDef { dims: vec![], encoding: Encoding::plain(DType::Unknown) }
        ),
        None
    );
}

#[test]
fn elements_are_read_back() {
    let context = context();
    let mut graph = PlainGraph::default();
    for elements in [Elements::Ints(vec![-1, 2]), Elements::Reals(vec![0.1, 1e-30])] {
        let output = OutputDef { dims: vec![2], encoding: Encoding::plain(DType::Float32) };
        let id = graph.add(Node::new(Some("$Const"), &[], output, Some(elements)));
        graph.outputs.push(id.output(0));
    }
    let text = super::plain::to_text(&context, &graph).unwrap();
    let module = parse_module(&context, &text, "graph.mlir").unwrap();
    let read = super::plain::from_module(module.as_operation()).unwrap();
    graph.rename(dialect::operation_name);
    assert_eq!(read.canonical(), graph.canonical());
}

/// A chain of so many ops, each of the next of the names.
fn long_chain(ops: usize, names: &[&str]) -> String {
    let op = |at: usize| {
        format!("%{} = htp.q.{}(%{at}) : (tensor<4xf32>) -> tensor<4xf32>\n", at + 1, names[at % names.len()])
    };
    let ops: Vec<String> = (0..ops).map(op).collect();
    format!(
        "func.func @f(%0: tensor<4xf32>) -> tensor<4xf32> {{\n{}return %{} : tensor<4xf32> }}",
        ops.concat(),
        ops.len()
    )
}

#[test]
fn only_rules_whose_ops_occur_are_compiled() {
    // A rule in each of 300 passes; in two of them the op is there or is made.
    let rule = |at: usize, from: &str, to: &str| {
        format!("DEF_PACKAGE_OPTIMIZATION(EARLY + {at}, Op(\"{from}\", \"x\"), OK, Op(\"{to}\", \"x\"))\n")
    };
    let mut rules: String = (0..300).map(|at| rule(at, &format!("Absent{at}"), "B")).collect();
    rules += &rule(7, "A", "B");
    rules += &rule(7, "Made", "C");
    rules += &rule(9, "C", "D");
    let text = long_chain(100, &["A", "Other"]);
    let set = load(&rules);
    let run = |rules: &RuleSet| {
        let context = context();
        let mut module = parse_module(&context, &text, "graph.mlir").unwrap();
        let engine = Engine::new(&rules.rules, &rules.sources, Environment::default());
        engine.run(&mut module.root()).unwrap()
    };
    let applied = run(&set);
    assert_eq!((applied.firings.len(), applied.compiled, applied.sweeps, applied.cleanups), (50, 1, 2, 1));
    // What a rule of the same pass makes, another may match.
    let rules = [rule(7, "Other2", "X"), rule(7, "B", "Other2"), rule(7, "A", "B"), rule(8, "X", "Y")];
    let applied = run(&load(&rules.concat()));
    assert_eq!((applied.firings.len(), applied.compiled, applied.cleanups), (200, 4, 2));
}

#[test]
fn rules_whose_conditions_fail_on_all_types_are_not_compiled() {
    let rule = |extent: usize, from: &str, to: &str| {
        format!(
            "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"{from}\", \"x\"), GT(DIM_OF(\"x\", 0), {extent}), Op(\"{to}\", \"x\"))\n"
        )
    };
    let run = |rules: &RuleSet| {
        let context = context();
        let mut module = parse_module(&context, &long_chain(10, &["A"]), "graph.mlir").unwrap();
        let engine = Engine::new(&rules.rules, &rules.sources, Environment::default());
        let applied = engine.run(&mut module.root()).unwrap();
        (applied.compiled, applied.firings.len())
    };
    // The extent is 4.
    assert_eq!(run(&load(&rule(4, "A", "B"))), (0, 0));
    assert_eq!(run(&load(&[rule(4, "A", "B"), rule(3, "A", "C"), rule(5, "A", "D")].concat())), (1, 10));
    // What rules make may have other types.
    assert_eq!(run(&load(&[rule(3, "A", "B"), rule(4, "B", "C")].concat())), (2, 10));
    // More operands than there are.
    let two = "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"A\", \"x\", \"y\"), OK, Op(\"B\", \"x\"))";
    assert_eq!(run(&load(two)), (0, 0));
}
