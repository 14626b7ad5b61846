//! What an assignment requires, as operations in front of it or in its loops.

use super::scalar::{Guarded, Scalars, Surroundings};
use super::{FormulaState, arithmetic, truth};
use crate::lowering::plan::extent_of;
use crate::lowering::requirements::{Required, Requirement, limiting, loops_of, skips};
use crate::lowering::walk;
use crate::require::require;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{Assignment, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Location, Value, types};
use skriptnd_mlir::ops::{arith, scf};
use skriptnd_source::Span;
use skriptnd_syntax::ast::BinaryOp;

/// Where a formula comes from, for the messages of a run.
pub trait Origin<'c> {
    /// What the operator's definition calls a tensor.
    fn name(&self, tensor: TensorRef) -> String;

    /// The place of a statement.
    fn location(&self, statement: Span) -> Location<'c>;
}

/// A formula that stands in the IR, without its operator.
pub struct Unnamed<'c>(pub Location<'c>);

impl<'c> Origin<'c> for Unnamed<'c> {
    fn name(&self, tensor: TensorRef) -> String {
        match tensor {
            TensorRef::Input(number) => format!("input {number}"),
            TensorRef::Output(number) => format!("output {number}"),
            TensorRef::Constant(number) => format!("constant {number}"),
        }
    }

    fn location(&self, _statement: Span) -> Location<'c> {
        self.0
    }
}

/// Requires all in front of an assignment: in a nest of the loops that it depends on, so that the assignment itself stays
/// without side effects. The first fault is that of the first iteration; there is none where a loop has no iterations.
pub fn emit_before<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    requirements: &[Requirement<'_>],
) -> Result<(), Failure> {
    if requirements.is_empty() {
        return Ok(());
    }
    for access in walk::accesses(assignment) {
        if let ScalarKind::Access { tensor: tensor @ TensorRef::Output(_), .. } = &access.kind {
            state.current(*tensor, false)?;
        }
    }
    let loops: Vec<usize> = loops_of(assignment, requirements).into_iter().collect();
    let nest = Nest { state, assignment, requirements, loops: &loops };
    let extents: Vec<SymExpr> = assignment.loops.iter().map(extent_of).collect();
    let others = extents.iter().enumerate().filter(|(number, _)| !loops.contains(number)).map(|(_, extent)| extent);
    let runs = state.extents.are_positive(&state.builder, others, state.tensors.limits)?;
    let fails = match limiting(requirements) {
        Some(limiting) => {
            let hold = state.extents.are_positive(&state.builder, limiting, state.tensors.limits)?;
            let Some(hold) = hold else { return Ok(()) };
            Some(truth::negation(&state.builder, hold)?)
        }
        None => None,
    };
    let needed = match (runs, fails) {
        (Some(runs), Some(fails)) => arith::andi(&state.builder, runs, fails)?,
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return nest.open(state.builder, &[]),
    };
    let branch = scf::r#if(&state.builder, needed, &[])?;
    nest.open(branch.then, &[])?;
    scf::r#yield(&branch.then, &[])?;
    scf::r#yield(&branch.otherwise, &[])
}

struct Nest<'s, 'c, 'a> {
    state: &'s FormulaState<'s, 'c, 'a>,
    assignment: &'s Assignment,
    requirements: &'s [Requirement<'s>],
    loops: &'s [usize],
}

impl<'c: 'a, 'a> Nest<'_, 'c, 'a> {
    /// The next loop inwards, or what is required.
    fn open(&self, builder: Builder<'c, 'a>, indices: &[Value<'c, 'a>]) -> Result<(), Failure> {
        let Some(next) = self.loops.get(indices.len()).and_then(|&number| self.assignment.loops.get(number)) else {
            let surroundings = Iteration { nest: self, indices };
            let scalars = Scalars::new(builder, self.assignment, self.state.scope(), &surroundings).following_faults();
            return emit(self.state, &scalars, self.assignment, self.requirements);
        };
        let bounds = [builder.index(0)?, self.state.extents.index(&builder, &extent_of(next))?, builder.index(1)?];
        let repeated = scf::r#for(&builder, bounds, &[])?;
        let index = arith::index_cast(&repeated.body, repeated.index, types::integer(builder.context(), 64))?;
        self.open(repeated.body, &[indices, &[index]].concat())?;
        scf::r#yield(&repeated.body, &[])
    }
}

/// An iteration of the loops of a nest; the indices of all others are 0.
struct Iteration<'s, 'c, 'a> {
    nest: &'s Nest<'s, 'c, 'a>,
    indices: &'s [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Surroundings<'c, 'a> for Iteration<'_, 'c, 'a> {
    fn index(&self, builder: &Builder<'c, 'a>, number: usize) -> Result<Value<'c, 'a>, Failure> {
        let at = self.nest.loops.iter().position(|&own| own == number);
        at.and_then(|at| self.indices.get(at)).map_or_else(|| builder.int(0), |index| Ok(*index))
    }

    fn element(&self, _access: &ScalarExpr) -> Option<Value<'c, 'a>> {
        None
    }

    fn tensor(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure> {
        self.nest.state.tensor(tensor)
    }
}

/// Requires all in one iteration.
pub fn emit<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    scalars: &Scalars<'_, 'c, 'a>,
    assignment: &Assignment,
    requirements: &[Requirement<'_>],
) -> Result<(), Failure> {
    if requirements.is_empty() {
        return Ok(());
    }
    let builder = scalars.builder().located(state.origin.location(assignment.span));
    let condition = assignment.condition.as_ref().map(|condition| scalars.emit(condition)).transpose()?;
    // Without a value of the condition, what it is made of is at fault.
    let condition_holds = match condition {
        Some(condition) => scalars.where_it_exists(condition.exists, Some(condition.value))?,
        None => None,
    };
    let runs = if skips(assignment) { not_skipped(state, scalars, assignment, condition)? } else { None };
    for requirement in requirements {
        let (holds, fault, values) = test(state, scalars, &requirement.what)?;
        let mut applies = runs;
        if !requirement.in_condition {
            applies = scalars.both(applies, condition_holds)?;
        }
        for (branch, value) in &requirement.branches {
            let Guarded { value: taken, exists, .. } = scalars.emit(branch)?;
            let taken = if *value { taken } else { truth::negation(&builder, taken)? };
            applies = scalars.both(applies, scalars.both(exists, Some(taken))?)?;
        }
        let required = match applies {
            Some(applies) => truth::boolean(&builder, BinaryOp::Implies, applies, holds)?,
            None => holds,
        };
        require(&builder, required, &fault, &values)?;
    }
    Ok(())
}

/// Whether no guard skips the iteration; always if there is no answer.
fn not_skipped<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    scalars: &Scalars<'_, 'c, 'a>,
    assignment: &Assignment,
    condition: Option<Guarded<'c, 'a>>,
) -> Result<Option<Value<'c, 'a>>, Failure> {
    let mut runs = scalars.both(scalars.locals_run()?, condition.and_then(|condition| condition.condition))?;
    for (target, value) in assignment.targets.iter().zip(&assignment.values) {
        runs = scalars.both(runs, scalars.emit(value)?.condition)?;
        let positions = scalars.positions(&target.indices, &state.shape(target.tensor)?.shape)?;
        runs = scalars.both(runs, positions.condition)?;
    }
    Ok(runs)
}

/// Whether something holds, what to say if it does not, and the values of that message.
type Test<'c, 'a> = (Value<'c, 'a>, Fault, Vec<Value<'c, 'a>>);

fn test<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    scalars: &Scalars<'_, 'c, 'a>,
    what: &Required<'_>,
) -> Result<Test<'c, 'a>, Failure> {
    let builder = scalars.builder();
    match what {
        Required::Inside { tensor, dimension, index, extent, .. } => {
            let index = scalars.index(index, extent)?.value;
            let fault = Fault::index_outside(&state.origin.name(*tensor), *dimension, extent.as_known());
            let end = state.extents.int(&builder, extent)?;
            let values = if extent.as_known().is_some() { vec![index] } else { vec![index, end] };
            Ok((arithmetic::is_inside(&builder, index, end)?, fault, values))
        }
        Required::Defined { op, left, right } => {
            let (left, right) = (scalars.emit(left)?.value, scalars.emit(right)?.value);
            Ok((scalars.is_defined(*op, left, right)?, Fault::undefined(*op), vec![left, right]))
        }
    }
}
