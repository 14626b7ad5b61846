//! Scalar operators and functions as operations of the arith and math dialects (specification, section 2.4).

use super::integers::{self, Range};
use super::truth::{boolean, compare, negation};
use crate::scalars::Scalars as _;
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::math;
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};

/// A scalar constant.
pub fn constant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: &Constant,
    dtype: ScalarType,
) -> Result<Value<'c, 'a>, Failure> {
    match (value, dtype) {
        (Constant::Real(value), ScalarType::Real) => builder.float(*value),
        // Rounded once.
        (Constant::Int(value), ScalarType::Real) => builder.float(f64::from(*value as f32)),
        (Constant::Int(value), ScalarType::Int) => builder.int(*value),
        (Constant::Bool(value), ScalarType::Bool) => builder.boolean(*value),
        (Constant::Symbolic(_), _) => Err("the value depends on extents that are known only at run time".into()),
        _ => Err("a constant of a formula has not the type that it should have".into()),
    }
}

/// A unary operator.
pub fn unary<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: UnaryOp,
    dtype: ScalarType,
    a: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    match (op, dtype) {
        (UnaryOp::Plus, _) => Ok(a),
        (UnaryOp::Neg, ScalarType::Real) => arith::negf(builder, a),
        (UnaryOp::Neg, _) => arith::subi(builder, builder.int(0)?, a),
        (UnaryOp::Not, _) => negation(builder, a),
    }
}

/// A binary operator on operands of type `dtype`.
pub fn binary<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    dtype: ScalarType,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    binary_with(builder, op, dtype, (a, b), &Right::default())
}

/// What is known of the right operand of a binary operator.
pub struct Right<'e> {
    /// The value, if it is constant.
    pub constant: Option<&'e Constant>,
    /// Between which values it lies, if it is an integer.
    pub range: Range,
}

impl Default for Right<'_> {
    fn default() -> Self {
        Right { constant: None, range: integers::ANY }
    }
}

/// A binary operator where something is known of its right operand.
pub fn binary_with<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    dtype: ScalarType,
    (a, b): (Value<'c, 'a>, Value<'c, 'a>),
    right: &Right<'_>,
) -> Result<Value<'c, 'a>, Failure> {
    if let Some(compared) = compare(builder, op, dtype, a, b) {
        return compared;
    }
    match dtype {
        ScalarType::Real => real_binary(builder, op, a, b, right.constant),
        ScalarType::Int => int_binary(builder, op, a, b, right.range),
        ScalarType::Bool => boolean(builder, op, a, b),
        ScalarType::Str => Err("strings are not known at run time".into()),
    }
}

fn real_binary<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    right: Option<&Constant>,
) -> Result<Value<'c, 'a>, Failure> {
    match op {
        BinaryOp::Add => arith::addf(builder, a, b),
        BinaryOp::Sub => arith::subf(builder, a, b),
        BinaryOp::Mul => arith::mulf(builder, a, b),
        BinaryOp::Div => arith::divf(builder, a, b),
        BinaryOp::CeilDiv => math::ceil(builder, arith::divf(builder, a, b)?),
        BinaryOp::Mod => arith::remf(builder, a, b),
        BinaryOp::Min => arith::minimumf(builder, a, b),
        BinaryOp::Max => arith::maximumf(builder, a, b),
        BinaryOp::Pow => match right {
            Some(Constant::Real(1.0)) => Ok(a),
            Some(Constant::Real(2.0)) => arith::mulf(builder, a, a),
            Some(Constant::Real(0.5)) => root(builder, a),
            _ => math::powf(builder, a, b),
        },
        _ => Err("a logical operator on reals".into()),
    }
}

/// The power of 0.5, which is the root but for -0 and minus infinity: these give 0 and infinity.
fn root<'c: 'a, 'a>(builder: &Builder<'c, 'a>, a: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let root = arith::addf(builder, math::sqrt(builder, a)?, builder.float(0.0)?)?;
    let is_lowest = binary(builder, BinaryOp::Eq, ScalarType::Real, a, builder.float(f64::NEG_INFINITY)?)?;
    arith::select(builder, is_lowest, builder.float(f64::INFINITY)?, root)
}

fn int_binary<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    range: Range,
) -> Result<Value<'c, 'a>, Failure> {
    match op {
        BinaryOp::Add => arith::addi(builder, a, b),
        BinaryOp::Sub => arith::subi(builder, a, b),
        BinaryOp::Mul => arith::muli(builder, a, b),
        BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod => integers::divide(builder, op, a, b, range),
        BinaryOp::Min => arith::minsi(builder, a, b),
        BinaryOp::Max => arith::maxsi(builder, a, b),
        BinaryOp::Pow => integers::power(builder, a, b, range),
        _ => Err("a logical operator on integers".into()),
    }
}

/// Whether `0 <= index < extent`.
pub fn is_inside<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    extent: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    // Unsigned: negative indices are large.
    arith::cmpi(builder, IntegerPredicate::Ult, index, extent)
}

/// A conversion.
pub fn cast<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    from: ScalarType,
    to: ScalarType,
    a: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let r#type = builder.scalar_type(to)?;
    match (from, to) {
        (from, to) if from == to => Ok(a),
        (ScalarType::Int, ScalarType::Real) => arith::sitofp(builder, a, r#type),
        (ScalarType::Bool, ScalarType::Real) => arith::uitofp(builder, a, r#type),
        (ScalarType::Real, ScalarType::Int) => integers::truncated(builder, a),
        (ScalarType::Bool, ScalarType::Int) => arith::extui(builder, a, r#type),
        (ScalarType::Int, ScalarType::Bool) => arith::cmpi(builder, IntegerPredicate::Ne, a, builder.int(0)?),
        (ScalarType::Real, ScalarType::Bool) => arith::cmpf(builder, FloatPredicate::Une, a, builder.float(0.0)?),
        _ => Err("strings are not known at run time".into()),
    }
}

/// A built-in function.
pub fn builtin<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: Builtin,
    dtype: ScalarType,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    if dtype != ScalarType::Int {
        return real_builtin(builder, function, x);
    }
    match function {
        Builtin::Abs => math::absi(builder, x),
        Builtin::Sign => sign(builder, ScalarType::Int, x, [builder.int(1)?, builder.int(-1)?], builder.int(0)?),
        _ => Err("a function of reals on integers".into()),
    }
}

fn real_builtin<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: Builtin,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    match function {
        Builtin::Abs => math::absf(builder, x),
        Builtin::Sqrt => math::sqrt(builder, x),
        Builtin::Exp => math::exp(builder, x),
        Builtin::Log => math::log(builder, x),
        Builtin::Sin => math::sin(builder, x),
        Builtin::Cos => math::cos(builder, x),
        Builtin::Tan => math::tan(builder, x),
        Builtin::Asin => math::asin(builder, x),
        Builtin::Acos => math::acos(builder, x),
        Builtin::Atan => math::atan(builder, x),
        Builtin::Sinh => math::sinh(builder, x),
        Builtin::Cosh => math::cosh(builder, x),
        Builtin::Tanh => math::tanh(builder, x),
        Builtin::Asinh => math::asinh(builder, x),
        Builtin::Acosh => math::acosh(builder, x),
        Builtin::Atanh => math::atanh(builder, x),
        Builtin::Floor => math::floor(builder, x),
        Builtin::Ceil => math::ceil(builder, x),
        // Half away from zero.
        Builtin::Round => math::round(builder, x),
        Builtin::Erf => math::erf(builder, x),
        Builtin::Sign => {
            sign(builder, ScalarType::Real, x, [builder.float(1.0)?, builder.float(-1.0)?], builder.float(0.0)?)
        }
        Builtin::Frac => arith::subf(builder, x, math::floor(builder, x)?),
    }
}

/// -1, 0 or 1; NaN stays.
fn sign<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    dtype: ScalarType,
    x: Value<'c, 'a>,
    [plus, minus]: [Value<'c, 'a>; 2],
    zero: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let is_positive = binary(builder, BinaryOp::Gt, dtype, x, zero)?;
    let is_negative = binary(builder, BinaryOp::Lt, dtype, x, zero)?;
    let otherwise = arith::select(builder, is_negative, minus, x)?;
    arith::select(builder, is_positive, plus, otherwise)
}

/// What an assignment makes of the old value and the new one.
pub fn combine<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: AssignOp,
    dtype: ScalarType,
    old: impl FnOnce() -> Result<Value<'c, 'a>, Failure>,
    new: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let Some(op) = skriptnd_language::arithmetic::accumulator(op) else { return Ok(new) };
    binary(builder, op, dtype, old()?, new)
}
