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
pub const WHOLE: f64 = 12_582_912.0;

/// An operand as `power ln 2 + rest`.
struct Split<'c, 'a> {
    power: Value<'c, 'a>,
    rest: Value<'c, 'a>,
    /// A number whose low bits are the power with a bias, or the biases of two exponents.
    biased: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `exp(x) = 2^n exp(r)` with `x = n ln 2 + r`, within one unit in the last place. Not a number passes through all of it.
    pub fn exponential(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let Split { biased, power, rest } = self.split(self.bounded(x, LIMITS)?, 2)?;
        let mantissa = self.mantissa(rest)?;
        match self.scale {
            Some(scale) => scale.apply(&self.place, mantissa, power),
            None => self.scaled(mantissa, self.bits_of(biased)?),
        }
    }

    /// An operand of no great size.
    fn split(&self, x: Value<'c, 'a>, biases: i64) -> Result<Split<'c, 'a>, Failure> {
        let whole = self.real(WHOLE + (biases * EXPONENT_BIAS) as f64)?;
        let shifted = self.multiply_add(x, self.real(std::f64::consts::LOG2_E)?, whole)?;
        let power = arith::subf(&self.place, shifted, whole)?;
        let rest = self.multiply_add(power, self.real(-LN_2.0)?, x)?;
        let rest = self.multiply_add(power, self.real(-LN_2.1)?, rest)?;
        Ok(Split { power, rest, biased: shifted })
    }

    /// `exp(r)` for a small `r`.
    fn mantissa(&self, rest: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let one = self.real(1.0)?;
        if self.fused {
            let slope = self.multiply_add(self.polynomial(rest, &COEFFICIENTS)?, rest, one)?;
            return self.multiply_add(slope, rest, one);
        }
        // Otherwise each product rounds: the less, the smaller it is.
        arith::addf(&self.place, self.growth(rest)?, one)
    }

    /// `exp(r) - 1` for a small `r`.
    fn growth(&self, rest: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let square = arith::mulf(&self.place, rest, rest)?;
        self.multiply_add(self.polynomial(rest, &COEFFICIENTS)?, square, rest)
    }

    /// `exp(x) - 1` for an `x` from 0 on that is less than 88.
    pub fn whole_growth(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let Split { biased, rest, .. } = self.split(x, 1)?;
        let power = arith::bitcast(&self.place, self.exponent(self.bits_of(biased)?)?, self.reals)?;
        self.multiply_add(power, self.growth(rest)?, arith::subf(&self.place, power, self.real(1.0)?)?)
    }

    fn bits_of(&self, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        arith::bitcast(&self.place, number, self.words)
    }

    /// Low bits where a number has its exponent; what is above them goes.
    pub fn exponent(&self, bits: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        arith::shli(&self.place, bits, self.word(MANTISSA_BITS)?)
    }

    /// `2^power` is applied in two halves: neither 2^128 nor 2^-149 is a normal number. Only the second product rounds.
    fn scaled(&self, mantissa: Value<'c, 'a>, biased: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let half = self.exponent(arith::shrui(&self.place, biased, self.word(1)?)?)?;
        let other = arith::subi(&self.place, self.exponent(biased)?, half)?;
        let power = |bits| arith::bitcast(&self.place, bits, self.reals);
        let scaled = arith::mulf(&self.place, mantissa, power(half)?)?;
        arith::mulf(&self.place, scaled, power(other)?)
    }
}
