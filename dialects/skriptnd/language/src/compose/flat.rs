//! Takes operators apart: what they are composed of stands in their place.

use super::graph::{
    Argument, Graph, InstanceBody, Operation, OperationKind, OperatorCall, Origin, Port, Region, RuntimeAssert, Tensor,
    TensorId,
};
use skriptnd_source::diagnostics::Frame;
use std::collections::HashMap;

/// The same graph, in whose body no composed operator is left that has an operation of `wanted` operators inside, by their calls; such
/// operators themselves, loops and branches stay as they are, and so do operators with variables and with packs whose length only a
/// run knows. What is asserted inside is asserted by the graph.
pub fn flatten(graph: &Graph, wanted: &dyn Fn(&OperatorCall) -> bool) -> Graph {
    let tensors = graph.tensors.clone();
    let asserts = graph.runtime_asserts.clone();
    let mut flat = Flat { wanted, tensors, asserts, operations: Vec::new(), same: HashMap::new() };
    graph.body.operations.iter().for_each(|operation| flat.add(operation.clone()));
    let Flat { tensors, asserts, operations, same, .. } = flat;
    let mut graph = Graph { tensors, runtime_asserts: asserts, ..graph.clone() };
    graph.body.operations = operations;
    let now = |id: &TensorId| resolved(&same, *id);
    graph.outputs.iter_mut().for_each(|port| port.tensors = port.tensors.map(now));
    graph.body.results = graph.outputs.iter().map(|port: &Port| port.tensors.clone()).collect();
    rename(&mut graph.update, &now);
    graph.updates.iter_mut().for_each(|(_, value)| *value = now(value));
    graph
}

/// The composition of an operator that is to be taken apart for those within it.
pub fn inside<'o>(operation: &'o Operation, wanted: &dyn Fn(&OperatorCall) -> bool) -> Option<&'o Graph> {
    let OperationKind::Operator(call) = &operation.kind else { return None };
    let instance = operation.instance.as_ref().filter(|_| !wanted(call))?;
    let InstanceBody::Composition(graph) = &instance.body else { return None };
    let is_plain = graph.pack_lengths.is_empty() && graph.variables.is_empty();
    let has = |operation: &Operation| match &operation.kind {
        OperationKind::Operator(call) => wanted(call) || inside(operation, wanted).is_some(),
        _ => false,
    };
    (is_plain && graph.body.operations.iter().any(has)).then_some(graph)
}

/// The operation that an operator is composed of, if it is one alone, which reads what the operator is given and gives what that gives.
pub fn alone(operation: &Operation) -> Option<Operation> {
    let OperationKind::Operator(_) = &operation.kind else { return None };
    let InstanceBody::Composition(graph) = &operation.instance.as_ref()?.body else { return None };
    let [inner] = graph.body.operations.as_slice() else { return None };
    let outputs: Vec<Argument> = graph.outputs.iter().map(|port| port.tensors.clone()).collect();
    let is_plain = graph.variables.is_empty() && graph.runtime_asserts.is_empty();
    if inner.outputs != outputs || !is_plain || !matches!(inner.kind, OperationKind::Operator(_)) {
        return None;
    }
    let given = |input: &Argument| {
        let at = graph.inputs.iter().position(|port| port.tensors == *input && !matches!(input, Argument::Null))?;
        operation.inputs.get(at).cloned()
    };
    let inputs = inner.inputs.iter().map(given).collect::<Option<_>>()?;
    Some(Operation { inputs, outputs: operation.outputs.clone(), ..inner.clone() })
}

/// What a tensor is that is another one.
fn resolved(same: &HashMap<TensorId, TensorId>, id: TensorId) -> TensorId {
    same.get(&id).map_or(id, |other| resolved(same, *other))
}

/// What was taken apart.
struct Flat<'w> {
    wanted: &'w dyn Fn(&OperatorCall) -> bool,
    tensors: Vec<Tensor>,
    asserts: Vec<RuntimeAssert>,
    operations: Vec<Operation>,
    /// Results that are something else that there is.
    same: HashMap<TensorId, TensorId>,
}

impl Flat<'_> {
    fn add(&mut self, mut operation: Operation) {
        rename_operation(&mut operation, &|id| resolved(&self.same, *id));
        match inside(&operation, self.wanted).cloned() {
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
        self.asserts.extend(graph.runtime_asserts.iter().cloned());
        let around = frames(operation);
        for inner in &graph.body.operations {
            let mut inner = inner.clone();
            inner.chain.extend(around.iter().cloned());
            rename_operation(&mut inner, &|id| map[id]);
            self.add(inner);
        }
    }
}

/// The invocations around what an operator is composed of, innermost first.
fn frames(operation: &Operation) -> Vec<Frame> {
    let own = match &operation.kind {
        OperationKind::Operator(call) => Some(Frame { operator: call.operator.to_string(), span: operation.span }),
        _ => None,
    };
    own.into_iter().chain(operation.chain.iter().cloned()).collect()
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
