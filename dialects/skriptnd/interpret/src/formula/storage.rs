//! The tensors of a formula: their shapes, and their elements while it is evaluated.

use super::fault::FormulaFault;
use crate::limits::reserve;
use skriptnd_language::compose::formula::TensorRef;
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{Tensor, TensorData};

/// Element type and concrete extents.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TensorShape {
    pub dtype: ScalarType,
    pub shape: Vec<usize>,
}

/// The tensors that a formula can name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tensors<'a> {
    pub inputs: &'a [TensorShape],
    pub outputs: &'a [TensorShape],
    pub constants: &'a [TensorShape],
}

impl Tensors<'_> {
    pub(super) fn shape(&self, tensor: TensorRef) -> Result<&TensorShape, FormulaFault> {
        let (list, number) = match tensor {
            TensorRef::Input(number) => (self.inputs, number),
            TensorRef::Output(number) => (self.outputs, number),
            TensorRef::Constant(number) => (self.constants, number),
        };
        list.get(number).ok_or(FormulaFault::Inconsistent("an access names a tensor that is not there"))
    }
}

/// The tensors of a formula.
pub(super) struct Storage<'a> {
    pub inputs: &'a [&'a Tensor],
    pub constants: &'a [Tensor],
    pub outputs: Vec<Buffer>,
}

/// A result while it is computed.
#[derive(Debug, Clone)]
pub(super) enum Buffer {
    Real(Vec<f32>),
    /// A real that is being accumulated.
    Wide(Vec<f64>),
    Int(Vec<i64>),
    Bool(Vec<bool>),
}

impl Buffer {
    pub(super) fn new(shape: &TensorShape) -> Result<Buffer, FormulaFault> {
        let count = volume(&shape.shape).ok_or(FormulaFault::Memory(usize::MAX))?;
        Ok(match shape.dtype {
            ScalarType::Real => Buffer::Real(filled(count, 0.0)?),
            ScalarType::Int => Buffer::Int(filled(count, 0)?),
            ScalarType::Bool => Buffer::Bool(filled(count, false)?),
            ScalarType::Str => return Err(FormulaFault::Strings),
        })
    }

    pub(super) fn widen(&mut self) {
        if let Buffer::Real(items) = self {
            *self = Buffer::Wide(items.iter().map(|&item| f64::from(item)).collect());
        }
    }

    pub(super) fn round(&mut self) {
        if let Buffer::Wide(items) = self {
            *self = Buffer::Real(items.iter().map(|&item| item as f32).collect());
        }
    }

    pub(super) fn data(mut self) -> TensorData {
        self.round();
        match self {
            Buffer::Real(items) => TensorData::F32(items),
            Buffer::Wide(_) => TensorData::F32(Vec::new()),
            Buffer::Int(items) => TensorData::I64(items),
            Buffer::Bool(items) => TensorData::Bool(items),
        }
    }
}

fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, FormulaFault> {
    let mut items = reserve(count).ok_or(FormulaFault::Memory(count))?;
    items.resize(count, value);
    Ok(items)
}

/// The tensor of a compile-time value: one scalar for all elements, or all of them in row-major order.
pub(crate) fn tensor_of(value: &Value, dtype: ScalarType, shape: Vec<usize>) -> Result<Tensor, FormulaFault> {
    let count = volume(&shape).ok_or(FormulaFault::Memory(usize::MAX))?;
    let data = match dtype {
        ScalarType::Real => TensorData::F32(elements(value, count, real)?),
        ScalarType::Int => TensorData::I64(elements(value, count, int)?),
        ScalarType::Bool => TensorData::Bool(elements(value, count, bool)?),
        ScalarType::Str => return Err(FormulaFault::Strings),
    };
    Ok(Tensor { shape, data })
}

fn real(value: &Value) -> Option<f32> {
    match value {
        Value::Real(value) => Some(*value as f32),
        Value::Int(value) => Some(*value as f32),
        _ => None,
    }
}

fn int(value: &Value) -> Option<i64> {
    if let Value::Int(value) = value { Some(*value) } else { None }
}

fn bool(value: &Value) -> Option<bool> {
    if let Value::Bool(value) = value { Some(*value) } else { None }
}

fn elements<T: Clone>(value: &Value, count: usize, scalar: fn(&Value) -> Option<T>) -> Result<Vec<T>, FormulaFault> {
    let wrong = FormulaFault::Inconsistent("a constant has not the type or number of elements of its tensor");
    let uniform = |value: &Value| filled(count, scalar(value).ok_or(wrong.clone())?);
    match value {
        Value::Pack(items) if items.len() == count => {
            items.iter().map(|item| scalar(item).ok_or(wrong.clone())).collect()
        }
        Value::Repeat(item, length) if *length == count as u64 => uniform(item),
        Value::Pack(_) | Value::Repeat(..) => Err(wrong),
        _ => uniform(value),
    }
}
