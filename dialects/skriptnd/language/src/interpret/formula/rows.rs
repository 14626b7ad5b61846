//! Values of nodes over the lanes of a row, and arithmetic on them.

use crate::compose::value::ScalarType;
use crate::interpret::scalar;
use crate::syntax::ast::{BinaryOp, Builtin, UnaryOp};

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

/// Like [`zip`] for functions that are not defined everywhere; calls `fail` with the lane where they are not.
fn zip_partial(
    a: &[i64],
    b: &[i64],
    out: &mut Vec<i64>,
    mut fail: impl FnMut(usize),
    f: impl Fn(i64, i64) -> Option<i64>,
) {
    out.clear();
    let length = if a.len() == 1 { b.len() } else { a.len() };
    out.extend((0..length).map(|at| {
        f(lane(a, at), lane(b, at)).unwrap_or_else(|| {
            fail(at);
            0
        })
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

/// Calls `fail` with each lane in which the operation is not defined.
pub(super) fn binary(op: BinaryOp, a: &Row, b: &Row, out: &mut Row, fail: impl FnMut(usize)) {
    match (a, b, out) {
        (Row::Real(a), Row::Real(b), Row::Real(out)) => real_arithmetic(op, a, b, out),
        (Row::Int(a), Row::Int(b), Row::Int(out)) => int_arithmetic(op, a, b, out, fail),
        (Row::Bool(a), Row::Bool(b), Row::Bool(out)) => logic(op, a, b, out),
        (Row::Real(a), Row::Real(b), Row::Bool(out)) => comparison(op, a, b, out),
        (Row::Int(a), Row::Int(b), Row::Bool(out)) => comparison(op, a, b, out),
        _ => mismatch(),
    }
}

fn real_arithmetic(op: BinaryOp, a: &[f32], b: &[f32], out: &mut Vec<f32>) {
    match op {
        BinaryOp::Add => zip(a, b, out, |a, b| a + b),
        BinaryOp::Sub => zip(a, b, out, |a, b| a - b),
        BinaryOp::Mul => zip(a, b, out, |a, b| a * b),
        BinaryOp::Div => zip(a, b, out, |a, b| a / b),
        BinaryOp::CeilDiv => zip(a, b, out, |a, b| (a / b).ceil()),
        BinaryOp::Mod => zip(a, b, out, |a, b| a % b),
        BinaryOp::Pow => zip(a, b, out, scalar::real_pow),
        BinaryOp::Min => zip(a, b, out, scalar::real_min),
        BinaryOp::Max => zip(a, b, out, scalar::real_max),
        _ => mismatch(),
    }
}

fn int_arithmetic(op: BinaryOp, a: &[i64], b: &[i64], out: &mut Vec<i64>, fail: impl FnMut(usize)) {
    match op {
        BinaryOp::Add => zip(a, b, out, i64::wrapping_add),
        BinaryOp::Sub => zip(a, b, out, i64::wrapping_sub),
        BinaryOp::Mul => zip(a, b, out, i64::wrapping_mul),
        BinaryOp::Div => zip_partial(a, b, out, fail, scalar::floor_div),
        BinaryOp::CeilDiv => zip_partial(a, b, out, fail, scalar::ceil_div),
        BinaryOp::Mod => zip_partial(a, b, out, fail, scalar::floor_mod),
        BinaryOp::Pow => zip_partial(a, b, out, fail, scalar::int_pow),
        BinaryOp::Min => zip(a, b, out, i64::min),
        BinaryOp::Max => zip(a, b, out, i64::max),
        _ => mismatch(),
    }
}

fn logic(op: BinaryOp, a: &[bool], b: &[bool], out: &mut Vec<bool>) {
    match op {
        BinaryOp::And | BinaryOp::Min => zip(a, b, out, |a, b| a & b),
        BinaryOp::Or | BinaryOp::Max => zip(a, b, out, |a, b| a | b),
        BinaryOp::Xor => zip(a, b, out, |a, b| a ^ b),
        BinaryOp::Implies => zip(a, b, out, |a, b| !a | b),
        _ => comparison(op, a, b, out),
    }
}

fn comparison<T: Copy + PartialOrd>(op: BinaryOp, a: &[T], b: &[T], out: &mut Vec<bool>) {
    match op {
        BinaryOp::Lt => zip(a, b, out, |a, b| a < b),
        BinaryOp::Le => zip(a, b, out, |a, b| a <= b),
        BinaryOp::Gt => zip(a, b, out, |a, b| a > b),
        BinaryOp::Ge => zip(a, b, out, |a, b| a >= b),
        BinaryOp::Eq => zip(a, b, out, |a, b| a == b),
        BinaryOp::Ne => zip(a, b, out, |a, b| a != b),
        _ => mismatch(),
    }
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
        (Row::Real(a), Row::Real(out)) => map(a, out, |a| scalar::real_builtin(function, a)),
        (Row::Int(a), Row::Int(out)) => map(a, out, |a| scalar::int_builtin(function, a)),
        (Row::Real(a), Row::Int(out)) => map(a, out, |a| scalar::real_builtin(function, a) as i64),
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
