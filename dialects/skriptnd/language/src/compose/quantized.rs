//! Quantization that is executed (section 2.14): what a graph computes with quantized tensors in place of the given ones. The
//! text leaves open whether `@quantize` changes what is computed; unless somebody asks for it, it doesn't, as in the reference.

use super::graph::{Argument, Graph, Operation, OperationKind, Region, TensorId};
use std::collections::{BTreeMap, HashMap};

/// A tensor, and what is used in its place.
#[derive(Debug)]
pub(super) struct Quantized {
    /// The tensor.
    pub(super) tensor: TensorId,
    /// What computes the quantized values.
    pub(super) operations: Vec<Operation>,
    /// The quantized values.
    pub(super) values: TensorId,
}

/// Quantizes each tensor where it is made, and uses that everywhere else. Of several quantizations of one tensor, by an
/// operator and by who invokes it, each works on what the one before it gives.
pub(super) fn execute(graph: &mut Graph, quantized: Vec<Quantized>) {
    if quantized.is_empty() {
        return;
    }
    let mut values = HashMap::new();
    let mut places: BTreeMap<TensorId, Vec<Operation>> = BTreeMap::new();
    for Quantized { tensor, mut operations, values: new } in quantized {
        operations.iter_mut().for_each(|operation| use_values(operation, &values));
        places.entry(tensor).or_default().extend(operations);
        values.insert(tensor, new);
    }
    for region in [&mut graph.body, &mut graph.update] {
        use_values_in(region, &values);
        place_in(region, &mut places);
    }
    graph.outputs.iter_mut().for_each(|port| replace(&mut port.tensors, &values));
    for (_, new) in &mut graph.updates {
        *new = *values.get(new).unwrap_or(new);
    }
    // What is left is there before the body: inputs, variables and constants.
    let first = std::mem::take(&mut places).into_values().flatten();
    graph.body.operations.splice(..0, first);
}

fn replace(argument: &mut Argument, values: &HashMap<TensorId, TensorId>) {
    *argument = argument.map(|id| *values.get(id).unwrap_or(id));
}

pub(super) fn use_values_in(region: &mut Region, values: &HashMap<TensorId, TensorId>) {
    region.operations.iter_mut().for_each(|operation| use_values(operation, values));
    region.results.iter_mut().for_each(|result| replace(result, values));
}

fn use_values(operation: &mut Operation, values: &HashMap<TensorId, TensorId>) {
    operation.inputs.iter_mut().for_each(|input| replace(input, values));
    regions(&mut operation.kind).into_iter().for_each(|region| use_values_in(region, values));
}

fn place_in(region: &mut Region, places: &mut BTreeMap<TensorId, Vec<Operation>>) {
    let mut placed: Vec<Operation> = region.parameters.iter().filter_map(|id| places.remove(id)).flatten().collect();
    for mut operation in std::mem::take(&mut region.operations) {
        regions(&mut operation.kind).into_iter().for_each(|inner| place_in(inner, places));
        let made: Vec<TensorId> = operation.outputs.iter().flat_map(Argument::items).copied().collect();
        placed.push(operation);
        placed.extend(made.iter().filter_map(|id| places.remove(id)).flatten());
    }
    region.operations = placed;
}

pub(super) fn regions(kind: &mut OperationKind) -> Vec<&mut Region> {
    match kind {
        OperationKind::Operator(_) => Vec::new(),
        OperationKind::If { arms, otherwise } => {
            arms.iter_mut().flat_map(|(condition, consequent)| [condition, consequent]).chain([otherwise]).collect()
        }
        OperationKind::Loop(parts) => parts.condition.iter_mut().chain([&mut parts.body]).collect(),
    }
}
