//! Operations that nobody uses and that a run executes all the same, because they may fail.

use crate::lowering::defined;
use crate::lowering::limits::Limits;
use crate::lowering::plan::TensorShape;
use crate::lowering::requirements;
use skriptnd_language::compose::InstanceBody;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::{Argument, Graph, Instance, Loop, Operation, OperationKind, Region, TensorId};
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

/// Whether some data, or some extents, may let the operation fail.
pub(super) fn may_fail(graph: &Graph, limits: &Limits, operation: &Operation) -> bool {
    if let Some(instance) = &operation.instance {
        let (inputs, outputs) = (shapes(graph, &operation.inputs), shapes(graph, &operation.outputs));
        return invocation_may_fail(instance, &inputs, &outputs, limits);
    }
    let itself = match &operation.kind {
        OperationKind::Loop(parts) => loop_may_fail(graph, limits, operation, parts),
        _ => false,
    };
    itself || inner(operation).any(|region| some_may_fail(graph, limits, region))
}

fn some_may_fail(graph: &Graph, limits: &Limits, region: &Region) -> bool {
    region.operations.iter().any(|operation| may_fail(graph, limits, operation))
}

/// Whether some data, or some extents, may let an operator on tensors of these shapes fail.
pub fn invocation_may_fail(
    instance: &Instance,
    inputs: &[TensorShape],
    outputs: &[TensorShape],
    limits: &Limits,
) -> bool {
    let mut extents = outputs.iter().flat_map(|output| &output.shape);
    if instance.call.attributes.values().any(|value| defined::of_value(value, limits).is_some())
        || extents.any(|extent| defined::condition(extent, limits).is_some())
    {
        return true;
    }
    match &instance.body {
        InstanceBody::Formula(formula) => requirements::may_fail(formula, inputs, outputs, limits),
        InstanceBody::Composition(composition) => {
            !composition.runtime_asserts.is_empty()
                || some_may_fail(composition, &Limits::of(composition), &composition.body)
        }
        InstanceBody::Intrinsic => false,
    }
}

/// Whether the count of a loop may be negative or beyond the packs that it goes through, or whether it may collect more, or carry
/// larger tensors, than there is room for.
fn loop_may_fail(graph: &Graph, limits: &Limits, operation: &Operation, parts: &Loop) -> bool {
    let given = operation.inputs.iter().skip(parts.carried + parts.scans).any(|count| *count != Argument::Null);
    let packs = operation.inputs.iter().skip(parts.carried).take(parts.scans);
    let lengths = packs.map(|pack| match graph.pack_length(pack.items()) {
        Some(length) => length.value.clone(),
        None => SymExpr::Const(pack.items().len() as i64),
    });
    let fits = |count: &SymExpr| {
        limits.is_never_negative(count) && lengths.clone().all(|length| limits.is_at_most(count, &length))
    };
    let ty = |id: &TensorId| &graph.tensor(*id).ty;
    let yielded = parts.body.results.iter().flat_map(Argument::items);
    let mut carried = parts.body.parameters.iter().zip(yielded).take(parts.carried);
    given
        || parts.count.as_ref().is_some_and(|count| !fits(&count.value))
        || operation.outputs.iter().any(|pack| graph.pack_length(pack.items()).is_some())
        || carried.any(|(before, after)| ty(before) != ty(after))
}

/// The shapes of tensors.
fn shapes(graph: &Graph, arguments: &[Argument]) -> Vec<TensorShape> {
    arguments.iter().flat_map(Argument::items).map(|id| TensorShape::of(&graph.tensor(*id).ty)).collect()
}
