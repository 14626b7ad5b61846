//! Operators on `real`, for both widths.

use skriptnd_syntax::ast::BinaryOp;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// A type that stands for `real`.
pub trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
    /// `self \ other`: the quotient rounded up.
    fn ceil_div(self, other: Self) -> Self;

    /// `self ** other`
    fn power(self, other: Self) -> Self;

    /// The smaller one; not a number if either is.
    fn smaller(self, other: Self) -> Self {
        if self < other || is_nan(self) { self } else { other }
    }

    /// The larger one; not a number if either is.
    fn larger(self, other: Self) -> Self {
        if self > other || is_nan(self) { self } else { other }
    }
}

fn is_nan<T: PartialOrd>(x: T) -> bool {
    x.partial_cmp(&x).is_none()
}

impl Real for f64 {
    fn ceil_div(self, other: Self) -> Self {
        (self / other).ceil()
    }

    fn power(self, other: Self) -> Self {
        self.powf(other)
    }
}

impl Real for f32 {
    fn ceil_div(self, other: Self) -> Self {
        (self / other).ceil()
    }

    /// Computed with 64 bits, then rounded.
    fn power(self, other: Self) -> Self {
        f64::from(self).powf(f64::from(other)) as f32
    }
}

/// An arithmetic operator; none for comparisons and logic. `%` is the remainder of the quotient rounded towards zero.
pub fn real<T: Real>(op: BinaryOp, a: T, b: T) -> Option<T> {
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::CeilDiv => a.ceil_div(b),
        BinaryOp::Mod => a % b,
        BinaryOp::Pow => a.power(b),
        BinaryOp::Min => a.smaller(b),
        BinaryOp::Max => a.larger(b),
        _ => return None,
    })
}
