//! Scalar operators and functions as operations of the arith and math dialects (specification, section 2.4).

use super::integers::{self, Range};
use crate::builder::Builder;
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Value, attributes, types};
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};

/// A scalar constant.
pub fn constant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: &Constant,
    dtype: ScalarType,
) -> Result<Value<'c, 'a>, Failure> {
    match (value, dtype) {
        (Constant::Real(value), ScalarType::Real) => builder.real(*value),
        // Rounded once.
        (Constant::Int(value), ScalarType::Real) => builder.real(f64::from(*value as f32)),
        (Constant::Int(value), ScalarType::Int) => builder.integer(*value),
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
    let r#type = builder.scalar_type(dtype)?;
    match (op, dtype) {
        (UnaryOp::Plus, _) => Ok(a),
        (UnaryOp::Neg, ScalarType::Real) => builder.value("arith.negf", &[a], &[], r#type),
        (UnaryOp::Neg, _) => builder.value("arith.subi", &[builder.integer(0)?, a], &[], r#type),
        (UnaryOp::Not, _) => negation(builder, a),
    }
}

/// The opposite truth value.
pub fn negation<'c: 'a, 'a>(builder: &Builder<'c, 'a>, a: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let one = builder.boolean(true)?;
    builder.value("arith.xori", &[a, one], &[], types::integer(builder.context(), 1))
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
    if let Some(predicate) = predicate(op, dtype) {
        return compare(builder, predicate, dtype, a, b);
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
    let f32 = types::f32(builder.context());
    let apply = |name: &str| builder.value(name, &[a, b], &[], f32);
    match op {
        BinaryOp::Add => apply("arith.addf"),
        BinaryOp::Sub => apply("arith.subf"),
        BinaryOp::Mul => apply("arith.mulf"),
        BinaryOp::Div => apply("arith.divf"),
        BinaryOp::CeilDiv => builder.value("math.ceil", &[apply("arith.divf")?], &[], f32),
        BinaryOp::Mod => apply("arith.remf"),
        BinaryOp::Min => apply("arith.minimumf"),
        BinaryOp::Max => apply("arith.maximumf"),
        BinaryOp::Pow => match right {
            Some(Constant::Real(1.0)) => Ok(a),
            Some(Constant::Real(2.0)) => builder.value("arith.mulf", &[a, a], &[], f32),
            Some(Constant::Real(0.5)) => root(builder, a),
            _ => apply("math.powf"),
        },
        _ => Err("a logical operator on reals".into()),
    }
}

/// The power of 0.5, which is the root but for -0 and minus infinity: these give 0 and infinity.
fn root<'c: 'a, 'a>(builder: &Builder<'c, 'a>, a: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let (real, f32) = (ScalarType::Real, types::f32(builder.context()));
    let root = builder.value("math.sqrt", &[a], &[], f32)?;
    let root = builder.value("arith.addf", &[root, builder.real(0.0)?], &[], f32)?;
    let is_lowest = binary(builder, BinaryOp::Eq, real, a, builder.real(f64::NEG_INFINITY)?)?;
    select(builder, is_lowest, builder.real(f64::INFINITY)?, root, real)
}

fn int_binary<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    range: Range,
) -> Result<Value<'c, 'a>, Failure> {
    let i64 = types::integer(builder.context(), 64);
    let apply = |name: &str| builder.value(name, &[a, b], &[], i64);
    match op {
        BinaryOp::Add => apply("arith.addi"),
        BinaryOp::Sub => apply("arith.subi"),
        BinaryOp::Mul => apply("arith.muli"),
        BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod => integers::divide(builder, op, a, b, range),
        BinaryOp::Min => apply("arith.minsi"),
        BinaryOp::Max => apply("arith.maxsi"),
        BinaryOp::Pow => integers::power(builder, a, b, range),
        _ => Err("a logical operator on integers".into()),
    }
}

/// An operator on truth values.
pub fn boolean<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let i1 = types::integer(builder.context(), 1);
    let apply = |name: &str| builder.value(name, &[a, b], &[], i1);
    match op {
        BinaryOp::And | BinaryOp::Mul | BinaryOp::Min => apply("arith.andi"),
        BinaryOp::Or | BinaryOp::Max => apply("arith.ori"),
        BinaryOp::Xor => apply("arith.xori"),
        BinaryOp::Implies => builder.value("arith.ori", &[negation(builder, a)?, b], &[], i1),
        _ => Err("an arithmetic operator on truth values".into()),
    }
}

/// The predicate of `arith.cmpi` or `arith.cmpf`.
fn predicate(op: BinaryOp, dtype: ScalarType) -> Option<i64> {
    // cmpf: oeq 1, ogt 2, oge 3, olt 4, ole 5, une 13; cmpi: eq 0, ne 1, slt 2, sle 3, sgt 4, sge 5, ult 6, ...
    Some(match (op, dtype) {
        (BinaryOp::Eq, ScalarType::Real) => 1,
        (BinaryOp::Gt, ScalarType::Real) => 2,
        (BinaryOp::Ge, ScalarType::Real) => 3,
        (BinaryOp::Lt, ScalarType::Real) => 4,
        (BinaryOp::Le, ScalarType::Real) => 5,
        (BinaryOp::Ne, ScalarType::Real) => 13,
        (BinaryOp::Eq, _) => 0,
        (BinaryOp::Ne, _) => 1,
        (BinaryOp::Lt, ScalarType::Bool) => 6,
        (BinaryOp::Le, ScalarType::Bool) => 7,
        (BinaryOp::Gt, ScalarType::Bool) => 8,
        (BinaryOp::Ge, ScalarType::Bool) => 9,
        (BinaryOp::Lt, _) => 2,
        (BinaryOp::Le, _) => 3,
        (BinaryOp::Gt, _) => 4,
        (BinaryOp::Ge, _) => 5,
        _ => return None,
    })
}

/// `arith.cmpi` or `arith.cmpf` with the number of a predicate.
pub fn compare<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    predicate: i64,
    dtype: ScalarType,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let name = if dtype == ScalarType::Real { "arith.cmpf" } else { "arith.cmpi" };
    let predicate = attributes::integer(builder.context(), predicate);
    builder.value(name, &[a, b], &[("predicate", predicate)], types::integer(builder.context(), 1))
}

/// Whether `0 <= index < extent`.
pub fn is_inside<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    extent: i64,
) -> Result<Value<'c, 'a>, Failure> {
    // Unsigned: negative indices are large.
    compare(builder, 6, ScalarType::Int, index, builder.integer(extent)?)
}

/// `arith.select`
pub fn select<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    dtype: ScalarType,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("arith.select", &[condition, a, b], &[], builder.scalar_type(dtype)?)
}

/// A conversion.
pub fn cast<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    from: ScalarType,
    to: ScalarType,
    a: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let convert = |name: &str| builder.value(name, &[a], &[], builder.scalar_type(to)?);
    match (from, to) {
        (from, to) if from == to => Ok(a),
        (ScalarType::Int, ScalarType::Real) => convert("arith.sitofp"),
        (ScalarType::Bool, ScalarType::Real) => convert("arith.uitofp"),
        (ScalarType::Real, ScalarType::Int) => integers::truncated(builder, a),
        (ScalarType::Bool, ScalarType::Int) => convert("arith.extui"),
        (ScalarType::Int, ScalarType::Bool) => compare(builder, 1, from, a, builder.integer(0)?),
        (ScalarType::Real, ScalarType::Bool) => compare(builder, 13, from, a, builder.real(0.0)?),
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
        Builtin::Abs => builder.value("math.absi", &[x], &[], types::integer(builder.context(), 64)),
        Builtin::Sign => {
            sign(builder, ScalarType::Int, x, [builder.integer(1)?, builder.integer(-1)?], builder.integer(0)?)
        }
        _ => Err("a function of reals on integers".into()),
    }
}

fn real_builtin<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: Builtin,
    x: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let f32 = types::f32(builder.context());
    let name = match function {
        Builtin::Abs => "math.absf",
        Builtin::Sqrt => "math.sqrt",
        Builtin::Exp => "math.exp",
        Builtin::Log => "math.log",
        Builtin::Sin => "math.sin",
        Builtin::Cos => "math.cos",
        Builtin::Tan => "math.tan",
        Builtin::Asin => "math.asin",
        Builtin::Acos => "math.acos",
        Builtin::Atan => "math.atan",
        Builtin::Sinh => "math.sinh",
        Builtin::Cosh => "math.cosh",
        Builtin::Tanh => "math.tanh",
        Builtin::Asinh => "math.asinh",
        Builtin::Acosh => "math.acosh",
        Builtin::Atanh => "math.atanh",
        Builtin::Floor => "math.floor",
        Builtin::Ceil => "math.ceil",
        // Half away from zero.
        Builtin::Round => "math.round",
        Builtin::Erf => "math.erf",
        Builtin::Sign => {
            return sign(builder, ScalarType::Real, x, [builder.real(1.0)?, builder.real(-1.0)?], builder.real(0.0)?);
        }
        Builtin::Frac => {
            let floor = builder.value("math.floor", &[x], &[], f32)?;
            return builder.value("arith.subf", &[x, floor], &[], f32);
        }
    };
    builder.value(name, &[x], &[], f32)
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
    let otherwise = select(builder, is_negative, minus, x, dtype)?;
    select(builder, is_positive, plus, otherwise, dtype)
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
