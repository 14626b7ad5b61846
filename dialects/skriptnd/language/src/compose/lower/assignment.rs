//! The parts of one assignment: targets, values, and what it starts from.

use crate::arithmetic;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::context::loop_extent;
use crate::compose::evaluate::scalar;
use crate::compose::failure::{Eval, Failure};
use crate::compose::formula::{AccessIndex, Assignment, Guard, LoopIndex, ScalarExpr, ScalarKind, Target, TensorRef};
use crate::compose::tensors::TensorType;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::AssignOp;

/// The elements on the left side.
pub(super) fn targets(left: Term, span: Span) -> Eval<(Vec<Target>, Vec<ScalarType>)> {
    let items = match left {
        Term::Pack(items) => items,
        Term::Empty(_) => Vec::new(),
        single => vec![single],
    };
    let mut targets = Vec::with_capacity(items.len());
    let mut types = Vec::with_capacity(items.len());
    for item in items {
        let Term::Scalar(expr) = item else { return Err(say::target_is_no_output(span).into()) };
        match *expr {
            ScalarExpr { dtype, kind: ScalarKind::Access { tensor: tensor @ TensorRef::Output(_), indices } } => {
                targets.push(Target { tensor, indices });
                types.push(dtype);
            }
            _ => return Err(say::target_is_no_output(span).into()),
        }
    }
    Ok((targets, types))
}

/// One value of the right type for each target.
pub(super) fn values(right: &Term, types: &[ScalarType], op: AssignOp, span: Span) -> Eval<Vec<ScalarExpr>> {
    if let Some(length) = right.length().filter(|length| *length != types.len() as u64) {
        return Err(say::packed_assignment_lengths(types.len(), length, span).into());
    }
    types
        .iter()
        .enumerate()
        .map(|(at, dtype)| {
            let item = right.item(at).ok_or(Failure::Silent)?;
            match scalar::of(item) {
                Some(value) if value.dtype == *dtype => Ok(value),
                _ => Err(say::assigned_type(item, *dtype, op, span).into()),
            }
        })
        .collect()
}

/// What an accumulation without an initial value starts from; none if there is no such value.
pub(super) fn null_element(op: AssignOp, dtype: ScalarType) -> Option<ScalarExpr> {
    let value = arithmetic::of_nothing(arithmetic::accumulator(op)?, dtype)?;
    Some(ScalarExpr { dtype, kind: ScalarKind::Const(value.into()) })
}

/// Whether `op` accumulates values of this type at all.
pub(super) fn accumulates(op: AssignOp, dtype: ScalarType) -> bool {
    arithmetic::accumulator(op).is_none_or(|op| arithmetic::neutral(op, dtype).is_some())
}

/// The assignment that sets all elements of a tensor to one value.
pub(super) fn fill(tensor: TensorRef, ty: &TensorType, value: ScalarExpr, span: Span) -> Assignment {
    let loops = ty.shape.iter().enumerate().map(|(at, extent)| {
        let (known, dynamic) = loop_extent(&extent.value, extent.bound);
        LoopIndex { name: format!("i{at}"), extent: known, dynamic }
    });
    let indices = (0..ty.shape.len()).map(|at| AccessIndex {
        index: ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(at) },
        guard: Guard::None,
    });
    Assignment {
        loops: loops.collect(),
        locals: Vec::new(),
        op: AssignOp::Set,
        targets: vec![Target { tensor, indices: indices.collect() }],
        values: vec![value],
        condition: None,
        span,
    }
}
