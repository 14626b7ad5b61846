//! Scalar expressions of formulas, simplified while they are built: constants folded and moved to the right of sums
//! and products, neutral elements dropped. What is affine in the loop indices stays easy to see.

use super::known;
use crate::arithmetic;
use crate::compose::formula::{ScalarExpr, ScalarKind};
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};

impl From<ScalarExpr> for Term {
    fn from(expr: ScalarExpr) -> Self {
        match expr.kind {
            ScalarKind::Const(value) => Term::from_value(&value),
            _ => Term::Scalar(Box::new(expr)),
        }
    }
}

/// A value as a scalar expression; none for packs, tensors, guarded indices and strings.
pub(crate) fn of(term: &Term) -> Option<ScalarExpr> {
    match term {
        Term::Scalar(expr) => Some((**expr).clone()),
        Term::Int(_)
        | Term::Real(_)
        | Term::Bool(_)
        | Term::Symbolic(_)
        | Term::Condition(_)
        | Term::SymbolicReal(_) => Some(ScalarExpr { dtype: term.dtype()?, kind: ScalarKind::Const(term.to_value()?) }),
        _ => None,
    }
}

fn constant(expr: &ScalarExpr) -> Option<&Value> {
    match &expr.kind {
        ScalarKind::Const(value) => Some(value),
        _ => None,
    }
}

fn known_int(expr: &ScalarExpr) -> Option<i64> {
    match constant(expr) {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    }
}

fn known_bool(expr: &ScalarExpr) -> Option<bool> {
    match constant(expr) {
        Some(Value::Bool(value)) => Some(*value),
        _ => None,
    }
}

pub(crate) fn int(value: i64) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(Value::Int(value)) }
}

fn boolean(value: bool) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Bool, kind: ScalarKind::Const(Value::Bool(value)) }
}

/// None if the operator is not defined for the type.
pub(crate) fn unary(op: UnaryOp, operand: ScalarExpr) -> Option<ScalarExpr> {
    let numeric = matches!(operand.dtype, ScalarType::Int | ScalarType::Real);
    match op {
        UnaryOp::Plus => numeric.then_some(operand),
        UnaryOp::Neg if operand.dtype == ScalarType::Int => binary(BinaryOp::Mul, operand, int(-1)),
        UnaryOp::Neg if !numeric => None,
        UnaryOp::Not if operand.dtype != ScalarType::Bool => None,
        _ => Some(ScalarExpr { dtype: operand.dtype, kind: ScalarKind::Unary(op, Box::new(operand)) }),
    }
}

/// None if the operator is not defined for the types.
pub(crate) fn binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> Option<ScalarExpr> {
    let (a, b) = if arithmetic::is_comparison(op) { comparable(a, b) } else { (a, b) };
    let dtype = result_type(op, a.dtype, b.dtype)?;
    if let (Some(x), Some(y)) = (constant(&a), constant(&b)) {
        let folded = known::binary(op, &Term::from_value(x), &Term::from_value(y));
        if let Some(folded) = folded.ok().as_ref().and_then(of) {
            return Some(folded);
        }
    }
    // What the left side decides already hides what the right side reads, so that a condition can protect it.
    let decides = match op {
        BinaryOp::And => Some((b.clone(), boolean(false))),
        BinaryOp::Or => Some((boolean(true), b.clone())),
        BinaryOp::Implies => Some((b.clone(), boolean(true))),
        _ => None,
    };
    if let Some((then, otherwise)) = decides.filter(|_| may_fail(&b) || uses_local(&b)) {
        return select(a, then, otherwise);
    }
    Some(match dtype {
        ScalarType::Int => int_binary(op, a, b),
        ScalarType::Bool => bool_binary(op, a, b),
        _ => make(op, dtype, a, b),
    })
}

/// Where generic types turn out to be different kinds of numbers, these are compared as real ones; a truth value counts
/// as 0 or 1 beside numbers.
fn comparable(a: ScalarExpr, b: ScalarExpr) -> (ScalarExpr, ScalarExpr) {
    use ScalarType::{Bool, Int, Real};
    let widened = |expr, dtype| ScalarExpr { dtype, kind: ScalarKind::Cast(Box::new(expr)) };
    match (a.dtype, b.dtype) {
        (Int, Real) | (Bool, Int | Real) => (widened(a, b.dtype), b),
        (Real, Int) | (Int | Real, Bool) => {
            let dtype = a.dtype;
            (a, widened(b, dtype))
        }
        _ => (a, b),
    }
}

fn make(op: BinaryOp, dtype: ScalarType, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    ScalarExpr { dtype, kind: ScalarKind::Binary(op, Box::new(a), Box::new(b)) }
}

pub(crate) fn result_type(op: BinaryOp, a: ScalarType, b: ScalarType) -> Option<ScalarType> {
    if a == b { arithmetic::result_type(op, a) } else { None }
}

fn int_binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul);
    let (a, b) = if commutes && constant(&a).is_some() { (b, a) } else { (a, b) };
    let Some(value) = known_int(&b) else { return make(op, ScalarType::Int, a, b) };
    match (op, value) {
        (BinaryOp::Add | BinaryOp::Sub, 0) | (BinaryOp::Mul | BinaryOp::Div | BinaryOp::CeilDiv, 1) => a,
        (BinaryOp::Mul, 0) | (BinaryOp::Mod, 1) if !may_fail(&a) => int(0),
        (BinaryOp::Pow, 1) => a,
        (BinaryOp::Sub, value) if value != i64::MIN => int_binary(BinaryOp::Add, a, int(-value)),
        (BinaryOp::Add | BinaryOp::Mul, value) => merge_constants(op, a, value),
        _ => make(op, ScalarType::Int, a, b),
    }
}

/// `(x + 1) + 2` is `x + 3`, `(x * 2) * 3` is `x * 6`.
fn merge_constants(op: BinaryOp, a: ScalarExpr, value: i64) -> ScalarExpr {
    if let ScalarKind::Binary(inner, x, y) = &a.kind {
        let merged = known_int(y).filter(|_| *inner == op).and_then(|known| match op {
            BinaryOp::Add => known.checked_add(value),
            _ => known.checked_mul(value),
        });
        if let Some(merged) = merged {
            return int_binary(op, (**x).clone(), int(merged));
        }
    }
    make(op, ScalarType::Int, a, int(value))
}

fn bool_binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    match (op, known_bool(&a), known_bool(&b)) {
        (BinaryOp::And, Some(true), _) | (BinaryOp::Or, Some(false), _) | (BinaryOp::Implies, Some(true), _) => b,
        (BinaryOp::And, _, Some(true)) | (BinaryOp::Or, _, Some(false)) => a,
        (BinaryOp::And, Some(false), _) => boolean(false),
        (BinaryOp::Or, Some(true), _) | (BinaryOp::Implies, Some(false), _) => boolean(true),
        (BinaryOp::And, _, Some(false)) if !may_fail(&a) => boolean(false),
        (BinaryOp::Or | BinaryOp::Implies, _, Some(true)) if !may_fail(&a) => boolean(true),
        _ => make(op, ScalarType::Bool, a, b),
    }
}

/// None if the types don't fit.
pub(crate) fn select(condition: ScalarExpr, then: ScalarExpr, otherwise: ScalarExpr) -> Option<ScalarExpr> {
    if condition.dtype != ScalarType::Bool || then.dtype != otherwise.dtype {
        return None;
    }
    match known_bool(&condition) {
        Some(true) => Some(then),
        Some(false) => Some(otherwise),
        None if then == otherwise && !may_fail(&condition) => Some(then),
        None => {
            let dtype = then.dtype;
            let kind = ScalarKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
            Some(ScalarExpr { dtype, kind })
        }
    }
}

/// None between strings and anything else.
pub(crate) fn cast(operand: ScalarExpr, dtype: ScalarType) -> Option<ScalarExpr> {
    if operand.dtype == dtype {
        return Some(operand);
    }
    let arithmetic = operand.dtype != ScalarType::Str && dtype != ScalarType::Str;
    arithmetic.then(|| ScalarExpr { dtype, kind: ScalarKind::Cast(Box::new(operand)) })
}

/// None if the function is not defined for the type.
pub(crate) fn builtin(function: Builtin, operand: ScalarExpr) -> Option<ScalarExpr> {
    let fits = arithmetic::is_defined(function, operand.dtype);
    fits.then(|| ScalarExpr { dtype: operand.dtype, kind: ScalarKind::Builtin(function, Box::new(operand)) })
}

/// Number of nodes, counted no further than `limit`.
pub(crate) fn size(expr: &ScalarExpr, limit: usize) -> usize {
    let mut count = 0;
    visit(expr, &mut |_| {
        count += 1;
        count < limit
    });
    count
}

/// Whether the expression reads a tensor.
pub(crate) fn reads(expr: &ScalarExpr) -> bool {
    let mut found = false;
    visit(expr, &mut |part| {
        found |= matches!(part.kind, ScalarKind::Access { .. });
        !found
    });
    found
}

/// Whether the expression may have no value in some iterations, or skip them: it reads a tensor, or divides integers.
pub(crate) fn may_fail(expr: &ScalarExpr) -> bool {
    let mut found = false;
    visit(expr, &mut |part| {
        found |= match part.kind {
            ScalarKind::Access { .. } => true,
            ScalarKind::Binary(op, ..) => part.dtype == ScalarType::Int && arithmetic::may_be_undefined(op),
            _ => false,
        };
        !found
    });
    found
}

/// Whether the expression uses a loop-local value, which may have none where it is not needed.
fn uses_local(expr: &ScalarExpr) -> bool {
    let mut found = false;
    visit(expr, &mut |part| {
        found |= matches!(part.kind, ScalarKind::Local(_));
        !found
    });
    found
}

/// Calls `f` with the parts of an expression until it says to stop.
fn visit(expr: &ScalarExpr, f: &mut dyn FnMut(&ScalarExpr) -> bool) {
    let mut pending = vec![expr];
    while let Some(part) = pending.pop() {
        if !f(part) {
            return;
        }
        match &part.kind {
            ScalarKind::Const(_) | ScalarKind::Index(_) | ScalarKind::Local(_) => {}
            ScalarKind::Access { indices, .. } => pending.extend(indices.iter().map(|index| &index.index)),
            ScalarKind::Unary(_, a) | ScalarKind::Cast(a) | ScalarKind::Builtin(_, a) => pending.push(a),
            ScalarKind::Binary(_, a, b) => pending.extend([&**a, &**b]),
            ScalarKind::Select(a, b, c) => pending.extend([&**a, &**b, &**c]),
        }
    }
}
