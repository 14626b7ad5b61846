//! Quantized graphs in whole numbers. What stands between `dequantize` and `quantize` computes with the integers themselves: sums of
//! products of integers, multiplied once and rounded once (`stdlib/quantized.sknd`), tables of activations, and what moves
//! elements only. The result is a graph as any other, so that all that executes graphs computes the same. It differs from what
//! the operators say in reals where a value is as near to two integers, by one at most.

mod affine;
mod bounds;
mod by_channel;
mod constants;
mod known;
mod limits;
mod means;
mod moved;
mod norms;
mod products;
mod ranges;
mod rectified;
mod resized;
mod rules;
mod scaled;
mod shares;
mod spread;
mod squares;
mod tables;
mod wide;

use super::definitions::{Definitions, Integers};
use super::edit::Editor;
use super::flat;
use super::graph::{Argument, Graph, Operation, OperationKind, OperatorCall, Region, TensorId};
use super::quantized::{regions, use_values_in};
use rules::Rules;
use std::collections::HashMap;

/// Computes with integers what a graph computes with the reals that they stand for, as far as there are operators for it.
pub(super) fn rewrite(graph: &mut Graph, definitions: &Definitions) {
    if definitions.integers() == Integers::Never {
        return;
    }
    // What quantizes and what reads that may be parts of operators.
    if graph.body.operations.iter().any(|operation| flat::inside(operation, &converts).is_some()) {
        *graph = flat::flatten(graph, &converts);
    }
    if !quantizes(&graph.body) && !quantizes(&graph.update) && !repeats_products(&graph.body) {
        return;
    }
    let is_standard =
        |call: &OperatorCall| call.operator.rsplit_once('.').is_some_and(|(module, _)| definitions.is_standard(module));
    if graph.body.operations.iter().any(|operation| flat::inside(operation, &is_standard).is_some()) {
        *graph = flat::flatten(graph, &is_standard);
    }
    let before = Before { uses: uses(graph), tensors: graph.tensors.len() };
    let (mut body, mut update) = (std::mem::take(&mut graph.body), std::mem::take(&mut graph.update));
    let mut rules = Rules::new(Editor::new(graph, definitions), &before.uses, definitions.integers());
    rules.region(&mut body);
    rules.region(&mut update);
    let (replaced, encodings) = rules.results();
    (graph.body, graph.update) = (body, update);
    graph.encodings.extend(encodings);
    // The integers say it now.
    graph.quantizations.retain(|quantization| !replaced.contains_key(&quantization.tensor));
    replace(graph, &replaced);
    remove_unused(graph, &before);
}

/// Whether an operator gives quantized values, or the reals that they stand for.
fn converts(call: &OperatorCall) -> bool {
    known::QUANTIZING.contains(&&*call.operator) || known::DEQUANTIZING.contains(&&*call.operator)
}

/// Whether nothing but the results of an operation tells that it was computed.
fn is_pure(operation: &Operation) -> bool {
    matches!(&operation.kind, OperationKind::Operator(call) if known::is_pure(&call.operator))
}

/// Whether something in a region gives quantized values.
fn quantizes(region: &Region) -> bool {
    region.operations.iter().any(|operation| match &operation.kind {
        OperationKind::Operator(call) => known::QUANTIZING.contains(&&*call.operator),
        OperationKind::If { arms, otherwise } => {
            arms.iter().any(|(condition, then)| quantizes(condition) || quantizes(then)) || quantizes(otherwise)
        }
        OperationKind::Loop(parts) => quantizes(&parts.body),
    })
}

/// Whether a region has recurrent networks, and integers that become reals.
fn repeats_products(region: &Region) -> bool {
    let calls = || {
        region.operations.iter().filter_map(|operation| match &operation.kind {
            OperationKind::Operator(call) => Some(call),
            _ => None,
        })
    };
    calls().any(known::is_recurrent) && calls().any(converts)
}

/// How often each tensor is read, or given on.
type Uses = HashMap<TensorId, usize>;

fn uses(graph: &Graph) -> Uses {
    let mut uses = Uses::new();
    let mut add = |arguments: &[Argument]| {
        arguments.iter().flat_map(Argument::items).for_each(|id| *uses.entry(*id).or_default() += 1);
    };
    let outputs: Vec<Argument> = graph.outputs.iter().map(|port| port.tensors.clone()).collect();
    add(&outputs);
    let updated: Vec<Argument> = graph.updates.iter().map(|(_, value)| Argument::Single(*value)).collect();
    add(&updated);
    let mut open = vec![&graph.body, &graph.update];
    while let Some(region) = open.pop() {
        add(&region.results);
        for operation in &region.operations {
            add(&operation.inputs);
            match &operation.kind {
                OperationKind::Operator(_) => {}
                OperationKind::If { arms, otherwise } => {
                    open.extend(arms.iter().flat_map(|(condition, then)| [condition, then]).chain([otherwise]));
                }
                OperationKind::Loop(parts) => open.extend(parts.condition.iter().chain([&parts.body])),
            }
        }
    }
    uses
}

/// Uses other tensors in place of those that are gone.
fn replace(graph: &mut Graph, values: &HashMap<TensorId, TensorId>) {
    for region in [&mut graph.body, &mut graph.update] {
        use_values_in(region, values);
    }
    for port in &mut graph.outputs {
        port.tensors = port.tensors.map(|id| *values.get(id).unwrap_or(id));
    }
    for (_, new) in &mut graph.updates {
        *new = *values.get(new).unwrap_or(new);
    }
}

/// What a graph was.
struct Before {
    uses: Uses,
    /// How many tensors it had.
    tensors: usize,
}

/// Removes what was read before and is not any more, and what was added and nobody reads.
fn remove_unused(graph: &mut Graph, before: &Before) {
    let was_wanted = |id: &TensorId| before.uses.contains_key(id) || id.0 as usize >= before.tensors;
    loop {
        let now = uses(graph);
        let is_gone = |operation: &Operation| {
            let mut results = operation.outputs.iter().flat_map(Argument::items).peekable();
            let is_known = is_pure(operation) || flat::alone(operation).is_some_and(|inner| is_pure(&inner));
            is_known
                && operation.outputs.iter().flat_map(Argument::items).any(was_wanted)
                && results.all(|id| !now.contains_key(id))
        };
        let removed =
            [&mut graph.body, &mut graph.update].map(|region| retain(region, &|operation| !is_gone(operation)));
        if removed == [0, 0] {
            return;
        }
    }
}

fn retain(region: &mut Region, stays: &dyn Fn(&Operation) -> bool) -> usize {
    let count = region.operations.len();
    region.operations.retain(stays);
    let inner = region.operations.iter_mut().flat_map(|operation| regions(&mut operation.kind));
    let within: usize = inner.map(|region| retain(region, stays)).sum();
    count - region.operations.len() + within
}
