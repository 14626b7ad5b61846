//! Built-in functions.

use super::IntResult;
use skriptnd_syntax::ast::Builtin;

/// A built-in function of an `int`; none for those that are defined for reals only.
pub fn int_builtin(function: Builtin, x: i64) -> Option<IntResult> {
    match function {
        Builtin::Abs => Some(IntResult::of(x.overflowing_abs())),
        Builtin::Sign => Some(IntResult::Exact(x.signum())),
        _ => None,
    }
}

/// A built-in function of a real (`round` is half away from zero).
pub fn real_builtin(function: Builtin, x: f64) -> f64 {
    match function {
        Builtin::Abs => x.abs(),
        Builtin::Sign if x == 0.0 || x.is_nan() => x,
        Builtin::Sign => x.signum(),
        Builtin::Sqrt => x.sqrt(),
        Builtin::Exp => x.exp(),
        Builtin::Log => x.ln(),
        Builtin::Sin => x.sin(),
        Builtin::Cos => x.cos(),
        Builtin::Tan => x.tan(),
        Builtin::Asin => x.asin(),
        Builtin::Acos => x.acos(),
        Builtin::Atan => x.atan(),
        Builtin::Sinh => x.sinh(),
        Builtin::Cosh => x.cosh(),
        Builtin::Tanh => x.tanh(),
        Builtin::Asinh => x.asinh(),
        Builtin::Acosh => x.acosh(),
        Builtin::Atanh => x.atanh(),
        Builtin::Floor => x.floor(),
        Builtin::Ceil => x.ceil(),
        Builtin::Round => x.round(),
        Builtin::Frac => x - x.floor(),
        Builtin::Erf => erf(x),
    }
}

/// The error function: its power series for small arguments, the continued fraction of `erfc` for the others, to
/// about 15 digits.
fn erf(x: f64) -> f64 {
    let magnitude = x.abs();
    if magnitude < 2.5 {
        // erf x = 2/sqrt(pi) exp(-x^2) sum over n of 2^n x^(2n+1) / (1 3 5 ... (2n+1)): all terms have one sign.
        let (mut term, mut sum, mut odd) = (x, x, 1.0);
        while term.abs() > 1e-17 * sum.abs() {
            odd += 2.0;
            term *= 2.0 * x * x / odd;
            sum += term;
        }
        std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
    } else if magnitude < 6.0 {
        // erfc x = exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))).
        let fraction = (1..=60).rev().fold(magnitude, |tail, n| magnitude + f64::from(n) / 2.0 / tail);
        let complement = (-x * x).exp() / (std::f64::consts::PI.sqrt() * fraction);
        (1.0 - complement).copysign(x)
    } else {
        // The complement is below 1e-16; NaN comes here too.
        if x.is_nan() { x } else { x.signum() }
    }
}
