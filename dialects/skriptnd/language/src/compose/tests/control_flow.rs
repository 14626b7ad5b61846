//! Branches and loops (section 2.10.1).

use super::{composed, error, graph, operators, shapes};
use crate::compose::extent::Extent;
use crate::compose::graph::{Graph, Loop, OperationKind};
use skriptnd_source::diagnostics::Code;

fn the_loop(graph: &Graph) -> &Loop {
    match graph.body.operations.iter().find_map(|operation| match &operation.kind {
        OperationKind::Loop(inner) => Some(inner),
        _ => None,
    }) {
        Some(inner) => inner,
        None => panic!("{}", operators(&graph.body)),
    }
}

const INPUTS: &str = "@input { x: real[3]; xs: real[3]..(4); c: bool[]; n: int[]; }";

fn with(outputs: &str, compose: &str) -> String {
    graph(&format!("{INPUTS} @output {{ {outputs} }} @compose {{ {compose} }}"))
}

#[test]
fn known_conditions_leave_one_branch() {
    let text = "operator pick { @attrib { k: optional int; } @input { x: real[n]; z: optional real[n]; }
            @output { y: real[n]; }
            @compose { y = if ?z && k > 1 then add(x, z) elif ?k then scale{f=real(k)}(x) else inc(x); } }
        graph G { @input { x: real[3]; } @output { a: real[3]; b: real[3]; c: real[3]; }
            @compose { a = pick(x); b = pick{k=1}(x, x); c = pick{k=2}(x, x); } }";
    let definitions = super::definitions(&format!("{}{text}", super::OPERATORS));
    let (graph, _) = crate::compose::compose(&definitions, &Default::default());
    let graph = graph.expect("a graph");
    let bodies: Vec<String> = graph
        .body
        .operations
        .iter()
        .map(|operation| {
            let OperationKind::Operator(call) = &operation.kind else { panic!("an operator") };
            let types = operation.inputs.iter().map(|i| i.map(|id| graph.tensor(*id).ty.clone()));
            let operands: Vec<_> = types.map(crate::compose::Operand::of).collect();
            match definitions.instance(call, &operands).map(|instance| instance.body.clone()) {
                Ok(crate::compose::InstanceBody::Composition(inner)) => operators(&inner.body),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert_eq!(bodies, ["main.inc", "main.scale", "main.add"]);
}

#[test]
fn conditions_of_the_run_become_regions() {
    let graph = composed(&with(
        "a: real[3];",
        "t = inc(x); a = if c then add(t, x) elif { yield c; } then { u = inc(t); yield u; } else x;",
    ));
    assert_eq!(operators(&graph.body), "main.inc if[][main.add][][main.inc][]");
    assert_eq!(shapes(&graph, "a"), ["3"]);
    let (diagnostic, _) = error(&with("a: real[3];", "a = if n then inc(x) else x;"));
    assert_eq!(diagnostic.message, "a condition must be bool of volume 1, found int[]");
}

#[test]
fn branches_must_agree() {
    let (diagnostic, _) = error(&with("a: real;", "a = if c then inc(x) else 1.0;"));
    assert_eq!(diagnostic.message, "all branches must give the same types and ranks: expected real[3], found real[]");
    let (diagnostic, _) = error(&with("a: real;", "a = if c then { yield x, x; } else x;"));
    assert_eq!(diagnostic.code, Code::BranchResults);
}

#[test]
fn folding_and_scanning() {
    let graph = composed(&with(
        "sum: real[3]; all: real[3]..(4);",
        "sum, all = with s: real[3] = 0.0 for e : xs do { t = add(s, e); yield t, t; };",
    ));
    let inner = the_loop(&graph);
    assert_eq!((inner.carried, inner.scans, inner.has_index, inner.condition.is_some()), (1, 1, false, false));
    assert_eq!(inner.count, Some(Extent::known(4)));
    assert_eq!((inner.body.parameters.len(), inner.body.results.len()), (2, 2));
    assert_eq!(shapes(&graph, "all"), ["3", "3", "3", "3"]);
    assert!(graph.pack_lengths.is_empty());
}

#[test]
fn counts_indices_and_conditions() {
    let graph = composed(&with("a: real[3];", "a = with y = x do..(i -> n) inc(y);"));
    let inner = the_loop(&graph);
    assert!(inner.has_index && inner.count.is_none());
    assert_eq!(inner.body.parameters.len(), 2);
    let operation = graph.body.operations.last().expect("the loop");
    assert_eq!(graph.tensor(operation.inputs[1].items()[0]).name, "n");
    let graph = composed(&with("a: real[3];", "a, ~ = with y = x, go = c while go do { z = inc(y); yield z, c; };"));
    assert!(the_loop(&graph).tested_before && the_loop(&graph).condition.is_some());
    let graph = composed(&with("a: real[3];", "a, ~ = with y = x, go = c do { z = inc(y); yield z, c; } while go;"));
    assert!(!the_loop(&graph).tested_before);
    assert_eq!(error(&with("a: real[3];", "a = with y = x do inc(y);")).0.code, Code::LoopCount);
    assert_eq!(error(&with("a: real[3];", "a = with y = x do..(-1) inc(y);")).0.code, Code::LoopCount);
}

#[test]
fn packs_of_dynamic_length_have_a_bound() {
    let graph = composed(&with("all: real[3]..(4);", "all = for e : xs do..(n) inc(e);"));
    let (first, length) = &graph.pack_lengths[0];
    assert_eq!(graph.outputs[0].tensors.items().first(), Some(first));
    assert_eq!((length.as_known(), length.bound), (None, Some(4)));
}

#[test]
fn unrolled_loops_are_repeated() {
    let graph = composed(&with(
        "a: real[3]; b: real[3]..(4);",
        "a = with y = x unroll..(i -> 3) scale{f=real(i)}(y); b..(4) = for e : xs unroll inc(e);",
    ));
    let factors: Vec<String> = graph
        .body
        .operations
        .iter()
        .filter_map(|operation| match &operation.kind {
            OperationKind::Operator(call) => call.attributes.get("f").map(ToString::to_string),
            _ => None,
        })
        .collect();
    assert_eq!(factors, ["0.0", "1.0", "2.0"]);
    assert_eq!(graph.body.operations.len(), 7);
    assert_eq!(graph.body.operations[1].inputs, graph.body.operations[0].outputs);
    assert_eq!(error(&with("a: real[3];", "a = with y = x unroll..(n) inc(y);")).0.code, Code::UnrollCount);
}

#[test]
fn loops_check_what_they_run_over() {
    let (diagnostic, place) = error(&with("a: real[3]..(4);", "a = for e : xs, f : [x, x] do add(e, f);"));
    assert_eq!((diagnostic.code, place.as_str()), (Code::LoopLengths, "[x, x]"));
    assert_eq!(diagnostic.message, "all packs of a loop must have as many items: `e` runs over 4, `f` over 2");
    assert_eq!(error(&with("a: real[3];", "a = for e : x do inc(e);")).0.code, Code::LoopPack);
    let (diagnostic, _) = error(&with("a: real[3];", "a = with y = x do..(2) { yield n; };"));
    assert_eq!(diagnostic.message, "`y` is carried as real[3], the body gives int[]");
    assert_eq!(error(&with("a: real[3]..(9);", "a..(9) = for e : xs do..(9) inc(e);")).0.code, Code::LoopCount);
}
