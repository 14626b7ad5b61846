//! Assignments that extents decide on as a whole, as those for the items of a pack of dynamic length: `scf.if` around them, so that
//! nothing is written to where there is nothing.

use super::FormulaState;
use crate::lowering::plan::plan;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::compose::formula::{Assignment, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::compose::value::{Symbolic, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ops::scf;
use skriptnd_syntax::ast::BinaryOp;

/// The part of an assignment's condition that is the same for all iterations, and the assignment without it; none if there is no
/// such part.
pub fn split(assignment: &Assignment) -> Option<(SymExpr, Assignment)> {
    let (mut decides, mut rest) = (Vec::new(), Vec::new());
    parts(assignment.condition.as_ref()?, &mut decides, &mut rest);
    let decides = match decides.len() {
        0 => return None,
        1 => decides.pop()?,
        _ => SymExpr::apply(SymOp::And, decides)?,
    };
    let and = |a: ScalarExpr, b: ScalarExpr| ScalarExpr {
        dtype: a.dtype,
        kind: ScalarKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)),
    };
    let condition = rest.into_iter().reduce(and);
    Some((decides, Assignment { condition, ..assignment.clone() }))
}

fn parts(condition: &ScalarExpr, decides: &mut Vec<SymExpr>, rest: &mut Vec<ScalarExpr>) {
    match &condition.kind {
        ScalarKind::Binary(BinaryOp::And, a, b) => {
            parts(a, decides, rest);
            parts(b, decides, rest);
        }
        _ => match symbolic(condition) {
            Some(expr) => decides.push(expr),
            None => rest.push(condition.clone()),
        },
    }
}

/// A condition that only extents decide.
fn symbolic(condition: &ScalarExpr) -> Option<SymExpr> {
    match &condition.kind {
        ScalarKind::Const(Constant::Symbolic(Symbolic::Int(expr) | Symbolic::Bool(expr))) => Some(expr.clone()),
        ScalarKind::Const(Constant::Int(value)) => Some(SymExpr::Const(*value)),
        ScalarKind::Binary(op, a, b) => {
            let (op, exchanged) = SymOp::of(*op)?;
            let (a, b) = (symbolic(a)?, symbolic(b)?);
            SymExpr::apply(op, if exchanged { vec![b, a] } else { vec![a, b] })
        }
        _ => None,
    }
}

/// Emits an assignment where a condition holds.
pub fn emit<'c: 'a, 'a>(
    state: &mut FormulaState<'_, 'c, 'a>,
    decides: &SymExpr,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let planned = plan(assignment, state.tensors).map_err(|error| Failure::new(error.to_string()))?;
    let mut written: Vec<TensorRef> = Vec::new();
    for target in assignment.targets.iter().filter(|target| matches!(target.tensor, TensorRef::Output(_))) {
        if !written.contains(&target.tensor) {
            written.push(target.tensor);
        }
    }
    let before = written.iter().map(|tensor| state.current(*tensor, false)).collect::<Result<Vec<_>, _>>()?;
    let kinds: Vec<_> = before.iter().map(|value| value.r#type()).collect();
    let holds = state.extents.truth(&state.builder, decides)?;
    let branch = scf::r#if(&state.builder, holds, &kinds)?;
    let outside = std::mem::replace(&mut state.builder, branch.then);
    state.execute(assignment, &planned)?;
    let after = written.iter().map(|tensor| state.tensor(*tensor)).collect::<Result<Vec<_>, _>>()?;
    scf::r#yield(&branch.then, &after)?;
    scf::r#yield(&branch.otherwise, &before)?;
    state.builder = outside;
    let results = branch.operation.result_values();
    written.into_iter().zip(results).try_for_each(|(tensor, value)| state.set(tensor, value))
}
