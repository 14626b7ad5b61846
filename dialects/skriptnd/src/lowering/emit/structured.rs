//! Assignments as operations on whole tensors: views, `linalg.fill` and `linalg.generic`.

use super::scalar::{Guarded, Scalars, Surroundings};
use super::{FormulaState, arithmetic, views};
use crate::lowering::form::IndexForm;
use crate::lowering::plan::{Structured, TensorShape, extent_of};
use crate::lowering::view::View;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::formula::{Assignment, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Body, Builder, Value, types};
use skriptnd_mlir::ops::{arith, linalg};
use skriptnd_syntax::ast::AssignOp;

/// Emits one assignment.
pub fn emit<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    plan: &Structured<'_>,
) -> Result<(), Failure> {
    if plan.is_movement {
        return movement(state, assignment, plan);
    }
    let may_skip = state.may_skip(assignment, plan)?;
    if let Some(value) = uniform(assignment, plan).filter(|_| !may_skip) {
        return fill(state, plan, assignment, value);
    }
    generic(state, assignment, plan)
}

fn movement<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    plan: &Structured<'_>,
) -> Result<(), Failure> {
    let (Some(operand), Some(view)) = (plan.operands.first(), plan.targets.first()) else {
        return Err("data movement without an operand".into());
    };
    let dtype = operand.access.dtype;
    let part =
        views::apply(state.place(), state.tensor(operand.tensor)?, dtype, &operand.view, |from| state.tensor(from))?;
    store(state, assignment, 0, view, part)
}

/// The constant that is assigned unconditionally.
fn uniform<'e>(assignment: &'e Assignment, plan: &Structured<'_>) -> Option<&'e ScalarExpr> {
    let replaces = matches!(assignment.op, AssignOp::Set | AssignOp::Update);
    match assignment.values.as_slice() {
        [value] if replaces && assignment.condition.is_none() && plan.targets.len() == 1 => {
            matches!(value.kind, ScalarKind::Const(_)).then_some(value)
        }
        _ => None,
    }
}

fn fill<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    plan: &Structured<'_>,
    assignment: &Assignment,
    value: &ScalarExpr,
) -> Result<(), Failure> {
    let (Some(view), ScalarKind::Const(constant)) = (plan.targets.first(), &value.kind) else {
        return Err("a fill without a target".into());
    };
    let scalar = state.extents.constant(&state.builder, constant, value.dtype)?;
    let shape = TensorShape { dtype: value.dtype, shape: view.shape() };
    let part = views::filled(state.place(), &shape, scalar)?;
    store(state, assignment, 0, view, part)
}

/// Makes a part of a target its new value.
pub(super) fn store<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    number: usize,
    view: &View,
    part: Value<'c, 'a>,
) -> Result<(), Failure> {
    let target = assignment.targets.get(number).ok_or("a formula has more values than targets")?.tensor;
    let dtype = state.shape(target)?.dtype;
    let builder = state.builder;
    let extents = state.extents;
    let whole = views::restore((&builder, extents), part, dtype, view, || state.current(target, true))?;
    state.set(target, whole)
}

fn generic<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    plan: &Structured<'_>,
) -> Result<(), Failure> {
    let builder = state.builder;
    let (mut inputs, mut outputs, mut maps) = (Vec::new(), Vec::new(), Vec::new());
    for operand in &plan.operands {
        let (tensor, dtype) = (state.tensor(operand.tensor)?, operand.access.dtype);
        inputs.push(views::apply(state.place(), tensor, dtype, &operand.view, |from| state.tensor(from))?);
        maps.push(map(plan, &operand.view.indices)?);
    }
    if !plan.window.is_empty() {
        let shape = plan.window.iter().map(|&number| extent_of(&assignment.loops[number])).collect();
        inputs.push(views::empty(state.place(), &TensorShape { dtype: ScalarType::Real, shape })?);
        maps.push(map(plan, &plan.window.iter().map(|&number| IndexForm::index(number)).collect::<Vec<_>>())?);
    }
    let body_reads = reads_old(assignment, plan);
    for (target, view) in assignment.targets.iter().zip(&plan.targets) {
        let dtype = state.shape(target.tensor)?.dtype;
        outputs.push(if body_reads || state.may_skip(assignment, plan)? {
            let current = state.current(target.tensor, false)?;
            views::apply(state.place(), current, dtype, view, |from| state.tensor(from))?
        } else {
            views::empty(state.place(), &TensorShape { dtype, shape: view.shape() })?
        });
        maps.push(map(plan, &view.indices)?);
    }
    let reduced: Vec<bool> = (0..plan.loops.len()).map(|number| number >= plan.parallel).collect();
    let generic = linalg::generic(&builder, &inputs, &outputs, &maps, &reduced)?;
    body(state, assignment, plan, &generic, inputs.len())?;
    for (number, (part, view)) in generic.operation.result_values().into_iter().zip(&plan.targets).enumerate() {
        store(state, assignment, number, view, part)?;
    }
    Ok(())
}

/// Whether the body needs what the targets have been so far, whatever its guards.
fn reads_old(assignment: &Assignment, plan: &Structured<'_>) -> bool {
    let accumulates = !matches!(assignment.op, AssignOp::Set | AssignOp::Update);
    accumulates || assignment.condition.is_some() || !plan.currents.is_empty()
}

fn body<'c: 'a, 'a>(
    state: &FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    plan: &Structured<'_>,
    generic: &Body<'c, 'a>,
    inputs: usize,
) -> Result<(), Failure> {
    let Body { builder, arguments, .. } = generic;
    let old = arguments.get(inputs..).unwrap_or_default();
    let surroundings = GenericBody { state, plan, arguments, old };
    let scalars = Scalars::new(*builder, assignment, state.scope(), &surroundings);
    let mut condition = scalars.locals_run()?;
    if let Some(expression) = &assignment.condition {
        let Guarded { value, condition: guard, .. } = scalars.emit(expression)?;
        condition = scalars.both(condition, scalars.both(guard, Some(value))?)?;
    }
    let mut values = Vec::new();
    for value in &assignment.values {
        let value = scalars.emit(value)?;
        condition = scalars.both(condition, value.condition)?;
        values.push(value.value);
    }
    let mut results = Vec::new();
    for ((&new, &old), value) in values.iter().zip(old).zip(&assignment.values) {
        let combined = arithmetic::combine(builder, assignment.op, value.dtype, || Ok(old), new)?;
        results.push(match condition {
            Some(condition) => arith::select(builder, condition, combined, old)?,
            None => combined,
        });
    }
    linalg::r#yield(builder, &results)
}

struct GenericBody<'s, 'c, 'a> {
    state: &'s FormulaState<'s, 'c, 'a>,
    plan: &'s Structured<'s>,
    arguments: &'s [Value<'c, 'a>],
    old: &'s [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Surroundings<'c, 'a> for GenericBody<'_, 'c, 'a> {
    fn index(&self, builder: &Builder<'c, 'a>, number: usize) -> Result<Value<'c, 'a>, Failure> {
        let Some(dimension) = self.plan.loops.iter().position(|&own| own == number) else {
            return builder.int(0);
        };
        arith::index_cast(builder, linalg::index(builder, dimension)?, types::integer(builder.context(), 64))
    }

    fn element(&self, access: &ScalarExpr) -> Option<Value<'c, 'a>> {
        if let Some(number) = self.plan.operands.iter().position(|operand| operand.access == access) {
            return self.arguments.get(number).copied();
        }
        let (_, target) = self.plan.currents.iter().find(|(current, _)| *current == access)?;
        self.old.get(*target).copied()
    }

    fn tensor(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure> {
        self.state.tensor(tensor)
    }
}

/// The affine map from the loops to these indices.
pub(super) fn map(plan: &Structured<'_>, indices: &[IndexForm]) -> Result<Map, Failure> {
    let dimension = |number: usize| plan.loops.iter().position(|&own| own == number).ok_or("an index without a loop");
    let mut results = Vec::new();
    for form in indices {
        let terms = form.known_terms().ok_or("an index that is no affine map")?;
        let mut result = Expr::Const(form.offset().as_known().ok_or("an index that is no affine map")?);
        for (number, coefficient) in terms {
            result = result.plus(Expr::Dim(dimension(number)?).times(coefficient));
        }
        results.push(result);
    }
    Ok(Map { dims: plan.loops.len(), results })
}
