//! Upper bounds of symbolic expressions (specification, section 3.1) by interval arithmetic. Symbols are extents, so
//! none is negative.

use super::{SymExpr, SymOp};

/// Inclusive; wide enough that one operation on `i64` ends can't overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl SymExpr {
    /// The largest value that the expression can have where `bound` gives the largest values of the symbols.
    pub fn upper_bound(&self, bound: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        i64::try_from(self.interval(bound)?.high).ok()
    }

    /// Whether the expression is true (not zero) for all values of the symbols up to their bounds, or for none.
    pub fn truth(&self, bound: &dyn Fn(&str) -> Option<i64>) -> Option<bool> {
        match self.interval(bound)? {
            Interval { low: 0, high: 0 } => Some(false),
            Interval { low, high } if low > 0 || high < 0 => Some(true),
            _ => None,
        }
    }

    fn interval(&self, bound: &dyn Fn(&str) -> Option<i64>) -> Option<Interval> {
        match self {
            SymExpr::Const(value) => Some(Interval::point(*value)),
            SymExpr::Symbol(name) => Some(Interval { low: 0, high: bound(name)?.into() }),
            SymExpr::Sum(terms) => {
                terms.iter().try_fold(Interval::point(0), |sum, term| sum.plus(term.interval(bound)?))
            }
            SymExpr::Product(factors) => {
                factors.iter().try_fold(Interval::point(1), |product, factor| product.times(factor.interval(bound)?))
            }
            SymExpr::Apply(op, parts) => {
                let parts = parts.iter().map(|part| part.interval(bound)).collect::<Option<Vec<_>>>()?;
                apply(*op, &parts)
            }
        }
    }
}

impl Interval {
    pub(crate) fn point(value: i64) -> Self {
        Interval { low: value.into(), high: value.into() }
    }

    fn is_true(self) -> bool {
        self.low > 0 || self.high < 0
    }

    fn is_false(self) -> bool {
        self.low == 0 && self.high == 0
    }

    pub(crate) fn plus(self, other: Interval) -> Option<Self> {
        Interval { low: self.low + other.low, high: self.high + other.high }.checked()
    }

    fn checked(self) -> Option<Self> {
        let fits = |value: i128| i64::try_from(value).is_ok();
        (fits(self.low) && fits(self.high)).then_some(self)
    }

    fn of(corners: &[i128]) -> Option<Self> {
        Interval { low: *corners.iter().min()?, high: *corners.iter().max()? }.checked()
    }

    pub(crate) fn times(self, other: Interval) -> Option<Self> {
        let (a, b) = (self, other);
        Interval::of(&[a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])
    }
}

/// A truth value that is certainly true, certainly false, or open.
fn truth(certain: bool, impossible: bool) -> Interval {
    Interval { low: i128::from(certain), high: i128::from(!impossible) }
}

pub(crate) fn apply(op: SymOp, parts: &[Interval]) -> Option<Interval> {
    match (op, parts) {
        // Rounding up adds at most one to the rounded-down corners.
        (SymOp::FloorDiv, [a, b]) if b.low > 0 => quotient(*a, *b, 0),
        (SymOp::CeilDiv, [a, b]) if b.low > 0 => quotient(*a, *b, 1),
        (SymOp::Mod, [_, b]) if b.low > 0 => Some(Interval { low: 0, high: b.high - 1 }),
        (SymOp::Min, [a, b]) => Some(Interval { low: a.low.min(b.low), high: a.high.min(b.high) }),
        (SymOp::Max, [a, b]) => Some(Interval { low: a.low.max(b.low), high: a.high.max(b.high) }),
        (SymOp::Abs, [a]) => Some(Interval { low: 0, high: a.low.abs().max(a.high.abs()) }),
        (SymOp::Select, [_, a, b]) => Some(Interval { low: a.low.min(b.low), high: a.high.max(b.high) }),
        (SymOp::Lt, [a, b]) => Some(truth(a.high < b.low, a.low >= b.high)),
        (SymOp::Le, [a, b]) => Some(truth(a.high <= b.low, a.low > b.high)),
        (SymOp::Eq, [a, b]) => Some(truth(false, a.high < b.low || b.high < a.low)),
        (SymOp::Ne, [a, b]) => Some(truth(a.high < b.low || b.high < a.low, false)),
        (SymOp::Not, [a]) => Some(truth(a.is_false(), a.is_true())),
        (SymOp::And, [a, b]) => Some(truth(a.is_true() && b.is_true(), a.is_false() || b.is_false())),
        (SymOp::Or, [a, b]) => Some(truth(a.is_true() || b.is_true(), a.is_false() && b.is_false())),
        _ => None,
    }
}

fn quotient(a: Interval, b: Interval, up: i128) -> Option<Interval> {
    let divide = |x: i128, y: i128| -> i128 {
        let down = x.div_euclid(y);
        if up != 0 && x.rem_euclid(y) != 0 { down + 1 } else { down }
    };
    Interval::of(&[divide(a.low, b.low), divide(a.low, b.high), divide(a.high, b.low), divide(a.high, b.high)])
}
