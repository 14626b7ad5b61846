//! Powers: products and roots for a few constant exponents, else `2^(y log2 x)` in f64, which rounds once. Where there are no
//! vectors, f64 may be slow: that is left to the library.

use super::steps::{Steps, WHOLE, constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::math;

/// Bits of an f64 behind the exponent, and the exponent of 1.
const MANTISSA_BITS: i64 = 52;
const EXPONENT_BIAS: i64 = 1023;
/// `sqrt(1/2)` as bits of an f64.
const ROOT_OF_HALF_BITS: i64 = 0x3fe6_a09e_667f_3bcd;
/// Terms of `log2((1 + s) / (1 - s)) / s` in `s^2`: 2 / (ln 2 (2k + 1)). What is left out is below 2^-39 of it.
const LOGARITHM_TERMS: i32 = 7;
/// Terms of `2^r`: (ln 2)^k / k!. What is left out is below 2^-31 for `|r| <= 1/2`.
const POWER_TERMS: i32 = 9;
/// Below, the result is nearer to 0 than to the least number; above, it is infinite.
const LIMITS: (f64, f64) = (-151.0, 129.0);

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `x^y`, within two units in the last place; none if it is the library's. `wide_fused`: whether products and sums of f64 are
    /// fused; none where there are no vectors.
    pub fn power(
        &self,
        x: Value<'c, 'a>,
        y: Value<'c, 'a>,
        wide_fused: Option<bool>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        if let Some(result) = constant(y).map_or(Ok(None), |y| self.power_by_products(x, y))? {
            return Ok(Some(result));
        }
        let Some(steps) = wide_fused.and_then(|fused| self.wide(fused)) else { return Ok(None) };
        let (base, exponent) = (arith::extf(&self.place, x, steps.reals)?, arith::extf(&self.place, y, steps.reals)?);
        let logarithm = steps.binary_logarithm(math::absf(&self.place, base)?)?;
        let size = steps.power_of_two_of(arith::mulf(&self.place, exponent, logarithm)?)?;
        let size = arith::truncf(&self.place, size, self.reals)?;
        self.with_sign(x, y, size).map(Some)
    }

    /// Powers that few products, roots and quotients are.
    fn power_by_products(&self, x: Value<'c, 'a>, y: f64) -> Result<Option<Value<'c, 'a>>, Failure> {
        let place = &self.place;
        let reciprocal = |x| arith::divf(place, self.real(1.0)?, x);
        Ok(Some(match y {
            1.0 => x,
            2.0 => arith::mulf(place, x, x)?,
            3.0 => arith::mulf(place, arith::mulf(place, x, x)?, x)?,
            -1.0 => reciprocal(x)?,
            0.5 => self.root(x)?,
            -0.5 => reciprocal(self.root(x)?)?,
            0.25 => math::sqrt(place, self.root(x)?)?,
            0.75 => {
                let root = self.root(x)?;
                arith::mulf(place, root, math::sqrt(place, root)?)?
            }
            1.5 => arith::mulf(place, self.root(x)?, math::absf(place, x)?)?,
            _ => return Ok(None),
        }))
    }

    /// `x^(1/2)`: other than of a square root, that of -0 is 0, and that of negative infinity infinite.
    fn root(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let lowest = self.real(f64::NEG_INFINITY)?;
        let is_lowest = arith::cmpf(&self.place, FloatPredicate::Oeq, x, lowest)?;
        let positive = arith::addf(&self.place, x, self.real(0.0)?)?;
        let root = math::sqrt(&self.place, positive)?;
        arith::select(&self.place, is_lowest, self.real(f64::INFINITY)?, root)
    }

    /// `log2(x) = e + log2((1 + s) / (1 - s))` with `x = 2^e (1 + s) / (1 - s)`, of what is not negative, and no number below the
    /// normal ones.
    fn binary_logarithm(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let bits = arith::bitcast(place, x, self.words)?;
        let above = arith::subi(place, bits, self.word(ROOT_OF_HALF_BITS)?)?;
        let exponent = arith::shrsi(place, above, self.word(MANTISSA_BITS)?)?;
        let power = arith::shli(place, exponent, self.word(MANTISSA_BITS)?)?;
        let mantissa = arith::bitcast(place, arith::subi(place, bits, power)?, self.reals)?;
        let one = self.real(1.0)?;
        let (below, above) = (arith::subf(place, mantissa, one)?, arith::addf(place, mantissa, one)?);
        let s = arith::divf(place, below, above)?;
        let term = |number: i32| 2.0 / (std::f64::consts::LN_2 * f64::from(2 * number + 1));
        let terms: Vec<f64> = (0..LOGARITHM_TERMS).rev().map(term).collect();
        let sum = self.polynomial(arith::mulf(place, s, s)?, &terms)?;
        // The bits of the sum with a number without bits behind the point are those of the exponent: few targets convert.
        let bits = arith::addi(place, exponent, arith::bitcast(place, self.real(WHOLE)?, self.words)?)?;
        let whole = arith::subf(place, arith::bitcast(place, bits, self.reals)?, self.real(WHOLE)?)?;
        let inside = self.multiply_add(s, sum, whole)?;
        let (zero, infinity) = (self.real(0.0)?, self.real(f64::INFINITY)?);
        let bounded = self.select_less(x, infinity, inside, x)?;
        self.select_less(zero, x, bounded, self.real(f64::NEG_INFINITY)?).and_then(|known| {
            let is_number = arith::cmpf(place, FloatPredicate::Oeq, x, x)?;
            arith::select(place, is_number, known, x)
        })
    }

    /// `2^z = 2^n 2^r`; what is no number passes through all of it.
    fn power_of_two_of(&self, z: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let z = self.bounded(z, LIMITS)?;
        let whole = self.real(WHOLE)?;
        let shifted = arith::addf(place, z, whole)?;
        let rest = arith::subf(place, z, arith::subf(place, shifted, whole)?)?;
        let factorial = |number: i32| (1..=number).map(f64::from).product::<f64>();
        let term = |number: i32| std::f64::consts::LN_2.powi(number) / factorial(number);
        let terms: Vec<f64> = (0..POWER_TERMS).rev().map(term).collect();
        let mantissa = self.polynomial(rest, &terms)?;
        let bits = arith::bitcast(place, shifted, self.words)?;
        let biased = arith::addi(place, bits, self.word(EXPONENT_BIAS)?)?;
        let power = arith::shli(place, biased, self.word(MANTISSA_BITS)?)?;
        arith::mulf(place, mantissa, arith::bitcast(place, power, self.reals)?)
    }

    /// The power of a number whose size has that power: odd powers of negative numbers are negative, those that are not whole are
    /// no numbers.
    fn with_sign(&self, x: Value<'c, 'a>, y: Value<'c, 'a>, size: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let (zero, one) = (self.real(0.0)?, self.real(1.0)?);
        let same = |a, b| arith::cmpf(place, FloatPredicate::Oeq, a, b);
        let half = arith::mulf(place, y, self.real(0.5)?)?;
        let is_whole = same(y, math::floor(place, y)?)?;
        let is_even = same(half, math::floor(place, half)?)?;
        let signed = arith::select(place, is_even, size, math::copysign(place, size, x)?)?;
        // Zeros and infinite numbers have powers of all kinds.
        let least = same(x, arith::addf(place, x, x)?)?;
        let broken = arith::select(place, least, size, self.real(f64::NAN)?)?;
        let broken = self.select_less(x, zero, broken, size)?;
        let result = arith::select(place, is_whole, signed, broken)?;
        let result = arith::select(place, same(y, zero)?, one, result)?;
        let is_one = same(math::absf(place, x)?, one)?;
        let endless = same(math::absf(place, y)?, self.real(f64::INFINITY)?)?;
        let result = arith::select(place, arith::andi(place, is_one, endless)?, one, result)?;
        arith::select(place, same(x, one)?, one, result)
    }
}
