//! Evaluates formulas (specification, section 2.12) element by element.
//!
//! Expressions are computed in float32, rounded after every operation; `+=` and `*=` on reals accumulate with 64 bits
//! and round once at the end, so that the result is good enough to judge others by. Iterations of one loop that can't
//! influence each other are executed as a row, see [`schedule`].

mod compile;
mod contraction;
mod elements;
mod execute;
mod products;
mod program;
mod rows;
mod schedule;
#[cfg(test)]
pub(super) mod tests;

use super::limits::{Clock, reserve};
use program::Program;
use skriptnd_language::compose::formula::{Formula, FormulaConstant, TensorRef};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{AssignOp, BinaryOp};
use std::sync::Arc;

/// Why a formula can't be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FormulaFault {
    /// An unguarded index is outside its tensor.
    OutOfRange { tensor: TensorRef, dimension: usize, index: i64, extent: i64 },
    /// A division by 0 or a negative power of 0.
    Undefined { op: BinaryOp, left: i64, right: i64 },
    /// An expression is nested too deeply.
    TooDeep(usize),
    /// The time is up.
    Timeout,
    /// No memory for so many elements.
    Memory(usize),
    /// A tensor of strings, which the language has and a run doesn't.
    Strings,
    /// The formula contradicts itself; composition should have refused it.
    Inconsistent(&'static str),
}

/// Element type and concrete extents.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TensorShape {
    pub dtype: ScalarType,
    pub shape: Vec<usize>,
}

/// A formula for operands of known shape, ready to be executed any number of times.
#[derive(Debug)]
pub(crate) struct CompiledFormula {
    constants: Vec<Tensor>,
    constant_names: Vec<Arc<str>>,
    outputs: Vec<TensorShape>,
    programs: Vec<Program>,
}

/// A result while it is computed.
#[derive(Debug, Clone)]
enum Buffer {
    Real(Vec<f32>),
    /// A real that is being accumulated.
    Wide(Vec<f64>),
    Int(Vec<i64>),
    Bool(Vec<bool>),
}

impl CompiledFormula {
    /// Compiles a formula; the fault comes with the statement where there is one.
    pub(crate) fn new(
        formula: &Formula,
        inputs: &[TensorShape],
        outputs: Vec<TensorShape>,
    ) -> Result<CompiledFormula, (FormulaFault, Option<Span>)> {
        let constants: Vec<_> =
            formula.constants.iter().map(constant).collect::<Result<_, _>>().map_err(|fault| (fault, None))?;
        let shape_of = |(tensor, constant): (&Tensor, &FormulaConstant)| TensorShape {
            dtype: constant.dtype,
            shape: tensor.shape.clone(),
        };
        let constant_shapes: Vec<_> = constants.iter().zip(&formula.constants).map(shape_of).collect();
        let tensors = compile::Tensors { inputs, outputs: &outputs, constants: &constant_shapes };
        let compile =
            |assignment| compile::compile(assignment, tensors).map_err(|fault| (fault, Some(assignment.span)));
        let programs = formula.assignments.iter().map(compile).collect::<Result<_, _>>()?;
        let constant_names = formula.constants.iter().map(|constant| constant.name.clone()).collect();
        Ok(CompiledFormula { constants, constant_names, outputs, programs })
    }

    /// What the definition calls a constant.
    pub(crate) fn constant_name(&self, number: usize) -> Option<&str> {
        self.constant_names.get(number).map(|name| &**name)
    }

    /// Evaluates it. The operands have the shapes and types that it was compiled for.
    pub(crate) fn run(&self, inputs: &[&Tensor], clock: &Clock) -> Result<Vec<Tensor>, (FormulaFault, Option<Span>)> {
        let outputs = self.outputs.iter().map(Buffer::new).collect::<Result<_, _>>().map_err(|fault| (fault, None))?;
        let mut storage = execute::Storage { inputs, constants: &self.constants, outputs };
        for program in &self.programs {
            let wide = widened(program, &storage.outputs);
            for &number in &wide {
                storage.outputs[number].widen();
            }
            execute::execute(program, &mut storage, clock).map_err(|fault| (fault, Some(program.span)))?;
            for &number in &wide {
                storage.outputs[number].round();
            }
        }
        let finish =
            |(buffer, shape): (Buffer, &TensorShape)| Tensor { shape: shape.shape.clone(), data: buffer.data() };
        Ok(storage.outputs.into_iter().zip(&self.outputs).map(finish).collect())
    }
}

/// The outputs that a program accumulates with 64 bits.
fn widened(program: &Program, outputs: &[Buffer]) -> Vec<usize> {
    let accumulates = matches!(program.op, AssignOp::Add | AssignOp::Mul);
    let outputs_written = program.targets.iter().filter_map(|target| match target.tensor {
        TensorRef::Output(number) if accumulates && matches!(outputs[number], Buffer::Real(_)) => Some(number),
        _ => None,
    });
    outputs_written.collect()
}

impl Buffer {
    fn new(shape: &TensorShape) -> Result<Buffer, FormulaFault> {
        let count = volume(&shape.shape).ok_or(FormulaFault::Memory(usize::MAX))?;
        Ok(match shape.dtype {
            ScalarType::Real => Buffer::Real(filled(count, 0.0)?),
            ScalarType::Int => Buffer::Int(filled(count, 0)?),
            ScalarType::Bool => Buffer::Bool(filled(count, false)?),
            ScalarType::Str => return Err(FormulaFault::Strings),
        })
    }

    fn widen(&mut self) {
        if let Buffer::Real(items) = self {
            *self = Buffer::Wide(items.iter().map(|&item| f64::from(item)).collect());
        }
    }

    fn round(&mut self) {
        if let Buffer::Wide(items) = self {
            *self = Buffer::Real(items.iter().map(|&item| item as f32).collect());
        }
    }

    fn data(mut self) -> TensorData {
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

fn constant(constant: &FormulaConstant) -> Result<Tensor, FormulaFault> {
    let extents = constant.shape.iter().map(|&extent| usize::try_from(extent));
    let shape: Vec<usize> =
        extents.collect::<Result<_, _>>().map_err(|_| FormulaFault::Inconsistent("a negative extent"))?;
    tensor_of(&constant.value, constant.dtype, shape)
}

/// The tensor of a compile-time value: one scalar for all elements, or all of them in row-major order.
pub(super) fn tensor_of(value: &Value, dtype: ScalarType, shape: Vec<usize>) -> Result<Tensor, FormulaFault> {
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
