//! Between which values an expression lies, by interval arithmetic. Symbols are extents, so none is negative.

use super::{RealExpr, SymExpr, SymOp};
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};

/// Stands for all larger numbers.
const INFINITE: i128 = 1 << 62;

/// Inclusive. Ends of integers beyond 2 to the 62nd stand for all larger numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval<T = i128> {
    /// The smallest value.
    pub low: T,
    /// The largest value.
    pub high: T,
}

/// The largest values of symbols; unbounded ones have none.
pub(super) type Bound<'a> = &'a dyn Fn(&str) -> Option<i64>;

impl SymExpr {
    /// Between which values the expression lies for all values of the symbols.
    pub(super) fn range(&self) -> Option<(i128, i128)> {
        let Interval { low, high } = self.interval(&|_| None)?;
        Some((low, high))
    }

    /// Where `bound` gives the largest values of the symbols; none if nothing can be said.
    pub(super) fn interval(&self, bound: Bound<'_>) -> Option<Interval<i128>> {
        match self {
            SymExpr::Const(value) => Some(Interval::known(*value)),
            SymExpr::Symbol(name) => Some(Interval { low: 0, high: bound(name).map_or(INFINITE, i128::from) }),
            SymExpr::Sum(terms) => {
                terms.iter().try_fold(Interval::known(0), |sum, term| Some(sum.plus(term.interval(bound)?)))
            }
            SymExpr::Product(factors) => powers(factors).into_iter().try_fold(Interval::known(1), |product, (f, n)| {
                let factor = f.interval(bound)?;
                // An even power is not negative.
                let power = (1..n).fold(factor, |power, _| power.times(factor));
                let power = if n % 2 == 0 { Interval { low: power.low.max(0), high: power.high } } else { power };
                Some(product.times(power))
            }),
            SymExpr::Apply(op, parts) => {
                let parts = parts.iter().map(|part| part.interval(bound)).collect::<Option<Vec<_>>>()?;
                apply(*op, &parts)
            }
            SymExpr::Truncated(real) => {
                let Interval { low, high } = real.interval(bound)?;
                // Rust's conversion saturates, as the language's does.
                Some(Interval::clamped(i128::from(low as i64), i128::from(high as i64)))
            }
            SymExpr::Compared(op, sides) => {
                let (a, b) = (sides[0].interval(bound)?, sides[1].interval(bound)?);
                compare(*op, a, b)
            }
            SymExpr::Fold(fold) => fold.interval(bound),
        }
    }
}

/// Factors and how often they occur.
fn powers(factors: &[SymExpr]) -> Vec<(&SymExpr, usize)> {
    let mut powers: Vec<(&SymExpr, usize)> = Vec::with_capacity(factors.len());
    for factor in factors {
        match powers.last_mut() {
            Some((last, count)) if *last == factor => *count += 1,
            _ => powers.push((factor, 1)),
        }
    }
    powers
}

impl<T: Copy + PartialOrd> Interval<T> {
    fn point(value: T) -> Self {
        Interval { low: value, high: value }
    }

    fn of(corners: &[T]) -> Option<Self> {
        let mut corners = corners.iter().copied();
        let first = Interval::point(corners.next()?);
        Some(corners.fold(first, |range, value| Interval {
            low: if value < range.low { value } else { range.low },
            high: if value > range.high { value } else { range.high },
        }))
    }
}

impl Interval<i128> {
    fn clamped(low: i128, high: i128) -> Self {
        Interval { low: low.clamp(-INFINITE, INFINITE), high: high.clamp(-INFINITE, INFINITE) }
    }

    pub(crate) fn known(value: i64) -> Self {
        Interval::point(i128::from(value))
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Interval::clamped(self.low + other.low, self.high + other.high)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let (a, b) = (self, other);
        let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        let low = corners.into_iter().min().unwrap_or(-INFINITE);
        Interval::clamped(low, corners.into_iter().max().unwrap_or(INFINITE))
    }

    fn is_true(self) -> bool {
        self.low > 0 || self.high < 0
    }

    fn is_false(self) -> bool {
        self.low == 0 && self.high == 0
    }

    pub(crate) fn is_finite(self) -> bool {
        self.low > -INFINITE && self.high < INFINITE
    }
}

/// A truth value that is certainly true, certainly false, or open.
fn truth(certain: bool, impossible: bool) -> Interval<i128> {
    Interval { low: i128::from(certain), high: i128::from(!impossible) }
}

fn compare<T: Copy + PartialOrd>(op: SymOp, a: Interval<T>, b: Interval<T>) -> Option<Interval<i128>> {
    let apart = a.high < b.low || b.high < a.low;
    let same = a.low == a.high && b.low == b.high && a.low == b.low;
    Some(match op {
        SymOp::Lt => truth(a.high < b.low, a.low >= b.high),
        SymOp::Le => truth(a.high <= b.low, a.low > b.high),
        SymOp::Eq => truth(same, apart),
        SymOp::Ne => truth(apart, same),
        _ => return None,
    })
}

/// An operation on values between these.
pub(crate) fn apply(op: SymOp, parts: &[Interval<i128>]) -> Option<Interval<i128>> {
    match (op, parts) {
        (SymOp::FloorDiv, [a, b]) => quotient(*a, positive(*b)?, 0),
        (SymOp::CeilDiv, [a, b]) => quotient(*a, positive(*b)?, 1),
        (SymOp::Mod, [a, b]) => {
            let b = positive(*b)?;
            let within = a.low >= 0;
            Some(Interval { low: 0, high: if within { a.high.min(b.high - 1) } else { b.high - 1 } })
        }
        (SymOp::Min, [first, rest @ ..]) => {
            Some(rest.iter().fold(*first, |a, b| Interval { low: a.low.min(b.low), high: a.high.min(b.high) }))
        }
        (SymOp::Max, [first, rest @ ..]) => {
            Some(rest.iter().fold(*first, |a, b| Interval { low: a.low.max(b.low), high: a.high.max(b.high) }))
        }
        (SymOp::Abs, [a]) => Some(Interval {
            low: if a.low <= 0 && a.high >= 0 { 0 } else { a.low.abs().min(a.high.abs()) },
            high: a.low.abs().max(a.high.abs()),
        }),
        (SymOp::Sign, [a]) => Some(Interval { low: a.low.signum(), high: a.high.signum() }),
        (SymOp::Select, [c, a, _]) if c.is_true() => Some(*a),
        (SymOp::Select, [c, _, b]) if c.is_false() => Some(*b),
        (SymOp::Select, [_, a, b]) => Interval::of(&[a.low, a.high, b.low, b.high]),
        (SymOp::Lt | SymOp::Le | SymOp::Eq | SymOp::Ne, [a, b]) => compare(op, *a, *b),
        (SymOp::Not, [a]) => Some(truth(a.is_false(), a.is_true())),
        (SymOp::And, parts) => Some(truth(parts.iter().all(|p| p.is_true()), parts.iter().any(|p| p.is_false()))),
        (SymOp::Or, parts) => Some(truth(parts.iter().any(|p| p.is_true()), parts.iter().all(|p| p.is_false()))),
        _ => None,
    }
}

/// What a divisor that is not negative can be where the quotient is defined.
fn positive(divisor: Interval<i128>) -> Option<Interval<i128>> {
    (divisor.low >= 0 && divisor.high > 0).then(|| Interval { low: divisor.low.max(1), high: divisor.high })
}

fn quotient(a: Interval<i128>, b: Interval<i128>, up: i128) -> Option<Interval<i128>> {
    let divide = |x: i128, y: i128| -> i128 {
        let down = x.div_euclid(y);
        if up != 0 && x.rem_euclid(y) != 0 { down + 1 } else { down }
    };
    let unlimited = |x: i128, y: i128| if x.abs() >= INFINITE { x } else { divide(x, y) };
    let corners =
        [unlimited(a.low, b.low), unlimited(a.low, b.high), unlimited(a.high, b.low), unlimited(a.high, b.high)];
    Interval::of(&corners)
}

impl RealExpr {
    /// Where `bound` gives the largest values of the symbols; none if nothing can be said.
    pub(super) fn interval(&self, bound: Bound<'_>) -> Option<Interval<f64>> {
        match self {
            RealExpr::Const(value) => (!value.get().is_nan()).then(|| Interval::point(value.get())),
            RealExpr::Int(expr) => {
                let Interval { low, high } = expr.interval(bound)?;
                let real = |value: i128| match value {
                    value if value >= INFINITE => f64::INFINITY,
                    value if value <= -INFINITE => f64::NEG_INFINITY,
                    value => value as f64,
                };
                Some(Interval { low: real(low), high: real(high) })
            }
            RealExpr::Unary(UnaryOp::Neg, value) => {
                let Interval { low, high } = value.interval(bound)?;
                Some(Interval { low: -high, high: -low })
            }
            RealExpr::Unary(_, value) => value.interval(bound),
            RealExpr::Builtin(function, value) => monotone(*function, value.interval(bound)?),
            RealExpr::Binary(op, sides) => combined(*op, sides[0].interval(bound)?, sides[1].interval(bound)?),
            RealExpr::Select(_, sides) => {
                let (a, b) = (sides[0].interval(bound)?, sides[1].interval(bound)?);
                Interval::of(&[a.low, a.high, b.low, b.high])
            }
        }
    }
}

/// Functions that keep the order.
fn monotone(function: Builtin, x: Interval<f64>) -> Option<Interval<f64>> {
    let rising = matches!(
        function,
        Builtin::Sqrt
            | Builtin::Exp
            | Builtin::Log
            | Builtin::Floor
            | Builtin::Ceil
            | Builtin::Round
            | Builtin::Sign
            | Builtin::Atan
            | Builtin::Sinh
            | Builtin::Tanh
            | Builtin::Asinh
            | Builtin::Asin
    );
    let of = |x: f64| crate::arithmetic::real_builtin(function, x);
    match function {
        Builtin::Abs if x.low < 0.0 && x.high > 0.0 => Some(Interval { low: 0.0, high: x.high.max(-x.low) }),
        Builtin::Abs => Interval::of(&[x.low.abs(), x.high.abs()]),
        Builtin::Sin | Builtin::Cos => Some(Interval { low: -1.0, high: 1.0 }),
        _ if rising => defined(Interval { low: of(x.low), high: of(x.high) }),
        _ => None,
    }
}

fn combined(op: BinaryOp, a: Interval<f64>, b: Interval<f64>) -> Option<Interval<f64>> {
    let corners = |f: fn(f64, f64) -> f64| {
        let corners = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
        // Zero times infinity is zero here: the infinite end only stands for large numbers.
        Interval::of(&corners.map(|value| if value.is_nan() { 0.0 } else { value }))
    };
    match op {
        BinaryOp::Add => defined(Interval { low: a.low + b.low, high: a.high + b.high }),
        BinaryOp::Sub => defined(Interval { low: a.low - b.high, high: a.high - b.low }),
        BinaryOp::Mul => corners(|x, y| x * y),
        BinaryOp::Div if b.low > 0.0 || b.high < 0.0 => corners(|x, y| x / y),
        BinaryOp::CeilDiv if b.low > 0.0 || b.high < 0.0 => corners(|x, y| (x / y).ceil()),
        BinaryOp::Min => Some(Interval { low: a.low.min(b.low), high: a.high.min(b.high) }),
        BinaryOp::Max => Some(Interval { low: a.low.max(b.low), high: a.high.max(b.high) }),
        BinaryOp::Pow if a.low >= 0.0 => corners(f64::powf),
        _ => None,
    }
}

fn defined(range: Interval<f64>) -> Option<Interval<f64>> {
    (!range.low.is_nan() && !range.high.is_nan()).then_some(range)
}
