//! The exponential function.

use super::steps::{EXPONENT_BIAS, LN_2, MANTISSA_BITS, Steps};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith;

/// Below, the result is nearer to 0 than to the least number; above, it is infinite.
const LIMITS: (f64, f64) = (-104.0, 89.0);
/// Of `(exp(r) - 1 - r) / r^2` for `|r| <= ln 2 / 2`.
const COEFFICIENTS: [f64; 5] =
    [1.381_453_998_6e-3, 8.368_745_116_33e-3, 4.166_839_078_74e-2, 1.666_652_039_9e-1, 4.999_999_343_21e-1];
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
        let mantissa = self.mantissa(rest)?;
        if let Some(scale) = self.scale {
            return scale.apply(&self.place, mantissa, power);
        }
        let bits = arith::bitcast(&self.place, shifted, self.words)?;
        let power = arith::subi(&self.place, bits, self.word(WHOLE_BITS)?)?;
        self.scaled(mantissa, power)
    }

    /// `exp(r)` for a small `r`.
    fn mantissa(&self, rest: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let sum = self.polynomial(rest, &COEFFICIENTS)?;
        let one = self.real(1.0)?;
        if self.fused {
            let slope = self.multiply_add(sum, rest, one)?;
            return self.multiply_add(slope, rest, one);
        }
        // Otherwise each product rounds: the less, the smaller it is.
        let square = arith::mulf(&self.place, rest, rest)?;
        arith::addf(&self.place, self.multiply_add(sum, square, rest)?, one)
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
