//! Assignments as operations on whole tensors: views, `linalg.fill` and `linalg.generic`.

use super::scalar::{Guarded, Scalars, Surroundings};
use super::{FormulaState, arithmetic, views};
use crate::builder::Builder;
use crate::lowering::plan::{Structured, TensorShape};
use crate::lowering::view::View;
use skriptnd_language::compose::formula::{Assignment, LinearForm, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, OperationExt, Region, Value, attributes, types};
use skriptnd_syntax::ast::AssignOp;
use std::fmt::Write;

/// Emits one assignment.
pub fn emit<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    plan: &Structured<'_>,
) -> Result<(), Failure> {
    if plan.is_movement {
        return movement(state, assignment, plan);
    }
    if let Some(value) = uniform(assignment, plan) {
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
    let part = views::apply(&state.builder, state.tensor(operand.tensor)?, dtype, &operand.view)?;
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
    let scalar = arithmetic::constant(&state.builder, constant, value.dtype)?;
    let shape = TensorShape { dtype: value.dtype, shape: view.shape() };
    let part = views::filled(&state.builder, &shape, scalar)?;
    store(state, assignment, 0, view, part)
}

/// Makes a part of a target its new value.
fn store<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    number: usize,
    view: &View,
    part: Value<'c, 'a>,
) -> Result<(), Failure> {
    let target = assignment.targets.get(number).ok_or("a formula has more values than targets")?.tensor;
    let dtype = state.shape(target)?.dtype;
    let builder = state.builder;
    let whole = views::restore(&builder, part, dtype, view, || state.current(target, true))?;
    state.set(target, whole)
}

fn generic<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    plan: &Structured<'_>,
) -> Result<(), Failure> {
    let builder = state.builder;
    let context = builder.context();
    let (mut operands, mut maps, mut elements) = (Vec::new(), Vec::new(), Vec::new());
    for operand in &plan.operands {
        operands.push(views::apply(&builder, state.tensor(operand.tensor)?, operand.access.dtype, &operand.view)?);
        maps.push(map_text(plan, &operand.view.indices)?);
        elements.push(builder.scalar_type(operand.access.dtype)?);
    }
    if !plan.window.is_empty() {
        let extents: Vec<i64> = plan.window.iter().map(|&number| assignment.loops[number].extent).collect();
        operands.push(views::empty(&builder, ScalarType::Real, &extents)?);
        maps.push(map_text(plan, &plan.window.iter().map(|&number| LinearForm::index(number)).collect::<Vec<_>>())?);
        elements.push(types::f32(context));
    }
    let inputs = operands.len();
    let mut results = Vec::new();
    let body_reads = reads_old(assignment, plan);
    for (target, view) in assignment.targets.iter().zip(&plan.targets) {
        let dtype = state.shape(target.tensor)?.dtype;
        let initial = if body_reads || state.may_skip(assignment, plan)? {
            let current = state.current(target.tensor, false)?;
            views::apply(&builder, current, dtype, view)?
        } else {
            views::empty(&builder, dtype, &view.shape())?
        };
        operands.push(initial);
        maps.push(map_text(plan, &view.indices)?);
        elements.push(builder.scalar_type(dtype)?);
        results.push(builder.tensor_type(dtype, &view.shape())?);
    }
    let body = body(state, assignment, plan, &elements, inputs)?;
    let attributes = [
        ("indexing_maps", parse_maps(&builder, &maps)?),
        ("iterator_types", iterators(&builder, plan)?),
        ("operandSegmentSizes", attributes::segment_sizes(context, &[inputs as i32, results.len() as i32])),
    ];
    let operation = builder.with_regions("linalg.generic", &operands, &attributes, &results, vec![body])?;
    for (number, (part, view)) in operation.result_values().into_iter().zip(&plan.targets).enumerate() {
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
    elements: &[skriptnd_mlir::ir::Type<'c>],
    inputs: usize,
) -> Result<Region<'c>, Failure> {
    state.builder.region(elements, |builder, arguments| {
        let old = arguments.get(inputs..).unwrap_or_default();
        let surroundings = GenericBody { state, plan, arguments: &arguments, old };
        let scalars = Scalars::new(builder, assignment, state.scope(), &surroundings);
        let mut condition = None;
        if let Some(expression) = &assignment.condition {
            let Guarded { value, condition: guard } = scalars.emit(expression)?;
            condition = scalars.both(guard, Some(value))?;
        }
        let mut values = Vec::new();
        for value in &assignment.values {
            let value = scalars.emit(value)?;
            condition = scalars.both(condition, value.condition)?;
            values.push(value.value);
        }
        let mut results = Vec::new();
        for ((&new, &old), value) in values.iter().zip(old).zip(&assignment.values) {
            let combined = arithmetic::combine(&builder, assignment.op, value.dtype, || Ok(old), new)?;
            results.push(match condition {
                Some(condition) => arithmetic::select(&builder, condition, combined, old, value.dtype)?,
                None => combined,
            });
        }
        builder.operation("linalg.yield", &results, &[], &[]).map(drop)
    })
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
            return builder.integer(0);
        };
        let context = builder.context();
        let dimension = [("dim", attributes::integer(context, dimension as i64))];
        let index = builder.value("linalg.index", &[], &dimension, types::index(context))?;
        builder.value("arith.index_cast", &[index], &[], types::integer(context, 64))
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

/// `affine_map<(d0, d1) -> (d0 * 2 + d1)>`
fn map_text(plan: &Structured<'_>, indices: &[LinearForm]) -> Result<String, Failure> {
    let dimension = |number: usize| plan.loops.iter().position(|&own| own == number).ok_or("an index without a loop");
    let mut text = String::from("affine_map<(");
    for number in 0..plan.loops.len() {
        let _ = write!(text, "{}d{number}", if number > 0 { ", " } else { "" });
    }
    text.push_str(") -> (");
    for (at, form) in indices.iter().enumerate() {
        let _ = write!(text, "{}{}", if at > 0 { ", " } else { "" }, form.offset());
        for &(number, coefficient) in form.terms() {
            let _ = write!(text, " + d{} * {coefficient}", dimension(number)?);
        }
    }
    text.push_str(")>");
    Ok(text)
}

fn parse_maps<'c: 'a, 'a>(builder: &Builder<'c, 'a>, maps: &[String]) -> Result<Attribute<'c>, Failure> {
    let parse = |text: &String| attributes::parse(builder.context(), text);
    let maps: Option<Vec<_>> = maps.iter().map(parse).collect();
    Ok(attributes::array(builder.context(), &maps.ok_or("no such indexing map")?))
}

fn iterators<'c: 'a, 'a>(builder: &Builder<'c, 'a>, plan: &Structured<'_>) -> Result<Attribute<'c>, Failure> {
    let kind = |number: usize| {
        let text = if number < plan.parallel { "parallel" } else { "reduction" };
        attributes::parse(builder.context(), &format!("#linalg.iterator_type<{text}>"))
    };
    let kinds: Option<Vec<_>> = (0..plan.loops.len()).map(kind).collect();
    Ok(attributes::array(builder.context(), &kinds.ok_or("the linalg dialect is not loaded")?))
}
