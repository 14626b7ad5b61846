//! Evaluates formulas (specification, section 2.12) element by element.
//!
//! Expressions are computed in float32, rounded after every operation; `+=` and `*=` on reals accumulate with 64 bits
//! and round once at the end, so that the result is good enough to judge others by. [`naive`] executes them as they are
//! written. The faster engine executes iterations of one loop that can't influence each other as a row, see [`schedule`].

mod compile;
mod contraction;
mod elements;
mod execute;
mod fault;
mod naive;
mod nodes;
mod products;
mod program;
mod rows;
mod schedule;
mod storage;
#[cfg(test)]
pub(super) mod tests;

use super::limits::Clock;
pub(crate) use fault::FormulaFault;
use program::Program;
use skriptnd_language::compose::formula::{Assignment, Formula, FormulaConstant, TensorRef};
use skriptnd_runtime::Tensor;
use skriptnd_source::Span;
use skriptnd_syntax::ast::AssignOp;
use std::sync::Arc;
use storage::{Buffer, Storage, Tensors};
pub(crate) use storage::{TensorShape, tensor_of};

/// What executes formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// One iteration after the other, each expression element by element, as the formula is written.
    Naive,
    /// Many iterations at a time. It computes what the other one does.
    #[default]
    Rows,
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
        let tensors = Tensors { inputs, outputs: &outputs, constants: &constant_shapes };
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
        let mut storage = Storage { inputs, constants: &self.constants, outputs };
        match &self.steps {
            Steps::Rows(programs) => programs.iter().try_for_each(|program| {
                let targets = program.targets.iter().map(|target| target.tensor);
                accumulated(program.op, targets, &mut storage, |storage| execute::execute(program, storage, clock))
                    .map_err(|fault| (fault, Some(program.span)))
            }),
            Steps::Naive { assignments, inputs, constants } => assignments.iter().try_for_each(|assignment| {
                let tensors = Tensors { inputs, outputs: &self.outputs, constants };
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
    storage: &mut Storage<'a>,
    run: impl FnOnce(&mut Storage<'a>) -> Result<(), FormulaFault>,
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

fn constant(constant: &FormulaConstant) -> Result<Tensor, FormulaFault> {
    let extents = constant.shape.iter().map(|&extent| usize::try_from(extent));
    let shape: Vec<usize> =
        extents.collect::<Result<_, _>>().map_err(|_| FormulaFault::Inconsistent("a negative extent"))?;
    tensor_of(&constant.value, constant.dtype, shape)
}
