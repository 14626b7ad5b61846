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
        Builtin::Erf => libm::erf(x),
    }
}
