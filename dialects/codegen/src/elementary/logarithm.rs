//! The natural logarithm.

use super::steps::{LN_2, MANTISSA_BITS, Steps};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith::{self, FloatPredicate};

/// Of `(log(1 + f) - f + f^2 / 2) / f^3` for `sqrt(1/2) <= 1 + f < sqrt(2)`.
const COEFFICIENTS: [f64; 8] = [
    -7.634_493_017_81e-2,
    1.276_157_564_19e-1,
    -1.316_018_306_4e-1,
    1.420_175_823_41e-1,
    -1.662_335_729_8e-1,
    2.000_122_686_54e-1,
    -2.500_082_103_55e-1,
    3.333_333_170_78e-1,
];
/// `sqrt(1/2)` as bits of an f32.
const ROOT_OF_HALF_BITS: i64 = 0x3f35_04f3;
/// The least normal number.
const LEAST_NORMAL: f64 = 1.175_494_350_822_287_5e-38;

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `log(x) = e ln 2 + log(1 + f)` with `x = 2^e (1 + f)`, within one unit in the last place.
    pub fn logarithm(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let (exponent, f) = self.parts(x)?;
        let square = arith::mulf(&self.place, f, f)?;
        let sum = self.polynomial(f, &COEFFICIENTS)?;
        let sum = arith::mulf(&self.place, sum, f)?;
        let sum = arith::mulf(&self.place, sum, square)?;
        let sum = self.multiply_add(exponent, self.real(LN_2.1)?, sum)?;
        let sum = self.multiply_add(square, self.real(-0.5)?, sum)?;
        let sum = arith::addf(&self.place, f, sum)?;
        let sum = self.multiply_add(exponent, self.real(LN_2.0)?, sum)?;
        self.outside(x, sum)
    }

    /// The exponent as a real and the mantissa less 1, of a positive number.
    fn parts(&self, x: Value<'c, 'a>) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
        let place = &self.place;
        let least = self.real(LEAST_NORMAL)?;
        let larger = arith::mulf(place, x, self.real((1_i64 << MANTISSA_BITS) as f64)?)?;
        let normal = self.select_less(x, least, larger, x)?;
        let missing = self.select_less(x, least, self.real(-(MANTISSA_BITS as f64))?, self.real(0.0)?)?;
        let bits = arith::bitcast(place, normal, self.words)?;
        let above = arith::subi(place, bits, self.word(ROOT_OF_HALF_BITS)?)?;
        let exponent = arith::shrsi(place, above, self.word(MANTISSA_BITS)?)?;
        let power = arith::shli(place, exponent, self.word(MANTISSA_BITS)?)?;
        let mantissa = arith::bitcast(place, arith::subi(place, bits, power)?, self.reals)?;
        let f = arith::subf(place, mantissa, self.real(1.0)?)?;
        let exponent = arith::addf(place, arith::sitofp(place, exponent, self.reals)?, missing)?;
        Ok((exponent, f))
    }

    /// Zeros, negative and infinite numbers, and what is no number.
    fn outside(&self, x: Value<'c, 'a>, inside: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let (zero, infinity) = (self.real(0.0)?, self.real(f64::INFINITY)?);
        let below = self.select_less(x, zero, self.real(f64::NAN)?, self.real(f64::NEG_INFINITY)?)?;
        let is_low = arith::cmpf(&self.place, FloatPredicate::Ole, x, zero)?;
        let result = arith::select(&self.place, is_low, below, inside)?;
        self.select_less(x, infinity, result, x)
    }
}
