//! The math dialect.

use crate::Failure;
use crate::ir::{Builder, Type, Value};

unary! {
    absf ABSF = "math.absf";
    absi = "math.absi";
    acos = "math.acos";
    acosh = "math.acosh";
    asin = "math.asin";
    asinh = "math.asinh";
    atan = "math.atan";
    atanh = "math.atanh";
    ceil CEIL = "math.ceil";
    cos COS = "math.cos";
    cosh = "math.cosh";
    ctlz = "math.ctlz";
    erf = "math.erf";
    exp = "math.exp";
    floor FLOOR = "math.floor";
    log = "math.log";
    round ROUND = "math.round";
    sin SIN = "math.sin";
    sinh = "math.sinh";
    sqrt SQRT = "math.sqrt";
    tan = "math.tan";
    tanh = "math.tanh";
    trunc TRUNC = "math.trunc";
}

conversion! {
    isfinite = "math.isfinite";
}

binary! {
    copysign COPYSIGN = "math.copysign";
    powf = "math.powf";
}

/// The name of [`erf`].
pub const ERF: &str = "math.erf";
/// The name of [`exp`].
pub const EXP: &str = "math.exp";
/// The name of [`log`].
pub const LOG: &str = "math.log";
/// The name of [`powf`].
pub const POWF: &str = "math.powf";
/// The name of [`tanh`].
pub const TANH: &str = "math.tanh";

/// The name of [`fma`].
pub const FMA: &str = "math.fma";

/// `math.fma`: `a * b + c`, rounded once.
pub fn fma<'c, 'a>(
    builder: &Builder<'c, 'a>,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    c: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(FMA, &[a, b, c], &[], a.r#type())
}
