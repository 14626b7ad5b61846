//! Scalar arithmetic of running models (specification, section 2.4): `int` has 64 bits and wraps, `real` is float32
//! rounded after every operation, comparisons are those of IEEE 754.

use crate::compose::builtin_value;
use crate::syntax::ast::Builtin;

/// `a / b` rounded down; none if `b` is 0.
pub(crate) fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = (b != 0).then(|| a.wrapping_div(b))?;
    let inexact = a.wrapping_rem(b) != 0;
    Some(if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// `a \ b`, the quotient rounded up; none if `b` is 0.
pub(crate) fn ceil_div(a: i64, b: i64) -> Option<i64> {
    let quotient = (b != 0).then(|| a.wrapping_div(b))?;
    let inexact = a.wrapping_rem(b) != 0;
    Some(if inexact && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

/// `a % b` so that `a == (a / b) * b + a % b`; none if `b` is 0.
pub(crate) fn floor_mod(a: i64, b: i64) -> Option<i64> {
    let remainder = (b != 0).then(|| a.wrapping_rem(b))?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// `a ** b`; none for a negative power of 0. Other negative powers are rounded towards zero.
pub(crate) fn int_pow(a: i64, b: i64) -> Option<i64> {
    match (a, b) {
        (0, ..0) => None,
        (1, ..0) => Some(1),
        (-1, ..0) => Some(if b % 2 == 0 { 1 } else { -1 }),
        (_, ..0) => Some(0),
        _ => {
            let (mut base, mut exponent, mut power) = (a, b, 1i64);
            while exponent > 0 {
                if exponent % 2 == 1 {
                    power = power.wrapping_mul(base);
                }
                base = base.wrapping_mul(base);
                exponent /= 2;
            }
            Some(power)
        }
    }
}

/// `a ** b` on reals.
pub(crate) fn real_pow(a: f32, b: f32) -> f32 {
    f64::from(a).powf(f64::from(b)) as f32
}

/// The smaller one; NaN if either is.
pub(crate) fn real_min(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { a.min(b) }
}

/// The larger one; NaN if either is.
pub(crate) fn real_max(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() { f32::NAN } else { a.max(b) }
}

/// A built-in function of an `int`; those that have no integer result are applied to reals only.
pub(crate) fn int_builtin(function: Builtin, x: i64) -> i64 {
    match function {
        Builtin::Abs => x.wrapping_abs(),
        Builtin::Sign => x.signum(),
        Builtin::Frac => 0,
        Builtin::Floor | Builtin::Ceil | Builtin::Round => x,
        _ => real_builtin(function, x as f32) as i64,
    }
}

/// A built-in function of a `real`: computed with 64 bits, then rounded.
pub(crate) fn real_builtin(function: Builtin, x: f32) -> f32 {
    builtin_value(function, f64::from(x)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_division_of_all_signs() {
        for (a, b, down, up) in [(7, 2, 3, 4), (-7, 2, -4, -3), (7, -2, -4, -3), (-7, -2, 3, 4), (6, -2, -3, -3)] {
            assert_eq!((floor_div(a, b), ceil_div(a, b)), (Some(down), Some(up)), "{a} {b}");
            assert_eq!(down * b + floor_mod(a, b).unwrap(), a, "{a} {b}");
        }
        assert_eq!((floor_div(1, 0), ceil_div(1, 0), floor_mod(1, 0)), (None, None, None));
        assert_eq!(floor_div(i64::MIN, -1), Some(i64::MIN), "wraps");
        assert_eq!(floor_mod(i64::MIN, -1), Some(0));
    }

    #[test]
    fn integer_powers() {
        let cases = [(3, 4, 81), (-2, 3, -8), (5, 0, 1), (0, 0, 1), (-1, -3, -1), (7, -1, 0), (2, 64, 0)];
        for (a, b, expected) in cases {
            assert_eq!(int_pow(a, b), Some(expected), "{a} ** {b}");
        }
        assert_eq!(int_pow(0, -1), None);
    }

    #[test]
    fn special_values() {
        assert!(real_min(f32::NAN, 1.0).is_nan() && real_max(1.0, f32::NAN).is_nan());
        assert_eq!(real_builtin(Builtin::Round, -2.5), -3.0);
        assert_eq!(real_builtin(Builtin::Frac, -1.25), 0.75);
        assert_eq!(real_builtin(Builtin::Sign, -0.0), 0.0);
        assert_eq!(int_builtin(Builtin::Abs, i64::MIN), i64::MIN);
    }
}
