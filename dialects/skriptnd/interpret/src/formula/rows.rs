//! Values of nodes over the lanes of a row, and arithmetic on them.

use skriptnd_language::arithmetic::{self, IntResult, Real};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};

/// One value per lane, or a single one for all lanes.
#[derive(Debug)]
pub(super) enum Row {
    Real(Vec<f32>),
    Int(Vec<i64>),
    Bool(Vec<bool>),
}

impl Row {
    pub(super) fn new(dtype: ScalarType) -> Row {
        match dtype {
            ScalarType::Real => Row::Real(Vec::new()),
            ScalarType::Int => Row::Int(Vec::new()),
            ScalarType::Bool | ScalarType::Str => Row::Bool(Vec::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Row::Real(items) => items.len(),
            Row::Int(items) => items.len(),
            Row::Bool(items) => items.len(),
        }
    }

    /// The lanes of a truth value; formulas are typed, so that others don't ask.
    pub(super) fn as_bool(&self) -> &[bool] {
        if let Row::Bool(items) = self { items } else { &[] }
    }

    /// The lanes of an integer.
    pub(super) fn as_int(&self) -> &[i64] {
        if let Row::Int(items) = self { items } else { &[] }
    }
}

/// The value in a lane of a row that may hold one value for all.
pub(super) fn lane<T: Copy>(items: &[T], lane: usize) -> T {
    if items.len() == 1 { items[0] } else { items[lane] }
}

fn map<A: Copy, R>(a: &[A], out: &mut Vec<R>, f: impl Fn(A) -> R) {
    out.clear();
    out.extend(a.iter().map(|&a| f(a)));
}

fn zip<A: Copy, B: Copy, R>(a: &[A], b: &[B], out: &mut Vec<R>, f: impl Fn(A, B) -> R) {
    out.clear();
    match (a, b) {
        (&[a], b) => out.extend(b.iter().map(|&b| f(a, b))),
        (a, &[b]) => out.extend(a.iter().map(|&a| f(a, b))),
        _ => out.extend(a.iter().zip(b).map(|(&a, &b)| f(a, b))),
    }
}

/// Like [`zip`] for integers, where a result may be missing; calls `fail` with the lane and the operands then.
fn zip_ints(op: BinaryOp, a: &[i64], b: &[i64], out: &mut Vec<i64>, mut fail: impl FnMut(usize, i64, i64)) {
    out.clear();
    let length = if a.len() == 1 { b.len() } else { a.len() };
    out.extend((0..length).map(|at| {
        let (left, right) = (lane(a, at), lane(b, at));
        match arithmetic::int(op, left, right).map(IntResult::wrapped) {
            Some(Ok(value)) => value,
            _ => {
                fail(at, left, right);
                0
            }
        }
    }));
}

/// What a row operation does where types don't fit: composition has checked them, so this is never reached by a
/// formula that it made.
fn mismatch() {
    debug_assert!(false, "operand types of a formula don't fit");
}

pub(super) fn unary(op: UnaryOp, a: &Row, out: &mut Row) {
    match (op, a, out) {
        (UnaryOp::Plus, Row::Real(a), Row::Real(out)) => map(a, out, |a| a),
        (UnaryOp::Plus, Row::Int(a), Row::Int(out)) => map(a, out, |a| a),
        (UnaryOp::Neg, Row::Real(a), Row::Real(out)) => map(a, out, |a| -a),
        (UnaryOp::Neg, Row::Int(a), Row::Int(out)) => map(a, out, i64::wrapping_neg),
        (UnaryOp::Not, Row::Bool(a), Row::Bool(out)) => map(a, out, |a| !a),
        _ => mismatch(),
    }
}

/// Calls `fail` with each lane in which the operation is not defined, and its operands.
pub(super) fn binary(op: BinaryOp, a: &Row, b: &Row, out: &mut Row, fail: impl FnMut(usize, i64, i64)) {
    match (a, b, out) {
        (Row::Real(a), Row::Real(b), Row::Real(out)) => real_arithmetic(op, a, b, out),
        (Row::Int(a), Row::Int(b), Row::Int(out)) => int_arithmetic(op, a, b, out, fail),
        (Row::Bool(a), Row::Bool(b), Row::Bool(out)) => logic(op, a, b, out),
        (Row::Real(a), Row::Real(b), Row::Bool(out)) => comparison(op, a, b, out),
        (Row::Int(a), Row::Int(b), Row::Bool(out)) => comparison(op, a, b, out),
        _ => mismatch(),
    }
}

/// The frequent ones have loops of their own.
fn real_arithmetic(op: BinaryOp, a: &[f32], b: &[f32], out: &mut Vec<f32>) {
    match op {
        BinaryOp::Add => zip(a, b, out, |a, b| a + b),
        BinaryOp::Sub => zip(a, b, out, |a, b| a - b),
        BinaryOp::Mul => zip(a, b, out, |a, b| a * b),
        BinaryOp::Div => zip(a, b, out, |a, b| a / b),
        BinaryOp::Min => zip(a, b, out, Real::smaller),
        BinaryOp::Max => zip(a, b, out, Real::larger),
        _ => zip(a, b, out, |a, b| arithmetic::real(op, a, b).unwrap_or(f32::NAN)),
    }
}

fn int_arithmetic(op: BinaryOp, a: &[i64], b: &[i64], out: &mut Vec<i64>, fail: impl FnMut(usize, i64, i64)) {
    // The frequent ones have loops of their own.
    match op {
        BinaryOp::Add => zip(a, b, out, i64::wrapping_add),
        BinaryOp::Sub => zip(a, b, out, i64::wrapping_sub),
        BinaryOp::Mul => zip(a, b, out, i64::wrapping_mul),
        _ => zip_ints(op, a, b, out, fail),
    }
}

fn logic(op: BinaryOp, a: &[bool], b: &[bool], out: &mut Vec<bool>) {
    zip(a, b, out, |a, b| arithmetic::logic(op, a, b).unwrap_or(false));
}

fn comparison<T: Copy + PartialOrd>(op: BinaryOp, a: &[T], b: &[T], out: &mut Vec<bool>) {
    zip(a, b, out, |a, b| arithmetic::compare(op, a, b).unwrap_or(false));
}

pub(super) fn select(condition: &Row, a: &Row, b: &Row, out: &mut Row) {
    let condition = condition.as_bool();
    match (a, b, out) {
        (Row::Real(a), Row::Real(b), Row::Real(out)) => choose(condition, a, b, out),
        (Row::Int(a), Row::Int(b), Row::Int(out)) => choose(condition, a, b, out),
        (Row::Bool(a), Row::Bool(b), Row::Bool(out)) => choose(condition, a, b, out),
        _ => mismatch(),
    }
}

fn choose<T: Copy>(condition: &[bool], a: &[T], b: &[T], out: &mut Vec<T>) {
    out.clear();
    let length = condition.len().max(a.len()).max(b.len());
    out.extend((0..length).map(|at| if lane(condition, at) { lane(a, at) } else { lane(b, at) }));
}

pub(super) fn cast(a: &Row, out: &mut Row) {
    match (a, out) {
        (Row::Real(a), Row::Real(out)) => map(a, out, |a| a),
        // Towards zero; the infinities are the limits of `int` (section 2.4).
        (Row::Real(a), Row::Int(out)) => map(a, out, |a| a as i64),
        (Row::Real(a), Row::Bool(out)) => map(a, out, |a| a != 0.0),
        (Row::Int(a), Row::Real(out)) => map(a, out, |a| a as f32),
        (Row::Int(a), Row::Int(out)) => map(a, out, |a| a),
        (Row::Int(a), Row::Bool(out)) => map(a, out, |a| a != 0),
        (Row::Bool(a), Row::Real(out)) => map(a, out, |a| if a { 1.0 } else { 0.0 }),
        (Row::Bool(a), Row::Int(out)) => map(a, out, i64::from),
        (Row::Bool(a), Row::Bool(out)) => map(a, out, |a| a),
    }
}

pub(super) fn builtin(function: Builtin, a: &Row, out: &mut Row) {
    match (a, out) {
        // Computed with 64 bits, then rounded.
        (Row::Real(a), Row::Real(out)) => map(a, out, |a| arithmetic::real_builtin(function, f64::from(a)) as f32),
        (Row::Int(a), Row::Int(out)) => {
            map(a, out, |a| arithmetic::int_builtin(function, a).and_then(|result| result.wrapped().ok()).unwrap_or(a))
        }
        _ => mismatch(),
    }
}

/// The lanes of `outer` where `condition` has this value.
pub(super) fn mask(outer: Option<&Row>, condition: &Row, value: bool, out: &mut Row) {
    let Row::Bool(out) = out else { return mismatch() };
    match outer {
        None => map(condition.as_bool(), out, |condition| condition == value),
        Some(outer) => zip(outer.as_bool(), condition.as_bool(), out, |outer, condition| outer && condition == value),
    }
}
