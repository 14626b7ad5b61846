//! Operators on `int`.

use skriptnd_syntax::ast::BinaryOp;

/// Why an operation on integers has no exact result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntFault {
    /// Beyond 64 bits.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// A power with a negative exponent is no integer.
    NegativeExponent,
}

/// What an operation on integers gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntResult {
    /// The mathematical result.
    Exact(i64),
    /// It is none of 64 bits: what a run goes on with instead.
    Inexact(i64, IntFault),
    /// There is none at all.
    Undefined(IntFault),
}

impl IntResult {
    pub(super) fn of((value, overflows): (i64, bool)) -> Self {
        if overflows { IntResult::Inexact(value, IntFault::Overflow) } else { IntResult::Exact(value) }
    }

    /// The result where only the mathematical one will do: when composing.
    pub fn exact(self) -> Result<i64, IntFault> {
        match self {
            IntResult::Exact(value) => Ok(value),
            IntResult::Inexact(_, fault) | IntResult::Undefined(fault) => Err(fault),
        }
    }

    /// The result in a run, which wraps around.
    pub fn wrapped(self) -> Result<i64, IntFault> {
        match self {
            IntResult::Exact(value) | IntResult::Inexact(value, _) => Ok(value),
            IntResult::Undefined(fault) => Err(fault),
        }
    }
}

/// An arithmetic operator; none for comparisons and logic.
pub fn int(op: BinaryOp, a: i64, b: i64) -> Option<IntResult> {
    Some(match op {
        BinaryOp::Add => IntResult::of(a.overflowing_add(b)),
        BinaryOp::Sub => IntResult::of(a.overflowing_sub(b)),
        BinaryOp::Mul => IntResult::of(a.overflowing_mul(b)),
        BinaryOp::Div => floor_div(a, b),
        BinaryOp::CeilDiv => ceil_div(a, b),
        BinaryOp::Mod => floor_mod(a, b),
        BinaryOp::Pow => power(a, b),
        BinaryOp::Min => IntResult::Exact(a.min(b)),
        BinaryOp::Max => IntResult::Exact(a.max(b)),
        _ => return None,
    })
}

/// `a / b`, rounded down.
pub fn floor_div(a: i64, b: i64) -> IntResult {
    let downwards = |quotient: i64| if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient };
    quotient(a, b, downwards)
}

/// `a \ b`, rounded up.
pub fn ceil_div(a: i64, b: i64) -> IntResult {
    let upwards = |quotient: i64| if a % b != 0 && (a < 0) == (b < 0) { quotient + 1 } else { quotient };
    quotient(a, b, upwards)
}

/// The quotient rounded towards zero, then as `round` says where it is exact.
fn quotient(a: i64, b: i64, round: impl Fn(i64) -> i64) -> IntResult {
    if b == 0 {
        return IntResult::Undefined(IntFault::DivisionByZero);
    }
    match a.overflowing_div(b) {
        (value, false) => IntResult::Exact(round(value)),
        overflow => IntResult::of(overflow),
    }
}

/// `a % b`, so that `a == (a / b) * b + a % b`.
pub fn floor_mod(a: i64, b: i64) -> IntResult {
    if b == 0 {
        return IntResult::Undefined(IntFault::DivisionByZero);
    }
    let remainder = a.wrapping_rem(b);
    IntResult::Exact(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// `a ** b`. A negative power of a number other than 0 is rounded towards zero in a run.
pub fn power(a: i64, b: i64) -> IntResult {
    let odd = b % 2 != 0;
    match (a, b) {
        (0, ..0) => IntResult::Undefined(IntFault::NegativeExponent),
        (-1, _) => IntResult::Exact(if odd { -1 } else { 1 }),
        (1, _) => IntResult::Exact(1),
        (_, ..0) => IntResult::Inexact(0, IntFault::NegativeExponent),
        _ => positive_power(a, b),
    }
}

/// By squaring.
fn positive_power(mut base: i64, mut exponent: i64) -> IntResult {
    let (mut power, mut overflows) = (1i64, false);
    // Whether the base is beyond 64 bits matters only if it is used once more.
    let mut base_overflows = false;
    while exponent > 0 {
        if exponent % 2 == 1 {
            let (product, beyond) = power.overflowing_mul(base);
            power = product;
            overflows |= beyond || base_overflows;
        }
        let (square, beyond) = base.overflowing_mul(base);
        base = square;
        base_overflows |= beyond;
        exponent /= 2;
    }
    IntResult::of((power, overflows))
}
