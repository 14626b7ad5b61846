//! Operators that are composed of others with products among them are taken apart, so that what lies inside can be quantized, too.

use super::operators;
use skriptnd_language::compose::flat;
use skriptnd_language::compose::graph::{Graph, InstanceBody, Operation, OperationKind, OperatorCall, Region};

/// The same graph, in whose body no operator has a product inside; loops stay as they are.
pub fn flatten(graph: &Graph) -> Graph {
    flat::flatten(graph, &is_product)
}

/// The operations of a flat graph that have products within loops or branches, and what these are.
pub fn left_whole(graph: &Graph) -> Vec<(&Operation, String)> {
    let what = |operation: &Operation| match &operation.kind {
        OperationKind::Operator(call) => format!("`{}`", call.operator),
        OperationKind::If { .. } => "a branch".to_owned(),
        OperationKind::Loop(_) => "a loop".to_owned(),
    };
    let is_product =
        |operation: &Operation| matches!(&operation.kind, OperationKind::Operator(call) if is_product(call));
    let operations =
        graph.body.operations.iter().filter(|operation| !is_product(operation) && hides_product(operation));
    operations.map(|operation| (operation, what(operation))).collect()
}

fn is_product(call: &OperatorCall) -> bool {
    operators::factors(call, &|_| Some(2)).is_some()
}

/// Whether there is a product anywhere inside.
fn hides_product(operation: &Operation) -> bool {
    let within = |region: &Region| region.operations.iter().any(hides_product);
    match &operation.kind {
        OperationKind::Operator(call) if is_product(call) => true,
        OperationKind::Operator(_) => match operation.instance.as_ref().map(|instance| &instance.body) {
            Some(InstanceBody::Composition(graph)) => within(&graph.body),
            _ => false,
        },
        OperationKind::If { arms, otherwise } => {
            arms.iter().any(|(condition, then)| within(condition) || within(then)) || within(otherwise)
        }
        OperationKind::Loop(parts) => parts.condition.iter().any(within) || within(&parts.body),
    }
}
