//! Networks, and every operator of the standard library that makes sense with extents that only the run knows:
//! composed with symbols and run within their bounds, it gives what it gives when composed with the extents of the run (section 3.1), and the
//! bounds of its results are the extents that it gives at the bounds of its operands.

mod networks;
mod operators;

use networks::NETWORKS;
use operators::{CASES, Case};
use skriptnd_interpret::{Limits, Variables, run};
use skriptnd_language::compose::graph::{Argument, Graph, Tensor as Declared};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_language::compose::{ComposeOptions, Definitions, compose};
use skriptnd_language::library::Library;
use skriptnd_language::sema;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::FileProvider;
use std::sync::Arc;

/// A model that is one text.
struct Text(String);

impl FileProvider for Text {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.clone())))
    }
}

/// Variables whose values follow from their shapes.
struct Ramps;

impl Variables for Ramps {
    fn read(&self, _file: &str, declared: &Declared) -> Result<Tensor, String> {
        ramp(declared).ok_or_else(|| "a variable's extent is not known".to_owned())
    }
}

type Outputs = Vec<Argument<Arc<Tensor>>>;

fn definitions(case: &Case) -> Result<Definitions, String> {
    let Case { inputs, dtype, statement } = case;
    let composition = if statement.contains(';') { (*statement).to_owned() } else { format!("y = {statement};") };
    let text = format!(
        "import nn, math, layout, linalg, image, algo, misc, layer;
         graph G {{ @input {{ {inputs} }} @output {{ y: {dtype}; }} @compose {{ {composition} }} }}"
    );
    let (library, found) = Library::load(&Text(text));
    let messages: Vec<_> =
        found.iter().chain(sema::check(&library).diagnostics.iter()).map(|d| d.message.clone()).collect();
    if messages.is_empty() { Ok(library.into()) } else { Err(messages.join("; ")) }
}

fn composed(definitions: &Definitions, bindings: &[(String, i64)]) -> Result<Graph, String> {
    let options = ComposeOptions { bindings: bindings.to_vec(), ..ComposeOptions::default() };
    let (graph, found) = compose(definitions, &options);
    graph.ok_or_else(|| found.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
}

/// The names of the dynamic extents, with their bounds, as the declaration writes them.
fn symbols(inputs: &str) -> Vec<(String, i64)> {
    let mut symbols = Vec::new();
    for part in inputs.split(['[', ',', ']']) {
        if let Some((name, bound)) = part.split_once('|') {
            symbols.push((name.trim().to_owned(), bound.trim().parse().expect("a bound")));
        }
    }
    symbols
}

/// A tensor of small numbers that differ, for a type whose extents are known.
fn ramp(declared: &Declared) -> Option<Tensor> {
    let extents = declared.ty.shape.iter().map(|extent| usize::try_from(extent.as_known()?).ok());
    let shape: Vec<usize> = extents.collect::<Option<_>>()?;
    let count: usize = shape.iter().product();
    let data = match declared.ty.dtype {
        ScalarType::Real => TensorData::F32((0..count).map(|at| (at * 7 % 11) as f32 * 0.25 + 0.125).collect()),
        ScalarType::Int => TensorData::I64((0..count).map(|at| (at % 2) as i64).collect()),
        _ => TensorData::Bool((0..count).map(|at| at % 3 == 0).collect()),
    };
    Some(Tensor { shape, data })
}

fn inputs_of(graph: &Graph) -> Vec<Option<Argument<Tensor>>> {
    let value = |id: &_| ramp(graph.tensor(*id)).expect("extents that are known");
    graph.inputs.iter().map(|port| Some(port.tensors.map(value))).collect()
}

fn outputs(definitions: &Definitions, graph: &Graph, inputs: Vec<Option<Argument<Tensor>>>) -> Result<Outputs, String> {
    let outcome = run(definitions, graph, inputs, &Ramps, &Limits::default());
    let outcome = outcome.map_err(|found| found.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "));
    Ok(outcome?.outputs.into_iter().map(|(_, value)| value).collect())
}

/// Extents to run with: the bounds, one, and what lies between.
fn settings(symbols: &[(String, i64)]) -> Vec<Vec<(String, i64)>> {
    let extent = |bound: i64, step: i64| (bound - step).max(1);
    (0..4).map(|step| symbols.iter().map(|(name, bound)| (name.clone(), extent(*bound, step))).collect()).collect()
}

#[test]
fn operators_and_networks_compute_the_same_with_extents_of_the_run() {
    let mut problems = Vec::new();
    for case in CASES.iter().chain(NETWORKS) {
        let prepared = definitions(case).and_then(|definitions| Ok((composed(&definitions, &[])?, definitions)));
        let (dynamic, definitions) = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => {
                problems.push(format!("{}: {reason}", case.statement));
                continue;
            }
        };
        for bindings in settings(&symbols(case.inputs)) {
            let again = OF_PACKS.iter().any(|operator| case.statement.contains(operator));
            if let Err(problem) = compare((&definitions, again), &dynamic, &bindings) {
                problems.push(format!("{} with {bindings:?}: {problem}", case.statement));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Operators that make packs of an open length inside: for what takes these, a run makes instances with as many items as
/// there are.
const OF_PACKS: [&str; 2] = ["nn.lstm(", "layout.unstack"];

/// What both ways give must be equal; where one refuses, the other must, too. `again` says whether a run may instantiate
/// operators for the extents that it finds.
fn compare(
    (definitions, again): (&Definitions, bool),
    dynamic: &Graph,
    bindings: &[(String, i64)],
) -> Result<(), String> {
    let fixed = match composed(definitions, bindings) {
        Ok(graph) => graph,
        Err(reason) => return refused(dynamic, &reason),
    };
    let inputs = inputs_of(&fixed);
    let expected = outputs(definitions, &fixed, inputs.clone());
    let made = definitions.made_instances();
    let found = outputs(definitions, dynamic, inputs);
    let more = definitions.made_instances() - made;
    match (expected, found) {
        (Ok(_), Ok(_)) if more > 0 && !again => Err(format!("{more} operators were instantiated again")),
        (Ok(expected), Ok(found)) if expected == found => Ok(()),
        (Ok(expected), Ok(found)) => Err(format!("expected {expected:?}, found {found:?}")),
        (Err(_), Err(_)) => Ok(()),
        (expected, found) => {
            Err(format!("composed with the extents: {:?}, with symbols: {:?}", expected.err(), found.err()))
        }
    }
}

/// A setting that can't be composed. Its inputs are not known, so nothing can be run; the operator must have something
/// left to check.
fn refused(dynamic: &Graph, reason: &str) -> Result<(), String> {
    if dynamic.runtime_asserts.is_empty() { Err(format!("refused ({reason}), but nothing is checked")) } else { Ok(()) }
}

#[test]
fn bounds_are_the_extents_at_the_bounds() {
    let mut problems = Vec::new();
    for case in CASES {
        let Ok(definitions) = definitions(case) else { continue };
        let (Ok(dynamic), Ok(largest)) = (composed(&definitions, &[]), composed(&definitions, &symbols(case.inputs)))
        else {
            continue;
        };
        for (port, largest_port) in dynamic.outputs.iter().zip(&largest.outputs) {
            for (id, largest_id) in port.tensors.items().iter().zip(largest_port.tensors.items()) {
                let upper = |graph: &Graph, id| -> Vec<Option<i64>> {
                    let ty: &Declared = graph.tensor(id);
                    ty.ty.shape.iter().map(|extent| extent.as_known().or(extent.bound)).collect()
                };
                let (bounds, expected) = (upper(&dynamic, *id), upper(&largest, *largest_id));
                if bounds != expected {
                    problems.push(format!("{}: bounds {bounds:?}, at the bounds {expected:?}", case.statement));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
