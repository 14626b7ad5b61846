//! When values of a graph are used for the last time.

use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Region, TensorId};

/// For every operation of the body, the tensors that nothing needs after it.
pub(super) fn dropped_after(graph: &Graph) -> Vec<Vec<TensorId>> {
    const KEPT: usize = usize::MAX;
    let mut last = vec![None; graph.tensors.len()];
    for (at, operation) in graph.body.operations.iter().enumerate() {
        let mut note = |id: &TensorId| {
            if let Some(last) = last.get_mut(id.0 as usize) {
                *last = Some(at);
            }
        };
        visit_operation(operation, &mut note);
    }
    let mut keep = |id: &TensorId| {
        if let Some(last) = last.get_mut(id.0 as usize) {
            *last = Some(KEPT);
        }
    };
    visit_ends(graph, &mut keep);
    graph.variables.iter().for_each(&mut keep);

    let mut dropped = vec![Vec::new(); graph.body.operations.len()];
    for (id, last) in last.into_iter().enumerate() {
        if let Some(list) = last.and_then(|at| dropped.get_mut(at)) {
            list.push(TensorId(id as u32));
        }
    }
    dropped
}

/// Whether anything in a graph mentions a tensor.
pub(super) fn is_used(graph: &Graph, tensor: TensorId) -> bool {
    let mut found = false;
    let mut note = |id: &TensorId| found |= *id == tensor;
    visit_region(&graph.body, &mut note);
    visit_ends(graph, &mut note);
    found
}

/// What is needed after the body: updates, results and outputs.
fn visit_ends(graph: &Graph, visit: &mut impl FnMut(&TensorId)) {
    visit_region(&graph.update, visit);
    visit_arguments(&graph.body.results, visit);
    graph.outputs.iter().for_each(|port| port.tensors.items().iter().for_each(&mut *visit));
    graph.updates.iter().for_each(|(variable, value)| [variable, value].into_iter().for_each(&mut *visit));
}

fn visit_region(region: &Region, visit: &mut impl FnMut(&TensorId)) {
    region.parameters.iter().for_each(&mut *visit);
    visit_arguments(&region.results, visit);
    for operation in &region.operations {
        visit_operation(operation, visit);
    }
}

/// All tensors that an operation mentions, inside its regions too.
fn visit_operation(operation: &Operation, visit: &mut impl FnMut(&TensorId)) {
    visit_arguments(&operation.inputs, visit);
    visit_arguments(&operation.outputs, visit);
    // Regions nest as deeply as the text does, which the parser limits.
    match &operation.kind {
        OperationKind::Operator(_) => {}
        OperationKind::If { arms, otherwise } => {
            for (condition, consequent) in arms {
                visit_region(condition, visit);
                visit_region(consequent, visit);
            }
            visit_region(otherwise, visit);
        }
        OperationKind::Loop(inner) => {
            visit_region(&inner.body, visit);
            inner.condition.iter().for_each(|condition| visit_region(condition, visit));
        }
    }
}

fn visit_arguments(arguments: &[Argument], visit: &mut impl FnMut(&TensorId)) {
    arguments.iter().flat_map(Argument::items).for_each(visit);
}
