//! Labels, scopes, and the files of variables (section 2.10).

use super::{composed, error, graph, names};
use crate::compose::graph::{Graph, Origin};
use skriptnd_source::diagnostics::Code;

fn files(graph: &Graph) -> Vec<String> {
    let file = |id: &crate::compose::graph::TensorId| match &graph.tensor(*id).origin {
        Origin::Variable { file } => file.clone(),
        other => panic!("{other:?}"),
    };
    graph.variables.iter().map(file).collect()
}

const LAYERS: &str = "
    operator dense { @input { x: real[n]; } @variable { w: real[n]; } @output { y: real[n]; }
        @compose { y = add(x, w); } }
    operator pass { @input { x: real[n]; } @output { y: real[n]; } @compose { y = dense(x); } }
    operator two { @input { x: real[n]; } @output { y: real[n]; }
        @compose { t = dense(x); y = last: dense(t); } }
";

#[test]
fn results_and_labels_name_scopes() {
    let text = graph(
        "@input { x: real[3]; } @output { y: real[3]; }
        @compose { a = dense(x); b = blk: two(a); c = pass(b); y = explicit: pass(c); }",
    );
    let graph = composed(&format!("{LAYERS}{text}"));
    assert_eq!(files(&graph), ["main.G.a.w", "main.G.blk.t.w", "main.G.blk.last.w", "main.G.c.w", "main.G.explicit.w"]);
    assert_eq!(names(&graph, &graph.outputs[0].tensors), ["y"]);
    let scopes: Vec<&str> = graph.body.operations.iter().map(|operation| operation.scope.as_str()).collect();
    assert_eq!(scopes, ["a.y", "blk.t.y", "blk.last.y", "c.y", "explicit.y"]);
}

#[test]
fn tensor_names_are_unique() {
    let text = graph(
        "@input { x: real[3]; } @output { y: real[3]; }
        @compose { t = inc(x); a = b1: { t = inc(t); u = inc(t); yield u; }; y = add(t, a); }",
    );
    let graph = composed(&text);
    let mut names: Vec<&str> = graph.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    assert!(names.contains(&"b1.t") && names.contains(&"t") && names.contains(&"a"), "{names:?}");
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "{names:?}");
}

#[test]
fn equal_files_are_an_error() {
    let text = graph(
        "@input { x: real[3]; } @output { y: real[3]; }
        @compose { a = l: dense(x); y = l: dense(a); }",
    );
    let (diagnostic, _) = error(&format!("{LAYERS}{text}"));
    assert_eq!(diagnostic.code, Code::VariableTwice);
    assert!(diagnostic.message.contains("main.G.l.w"), "{}", diagnostic.message);
}

#[test]
fn a_graph_is_the_root_of_its_scope() {
    let text = graph(
        "@input { x: real[3]; } @output { y: real[3]; }
        @compose { a = Inner(x); b = Inner(a); y = own: Inner(b); }",
    );
    let inner = "graph Inner { @input { x: real[n]; } @variable { w: real[n]; } @output { y: real[n]; }
        @compose { y = add(x, w); } }";
    // Both invocations without a label share their variable.
    assert_eq!(files(&composed(&format!("{text}{inner}"))), ["main.Inner.w", "main.G.own.w"]);
}

#[test]
fn updates_and_quantization_find_their_tensors() {
    let text = graph(
        "@input { x: real[3]; } @variable { w: real[3]; } @output { y: real[3]; }
        @compose { y = add(x, w); } @update { d = inc(y); w = add(w, d); }
        @quantize { y: scale{f=2.0}; main.G.w: scale{f=3.0}; }",
    );
    let graph = composed(&text);
    assert_eq!(graph.update.operations.len(), 2);
    let (variable, value) = graph.updates[0];
    assert_eq!(graph.tensor(variable).name, "w");
    assert_eq!(graph.update.operations[1].outputs[0].items(), [value]);
    let quantized: Vec<&str> = graph.quantizations.iter().map(|q| graph.tensor(q.tensor).name.as_str()).collect();
    assert_eq!(quantized, ["y", "w"]);
    let unknown = text.replace("y: scale", "nothing: scale");
    assert_eq!(error(&unknown).0.code, Code::UnknownTensor);
}

#[test]
fn stateless_operators_stay_whole() {
    let text = graph("@input { x: real[3]; } @output { y: real[3]; } @compose { t = twice(x); y = inc(t); }");
    let twice =
        "operator twice { @input { x: real[n]; } @output { y: real[n]; } @compose { t = inc(x); y = inc(t); } }";
    let graph = composed(&format!("{twice}{text}"));
    assert_eq!(super::operators(&graph.body), "main.twice main.inc");
}

#[test]
fn a_loop_that_is_composed_again_gives_the_same_names() {
    // What `with` carries grows, which its body is composed again for. The labels of `p, q = o(x)` and of the loop are
    // both `o`.
    let operators = "
        operator longer { @input { x: real[n]; } @output { y: real[n + 1]; } @lower { y[i,] = 0.0, i < n + 1; } }
        operator o { @input { x: real[n]; } @output { a: real[n]; b: real[n]; } @variable { w: real[n]; }
            @compose { t = add(x, w); a = inc(t); b = inc(a); } }";
    let model = graph(
        "@input { x: real[2]; } @output { p: real[2]; q: real[2]; o: real[5]; }
            @compose { p, q = o(x); o = with c = x do..(3) { t = longer(c); yield t; }; }",
    );
    let composed = composed(&format!("{operators} {model}"));
    let named = composed.tensors.iter().map(|tensor| &*tensor.name).filter(|name| name.starts_with("o.t"));
    assert_eq!(named.collect::<Vec<_>>(), ["o.t", "o.t_1"]);
}
