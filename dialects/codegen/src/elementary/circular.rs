//! The sine and the cosine: polynomials of what is left of the operand behind whole quarters of a turn. That is found in f64; for numbers
//! so large that f64 has no room for it, in integers of 64 bits, from as many bits of 2/pi as matter.

use super::steps::{MANTISSA_BITS, Steps, WHOLE};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate, IntegerPredicate};
use skriptnd_mlir::ops::vector::{self, CombiningKind};
use skriptnd_mlir::ops::{math, scf};

/// Which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Circular {
    Sine,
    Cosine,
}

/// pi/2 in two parts, the first of 27 bits.
const QUARTER: (f64, f64) = (1.570_796_325_802_803, 9.920_935_796_805_404e-10);
/// Of `(sin(r) / r - 1) / r^2` as a function of `r^2`, up to pi/4.
const SINE: [f64; 3] = [-1.951_512_035_405e-4, 8.332_159_585_442e-3, -1.666_665_459_134e-1];
/// Of `(cos(r) - 1 + r^2 / 2) / r^4` as a function of `r^2`, up to pi/4.
const COSINE: [f64; 3] = [2.443_297_096_605e-5, -1.388_731_465_776e-3, 4.166_664_565_087e-2];
/// The bits of 2/pi behind the point.
const BITS: [u32; 7] = [0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab];
/// A quarter in integers of which 2^64 are a turn.
const QUARTER_BITS: i64 = 62;
/// The exponent in the bits of an f32 from which on quarters are found in integers, from 2^25: below, products of their number and of the
/// first part of `QUARTER` are exact.
const LARGE_EXPONENT: i64 = 152;
/// That of what is infinite or no number.
const INFINITE_EXPONENT: i64 = 255;
/// The bits of an f32 without its sign.
const SIZE: i64 = 0x7fff_ffff;

/// An operand as quarters of a turn and what is left.
struct Reduced<'c, 'a> {
    /// How many; only the two lowest bits count.
    quarters: Value<'c, 'a>,
    /// At most pi/4 in size, in f64.
    rest: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Within two units in the last place; none if it is the library's. `wide_fused`: whether products and sums of f64 are fused; none where
    /// there are no vectors.
    pub fn circular(
        &self,
        function: Circular,
        x: Value<'c, 'a>,
        wide_fused: Option<bool>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let rank = types::shape(self.reals).map_or(0, |shape| shape.len());
        let (Some(wide), true) = (wide_fused.and_then(|fused| self.wide(fused)), rank <= 1) else { return Ok(None) };
        let place = &self.place;
        let near = wide.by_reals(arith::extf(place, x, wide.reals)?)?;
        let size = arith::andi(place, arith::bitcast(place, x, self.words)?, self.word(SIZE)?)?;
        // What is infinite, or no number, is not.
        let (least, count) = (LARGE_EXPONENT << MANTISSA_BITS, INFINITE_EXPONENT - LARGE_EXPONENT);
        let above = arith::subi(place, size, self.word(least)?)?;
        let is_large = arith::cmpi(place, IntegerPredicate::Ult, above, self.word(count << MANTISSA_BITS)?)?;
        let any = match rank {
            0 => is_large,
            _ => vector::reduction(place, CombiningKind::Or, is_large, types::integer(place.context(), 1))?,
        };
        let branch = scf::r#if(place, any, &[wide.words, wide.reals])?;
        let there = self.at(branch.then);
        let is_negative = arith::cmpf(&there.place, FloatPredicate::Olt, x, there.real(0.0)?)?;
        let far = wide.at(branch.then).by_bits(arith::extui(&there.place, size, wide.words)?, is_negative)?;
        let quarters = arith::select(&there.place, is_large, far.quarters, near.quarters)?;
        let rest = arith::select(&there.place, is_large, far.rest, near.rest)?;
        scf::r#yield(&branch.then, &[quarters, rest])?;
        scf::r#yield(&branch.otherwise, &[near.quarters, near.rest])?;
        let quarters = arith::trunci(place, branch.operation.result(0)?, self.words)?;
        let rest = arith::truncf(place, branch.operation.result(1)?, self.reals)?;
        self.of_quarters(function, Reduced { quarters, rest }).map(Some)
    }

    /// The nearest number of quarters. What is infinite leaves what is no number.
    fn by_reals(&self, x: Value<'c, 'a>) -> Result<Reduced<'c, 'a>, Failure> {
        let place = &self.place;
        let whole = self.real(WHOLE)?;
        let count = arith::mulf(place, x, self.real(std::f64::consts::FRAC_2_PI)?)?;
        let shifted = arith::addf(place, count, whole)?;
        let count = arith::subf(place, shifted, whole)?;
        let rest = self.multiply_add(count, self.real(-QUARTER.0)?, x)?;
        let rest = self.multiply_add(count, self.real(-QUARTER.1)?, rest)?;
        Ok(Reduced { quarters: arith::bitcast(place, shifted, self.words)?, rest })
    }

    /// The same of numbers with these bits, if their exponent is `LARGE_EXPONENT` or more: those bits of the product with 2/pi are computed that are no whole
    /// turns, and 64 behind them. `is_negative` tells their signs.
    fn by_bits(&self, size: Value<'c, 'a>, is_negative: Value<'c, 'a>) -> Result<Reduced<'c, 'a>, Failure> {
        let place = &self.place;
        let shifted = |value, bits: i64| arith::shrui(place, value, self.word(bits)?);
        let exponent = shifted(size, MANTISSA_BITS)?;
        let above = arith::subi(place, exponent, self.word(LARGE_EXPONENT)?)?;
        let mantissa = arith::andi(place, size, self.word((1 << MANTISSA_BITS) - 1)?)?;
        let mantissa = arith::ori(place, mantissa, self.word(1 << MANTISSA_BITS)?)?;
        let (first, shift) = (shifted(above, 5)?, arith::andi(place, above, self.word(31)?)?);
        let product = |word: usize| {
            let bits = arith::shli(place, self.bits(first, word)?, shift)?;
            arith::muli(place, mantissa, shifted(bits, 32)?)
        };
        let high = arith::shli(place, product(0)?, self.word(32)?)?;
        let turn = arith::addi(place, high, arith::addi(place, product(1)?, shifted(product(2)?, 32)?)?)?;
        let half = self.word(1 << (QUARTER_BITS - 1))?;
        let quarters = shifted(arith::addi(place, turn, half)?, QUARTER_BITS)?;
        let left = arith::subi(place, turn, arith::shli(place, quarters, self.word(QUARTER_BITS)?)?)?;
        let unit = std::f64::consts::FRAC_PI_2 / (1i64 << QUARTER_BITS) as f64;
        let rest = arith::mulf(place, arith::sitofp(place, left, self.reals)?, self.real(unit)?)?;
        let (back, below) = (arith::subi(place, self.word(0)?, quarters)?, arith::subf(place, self.real(0.0)?, rest)?);
        Ok(Reduced {
            quarters: arith::select(place, is_negative, back, quarters)?,
            rest: arith::select(place, is_negative, below, rest)?,
        })
    }

    /// Two words of the bits of 2/pi, from one that stands so far behind the first that is needed.
    fn bits(&self, first: Value<'c, 'a>, word: usize) -> Result<Value<'c, 'a>, Failure> {
        let pair = |at: usize| self.word((u64::from(BITS[at]) << 32 | u64::from(BITS[at + 1])) as i64);
        let mut bits = pair(word)?;
        // The exponents that there are lead to four of them.
        for number in 1..4 {
            let is_it = arith::cmpi(&self.place, IntegerPredicate::Eq, first, self.word(number as i64)?)?;
            bits = arith::select(&self.place, is_it, pair(word + number)?, bits)?;
        }
        Ok(bits)
    }

    /// The function of an operand that is taken apart, now in f32.
    fn of_quarters(&self, function: Circular, reduced: Reduced<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let Reduced { mut quarters, rest } = reduced;
        if function == Circular::Cosine {
            quarters = arith::addi(place, quarters, self.word(1)?)?;
        }
        let (one, square) = (self.real(1.0)?, arith::mulf(place, rest, rest)?);
        let cube = arith::mulf(place, rest, square)?;
        let sine = self.multiply_add(cube, self.polynomial(square, &SINE)?, rest)?;
        // The last sum is one of zeros of both signs.
        let sine = math::copysign(place, sine, rest)?;
        let begin = self.multiply_add(square, self.real(-0.5)?, one)?;
        let cosine =
            self.multiply_add(arith::mulf(place, square, square)?, self.polynomial(square, &COSINE)?, begin)?;
        let is_set = |bit: i64| arith::andi(place, quarters, self.word(bit)?);
        let is_odd = arith::cmpi(place, IntegerPredicate::Ne, is_set(1)?, self.word(0)?)?;
        let value = arith::select(place, is_odd, cosine, sine)?;
        let sign = arith::shli(place, is_set(2)?, self.word(30)?)?;
        let bits = arith::xori(place, arith::bitcast(place, value, self.words)?, sign)?;
        arith::bitcast(place, bits, self.reals)
    }
}
