//! `--input [NAME=]FILE[,FILE...]`

use crate::failure::Failure;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::{Argument, Graph, Origin, TensorType};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_runtime::intrinsic::random::Generator;
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{Tensor, TensorData, read_tensor};
use std::path::Path;

/// Larger tensors are not made up.
pub const MAX_ELEMENTS: usize = 1 << 31;

/// Reads the files; one entry per input of the graph. Those without a name stand for the inputs without a value, in
/// order.
pub fn read_inputs(graph: &Graph, given: &[String]) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    let mut inputs: Vec<Option<Argument<Tensor>>> = vec![None; graph.inputs.len()];
    let mut unnamed = Vec::new();
    for text in given {
        match named(graph, text)? {
            Some((at, files)) if inputs[at].is_none() => inputs[at] = Some(read(files, is_pack(graph, at))?),
            Some((at, _)) => {
                return Err(Failure::usage(format!("input `{}` is given twice", graph.inputs[at].name)));
            }
            None => unnamed.push(text.as_str()),
        }
    }
    for files in unnamed {
        let Some(at) = inputs.iter().position(Option::is_none) else {
            let count = graph.inputs.len();
            return Err(Failure::usage(format!("--input {files}: graph {} has only {count} inputs", graph.name)));
        };
        inputs[at] = Some(read(files, is_pack(graph, at))?);
    }
    Ok(inputs)
}

fn is_pack(graph: &Graph, at: usize) -> bool {
    matches!(graph.inputs[at].tensors, Argument::Pack(_))
}

/// The input that a name before `=` means, and the files.
fn named<'a>(graph: &Graph, text: &'a str) -> Result<Option<(usize, &'a str)>, Failure> {
    let Some((name, files)) = text.split_once('=') else { return Ok(None) };
    if let Some(at) = graph.inputs.iter().position(|port| port.name == name) {
        return Ok(Some((at, files)));
    }
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_identifier && !Path::new(text).exists() {
        let known: Vec<_> = graph.inputs.iter().map(|port| port.name.as_str()).collect();
        return Err(Failure::usage(format!(
            "graph {} has no input `{name}`; its inputs are: {}",
            graph.name,
            known.join(", ")
        )));
    }
    Ok(None)
}

fn read(files: &str, pack: bool) -> Result<Argument<Tensor>, Failure> {
    if files.is_empty() && !pack {
        return Err(Failure::usage("--input: the name of a file is missing"));
    }
    let read = |file: &str| read_tensor(Path::new(file)).map_err(Failure::input);
    if pack {
        let files = files.split(',').filter(|file| !file.is_empty());
        return Ok(Argument::Pack(files.map(read).collect::<Result<_, _>>()?));
    }
    if files.contains(',') && !Path::new(files).exists() {
        return Err(Failure::usage(format!("--input {files}: several files, but the input is no tensor pack")));
    }
    read(files).map(Argument::Single)
}

/// Gives the inputs that have neither a file nor a default random values.
pub fn fill_randomly(graph: &Graph, inputs: &mut [Option<Argument<Tensor>>], seed: usize) -> Result<(), Failure> {
    for (number, (port, input)) in graph.inputs.iter().zip(inputs).enumerate() {
        let has_default = |&id: &_| matches!(graph.tensor(id).origin, Origin::Input { default: Some(_) });
        let items = port.tensors.items();
        if input.is_some() || (!items.is_empty() && items.iter().all(has_default)) {
            continue;
        }
        let tensor = |(at, &id): (usize, &_)| random(&largest(&graph.tensor(id).ty), seed + 100 * number + at);
        let tensors = items.iter().enumerate().map(tensor).collect::<Result<Vec<_>, _>>()?;
        *input = match port.tensors {
            Argument::Null => None,
            Argument::Single(_) => tensors.into_iter().next().map(Argument::Single),
            Argument::Pack(_) => Some(Argument::Pack(tensors)),
        };
    }
    Ok(())
}

/// The type with the largest extents that an input may have.
fn largest(ty: &TensorType) -> TensorType {
    let extent =
        |extent: &Extent| extent.bound.filter(|_| extent.as_known().is_none()).map_or(extent.clone(), Extent::known);
    TensorType { dtype: ty.dtype, shape: ty.shape.iter().map(extent).collect() }
}

/// The extents of an input; those that a run would determine must be bound.
pub fn known_shape(ty: &TensorType) -> Result<Vec<usize>, Failure> {
    let extents = ty.shape.iter().map(|extent| {
        let known = extent.as_known().and_then(|value| usize::try_from(value).ok());
        known.ok_or_else(|| Failure::usage(format!("extent {extent} of an input is open: give it with --bind")))
    });
    let shape: Vec<usize> = extents.collect::<Result<_, _>>()?;
    match volume(&shape) {
        Some(count) if count <= MAX_ELEMENTS => Ok(shape),
        _ => Err(Failure::input(format!("an input of shape {shape:?} has more than {MAX_ELEMENTS} elements"))),
    }
}

/// A tensor that a seed determines: reals between 0 and 1, zeros of other types.
pub fn random(ty: &TensorType, seed: usize) -> Result<Tensor, Failure> {
    let shape = known_shape(ty)?;
    let count: usize = shape.iter().product();
    let mut generator = Generator::new(seed as u64);
    let data = match ty.dtype {
        ScalarType::Real => made_up(count, || generator.unit() as f32).map(TensorData::F32),
        ScalarType::Int => made_up(count, || 0).map(TensorData::I64),
        ScalarType::Bool | ScalarType::Str => made_up(count, || false).map(TensorData::Bool),
    };
    match data {
        Some(data) => Ok(Tensor { shape, data }),
        None => Err(Failure::input(format!("there is no memory for an input of shape {shape:?}"))),
    }
}

/// So many elements; none if there is no memory for them.
pub fn made_up<T>(count: usize, mut element: impl FnMut() -> T) -> Option<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(count).ok()?;
    elements.extend((0..count).map(|_| element()));
    Some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_memory_nothing_is_made_up() {
        assert_eq!(made_up(2, || 1), Some(vec![1, 1]));
        assert_eq!(made_up(usize::MAX / 8, || 1i64), None);
    }
}
