//! Extents that only a run knows (sections 2.6 and 3.1).

use super::{composed, composed_with, errors_with, graph, shapes};
use crate::compose::ComposeOptions;
use skriptnd_source::diagnostics::Code;

const MODEL: &str = "import nn, math, layout;
    graph G { @input { x: real[n|3, 2, w|9]; k: real[4, 2, 3]; } @output { y: real; z: real; t: real; }
        @compose { y = nn.conv{padding=[1, 1], stride=2}(x, k); z = math.mean_reduce{axes=[1, 2], squeeze=true}(y);
                   t = layout.concat{axis=0}([x, x]); } }";

#[test]
fn shapes_and_bounds_propagate() {
    let graph = composed(MODEL);
    // (w + 2 - 3) / 2 + 1 is at most 5 for w at most 9.
    assert_eq!(shapes(&graph, "y"), ["n|3x4x(w + 1) / 2|5"]);
    assert_eq!(shapes(&graph, "z"), ["n|3"]);
    assert_eq!(shapes(&graph, "t"), ["2 * n|6x2xw|9"]);
    assert!(!graph.runtime_asserts.is_empty(), "the filter must fit");
    let fits = |w: i64| {
        graph.runtime_asserts.iter().all(|a| a.condition.evaluate(&|s| Some(if s == "w" { w } else { 1 })) != Some(0))
    };
    assert!(fits(9) && fits(1));
}

#[test]
fn extents_can_be_fixed() {
    let bindings = vec![("n".to_owned(), 2), ("w".to_owned(), 7)];
    let options = ComposeOptions { bindings, ..ComposeOptions::default() };
    let graph = composed_with(MODEL, &options);
    assert_eq!(shapes(&graph, "y"), ["2x4x4"]);
    assert!(graph.runtime_asserts.is_empty());
    let wrong = |name: &str, value| ComposeOptions { bindings: vec![(name.to_owned(), value)], ..Default::default() };
    assert_eq!(errors_with(MODEL, &wrong("n", 4))[0].0.code, Code::ExtentBound);
    assert_eq!(errors_with(MODEL, &wrong("q", 1))[0].0.code, Code::UnknownExtent);
}

#[test]
fn bounds_are_needed_and_must_agree() {
    let model =
        |shapes: &str| graph(&format!("@input {{ {shapes} }} @output {{ y: real; }} @compose {{ y = inc(x); }}"));
    let options = ComposeOptions::default();
    assert_eq!(errors_with(&model("x: real[s];"), &options)[0].0.code, Code::ExtentBound);
    assert_eq!(errors_with(&model("x: real[~];"), &options)[0].0.code, Code::ExtentBound);
    assert_eq!(errors_with(&model("x: real[s|4]; z: real[s|5];"), &options)[0].0.code, Code::ExtentBound);
    assert_eq!(shapes(&composed(&model("x: real[~|4, ~|5];")), "y"), ["x.0|4xx.1|5"]);
    assert_eq!(shapes(&composed(&model("x: real[~|10 ..(3)];")), "y").join(""), "x.0.0|10xx.0.1|10xx.0.2|10");
}

#[test]
fn bounds_may_be_beyond_all_memory() {
    let inputs = "@input { x: real[a|2147483647, b|2147483647, c|2147483647, d|2147483647]; }";
    let text = format!(
        "import layout; graph G {{ {inputs} @output {{ y: real; z: int; }}
            @compose {{ y = layout.flatten{{axis=0, rank=4}}(x); z = layout.nonzero(x); }} }}"
    );
    let graph = composed(&text);
    // Products of large bounds are the largest number that extents have.
    assert_eq!(shapes(&graph, "y"), ["a * b * c * d|4611686018427387903"]);
    assert_eq!(shapes(&graph, "z"), ["4xz.index.1|4611686018427387903"]);
    let known = graph_of_known("x: real[a|2147483647, 10 ** 9, 10 ** 9, 10 ** 9];");
    assert_eq!(errors_with(&known, &ComposeOptions::default())[0].0.code, Code::TensorTooLarge);
}

fn graph_of_known(input: &str) -> String {
    graph(&format!("@input {{ {input} }} @output {{ y: real; }} @compose {{ y = inc(x); }}"))
}

#[test]
fn what_only_the_run_can_tell_is_checked_then() {
    let text = graph("@input { x: real[s|4]; z: real[t|4]; } @output { y: real[s]; } @compose { y = add(x, z); }");
    let graph = composed(&text);
    let condition = &graph.runtime_asserts[0].condition;
    assert_eq!(condition.evaluate(&|_| Some(3)), Some(1));
    assert_eq!(condition.evaluate(&|symbol| Some(if symbol == "s" { 3 } else { 4 })), Some(0));
}

#[test]
fn results_that_depend_on_data_have_symbols_with_bounds() {
    let text = "import layout; graph G { @input { x: real[2, 3]; } @output { a: int[~|9, ~]; b: int; }
        @compose { a = layout.nonzero(x); b = layout.nonzero(x); } }";
    let graph = composed(text);
    assert_eq!(shapes(&graph, "a"), ["2xa.index.1|6"]);
    assert_eq!(shapes(&graph, "b"), ["2xb.index.1|6"]);
}
