//! What a graph takes and gives, in the order of the compiled model: the items of packs one by one, or as one tensor where only a run
//! knows how many there are.

use crate::Error;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::{self, Argument, Graph, Origin};
use skriptnd_runtime::Tensor;
use skriptnd_runtime::metadata::{Extent, Metadata, OpenExtent, TensorInfo};
use std::sync::Arc;

/// Tensors by the names that the graph has for them.
pub type Named = Vec<(String, Argument<Arc<Tensor>>)>;

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
pub fn written_shapes(interface: &Metadata, extents: &[(String, i64)]) -> Result<Vec<Vec<usize>>, Error> {
    let lookup = |name: &str| extents.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
    let extent = |extent: &Extent| match extent {
        Extent::Known(known) => Some(*known),
        Extent::Open { expression, bound } => match expression.parse::<SymExpr>().ok()?.evaluate(&lookup) {
            Some(value) => usize::try_from(value).ok(),
            None => *bound,
        },
    };
    let shape = |info: &TensorInfo| info.extents.iter().map(extent).collect::<Option<Vec<_>>>();
    let unknown = || Error::Tensor("an output has an extent that is negative or not known".into());
    interface.written().map(|info| shape(info).ok_or_else(unknown)).collect()
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
pub fn assigned(graph: &Graph, interface: &Metadata, results: Vec<Tensor>) -> (Named, Named) {
    let mut written = interface.written().zip(results);
    let mut outputs = Named::new();
    for port in &graph.outputs {
        let value = match &port.tensors {
            Argument::Null => Argument::Null,
            Argument::Single(_) => {
                written.next().map_or(Argument::Null, |(_, tensor)| Argument::Single(Arc::new(tensor)))
            }
            Argument::Pack(items) => Argument::Pack(pack_of(&mut written, items.len())),
        };
        outputs.push((port.name.clone(), value));
    }
    let name = |info: &TensorInfo| Some(variable(graph, &info.name).ok()?.name.clone());
    let new = written.filter_map(|(info, tensor)| Some((name(info)?, Argument::Single(Arc::new(tensor)))));
    (outputs, new.collect())
}

/// The items of a pack from what a run wrote: one tensor for each of `count`, or one for all where only a run knows how many there
/// are.
fn pack_of<'i>(mut written: impl Iterator<Item = (&'i TensorInfo, Tensor)>, count: usize) -> Vec<Arc<Tensor>> {
    let mut items = Vec::new();
    while items.len() < count
        && let Some((info, tensor)) = written.next()
    {
        let is_pack = info.is_pack;
        items.extend(info.items(tensor).into_iter().map(Arc::new));
        if is_pack {
            break;
        }
    }
    items
}
