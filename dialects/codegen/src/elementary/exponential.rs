//! The exponential function.

use super::steps::{EXPONENT_BIAS, LN_2, MANTISSA_BITS, Steps};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith;

/// Below, the result is nearer to 0 than to the least number; above, it is infinite.
const LIMITS: (f64, f64) = (-104.0, 89.0);
/// Of `(exp(r) - 1 - r) / r^2` for `|r| <= ln 2 / 2`.
const COEFFICIENTS: [f64; 6] = [
    1.989_127_995_26e-4,
    1.393_391_035_39e-3,
    8.333_310_664_24e-3,
    4.166_646_257_28e-2,
    1.666_666_668_19e-1,
    5.000_000_013_7e-1,
];
/// Has no bits behind the point: neither has a sum with it, whose low bits are the nearest integer.
const WHOLE: f64 = 12_582_912.0;
/// `WHOLE` as bits of an f32.
const WHOLE_BITS: i64 = 0x4b40_0000;

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `exp(x) = 2^n exp(r)` with `x = n ln 2 + r`, within one unit in the last place. Not a number passes through all of it.
    pub fn exponential(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let x = self.bounded(x, LIMITS)?;
        let whole = self.real(WHOLE)?;
        let shifted = self.multiply_add(x, self.real(std::f64::consts::LOG2_E)?, whole)?;
        let power = arith::subf(&self.place, shifted, whole)?;
        let rest = self.multiply_add(power, self.real(-LN_2.0)?, x)?;
        let rest = self.multiply_add(power, self.real(-LN_2.1)?, rest)?;
        let sum = self.polynomial(rest, &COEFFICIENTS)?;
        let square = arith::mulf(&self.place, rest, rest)?;
        let above_one = self.multiply_add(sum, square, rest)?;
        let mantissa = arith::addf(&self.place, above_one, self.real(1.0)?)?;
        let bits = arith::bitcast(&self.place, shifted, self.words)?;
        let power = arith::subi(&self.place, bits, self.word(WHOLE_BITS)?)?;
        self.scaled(mantissa, power)
    }

    /// `2^power` is applied in two halves: neither 2^128 nor 2^-149 is a normal number. Only the second product rounds.
    fn scaled(&self, mantissa: Value<'c, 'a>, power: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let half = arith::shrsi(&self.place, power, self.word(1)?)?;
        let other = arith::subi(&self.place, power, half)?;
        let scaled = arith::mulf(&self.place, mantissa, self.power_of_two(half)?)?;
        arith::mulf(&self.place, scaled, self.power_of_two(other)?)
    }

    fn power_of_two(&self, exponent: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let biased = arith::addi(&self.place, exponent, self.word(EXPONENT_BIAS)?)?;
        let bits = arith::shli(&self.place, biased, self.word(MANTISSA_BITS)?)?;
        arith::bitcast(&self.place, bits, self.reals)
    }
}
