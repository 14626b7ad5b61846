//! Takes operators apart that are composed of others with products among them, so that what lies inside can be quantized, too.

use super::operators;
use skriptnd_language::compose::graph::{
    Argument, Graph, InstanceBody, Operation, OperationKind, OperatorCall, Origin, Port, Region, Tensor, TensorId,
};
use std::collections::HashMap;

/// The same graph, in whose body no operator has a product inside; loops stay as they are.
pub fn flatten(graph: &Graph) -> Graph {
    let mut flat = Flat { tensors: graph.tensors.clone(), operations: Vec::new(), same: HashMap::new() };
    graph.body.operations.iter().for_each(|operation| flat.add(operation.clone()));
    let Flat { tensors, operations, same } = flat;
    let mut graph = Graph { tensors, ..graph.clone() };
    graph.body.operations = operations;
    let now = |id: &TensorId| resolved(&same, *id);
    graph.outputs.iter_mut().for_each(|port| port.tensors = port.tensors.map(now));
    graph.body.results = graph.outputs.iter().map(|port: &Port| port.tensors.clone()).collect();
    rename(&mut graph.update, &now);
    graph.updates.iter_mut().for_each(|(_, value)| *value = now(value));
    graph
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

/// What a tensor is that is another one.
fn resolved(same: &HashMap<TensorId, TensorId>, id: TensorId) -> TensorId {
    same.get(&id).map_or(id, |other| resolved(same, *other))
}

/// What was taken apart.
struct Flat {
    tensors: Vec<Tensor>,
    operations: Vec<Operation>,
    /// Results that are something else that there is.
    same: HashMap<TensorId, TensorId>,
}

impl Flat {
    fn add(&mut self, mut operation: Operation) {
        rename_operation(&mut operation, &|id| resolved(&self.same, *id));
        match inside(&operation).cloned() {
            Some(graph) => self.inline(&operation, &graph),
            None => self.operations.push(operation),
        }
    }

    fn inline(&mut self, operation: &Operation, graph: &Graph) {
        let mut map: HashMap<TensorId, TensorId> = HashMap::new();
        for (port, given) in graph.inputs.iter().zip(&operation.inputs) {
            map.extend(port.tensors.items().iter().copied().zip(given.items().iter().copied()));
        }
        let mut others = Vec::new();
        for (port, wanted) in graph.outputs.iter().zip(&operation.outputs) {
            for (inner, outer) in port.tensors.items().iter().zip(wanted.items()) {
                let is_own = matches!(graph.tensor(*inner).origin, Origin::Result) && !map.contains_key(inner);
                if is_own {
                    map.insert(*inner, *outer);
                } else {
                    others.push((*outer, *inner));
                }
            }
        }
        let scope = operation.outputs.iter().flat_map(Argument::items).next();
        let scope = scope.map_or_else(String::new, |id| self.tensors[id.0 as usize].name.clone());
        for (at, tensor) in graph.tensors.iter().enumerate() {
            map.entry(TensorId(at as u32)).or_insert_with(|| {
                self.tensors.push(Tensor { name: format!("{scope}.{}", tensor.name), ..tensor.clone() });
                TensorId(self.tensors.len() as u32 - 1)
            });
        }
        self.same.extend(others.into_iter().map(|(outer, inner)| (outer, map[&inner])));
        for inner in &graph.body.operations {
            let mut inner = inner.clone();
            rename_operation(&mut inner, &|id| map[id]);
            self.add(inner);
        }
    }
}

/// The composition of an operator that has a product inside.
fn inside(operation: &Operation) -> Option<&Graph> {
    let OperationKind::Operator(call) = &operation.kind else { return None };
    if is_product(call) {
        return None;
    }
    let graph = match &operation.instance.as_ref()?.body {
        InstanceBody::Composition(graph) => graph,
        _ => return None,
    };
    let is_plain = graph.pack_lengths.is_empty() && graph.variables.is_empty();
    (is_plain && graph.body.operations.iter().any(has_product)).then_some(graph)
}

fn has_product(operation: &Operation) -> bool {
    match &operation.kind {
        OperationKind::Operator(call) => is_product(call) || inside(operation).is_some(),
        _ => false,
    }
}

fn rename(region: &mut Region, now: &dyn Fn(&TensorId) -> TensorId) {
    region.parameters.iter_mut().for_each(|id| *id = now(id));
    region.operations.iter_mut().for_each(|operation| rename_operation(operation, now));
    region.results.iter_mut().for_each(|result| *result = result.map(now));
}

fn rename_operation(operation: &mut Operation, now: &dyn Fn(&TensorId) -> TensorId) {
    let arguments = operation.inputs.iter_mut().chain(&mut operation.outputs);
    arguments.for_each(|argument| *argument = argument.map(now));
    match &mut operation.kind {
        OperationKind::Operator(_) => {}
        OperationKind::If { arms, otherwise } => {
            for (condition, consequent) in arms {
                rename(condition, now);
                rename(consequent, now);
            }
            rename(otherwise, now);
        }
        OperationKind::Loop(parts) => {
            parts.condition.iter_mut().for_each(|region| rename(region, now));
            rename(&mut parts.body, now);
        }
    }
}
