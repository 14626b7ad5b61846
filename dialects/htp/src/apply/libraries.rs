//! External functions that stand in shared libraries.

use super::plan::CONST_OP;
use super::replaced::{NewNode, NewSource, Replaced, Subject};
use super::{Argument, Elements, Encoding, OutputDef, Scalar, Scope};
use crate::grammar::model::DType;
use skriptnd_rules::{Argument as Given, Functions, Node, Source, Split, Tensor};
use std::sync::Arc;

/// The extents that the first library with such a function gives.
pub fn shape(
    libraries: &[Arc<Functions>],
    name: &str,
    split: Option<&Scope>,
    arguments: &[Argument],
) -> Option<Vec<u64>> {
    let library = libraries.iter().find(|library| library.has_shape(name))?;
    let split = split.map(|scope| Split { dimension: scope.dimension, start: scope.start, size: scope.size });
    library.shape(name, split, &arguments.iter().map(given).collect::<Vec<_>>())
}

/// Whether a constraint of the first library with such a function holds.
pub fn constraint(libraries: &[Arc<Functions>], name: &str, operand: &Argument, values: &[Scalar]) -> Option<bool> {
    let library = libraries.iter().find(|library| library.has_constraint(name))?;
    let values = values.iter().map(|value| Given::Number(number(*value)));
    library.constraint(name, &std::iter::once(given(operand)).chain(values).collect::<Vec<_>>())
}

/// What the first library with such a function makes of a node.
pub fn replacement(libraries: &[Arc<Functions>], name: &str, subject: &Subject) -> Option<Replaced> {
    let library = libraries.iter().find(|library| library.has_replacement(name))?;
    let inputs: Vec<Given> = subject.inputs.iter().map(given).collect();
    let made = library.replacement(name, &subject.op, &tensor(&subject.output, None), &inputs)?;
    let nodes = made.nodes.into_iter().map(new_node).collect::<Option<Vec<_>>>()?;
    Some(Replaced { nodes, result: new_source(made.result) })
}

fn new_source(source: Source) -> NewSource {
    match source {
        Source::Input(index) => NewSource::Input(index),
        Source::Node(index) => NewSource::Node(index),
    }
}

fn new_node(made: Node) -> Option<NewNode> {
    let encoding = Encoding::new(made.dtype.parse().ok()?, made.zero_offset, made.step_size);
    let given = made.elements.len() as u64;
    let elements = match encoding.dtype() {
        DType::Int32 | DType::Int64 => Elements::Ints(made.elements.iter().map(|value| *value as i64).collect()),
        _ => Elements::Reals(made.elements),
    };
    let is_constant = made.op == CONST_OP;
    let count = made.extents.iter().try_fold(1u64, |count, extent| count.checked_mul(*extent))?;
    let elements = is_constant.then_some(elements);
    let inputs = made.inputs.into_iter().map(new_source).collect();
    if is_constant && given != count {
        return None;
    }
    Some(NewNode { op: made.op, inputs, output: OutputDef { dims: made.extents, encoding }, elements })
}

fn given(argument: &Argument) -> Given {
    match argument {
        Argument::Scalar(value) => Given::Number(number(*value)),
        Argument::Node(output, elements) => Given::Tensor(tensor(output, elements.as_ref())),
    }
}

fn tensor(output: &OutputDef, elements: Option<&Elements>) -> Tensor {
    Tensor {
        dtype: output.encoding.dtype().into(),
        zero_offset: output.encoding.zero_offset().unwrap_or(i32::MIN),
        step_size: output.encoding.step_size().unwrap_or(f32::NAN),
        extents: output.dims.clone(),
        elements: match elements {
            None => Vec::new(),
            Some(Elements::Reals(values)) => values.clone(),
            Some(Elements::Ints(values)) => values.iter().map(|value| *value as f64).collect(),
        },
    }
}

fn number(value: Scalar) -> f64 {
    match value {
        Scalar::Bool(value) => f64::from(u8::from(value)),
        Scalar::Int(value) => f64::from(value),
        Scalar::Size(value) => value as f64,
        Scalar::Float(value) => f64::from(value),
        Scalar::DType(dtype) => f64::from(dtype as u8),
    }
}
