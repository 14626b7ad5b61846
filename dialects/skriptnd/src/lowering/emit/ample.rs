//! Tensors that go on outside with elements of their own, as those of pads that reflect or repeat. Where only a run knows how large a
//! tensor is, it may have too few elements for that. Where it has enough, the inside and each side are copies of rows; else
//! elements are fetched one by one.

use super::FormulaState;
use super::extents::type_of;
use crate::lowering::form::IndexForm;
use crate::lowering::limits::Limits;
use crate::lowering::plan::{Plan, Tensors, extent_of, plan};
use crate::lowering::walk;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::compose::formula::{Assignment, Guard, ScalarKind};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ops::scf;
use std::collections::BTreeMap;
use std::sync::Arc;

/// When tensors have enough elements, and what is known of extents then.
struct Ample {
    condition: SymExpr,
    limits: Limits,
}

impl Ample {
    /// None where no extent is left to the run, or where they are not just symbols.
    fn of(assignment: &Assignment, tensors: Tensors<'_>) -> Option<Ample> {
        let least = least(assignment, tensors)?;
        let at_least = |(name, least): (&Arc<str>, &i64)| {
            SymExpr::apply(SymOp::Le, vec![SymExpr::Const(*least), SymExpr::Symbol(name.clone())])
        };
        let mut conditions: Vec<SymExpr> = least.iter().map(at_least).collect::<Option<_>>()?;
        let condition = match conditions.len() {
            0 => return None,
            1 => conditions.pop()?,
            _ => SymExpr::apply(SymOp::And, conditions)?,
        };
        Some(Ample { condition, limits: tensors.limits.with_least(least)? })
    }
}

/// For each extent along which indices outside are replaced, how much lies on one side, and one more.
fn least(assignment: &Assignment, tensors: Tensors<'_>) -> Option<BTreeMap<Arc<str>, i64>> {
    let extents: Vec<SymExpr> = assignment.loops.iter().map(extent_of).collect();
    let mut locals = Vec::new();
    for local in &assignment.locals {
        locals.push(IndexForm::of(local, &locals));
    }
    let mut least = BTreeMap::new();
    for access in walk::accesses(assignment) {
        let ScalarKind::Access { tensor, indices } = &access.kind else { continue };
        for (index, extent) in indices.iter().zip(&tensors.get(*tensor)?.shape) {
            let (Guard::Remap { .. }, SymExpr::Symbol(name)) = (&index.guard, extent) else { continue };
            let (low, high) = IndexForm::of(&index.index, &locals)?.range(&extents, tensors.limits)?;
            let below = low.as_known()?.checked_neg()?;
            let above = high.minus(extent)?.as_known()?.checked_add(1)?;
            let needed = below.max(above).max(0).checked_add(1)?;
            let known = least.entry(name.clone()).or_insert(needed);
            *known = needed.max(*known);
        }
    }
    Some(least)
}

fn is_movement(plan: &Plan<'_>) -> bool {
    matches!(plan, Plan::Structured(plan) if plan.is_movement)
}

/// Emits an assignment both ways; false where it is the same for all extents.
pub fn emit<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    assignment: &Assignment,
    otherwise: &Plan<'_>,
) -> Result<bool, Failure> {
    if is_movement(otherwise) {
        return Ok(false);
    }
    let Some(ample) = Ample::of(assignment, state.tensors) else { return Ok(false) };
    let tensors = Tensors { limits: &ample.limits, ..state.tensors };
    let planned = plan(assignment, tensors).map_err(|error| Failure::new(error.to_string()))?;
    let ([target], true) = (assignment.targets.as_slice(), is_movement(&planned)) else { return Ok(false) };
    let kind = type_of(&state.builder, state.shape(target.tensor)?)?;
    let holds = state.extents.truth(&state.builder, &ample.condition)?;
    let branch = scf::r#if(&state.builder, holds, &[kind])?;
    let way = |builder, tensors, plan: &Plan<'_>| {
        let mut inside = FormulaState {
            builder,
            tensors,
            operands: state.operands,
            constants: state.constants.clone(),
            definitions: state.definitions,
            origin: state.origin,
            extents: state.extents,
            outputs: state.outputs.clone(),
            pieced: state.pieced.clone(),
        };
        inside.perform(assignment, plan)?;
        scf::r#yield(&builder, &[inside.tensor(target.tensor)?])
    };
    way(branch.then, tensors, &planned)?;
    way(branch.otherwise, state.tensors, otherwise)?;
    state.set(target.tensor, branch.operation.result(0)?)?;
    Ok(true)
}
