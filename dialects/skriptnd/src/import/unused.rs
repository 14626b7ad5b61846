//! Operations that nobody uses and that a run executes all the same, because they may fail.

use crate::lowering::limits::Limits;
use crate::lowering::plan::TensorShape;
use crate::lowering::requirements;
use skriptnd_language::compose::InstanceBody;
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Region, TensorId};
use std::collections::HashSet;

/// The tensors that the graph gives, and that something uses which is needed for them or may fail.
pub(super) fn used(graph: &Graph, limits: &Limits) -> HashSet<TensorId> {
    let mut used: HashSet<TensorId> = graph.outputs.iter().flat_map(|port| port.tensors.items()).copied().collect();
    used.extend(graph.updates.iter().map(|(_, value)| *value));
    for region in [&graph.update, &graph.body] {
        add_used((graph, limits), region, &mut used);
    }
    used
}

fn add_used((graph, limits): (&Graph, &Limits), region: &Region, used: &mut HashSet<TensorId>) {
    used.extend(region.results.iter().flat_map(Argument::items));
    for operation in region.operations.iter().rev() {
        let is_used = operation.outputs.iter().flat_map(Argument::items).any(|id| used.contains(id));
        if is_used || may_fail(graph, limits, operation) {
            used.extend(operation.inputs.iter().flat_map(Argument::items));
            inner(operation).for_each(|region| add_used((graph, limits), region, used));
        }
    }
}

/// The regions of an operation.
fn inner(operation: &Operation) -> impl Iterator<Item = &Region> {
    let (arms, others): (&[(Region, Region)], Vec<&Region>) = match &operation.kind {
        OperationKind::Operator(_) => (&[], Vec::new()),
        OperationKind::If { arms, otherwise } => (arms, vec![otherwise]),
        OperationKind::Loop(parts) => (&[], std::iter::once(&parts.body).chain(&parts.condition).collect()),
    };
    arms.iter().flat_map(|(condition, consequent)| [condition, consequent]).chain(others)
}

/// Whether some data may let the operation fail.
pub(super) fn may_fail(graph: &Graph, limits: &Limits, operation: &Operation) -> bool {
    let some_may_fail = |graph: &Graph, limits: &Limits, region: &Region| {
        region.operations.iter().any(|operation| may_fail(graph, limits, operation))
    };
    let Some(instance) = &operation.instance else {
        return inner(operation).any(|region| some_may_fail(graph, limits, region));
    };
    match &instance.body {
        InstanceBody::Formula(formula) => {
            let (inputs, outputs) = (shapes(graph, &operation.inputs), shapes(graph, &operation.outputs));
            requirements::may_fail(formula, &inputs, &outputs, limits)
        }
        InstanceBody::Composition(composition) => {
            some_may_fail(composition, &Limits::of(composition), &composition.body)
        }
        InstanceBody::Intrinsic => false,
    }
}

/// The shapes of tensors.
fn shapes(graph: &Graph, arguments: &[Argument]) -> Vec<TensorShape> {
    arguments.iter().flat_map(Argument::items).map(|id| TensorShape::of(&graph.tensor(*id).ty)).collect()
}
