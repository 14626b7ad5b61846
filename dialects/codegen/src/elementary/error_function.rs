//! The error function.

use super::exponential::WHOLE;
use super::steps::{EXPONENT_BIAS, Steps};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::{arith, math};

/// Below, a polynomial; above, a power of two that one tells.
const SMALL: f64 = 0.9;
/// From here on the result is 1.
const ONE: f64 = 3.95;
/// Of `erf(x) / x - 1` as a function of `x^2`, up to `SMALL`.
const NEAR: [f64; 6] = [
    -6.111_293_988_46e-4,
    5.016_228_760_06e-3,
    -2.678_195_717_74e-2,
    1.128_222_996_87e-1,
    -3.761_253_244_58e-1,
    1.283_791_553_19e-1,
];
/// Of `log2(1 - erf(x))` from `SMALL` to `ONE`.
const FAR: [f64; 7] = [
    2.859_706_120_87e-4,
    -4.422_568_533_3e-3,
    3.219_405_036_23e-2,
    -1.502_042_937_6e-1,
    -9.189_622_306_84e-1,
    -1.627_067_491_999,
    -2.401_325_222_48e-4,
];
/// Of `2^r` for `|r| <= 1/2`.
const POWER: [f64; 6] =
    [1.326_472_676_696e-3, 9.671_512_892_308e-3, 5.550_733_744_394e-2, 2.402_224_207_987e-1, 6.931_469_775_989e-1, 1.0];

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Within two units in the last place, and never beyond 1.
    pub fn error(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let square = arith::mulf(place, x, x)?;
        let near = self.multiply_add(x, self.polynomial(square, &NEAR)?, x)?;
        let size = math::absf(place, x)?;
        let end = self.real(ONE)?;
        let power = self.polynomial(self.select_less(end, size, end, size)?, &FAR)?;
        let far = math::copysign(place, self.missing(power)?, x)?;
        self.select_less(size, self.real(SMALL)?, near, far)
    }

    /// `1 - 2^x` for an `x` from -120 to 0.
    fn missing(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let whole = self.real(WHOLE + EXPONENT_BIAS as f64)?;
        let shifted = arith::addf(place, x, whole)?;
        let rest = arith::subf(place, x, arith::subf(place, shifted, whole)?)?;
        let mantissa = self.polynomial(rest, &POWER)?;
        let power = arith::bitcast(place, self.exponent(arith::bitcast(place, shifted, self.words)?)?, self.reals)?;
        self.multiply_add(arith::negf(place, mantissa)?, power, self.real(1.0)?)
    }
}
