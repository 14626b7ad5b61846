//! Tests of splits, slices, iterations, ops of several outputs, ids and external functions: what they make, and that the
//! engine and the direct evaluation make the same.

use crate::apply::{Elements, Encoding, Environment, Functions, Limits, NewNode, NewSource, OutputDef, Replaced};
use crate::commands::{RuleSet, Settings};
use crate::dialect;
use crate::direct::{self, Node, Output, PlainGraph};
use crate::engine::tests::{context_of_any_ops, load};
use crate::engine::{Engine, plain};
use crate::grammar::Mode;
use crate::grammar::model::DType;
use crate::trial::{Verdict, try_rule};
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::parse_module;
use skriptnd_mlir::rewrite::places_compared;

fn functions() -> Functions {
    Functions::default()
        .shape("first_half", |_, arguments| {
            let mut dims = arguments.first()?.dims()?.to_vec();
            *dims.last_mut()? /= 2;
            Some(dims)
        })
        .constrain("is_image", |operand, _| Some(operand.dims()?.len() == 4))
        .replace("twice", |subject| {
            // Both ways call the op as rules do.
            if subject.op != "q::Sum" {
                return None;
            }
            let half = Elements::Reals(vec![0.5]);
            let one = OutputDef { dims: vec![1, 1, 1, 1], encoding: Encoding::plain(DType::Float32) };
            let output = subject.output.clone();
            let node = |op: &str, inputs: Vec<NewSource>, output, elements| NewNode {
                op: op.to_owned(),
                inputs,
                output,
                elements,
            };
            let nodes = vec![
                node("$Const", Vec::new(), one, Some(half)),
                node("Mul", vec![NewSource::Input(0), NewSource::Node(0)], output.clone(), None),
                node("Add", vec![NewSource::Node(1), NewSource::Node(1)], output, None),
            ];
            Some(Replaced { nodes, result: NewSource::Node(2) })
        })
}

fn environment() -> Environment {
    Environment { functions: functions(), ..Environment::default() }
}

/// Rules applied in both ways, which must agree: the canonical text of the graph, and how often they were applied.
fn both(graph: &PlainGraph, rules: &str) -> (PlainGraph, usize) {
    let settings = Settings { mode: Mode::Sdk, ..Settings::default() };
    let set = RuleSet::parse("test.htp", rules, &settings).for_application(&functions());
    assert!(!set.found.has_errors(), "{}", set.messages());
    assert_eq!(set.rules.len(), set.file.rules.len(), "{}", set.messages());
    let mut registry = Registry::new();
    registry.add_dialect(dialect::undeclared()).unwrap();
    let context = registry.context();
    let mut module = parse_module(&context, &plain::to_text(&context, graph).unwrap(), "graph.mlir").unwrap();
    let limits = Limits { sweeps: 30, applications: 1000 };
    let engine = Engine::new(&set.rules, &set.sources, environment()).with_limits(limits);
    let firings = engine.run(&mut module.root()).unwrap().firings;
    let found = plain::from_module(module.as_operation()).unwrap();
    let mut expected = graph.clone();
    direct::run(&mut expected, &set.rules, &environment(), limits).unwrap();
    expected.rename(dialect::operation_name);
    assert_eq!(found.canonical(), expected.canonical());
    (expected, firings.len())
}

fn tensor(dims: &[u64]) -> OutputDef {
    OutputDef { dims: dims.to_vec(), encoding: Encoding::plain(DType::Float32) }
}

/// `op(x, y)` of two images.
fn graph(op: &str, dims: &[u64]) -> PlainGraph {
    let mut graph = PlainGraph::default();
    let inputs: Vec<Output> = (0..2).map(|_| graph.add(Node::new(None, &[], tensor(dims), None)).output(0)).collect();
    let root = graph.add(Node::new(Some(op), &inputs, tensor(dims), None));
    graph.outputs.push(root.output(0));
    graph
}

/// Names and shapes of the nodes of an op.
fn shapes(graph: &PlainGraph, op: &str) -> Vec<Vec<u64>> {
    let nodes = graph.order().iter().map(|id| graph.node(*id));
    nodes.filter(|node| node.op.as_deref() == Some(op)).map(|node| node.outputs[0].dims.clone()).collect()
}

fn rule(pattern: &str, constraint: &str, replacement: &str) -> String {
    format!("DEF_PACKAGE_OPTIMIZATION(EARLY, {pattern}, {constraint}, {replacement})\n")
}

#[test]
fn a_split_makes_a_body_for_each_slice() {
    let split = rule(
        "Op(\"Add\", \"x\", \"y\")",
        "GT(DIM_DEPTH(\"*\"), 8)",
        "AUTOSPLIT(3, \"I\", 8, Op(\"Add\", TYPICAL_SLICE(\"x\", \"I\"), TYPICAL_SLICE(\"y\", \"I\")))",
    );
    let (graph, applied) = both(&graph("q::Add", &[1, 2, 3, 20]), &split);
    assert_eq!(applied, 1);
    assert_eq!(shapes(&graph, "htp.q.Add"), [[1, 2, 3, 8], [1, 2, 3, 8], [1, 2, 3, 4]]);
    assert_eq!(shapes(&graph, "htp.q.Slice_shape").len(), 6);
    assert_eq!(shapes(&graph, "htp.q.Concat"), [[1, 2, 3, 20]]);
    // Each part tells what it comes from; the whole does not.
    let history = |op: &str| {
        let nodes = graph.order().iter().map(|id| graph.node(*id)).filter(|n| n.op.as_deref() == Some(op));
        nodes.map(|node| node.identity.history.len()).collect::<Vec<_>>()
    };
    assert_eq!((history("htp.q.Add"), history("htp.q.Concat")), (vec![1, 1, 1], vec![0]));
}

#[test]
fn a_slice_that_is_taken_twice_is_one_node() {
    let split = rule(
        "Op(\"Add\", \"x\", \"y\")",
        "GT(DIM_HEIGHT(\"*\"), 4)",
        "AUTOSPLIT(1, \"I\", 4, Op(\"Mul\", TYPICAL_SLICE(\"x\", \"I\"), \
         Op(\"Neg\", CHANGEDIM_SLICE(\"x\", \"I\", 1)), gen_Shape(SPLIT_START(\"I\"), SPLIT_SIZE(\"I\"), SPLIT_DIM(\"I\"))))",
    );
    let (graph, _) = both(&graph("q::Add", &[1, 8, 3, 2]), &split);
    assert_eq!(shapes(&graph, "htp.q.Slice_shape").len(), 2);
    assert_eq!(shapes(&graph, "htp.q.Mul").len(), 2);
    assert!(shapes(&graph, "htp.$Shape").contains(&vec![4, 4, 1]), "{}", graph.canonical());
}

#[test]
fn slices_beyond_an_operand_do_not_apply() {
    for replacement in [
        "AUTOSPLIT(1, \"I\", 4, Op(\"Mul\", CHANGEDIM_SLICE(\"x\", \"I\", 2)))", // width is 3
        "AUTOSPLIT(1, \"I\", 4, Op(\"Mul\", CHANGEDIM_SLICE(\"x\", \"I\", 9)))", // no such dimension
        "AUTOSPLIT(7, \"I\", 4, Op(\"Mul\", TYPICAL_SLICE(\"x\", \"I\")))",
        "AUTOSPLIT(1, \"I\", SUB(RANK_OF(\"*\"), 4), Op(\"Mul\", TYPICAL_SLICE(\"x\", \"I\")))",
        "Op(\"Mul\", AUTOSPLIT_SLICE(\"x\", gen_Shape(0, 0), \"x\"))",
        "SHAPEFN_APPLY(first_half, 3)",
    ] {
        let (_, applied) = both(
            &graph("q::Add", &[1, 8, 3, 2]),
            &rule("Op(\"Add\", \"x\", \"y\")", "GT(DIM_HEIGHT(\"*\"), 4)", replacement),
        );
        assert_eq!(applied, 0, "{replacement}");
    }
}

#[test]
fn encodings_that_no_tensor_has_do_not_apply() {
    // The step of a tensor that is not quantized is 0.
    for (zero, step) in [
        ("0", "DIV(STEPSIZE_OF(\"x\"), 0.0)"),
        ("0", "DIV(1.0, STEPSIZE_OF(\"x\"))"),
        ("0", "STEPSIZE_OF(\"x\")"),
        ("0", "SUB(STEPSIZE_OF(\"x\"), 1.0)"),
        ("ADD(ZERO_OFFSET_OF(\"x\"), 256)", "1.0"),
    ] {
        let inner = format!("Op(\"B\", WITH_OUTPUT_TYPE(DType::QUInt8, {zero}, {step}, Op(\"C\", \"x\")))");
        let (_, applied) = both(&graph("q::Add", &[2, 4]), &rule("Op(\"Add\", \"x\", \"y\")", "OK", &inner));
        assert_eq!(applied, 0, "{zero} {step}");
    }
}

#[test]
fn constants_of_either_zero_are_two() {
    let replacement = "Op(\"B\", gen_ConstScalar_f32(0.0), gen_ConstScalar_f32(-0.0), gen_ConstScalar_f32(0.0))";
    let (graph, _) = both(&graph("q::Add", &[2, 4]), &rule("Op(\"Add\", \"x\", \"y\")", "OK", replacement));
    assert_eq!(shapes(&graph, "htp.$Const").len(), 2, "{}", graph.canonical());
}

#[test]
fn a_trial_is_bounded() {
    // A hundred thousand million parts.
    let iterate = |tag: &str, body: &str| format!("OP_ITER(Op(\"B\"), \"{tag}\", RANK_OF(\"x\"), 5000, {body})");
    let replacement = iterate("I", &iterate("J", &iterate("K", "\"x\"")));
    let set = RuleSet::parse("test.htp", &rule("Op(\"A\", \"x\")", "OK", &replacement), &Settings::default());
    assert!(!set.found.has_errors(), "{}", set.messages());
    let verdict = try_rule(&context_of_any_ops(), &set.rules[0], &set.sources, &Settings::default(), 50);
    assert!(matches!(verdict, Verdict::Bounded(0, tried) if tried < 50), "{verdict:?}");
}

#[test]
fn splits_within_splits_have_both_histories() {
    let rules = [(1, "HEIGHT", "Add", "Sub"), (2, "WIDTH", "Sub", "Mul")].map(|(dim, of, from, to)| {
        rule(
            &format!("Op(\"{from}\", \"x\", \"y\")"),
            &format!("GT(DIM_{of}(\"*\"), 2)"),
            &format!(
                "AUTOSPLIT({dim}, \"I\", 2, Op(\"{to}\", TYPICAL_SLICE(\"x\", \"I\"), TYPICAL_SLICE(\"y\", \"I\")))"
            ),
        )
    });
    let (graph, applied) = both(&graph("q::Add", &[1, 4, 4, 2]), &rules.concat());
    assert_eq!(applied, 3);
    let nodes: Vec<&Node> =
        graph.order().iter().map(|id| graph.node(*id)).filter(|n| n.op.as_deref() == Some("htp.q.Mul")).collect();
    let dimensions = |node: &Node| node.identity.history.iter().map(|r| (r.dimension, r.size)).collect::<Vec<_>>();
    assert!(nodes.len() == 4 && nodes.iter().all(|node| dimensions(node) == [(1, 2), (2, 2)]), "{nodes:#?}");
}

#[test]
fn iterations_go_through_inputs() {
    let text = rule(
        "Op(\"Relu\", LET(\"cat\", OpVarIn(\"Concat\", \"axis\")))",
        "GT(INPUTS_OF(\"cat\"), 1)",
        "OP_ITER(Op(\"Concat\", \"axis\"), \"K\", 1, INPUTS_OF(\"cat\"), \
         WITH_SAME_OUTPUT(INPUT_OF(\"cat\", ITER_VAR(\"K\")), Op(\"Relu\", ITER_INPUT_OF(\"cat\", \"K\"))))",
    );
    let mut graph = PlainGraph::default();
    let axis = graph.add(Node::new(None, &[], tensor(&[1]), None)).output(0);
    let x = [2, 3, 4].map(|depth| graph.add(Node::new(None, &[], tensor(&[1, depth]), None)).output(0));
    let cat = graph.add(Node::new(Some("q::Concat"), &[axis, x[0], x[1], x[2]], tensor(&[1, 9]), None)).output(0);
    let relu = graph.add(Node::new(Some("q::Relu"), &[cat], tensor(&[1, 9]), None)).output(0);
    graph.outputs.push(relu);
    let (graph, applied) = both(&graph, &text);
    assert_eq!(applied, 1);
    assert_eq!(shapes(&graph, "htp.q.Relu"), [[1, 2], [1, 3], [1, 4]]);
    assert_eq!(shapes(&graph, "htp.q.Concat"), [[1, 9]]);
}

#[test]
fn an_output_of_several_is_a_view_of_its_node() {
    let short = "OpMultiOut(3, 1, \"Top\", \"x\")";
    let long = "Op(\"$Out\", WITH_MULTI_OUT(3, Op(\"Top\", \"x\")), gen_Shape(0, 0, 3, 1))";
    for replacement in [short, long] {
        let text = rule("Op(\"Add\", \"x\", \"y\")", "OK", &format!("Op(\"Use\", {replacement})"));
        let (graph, applied) = both(&graph("q::Add", &[2, 4]), &text);
        assert_eq!(applied, 1, "{replacement}");
        let of =
            |op: &str| graph.order().iter().map(|id| graph.node(*id)).find(|n| n.op.as_deref() == Some(op)).unwrap();
        assert_eq!(of("htp.q.Top").outputs.len(), 3);
        assert_eq!(of("htp.q.Use").inputs[0].index, 1);
    }
    // No op has four outputs here, and none a fifth.
    for wrong in [
        "Op(\"$Out\", WITH_MULTI_OUT(3, Op(\"Top\", \"x\")), gen_Shape(0, 0, DIM_OF(\"*\", 1), 1))",
        "OpMultiOut(3, DIM_OF(\"*\", 1), \"Top\", \"x\")",
    ] {
        let (_, applied) = both(&graph("q::Add", &[2, 4]), &rule("Op(\"Add\", \"x\", \"y\")", "OK", wrong));
        assert_eq!(applied, 0, "{wrong}");
    }
}

#[test]
fn ids_and_histories_keep_nodes_apart() {
    // Both branches compute the same; the ids say that they are not the same.
    let text = rule(
        "Op(\"Add\", LET(\"a\", Op(\"A\", \"x\")), LET(\"b\", Op(\"B\", \"x\")))",
        "OK",
        "Op(\"Mul\", WITH_SAME_ID(\"a\", Op(\"C\", \"x\")), WITH_SAME_ID(\"b\", Op(\"C\", \"x\")), \
         WITH_SPLIT_HISTORY(\"a\", 4, Op(\"C\", \"x\")), WITH_SPLIT_HISTORY(\"a\", Op(\"C\", \"x\")), Op(\"C\", \"x\"))",
    );
    let mut graph = PlainGraph::default();
    let x = graph.add(Node::new(None, &[], tensor(&[4]), None)).output(0);
    let [a, b] = ["q::A", "q::B"].map(|op| graph.add(Node::new(Some(op), &[x], tensor(&[4]), None)).output(0));
    let sum = graph.add(Node::new(Some("q::Add"), &[a, b], tensor(&[4]), None)).output(0);
    graph.outputs.push(sum);
    let (graph, applied) = both(&graph, &text);
    assert_eq!(applied, 1);
    // Two ids, one history, and the one without either, which two ask for.
    assert_eq!(shapes(&graph, "htp.q.C").len(), 4);
}

#[test]
fn external_functions_are_called_by_name() {
    let text = rule("Op(\"Add\", \"x\", \"y\")", "EXTERNAL_CONSTRAINT(is_image, \"x\")", "EXTERNAL_REPLACE(twice)");
    let (changed, applied) = both(
        &graph("q::Add", &[1, 2, 3, 4]),
        &rule(
            "Op(\"Add\", \"x\", \"y\")",
            "OK",
            "WITH_SIZE(gen_ShapeOf(\"*\"), Op(\"B\", WITH_SIZE(SHAPEFN_APPLY(first_half, gen_ShapeOf(\"x\")), Op(\"Half\", \"x\"))))",
        ),
    );
    assert_eq!((applied, shapes(&changed, "htp.q.Half")), (1, vec![vec![1, 2, 3, 2]]));
    let mut small = graph("q::Add", &[4]);
    small.rename(|_| "q::Sum".to_owned());
    assert_eq!(both(&small, &text.replace("\"Add\"", "\"Sum\"")).1, 0);
    let sum = text.replace("Op(\"Add\", \"x\", \"y\")", "Op(\"Sum\", \"x\", \"y\")");
    let mut image = graph("q::Add", &[1, 2, 3, 4]);
    image.rename(|_| "q::Sum".to_owned());
    let (changed, applied) = both(&image, &sum);
    assert_eq!((applied, shapes(&changed, "htp.q.Mul").len(), shapes(&changed, "htp.q.Add").len()), (1, 1, 1));
}

#[test]
fn casts_around_an_op_in_half_precision() {
    // The step of a type that is not quantized means nothing.
    let text = rule(
        "Op(\"Softmax\", \"x\", \"beta\")",
        "IS_FLOAT32(\"*\")",
        "WITH_OUTPUT_TYPE(DType::Float32, 0, 1.0f, Op(\"Cast\", WITH_OUTPUT_TYPE(DType::Float16, 0, 1.0f, \
         Op(\"Softmax.fp16\", WITH_SIZE(\"x\", Op(\"Cast\", \"x\")), \"beta\"))))",
    );
    let macros = rule(
        "Op(\"Softmax\", \"x\", \"beta\")",
        "IS_FLOAT32(\"*\")",
        "MAKE_OP_FP16_AND_INSERT_CAST(Op(\"Softmax.fp16\", WITH_SIZE(\"x\", Op(\"Cast\", \"x\")), \"beta\"))",
    );
    for text in [text, macros] {
        let (graph, applied) = both(&graph("q::Softmax", &[2, 4]), &text);
        assert_eq!(applied, 1);
        let types = graph.order().iter().map(|id| graph.node(*id)).filter(|node| node.op.is_some());
        let types: Vec<_> = types.map(|n| (n.op.as_deref().unwrap(), n.outputs[0].encoding.dtype())).collect();
        let expected =
            [("htp.q.Cast", DType::Float16), ("htp.q.Softmax.fp16", DType::Float16), ("htp.q.Cast", DType::Float32)];
        assert_eq!(types, expected);
    }
}

#[test]
fn windows_and_threads_of_the_prelude() {
    let text = rule(
        "Op(\"Pool\", \"x\", \"w\", \"s\")",
        "GT(DIM_HEIGHT(\"*\"), 4)",
        "AUTOSPLIT(1, \"I\", 4, Op(\"Pool\", TYPICAL_CONV_SLICE(\"x\", \"I\", \"s\", DIM_HEIGHT(\"w\")), \"w\", \"s\"))",
    );
    let mut pool = PlainGraph::default();
    let inputs = [&[1, 17, 9, 2], &[1, 3, 3, 1], &[1, 2, 2, 1]]
        .map(|dims: &[u64; 4]| pool.add(Node::new(None, &[], tensor(dims), None)).output(0));
    let root = pool.add(Node::new(Some("q::Pool"), &inputs, tensor(&[1, 8, 4, 2]), None));
    pool.outputs.push(root.output(0));
    let (split, applied) = both(&pool, &text);
    assert_eq!(applied, 1);
    assert_eq!(shapes(&split, "htp.q.Slice_shape"), [[1, 9, 9, 2], [1, 9, 9, 2]]);
    let threads = rule(
        "Op(\"Add\", \"x\", \"y\")",
        "GT(DIM_HEIGHT(\"*\"), 1)",
        "AUTOTHREAD_HVX(1, \"I\", Op(\"Sub\", TYPICAL_SLICE(\"x\", \"I\"), TYPICAL_SLICE(\"y\", \"I\")))",
    );
    let (split, _) = both(&graph("q::Add", &[1, 10, 1, 1]), &threads);
    assert_eq!(shapes(&split, "htp.q.Sub").iter().map(|dims| dims[1]).collect::<Vec<_>>(), [3, 3, 3, 1]);
}

#[test]
fn a_root_of_several_outputs_is_replaced_output_by_output() {
    let text = rule(
        "Op(\"Split2\", \"x\")",
        "EQ(OUTPUTS_OF(\"*\"), 2)",
        "WITH_MULTI_OUT(2, Op(\"Halves\", Op(\"Relu\", \"x\"), gen_Shape(2)))",
    );
    let mut split = PlainGraph::default();
    let x = split.add(Node::new(None, &[], tensor(&[1, 8]), None)).output(0);
    let outputs = vec![tensor(&[1, 3]), tensor(&[1, 5])];
    let node = Node { outputs: outputs.clone(), ..Node::new(Some("q::Split2"), &[x], tensor(&[]), None) };
    let root = split.add(node);
    split.outputs.extend([root.output(1), root.output(0)]);
    let (changed, applied) = both(&split, &text);
    assert_eq!(applied, 1);
    let halves = changed.order().iter().map(|id| changed.node(*id)).find(|n| n.op.as_deref() == Some("htp.q.Halves"));
    assert_eq!(halves.unwrap().outputs, outputs);
    // An inner op has the first output's definition.
    assert_eq!(shapes(&changed, "htp.q.Relu"), [[1, 3]]);
    // Of one output, and of three.
    let mut one = graph("q::Split2", &[1, 8]);
    one.rename(|_| "q::Other".to_owned());
    let text = text.replace("EQ(OUTPUTS_OF(\"*\"), 2)", "OK");
    let taken = rule("Op(\"Other\", \"x\", \"y\")", "OK", "WITH_MULTI_OUT(2, Op(\"Halves\", \"x\"))");
    let (changed, applied) = both(&one, &(text.clone() + &taken));
    assert_eq!((applied, shapes(&changed, "htp.q.Halves")), (1, vec![vec![1, 8]]));
    split.node_mut(root).outputs.push(tensor(&[1, 1]));
    assert_eq!(both(&split, &text).1, 0);
}

#[test]
fn a_root_that_its_replacement_takes_stays() {
    let text = rule(
        "Op(\"Add\", \"x\", \"y\")",
        "NOT(OPTION_BOOL(\"done\"))",
        "Op(\"Relu\", Op(\"Neg\", \"*\"), WITH_SIZE(gen_Shape(1), Op(\"Sum\", \"*\")))",
    );
    // It is matched again and again, in both ways.
    let settings = Settings { mode: Mode::Sdk, limit: Some(3), ..Settings::default() };
    let set = RuleSet::parse("test.htp", &text, &settings);
    let verdict = try_rule(&context_of_any_ops(), &set.rules[0], &set.sources, &settings, 3);
    assert!(matches!(verdict, Verdict::NotEnding(1..)), "{verdict:?}");
}

/// Whatever is built in place of an op, MLIR numbers a block some times, and not for each op that is replaced.
#[test]
fn replacements_of_several_ops_take_linear_time() {
    let a = "Op(\"A\", \"x\")";
    for (constraint, replacement) in [
        ("OK", "Op(\"B\", Op(\"C\", \"x\"), Op(\"D\", \"x\"))"),
        ("OK", "Op(\"B\", Op(\"C\", Op(\"D\", Op(\"E\", Op(\"F\", \"x\")))))"),
        ("GT(DIM_OF(\"*\", 1), 4)", "AUTOSPLIT(1, \"I\", 4, Op(\"B\", TYPICAL_SLICE(\"x\", \"I\")))"),
        ("GT(DIM_OF(\"*\", 1), 1)", "AUTOSPLIT(1, \"I\", 1, Op(\"B\", TYPICAL_SLICE(\"x\", \"I\")))"),
    ] {
        let set = load(&(rule(a, constraint, replacement) + &rule("Op(\"Id\", \"x\")", "OK", "\"x\"")));
        let compared = |count: usize| {
            let mut chain = PlainGraph::default();
            let mut last = chain.add(Node::new(None, &[], tensor(&[4, 9]), None)).output(0);
            for _ in 0..count {
                for op in ["q::Id", "q::A"] {
                    last = chain.add(Node::new(Some(op), &[last], tensor(&[4, 9]), None)).output(0);
                }
            }
            chain.outputs.push(last);
            let context = context_of_any_ops();
            let text = plain::to_text(&context, &chain).unwrap();
            let mut module = parse_module(&context, &text, "chain.mlir").unwrap();
            let engine = Engine::new(&set.rules, &set.sources, Environment::default());
            let before = places_compared();
            assert_eq!(engine.run(&mut module.root()).unwrap().firings.len(), 2 * count);
            places_compared() - before
        };
        assert!(compared(400) <= compared(100) + 2, "{replacement}: {} and {}", compared(100), compared(400));
    }
}
