//! Integer arithmetic as section 2.4 defines it.

use super::SymOp;
use crate::arithmetic;

impl SymOp {
    /// The operation on known values; `None` on overflow, division by zero and wrong number of operands.
    pub fn evaluate(self, values: &[i64]) -> Option<i64> {
        let truth = |condition: bool| Some(i64::from(condition));
        match (self, values) {
            (SymOp::FloorDiv, [a, b]) => floor_div(*a, *b),
            (SymOp::CeilDiv, [a, b]) => arithmetic::ceil_div(*a, *b).exact().ok(),
            (SymOp::Mod, [a, b]) => floor_mod(*a, *b),
            (SymOp::Pow, [a, b]) => arithmetic::power(*a, *b).exact().ok(),
            (SymOp::Min, values) => values.iter().copied().min(),
            (SymOp::Max, values) => values.iter().copied().max(),
            (SymOp::Abs, [a]) => a.checked_abs(),
            (SymOp::Sign, [a]) => Some(a.signum()),
            (SymOp::Lt, [a, b]) => truth(a < b),
            (SymOp::Le, [a, b]) => truth(a <= b),
            (SymOp::Eq, [a, b]) => truth(a == b),
            (SymOp::Ne, [a, b]) => truth(a != b),
            (SymOp::Not, [a]) => truth(*a == 0),
            (SymOp::And, values) => truth(values.iter().all(|value| *value != 0)),
            (SymOp::Or, values) => truth(values.iter().any(|value| *value != 0)),
            (SymOp::Select, [c, a, b]) => Some(if *c != 0 { *a } else { *b }),
            _ => None,
        }
    }
}

/// The quotient rounded down; `None` on overflow and division by zero.
pub(super) fn floor_div(a: i64, b: i64) -> Option<i64> {
    arithmetic::floor_div(a, b).exact().ok()
}

/// What [`floor_div`] leaves.
pub(super) fn floor_mod(a: i64, b: i64) -> Option<i64> {
    arithmetic::floor_mod(a, b).exact().ok()
}

/// The greatest common divisor; 0 of two zeros.
pub(super) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}
