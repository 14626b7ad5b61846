//! Which tensors are quantized, and that what is written computes what the graph did.

use skriptnd_compiler::quantize::{
    Fixed, Form, Grouping, Method, Parameters, Plan, Quantized, flatten, fold, left_whole, write,
};
use skriptnd_interpret::{Limits, Variables, run};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::graph::{Argument, Graph, TensorId};
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::FileProvider;
use std::collections::BTreeMap;

struct Text<'t>(&'t str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".into(), self.0.into())))
    }
}

fn composed(text: &str) -> (CheckedModel, Graph) {
    let model = CheckedModel::load(&Text(text));
    let (graph, found) = model.compose(&ComposeOptions::default());
    let told: Vec<String> = model.diagnostics.iter().chain(found.iter()).map(|one| one.message.clone()).collect();
    (model, graph.unwrap_or_else(|| panic!("{told:?}\n{text}")))
}

fn names(graph: &Graph, ids: impl Iterator<Item = TensorId>) -> Vec<&str> {
    ids.map(|id| graph.tensor(id).name.as_str()).collect()
}

/// The names of what is quantized: tensors of runs, and weights with the dimension of their scales.
fn planned(text: &str) -> (Vec<String>, Vec<(String, Option<usize>)>) {
    let (_, graph) = composed(text);
    let graph = flatten(&graph);
    let plan = Plan::of(&graph);
    let mut activations: Vec<String> =
        names(&graph, plan.activations.iter().copied()).into_iter().map(str::to_owned).collect();
    activations.sort();
    let weights = plan.weights.iter().map(|(id, channels)| (graph.tensor(*id).name.clone(), *channels)).collect();
    (activations, weights)
}

fn graph(statements: &str) -> String {
    format!(
        "import nn, math, layout, linalg;
graph G {{
    @input {{ x: real[1,4,6,6]; }}
    @variable {{ w: real[4,4,3,3]; v: real[4,4,3,3]; b: real[4]; s: real[4]; m: real[36,5]; }}
    @output {{ y: real[..]; }}
    @compose {{ {statements} }}
}}"
    )
    .replace("y: real[..]", "y: real[~]")
    .replace("real[~]", "real")
}

#[test]
fn what_products_take_and_give_is_quantized_once() {
    let (activations, weights) = planned(&graph("c = nn.conv(x, w, b); r = nn.relu(c); y = nn.conv(r, v);"));
    assert_eq!(activations, ["r", "x", "y"]);
    assert_eq!(weights, [("w".into(), Some(0)), ("v".into(), Some(0))]);
}

#[test]
fn what_two_take_is_not_fused() {
    let (activations, _) = planned(&graph("c = nn.conv(x, w); r = nn.relu(c); y = math.add(r, c);"));
    assert_eq!(activations, ["c", "x", "y"]);
}

#[test]
fn the_mean_that_a_normalization_subtracts_stays_real() {
    let text =
        "c = nn.conv(x, w); mean = math.mean_reduce{axes=[1]}(c); above = math.sub(c, mean); square = math.sqr(above);
        variance = math.mean_reduce{axes=[1]}(square); deviation = math.sqrt(variance); n = math.div(above, deviation);
        y = nn.conv(n, v);";
    assert_eq!(planned(&graph(text)).0, ["c", "n", "x", "y"]);
}

#[test]
fn chains_stay_quantized_and_moves_need_nothing() {
    let text = "c = nn.conv(x, w); n = nn.batch_norm(c, b, s); r = nn.relu(n);
        p = nn.max_pool{size=2, stride=2, padding=0}(r); a = nn.avg_pool{size=2, stride=1, padding=0}(p);
        y = layout.reshape{shape=[1, -1]}(a);";
    assert_eq!(planned(&graph(text)).0, ["a", "r", "x"]);
}

#[test]
fn sums_with_reals_stay_real() {
    let text = "c = nn.conv(x, w); e = math.exp(x); y = math.add(c, e);";
    assert_eq!(planned(&graph(text)).0, ["c", "x"]);
    let text = "e = math.exp(x); y = math.add(e, x);";
    assert_eq!(planned(&graph(text)), (vec![], vec![]));
}

#[test]
fn weights_may_be_computed_of_variables() {
    let text = "t = layout.transpose{perm=[1, 0]}(m); f = layout.reshape{shape=[4, 36]}(x); y = nn.linear(f, t);";
    let (activations, weights) = planned(&graph(text));
    assert_eq!((activations, weights), (vec!["f".into(), "y".into()], vec![("t".into(), Some(0))]));
    let text = "f = layout.reshape{shape=[4, 36]}(x); y = linalg.matmul(f, m);";
    assert_eq!(planned(&graph(text)).1, [("m".into(), Some(1))]);
}

#[test]
fn what_a_run_changes_stays_real() {
    let text = "import nn;
graph G {
    @input { x: real[2,3]; }
    @variable { w: real[4,3]; u: real[4,3]; }
    @output { y: real[2,4]; z: real[2,4]; }
    @compose { y = nn.linear(x, w); z = nn.linear(x, u); }
    @update { u = w; }
}";
    let (activations, weights) = planned(text);
    assert_eq!((activations.len(), weights), (3, vec![("w".into(), Some(0))]));
    assert!(!activations.contains(&"u".to_owned()));
}

const INSIDE: &str = "import nn, math, layer;
operator block {
    @input { x: real[n, c]; w: real[c, c]; }
    @output { y: real[n, c]; z: real[n, c]; }
    @compose { t = nn.linear(x, w); y = nn.relu(t); z = x; }
}
operator doubled { @input { x: real[s..]; } @output { y: real[s..]; } @lower { y[i..] = 2.0 * x[i..], i < s; } }
graph G {
    @input { x: real[n|9, 3]; go: bool[]; }
    @variable { w: real[3, 3]; total: real[3, 3]; }
    @constant { c: real[3] = [0.5, -0.25, 2.0]; }
    @output { y: real[n, 3]; z: real[n, 3]; same: real[n, 3]; o: real[n, 3]; }
    @compose {
        a, b = block(x, w);
        d, ~ = block(a, w);
        y = out: layer.linear{channels=3, use_bias=false}(d);
        e = doubled(b);
        z = math.add{rhs_align=1}(e, c);
        same = b;
        o = if go then math.neg(y) else { t = math.mul(y, 3.0); yield t; };
        next = math.add(total, 1.0);
    }
    @update { total = next; }
}";

fn value(index: usize) -> f32 {
    ((index * 37 + 11) % 64) as f32 / 32.0 - 1.0
}

fn filled(shape: &[usize]) -> Tensor {
    Tensor { shape: shape.to_vec(), data: TensorData::F32((0..shape.iter().product()).map(value).collect()) }
}

/// Variables of the graph; of the written one, those that it says.
struct Given(BTreeMap<String, Tensor>);

impl Variables for Given {
    fn read(&self, file: &str, declared: &skriptnd_language::compose::graph::Tensor) -> Result<Tensor, String> {
        let shape: Vec<usize> = declared.ty.shape.iter().map(|extent| extent.as_known().unwrap() as usize).collect();
        Ok(self.0.get(file).cloned().unwrap_or_else(|| filled(&shape)))
    }

    fn origin(&self, _: &skriptnd_language::compose::graph::Tensor) -> Option<String> {
        None
    }
}

type Outputs = Vec<(String, Vec<f32>)>;

fn outputs(model: &CheckedModel, graph: &Graph, rows: usize, variables: &Given) -> Outputs {
    let go = Tensor { shape: vec![], data: TensorData::Bool(vec![true]) };
    let inputs = [filled(&[rows, 3]), go].map(|tensor| Some(Argument::Single(tensor)));
    let done = run(&model.definitions, graph, inputs.to_vec(), variables, &Limits::default()).unwrap();
    let reals = |tensor: &Tensor| match &tensor.data {
        TensorData::F32(items) => items.clone(),
        _ => panic!("no reals"),
    };
    let states = done.variables.iter().map(|(id, tensor)| (graph.tensor(*id).name.clone(), tensor));
    let states: Vec<_> =
        states.filter(|(name, _)| name == "total").map(|(name, tensor)| (name, reals(tensor))).collect();
    done.outputs.into_iter().map(|(name, tensor)| (name, reals(&tensor.items()[0]))).chain(states).collect()
}

/// The written model, with the values of its own variables.
fn rewritten(bits: u32, group: bool) -> (CheckedModel, Graph, Given, String) {
    let (model, graph) = composed(INSIDE);
    let graph = flatten(&graph);
    let mut plan = Plan::of(&graph);
    let parameters = |id: &TensorId| (*id, Parameters::of_range([-12.0, 12.0], Form::I16));
    let activations = plan.activations.iter().map(parameters).collect();
    plan.weights.values_mut().for_each(|channels| assert_eq!(*channels, Some(0)));
    let weight = |id: &TensorId| {
        let grouping = if group { Grouping::Groups { along: 1, length: 3 } } else { Grouping::Channels(0) };
        (*id, Quantized::of(&filled(&[3, 3]), grouping, bits, Method::MinMax).unwrap())
    };
    let fixed = Fixed { weights: plan.weights.keys().map(weight).collect(), biases: BTreeMap::new() };
    let written = write(&model.definitions, &graph, &plan, &activations, &fixed).unwrap();
    use skriptnd_compiler::quantize::Contents;
    let mut given = BTreeMap::new();
    for file in &written.files {
        let data = match &file.contents {
            Contents::Same(_) => continue,
            Contents::Whole(values) => TensorData::I64(values.iter().map(|value| i64::from(*value)).collect()),
            Contents::Nibbles(bytes) => TensorData::I64(bytes.iter().map(|value| i64::from(*value)).collect()),
            Contents::Reals(values) => TensorData::F32(values.clone()),
        };
        given.insert(file.stem.clone(), Tensor { shape: file.shape.clone(), data });
    }
    let (model, graph) = composed(&written.text);
    (model, graph, Given(given), written.text)
}

#[test]
fn what_is_written_computes_nearly_the_same() {
    let (model, graph) = composed(INSIDE);
    let variables = Given(BTreeMap::new());
    for (bits, group, allowed) in [(8, false, 0.05), (8, true, 0.05), (4, false, 1.0), (4, true, 1.0)] {
        let (few, quantized, own, text) = rewritten(bits, group);
        for rows in [2, 1, 0] {
            let expected = outputs(&model, &graph, rows, &variables);
            let found = outputs(&few, &quantized, rows, &own);
            for ((name, found), (known, expected)) in found.iter().zip(&expected) {
                assert_eq!((name, found.len()), (known, expected.len()), "{text}");
                let far = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(far <= allowed, "{bits} {name}: {far}\n{text}");
            }
        }
    }
}

#[test]
fn operators_of_the_model_are_copied_and_others_taken_apart() {
    let (_, _, _, text) = rewritten(8, false);
    assert!(text.contains("operator doubled") && !text.contains("operator block"), "{text}");
    assert!(text.contains("@update") && text.contains("@quantize") && text.contains("if go then"), "{text}");
    assert!(text.contains("y = quant.zero_point_linear_quantize{"), "{text}");
}

#[test]
fn products_in_loops_are_told() {
    let text = "import nn;
graph G {
    @input { x: real[2,3]; }
    @variable { w: real[3,3]; }
    @output { y: real[2,3]; }
    @compose { y = with h = x do..(4) nn.linear(h, w); }
}";
    let (_, graph) = composed(text);
    let graph = flatten(&graph);
    let told: Vec<String> = left_whole(&graph).into_iter().map(|(_, what)| what).collect();
    assert_eq!((told, Plan::of(&graph).weights.len()), (vec!["a loop".into()], 0));
}

/// A graph of products and what follows them; its variables have values of their own.
fn followed(input: &str, statements: &str) -> String {
    format!(
        "import nn, math;
graph G {{
    @input {{ x: real[{input}]; }}
    @variable {{
        w: real[4,4,3,3]; d: real[4,2,3,3]; g: real[4,2,3,3]; l: real[6,4];
        m4: real[4]; v4: real[4]; o4: real[4]; s4: real[4]; m6: real[6]; v6: real[6]; o6: real[6]; s6: real[6];
        a: real[4,1,1]; f: real[3,3,4,4]; wide: real[6]; one: real[1];
    }}
    @output {{ y: real; }}
    @compose {{ {statements} }}
}}"
    )
}

/// How many operations are left, and how far what they compute is from what the graph says.
fn folded(input: &str, statements: &str) -> (usize, f32) {
    let (model, graph) = composed(&followed(input, statements));
    let folded = fold(&graph, &model.definitions);
    let Some(Argument::Single(x)) = graph.inputs.first().map(|port| port.tensors.clone()) else { panic!() };
    let extents = graph.tensor(x).ty.shape.iter().map(|extent| extent.as_known().unwrap() as usize);
    let given = filled(&extents.collect::<Vec<_>>());
    let computed = |graph: &Graph| {
        let inputs = vec![Some(Argument::Single(given.clone()))];
        let done = run(&model.definitions, graph, inputs, &Positive, &Limits::default()).unwrap();
        match &done.outputs[0].1.items()[0].data {
            TensorData::F32(items) => items.clone(),
            _ => panic!("no reals"),
        }
    };
    let (before, after) = (computed(&graph), computed(&folded));
    assert_eq!(before.len(), after.len());
    let largest = before.iter().fold(1.0, |most: f32, item| most.max(item.abs()));
    let far = before.iter().zip(&after).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    let plan = Plan::of(&folded);
    let is_run = |outputs: &[Argument]| !outputs.iter().flat_map(Argument::items).all(|id| plan.known.contains(id));
    (folded.body.operations.iter().filter(|operation| is_run(&operation.outputs)).count(), far / largest)
}

/// Variables that are never negative, as variances are.
struct Positive;

impl Variables for Positive {
    fn read(&self, file: &str, declared: &skriptnd_language::compose::graph::Tensor) -> Result<Tensor, String> {
        let mut tensor = Given(BTreeMap::new()).read(file, declared)?;
        let TensorData::F32(items) = &mut tensor.data else { panic!("no reals") };
        items.iter_mut().for_each(|item| *item = item.abs() + 0.25);
        Ok(tensor)
    }

    fn origin(&self, _: &skriptnd_language::compose::graph::Tensor) -> Option<String> {
        None
    }
}

#[test]
fn norms_and_biases_become_part_of_products() {
    const IMAGE: &str = "2,4,5,6";
    const LAST: &str = "2,5,6,4";
    for (input, statements, left) in [
        (IMAGE, "c = nn.conv(x, w); y = nn.batch_norm(c, m4, v4, o4, s4);", 1),
        (IMAGE, "c = nn.conv(x, w, o4); y = nn.batch_norm{epsilon=1e-3}(c, m4, v4);", 1),
        (IMAGE, "c = nn.conv{groups=2}(x, g, s4); n = nn.batch_norm(c, m4, v4, o4); y = nn.relu(n);", 2),
        (
            IMAGE,
            "c = nn.conv{groups=2, stride=2}(x, g); n = nn.batch_norm{channel_axis=-3}(c, m4, v4, o4, s4); y = math.add(n, a);",
            1,
        ),
        (IMAGE, "c = nn.deconv(x, w); y = nn.batch_norm(c, m4, v4, o4, s4);", 1),
        (IMAGE, "c = nn.conv(x, w); a2 = math.add{lhs_align=1}(o4, c); y = math.add{rhs_align=-2}(a2, s4);", 1),
        (
            LAST,
            "c = nn.conv{data_format='NXC', filter_format='XCN'}(x, f); y = nn.batch_norm{channel_axis=3}(c, m4, v4);",
            1,
        ),
        (LAST, "c = nn.conv{data_format='NXC', filter_format='XCN'}(x, f); y = math.add(c, o4);", 1),
        ("3,4", "c = nn.linear(x, l, o6); n = nn.batch_norm(c, m6, v6, o6, s6); y = math.add(n, s6);", 1),
        // A group's filters of a transposed convolution belong to channels of all groups.
        (IMAGE, "c = nn.deconv{groups=2}(x, d); y = nn.batch_norm(c, m4, v4, o4, s4);", 2),
        // Not the channels.
        (IMAGE, "c = nn.conv(x, w); y = math.add(c, wide);", 2),
        (IMAGE, "c = nn.conv(x, w); y = math.add(c, one);", 2),
        // Somebody else reads what the product gives.
        (IMAGE, "c = nn.conv(x, w); n = nn.batch_norm(c, m4, v4); y = math.mul(n, c);", 3),
        (IMAGE, "c = nn.conv(x, w); y = math.add(c, c);", 2),
    ] {
        let (count, far) = folded(input, statements);
        assert!(count == left && far < 1e-6, "{count} {far}: {statements}");
    }
}
