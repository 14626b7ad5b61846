//! What else there is to know of scalar operators and functions than their values. As far as possible it follows from these,
//! so that nothing is said twice.

use super::{IntResult, Scalar, ScalarType, compare, int, int_builtin, logic, real_builtin};
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin};

/// Whether an operator compares its operands.
pub fn is_comparison(op: BinaryOp) -> bool {
    compare(op, 0, 0).is_some()
}

/// The type of a result for operands of this type; none if the operator is not defined for it.
pub fn result_type(op: BinaryOp, operands: ScalarType) -> Option<ScalarType> {
    let defined = match operands {
        ScalarType::Int | ScalarType::Real => is_comparison(op) || int(op, 1, 1).is_some(),
        ScalarType::Bool => logic(op, true, true).is_some(),
        ScalarType::Str => false,
    };
    defined.then_some(if is_comparison(op) { ScalarType::Bool } else { operands })
}

/// Whether a function is defined for a type; its result has the same.
pub fn is_defined(function: Builtin, operand: ScalarType) -> bool {
    operand == ScalarType::Real || (operand == ScalarType::Int && int_builtin(function, 1).is_some())
}

/// Whether there are integers for which an operator has no value: divisions by 0 and negative powers of 0.
pub fn may_be_undefined(op: BinaryOp) -> bool {
    [0, -1].into_iter().any(|right| matches!(int(op, 0, right), Some(IntResult::Undefined(_))))
}

/// Whether a function of 0 is 0.
pub fn keeps_zero(function: Builtin) -> bool {
    real_builtin(function, 0.0) == 0.0
}

/// The operator by which an assignment accumulates; none if it replaces what is there.
pub fn accumulator(op: AssignOp) -> Option<BinaryOp> {
    match op {
        AssignOp::Set | AssignOp::Update => None,
        AssignOp::Add => Some(BinaryOp::Add),
        AssignOp::Mul => Some(BinaryOp::Mul),
        AssignOp::And => Some(BinaryOp::And),
        AssignOp::Or => Some(BinaryOp::Or),
        AssignOp::Min => Some(BinaryOp::Min),
        AssignOp::Max => Some(BinaryOp::Max),
    }
}

/// The value that changes nothing when it is combined with another one by the operator; none if there is no such value.
pub fn neutral(op: BinaryOp, dtype: ScalarType) -> Option<Scalar> {
    let (whole, real) = match op {
        BinaryOp::And | BinaryOp::Or if dtype == ScalarType::Bool => return Some(Scalar::Bool(op == BinaryOp::And)),
        BinaryOp::Add => (0, 0.0),
        BinaryOp::Mul => (1, 1.0),
        BinaryOp::Min => (i64::MAX, f64::INFINITY),
        BinaryOp::Max => (i64::MIN, f64::NEG_INFINITY),
        _ => return None,
    };
    match dtype {
        ScalarType::Int => Some(Scalar::Int(whole)),
        ScalarType::Real => Some(Scalar::Real(real)),
        ScalarType::Bool | ScalarType::Str => None,
    }
}

/// What sums and products over nothing are (sections 2.4 and 2.12); there is no smallest or largest of nothing.
pub fn of_nothing(op: BinaryOp, dtype: ScalarType) -> Option<Scalar> {
    neutral(op, dtype).filter(|_| !matches!(op, BinaryOp::Min | BinaryOp::Max))
}
