//! What a graph takes and gives, in the order of the compiled model: the items of packs one by one.

use crate::Error;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::{self, Argument, Graph, Origin, TensorType};
use skriptnd_runtime::Tensor;
use skriptnd_runtime::metadata::{self, Metadata, OpenExtent, TensorInfo};
use std::sync::Arc;

/// Tensors by the names that the graph has for them.
pub type Named = Vec<(String, Argument<Arc<Tensor>>)>;

/// The values that the inputs give to extents which the graph leaves open.
pub fn open_extents(graph: &Graph, inputs: &[Option<Argument<Tensor>>]) -> Vec<(String, i64)> {
    let mut bound: Vec<(String, i64)> = Vec::new();
    let mut bind = |extent: &Extent, actual: usize| {
        if let SymExpr::Symbol(name) = &extent.value
            && !bound.iter().any(|(known, _)| **known == **name)
        {
            bound.push((name.to_string(), actual as i64));
        }
    };
    for (port, value) in graph.inputs.iter().zip(inputs) {
        let (declared, given) = (port.tensors.items(), value.iter().flat_map(Argument::items));
        if let (Some(Argument::Pack(items)), Some(first)) = (value, declared.first())
            && let Some(length) = graph.pack_length(*first)
        {
            bind(length, items.len());
        }
        for (id, tensor) in declared.iter().zip(given) {
            let extents = graph.tensor(*id).ty.shape.iter().zip(&tensor.shape);
            extents.for_each(|(extent, &actual)| bind(extent, actual));
        }
    }
    bound
}

/// The extents that a compiled model takes, by name, from its inputs.
///
/// # Errors
/// Where an input can't have such a shape.
pub fn extents_of(interface: &Metadata, inputs: &[Tensor]) -> Result<Vec<(String, i64)>, Error> {
    let value = |open: &OpenExtent| {
        let dimension = inputs.get(open.input).and_then(|input| input.shape.get(open.dimension));
        let dimension = *dimension.ok_or_else(|| Error::Tensor(format!("no input tells extent `{}`", open.name)))?;
        Ok((open.name.clone(), open.solve(dimension).map_err(Error::Tensor)?))
    };
    interface.extents.iter().map(value).collect()
}

/// The shapes of outputs and, behind them, of new values of variables for these extents: the largest ones where data determine
/// them.
///
/// # Errors
/// Where an extent is negative or depends on others.
pub fn written_shapes(
    graph: &Graph,
    interface: &Metadata,
    extents: &[(String, i64)],
) -> Result<Vec<Vec<usize>>, Error> {
    let lookup = |name: &str| extents.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let shape = |(ty, info): (&TensorType, &TensorInfo)| {
        let extent = |(extent, noted): (&Extent, &metadata::Extent)| match extent.value.evaluate(&lookup) {
            Some(value) => usize::try_from(value).ok(),
            None => noted.bound(),
        };
        let shape = ty.shape.iter().zip(&info.extents).map(extent).collect::<Option<Vec<_>>>();
        shape.ok_or_else(|| Error::Tensor("an output has an extent that is negative or not known".into()))
    };
    let outputs =
        graph.outputs.iter().flat_map(|port| port.tensors.items()).map(|id| Ok::<_, Error>(&graph.tensor(*id).ty));
    let states = interface.states.iter().map(|info| Ok(&variable(graph, &info.name)?.ty));
    outputs.chain(states).zip(interface.written()).map(|(ty, info)| shape((ty?, info))).collect()
}

/// The inputs of a graph one by one, defaults filled in.
///
/// # Errors
/// Where a value is missing, or a pack has not as many items as the graph takes.
pub fn flat_inputs(graph: &Graph, given: Vec<Option<Argument<Tensor>>>) -> Result<Vec<Tensor>, Error> {
    let mut flat = Vec::new();
    for (port, value) in graph.inputs.iter().zip(given) {
        let Some(value) = value else {
            for &id in port.tensors.items() {
                let missing = || Error::MissingInput(port.name.clone());
                flat.push(skriptnd_interpret::default_value(graph.tensor(id)).ok_or_else(missing)?);
            }
            continue;
        };
        let (expected, found) = (port.tensors.items().len(), value.items().len());
        if expected != found {
            let name = &port.name;
            return Err(Error::Tensor(format!("input `{name}` takes {expected} tensors; the number given is {found}")));
        }
        match value {
            Argument::Null => {}
            Argument::Single(tensor) => flat.push(tensor),
            Argument::Pack(tensors) => flat.extend(tensors),
        }
    }
    Ok(flat)
}

/// The name of a variable's file without extension.
pub fn stem(tensor: &graph::Tensor) -> Option<&str> {
    match &tensor.origin {
        Origin::Variable { file } => Some(file),
        _ => None,
    }
}

/// The variable whose file has this stem.
///
/// # Errors
/// Where the graph has none.
pub fn variable<'g>(graph: &'g Graph, name: &str) -> Result<&'g graph::Tensor, Error> {
    let declared = graph.variables.iter().map(|&id| graph.tensor(id)).find(|tensor| stem(tensor) == Some(name));
    declared.ok_or_else(|| Error::Tensor(format!("variable `{name}` is not in the model")))
}

/// Results as outputs of the graph and, behind them, new values of its variables, which are named by their files.
pub fn assigned<'a>(graph: &Graph, states: impl Iterator<Item = &'a str>, results: Vec<Tensor>) -> (Named, Named) {
    let mut results = results.into_iter().map(Arc::new);
    let mut outputs = Named::new();
    for port in &graph.outputs {
        let tensors = results.by_ref().take(port.tensors.items().len()).collect();
        outputs.push((port.name.clone(), regroup(&port.tensors, tensors)));
    }
    let new = states.zip(results);
    let new =
        new.filter_map(|(name, tensor)| Some((variable(graph, name).ok()?.name.clone(), Argument::Single(tensor))));
    (outputs, new.collect())
}

fn regroup<T>(shape: &Argument, mut tensors: Vec<T>) -> Argument<T> {
    match shape {
        Argument::Single(_) => tensors.pop().map_or(Argument::Null, Argument::Single),
        Argument::Pack(_) => Argument::Pack(tensors),
        Argument::Null => Argument::Null,
    }
}
