//! Truth values: comparisons, and operators on them.

use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_syntax::ast::BinaryOp;

/// The opposite truth value.
pub fn negation<'c: 'a, 'a>(builder: &Builder<'c, 'a>, a: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::xori(builder, a, builder.boolean(true)?)
}

/// An operator on truth values.
pub fn boolean<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    match op {
        BinaryOp::And | BinaryOp::Mul | BinaryOp::Min => arith::andi(builder, a, b),
        BinaryOp::Or | BinaryOp::Max => arith::ori(builder, a, b),
        BinaryOp::Xor => arith::xori(builder, a, b),
        BinaryOp::Implies => arith::ori(builder, negation(builder, a)?, b),
        _ => Err("an arithmetic operator on truth values".into()),
    }
}

/// A comparison of operands of type `dtype`; none for other operators.
pub fn compare<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    dtype: ScalarType,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Option<Result<Value<'c, 'a>, Failure>> {
    match dtype {
        ScalarType::Real => Some(arith::cmpf(builder, float_predicate(op)?, a, b)),
        _ => Some(arith::cmpi(builder, integer_predicate(op, dtype == ScalarType::Bool)?, a, b)),
    }
}

fn float_predicate(op: BinaryOp) -> Option<FloatPredicate> {
    Some(match op {
        BinaryOp::Eq => FloatPredicate::Oeq,
        BinaryOp::Gt => FloatPredicate::Ogt,
        BinaryOp::Ge => FloatPredicate::Oge,
        BinaryOp::Lt => FloatPredicate::Olt,
        BinaryOp::Le => FloatPredicate::Ole,
        BinaryOp::Ne => FloatPredicate::Une,
        _ => return None,
    })
}

/// Truth values are compared without signs.
fn integer_predicate(op: BinaryOp, is_unsigned: bool) -> Option<IntegerPredicate> {
    Some(match (op, is_unsigned) {
        (BinaryOp::Eq, _) => IntegerPredicate::Eq,
        (BinaryOp::Ne, _) => IntegerPredicate::Ne,
        (BinaryOp::Lt, true) => IntegerPredicate::Ult,
        (BinaryOp::Le, true) => IntegerPredicate::Ule,
        (BinaryOp::Gt, true) => IntegerPredicate::Ugt,
        (BinaryOp::Ge, true) => IntegerPredicate::Uge,
        (BinaryOp::Lt, false) => IntegerPredicate::Slt,
        (BinaryOp::Le, false) => IntegerPredicate::Sle,
        (BinaryOp::Gt, false) => IntegerPredicate::Sgt,
        (BinaryOp::Ge, false) => IntegerPredicate::Sge,
        _ => return None,
    })
}
