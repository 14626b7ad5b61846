//! External functions that stand in shared libraries.

use super::{Argument, Elements, Scalar, Scope};
use skriptnd_rules::{Argument as Given, Functions, Split, Tensor};
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

fn given(argument: &Argument) -> Given {
    match argument {
        Argument::Scalar(value) => Given::Number(number(*value)),
        Argument::Node(output, elements) => Given::Tensor(Tensor {
            dtype: output.encoding.dtype().into(),
            zero_offset: output.encoding.zero_offset(),
            step_size: output.encoding.step_size(),
            extents: output.dims.clone(),
            elements: match elements {
                None => Vec::new(),
                Some(Elements::Reals(values)) => values.clone(),
                Some(Elements::Ints(values)) => values.iter().map(|value| *value as f64).collect(),
            },
        }),
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
