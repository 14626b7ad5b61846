//! Formulas where a run knows the extents.

use super::{AccessIndex, Assignment, Formula, Guard, LoopIndex, ScalarExpr, ScalarKind, Target};
use crate::compose::extent::SymExpr;
use crate::compose::value::Value;

/// What a run knows of extents.
pub trait Known {
    /// The value of an expression of extents; none if it has none.
    fn extent(&self, expression: &SymExpr) -> Option<i64>;

    /// A value without expressions of extents; none if one of them has none.
    fn value(&self, value: &Value) -> Option<Value>;
}

impl Formula {
    /// The formula for known extents; none if something in it has no value for them, as a division by zero. The branch that
    /// a condition on extents chooses takes the place of both.
    pub fn with_extents(&self, known: &dyn Known) -> Option<Formula> {
        let mut assignments = Vec::with_capacity(self.assignments.len());
        for assignment in &self.assignments {
            let condition = match &assignment.condition {
                Some(condition) => Some(scalar(condition, known)?),
                None => None,
            };
            // What never runs need have no value.
            if condition.as_ref().is_none_or(|condition| condition.kind != ScalarKind::Const(Value::Bool(false))) {
                assignments.push(with_extents(assignment, condition, known)?);
            }
        }
        Some(Formula { constants: self.constants.clone(), assignments })
    }
}

fn with_extents(assignment: &Assignment, condition: Option<ScalarExpr>, known: &dyn Known) -> Option<Assignment> {
    let extent = |index: &LoopIndex| {
        let extent = index.dynamic.as_ref().map_or(Some(index.extent), |extent| known.extent(extent))?;
        Some(LoopIndex { name: index.name.clone(), extent: extent.max(0), dynamic: None })
    };
    let target = |target: &Target| Some(Target { tensor: target.tensor, indices: indices(&target.indices, known)? });
    Some(Assignment {
        loops: assignment.loops.iter().map(extent).collect::<Option<_>>()?,
        locals: all(&assignment.locals, known)?,
        op: assignment.op,
        targets: assignment.targets.iter().map(target).collect::<Option<_>>()?,
        values: all(&assignment.values, known)?,
        condition,
        span: assignment.span,
    })
}

fn all(expressions: &[ScalarExpr], known: &dyn Known) -> Option<Vec<ScalarExpr>> {
    expressions.iter().map(|expression| scalar(expression, known)).collect()
}

fn indices(indices: &[AccessIndex], known: &dyn Known) -> Option<Vec<AccessIndex>> {
    let index = |access: &AccessIndex| {
        let guard = match &access.guard {
            Guard::Remap { below, above } => {
                Guard::Remap { below: scalar(below, known)?.into(), above: scalar(above, known)?.into() }
            }
            other => other.clone(),
        };
        Some(AccessIndex { index: scalar(&access.index, known)?, guard })
    };
    indices.iter().map(index).collect()
}

fn scalar(expression: &ScalarExpr, known: &dyn Known) -> Option<ScalarExpr> {
    let boxed = |part: &ScalarExpr| Some(Box::new(scalar(part, known)?));
    let kind = match &expression.kind {
        ScalarKind::Const(value) => ScalarKind::Const(known.value(value)?),
        ScalarKind::Index(_) | ScalarKind::Local(_) => expression.kind.clone(),
        ScalarKind::Access { tensor, indices: given } => {
            ScalarKind::Access { tensor: *tensor, indices: indices(given, known)? }
        }
        ScalarKind::Unary(op, a) => ScalarKind::Unary(*op, boxed(a)?),
        ScalarKind::Binary(op, a, b) => ScalarKind::Binary(*op, boxed(a)?, boxed(b)?),
        ScalarKind::Cast(a) => ScalarKind::Cast(boxed(a)?),
        ScalarKind::Builtin(function, a) => ScalarKind::Builtin(*function, boxed(a)?),
        ScalarKind::Select(condition, a, b) => {
            let condition = boxed(condition)?;
            let chosen = match condition.kind {
                ScalarKind::Const(Value::Bool(true)) => Some(a),
                ScalarKind::Const(Value::Bool(false)) => Some(b),
                _ => None,
            };
            match chosen {
                // What is not chosen need have no value.
                Some(chosen) if chosen.dtype == expression.dtype => return scalar(chosen, known),
                Some(chosen) => ScalarKind::Cast(boxed(chosen)?),
                None => ScalarKind::Select(condition, boxed(a)?, boxed(b)?),
            }
        }
    };
    Some(ScalarExpr { dtype: expression.dtype, kind })
}
