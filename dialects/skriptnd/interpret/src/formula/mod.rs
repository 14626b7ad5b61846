//! Evaluates formulas (specification, section 2.12) element by element.
//!
//! Expressions are computed in float32, rounded after every operation; `+=` and `*=` on reals accumulate with 64 bits
//! and round once at the end, so that the result is good enough to judge others by. [`naive`] executes them as they are
//! written. The faster engine executes iterations of one loop that can't influence each other as a row, see [`schedule`].

mod compile;
mod contraction;
mod elements;
mod execute;
mod naive;
mod products;
mod program;
mod rows;
mod schedule;
#[cfg(test)]
pub(super) mod tests;

use super::limits::{Clock, reserve};
use program::Program;
use skriptnd_language::compose::formula::{Assignment, Formula, FormulaConstant, TensorRef};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{AssignOp, BinaryOp};
use std::sync::Arc;

/// What executes formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// One iteration after the other, each expression element by element, as the formula is written.
    Naive,
    /// Many iterations at a time. It computes what the other one does.
    #[default]
    Rows,
}

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
    steps: Steps,
}

/// The assignments of a formula, for the engine that executes them.
#[derive(Debug)]
enum Steps {
    Naive { assignments: Vec<Assignment>, inputs: Vec<TensorShape>, constants: Vec<TensorShape> },
    Rows(Vec<Program>),
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
        engine: Engine,
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
        let steps = match engine {
            Engine::Rows => Steps::Rows(formula.assignments.iter().map(compile).collect::<Result<_, _>>()?),
            Engine::Naive => Steps::Naive {
                assignments: formula.assignments.clone(),
                inputs: inputs.to_vec(),
                constants: constant_shapes,
            },
        };
        let constant_names = formula.constants.iter().map(|constant| constant.name.clone()).collect();
        Ok(CompiledFormula { constants, constant_names, outputs, steps })
    }

    /// What the definition calls a constant.
    pub(crate) fn constant_name(&self, number: usize) -> Option<&str> {
        self.constant_names.get(number).map(|name| &**name)
    }

    /// Evaluates it. The operands have the shapes and types that it was compiled for.
    pub(crate) fn run(&self, inputs: &[&Tensor], clock: &Clock) -> Result<Vec<Tensor>, (FormulaFault, Option<Span>)> {
        let outputs = self.outputs.iter().map(Buffer::new).collect::<Result<_, _>>().map_err(|fault| (fault, None))?;
        let mut storage = execute::Storage { inputs, constants: &self.constants, outputs };
        match &self.steps {
            Steps::Rows(programs) => programs.iter().try_for_each(|program| {
                let targets = program.targets.iter().map(|target| target.tensor);
                accumulated(program.op, targets, &mut storage, |storage| execute::execute(program, storage, clock))
                    .map_err(|fault| (fault, Some(program.span)))
            }),
            Steps::Naive { assignments, inputs, constants } => assignments.iter().try_for_each(|assignment| {
                let tensors = compile::Tensors { inputs, outputs: &self.outputs, constants };
                let targets = assignment.targets.iter().map(|target| target.tensor);
                accumulated(assignment.op, targets, &mut storage, |storage| {
                    naive::execute(assignment, tensors, storage, clock)
                })
                .map_err(|fault| (fault, Some(assignment.span)))
            }),
        }?;
        let finish =
            |(buffer, shape): (Buffer, &TensorShape)| Tensor { shape: shape.shape.clone(), data: buffer.data() };
        Ok(storage.outputs.into_iter().zip(&self.outputs).map(finish).collect())
    }
}

/// Runs an assignment; what it sums or multiplies has 64 bits meanwhile.
fn accumulated<'a>(
    op: AssignOp,
    targets: impl Iterator<Item = TensorRef>,
    storage: &mut execute::Storage<'a>,
    run: impl FnOnce(&mut execute::Storage<'a>) -> Result<(), FormulaFault>,
) -> Result<(), FormulaFault> {
    let accumulates = matches!(op, AssignOp::Add | AssignOp::Mul);
    let is_real = |number: usize| matches!(storage.outputs[number], Buffer::Real(_));
    let written = targets.filter_map(|target| match target {
        TensorRef::Output(number) if accumulates && is_real(number) => Some(number),
        _ => None,
    });
    let wide: Vec<usize> = written.collect();
    wide.iter().for_each(|&number| storage.outputs[number].widen());
    run(storage)?;
    wide.iter().for_each(|&number| storage.outputs[number].round());
    Ok(())
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
