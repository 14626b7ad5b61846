//! Reals that are quantized, `clamp(round(x / scale) + zero)`, by their bits: where vectors have no reals. What is rounded is a quotient that
//! is rounded to 24 bits before, and so is what this gives: results are the same for all reals.

use super::{operands, resized};
use crate::Error;
use crate::nest::op::Op;
use crate::tensors::rounded::truncated;
use crate::views::constants::real;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_operations, types};
use skriptnd_mlir::ops::{arith, linalg, math};

/// Near it, reals have no fractions.
const NO_FRACTION: f64 = 12_582_912.0;
/// Bits of a real behind its first one, the first one, and what follows the greatest exponent.
const FRACTION: i64 = 23;
const FIRST: i64 = 1 << FRACTION;
const INFINITE: i64 = 0x7f80_0000;
/// Exponents of scales: what is near their multiples has some, too.
const EXPONENTS: std::ops::Range<i64> = 32..224;
/// How far from the zero results are at most.
const MOST_STEPS: i64 = 256;
/// Bits of the quotient of two numbers below 2, before they are shifted to where those of whole halves are.
const QUOTIENT: i64 = 31;
/// Bits of a real that are left out where a quotient is about known.
const LEFT_OUT: i64 = 8;

/// A real that is quantized.
pub struct Reals<'c, 'a> {
    real: Value<'c, 'a>,
    form: Form,
}

/// The numbers of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    /// The bits of the scale with the first one, as many as `FRACTION` behind that.
    scale: i64,
    /// The exponent of half of the scale: of numbers below it nothing is known but that they become 0.
    exponent: i64,
    /// The bits of a number that is beyond the limits.
    beyond: i64,
    zero: i64,
    limits: (i64, i64),
}

impl<'c: 'a, 'a> Reals<'c, 'a> {
    /// What an operation quantizes, if that is what it does to elements of an input of the graph, for integers. Reals that are computed
    /// before or behind are in the same kernel, which has no vectors then.
    pub fn of(structured: &Structured<'c, 'a>) -> Option<Self> {
        let sum = truncated(structured.body.terminator()?.operand(0).ok()?)?;
        let (rounded, zero) = match operands(sum, arith::ADDF) {
            Some([rounded, zero]) => (rounded, real(zero)?),
            None => (sum, 0.0),
        };
        let with_constant = |value, name| {
            let [value, number] = operands(value, name)?;
            Some((value, real(number)?))
        };
        let added = with_constant(rounded, arith::SUBF).filter(|(_, number)| *number == NO_FRACTION)?.0;
        let limited = with_constant(added, arith::ADDF).filter(|(_, number)| *number == NO_FRACTION)?.0;
        let (limited, most) = with_constant(limited, arith::MINIMUMF)?;
        let (quotient, least) = with_constant(limited, arith::MAXIMUMF)?;
        let (value, scale) = with_constant(quotient, arith::DIVF)?;
        let (block, number) = value.as_argument()?;
        let is_given = block.key() == structured.body.key() && structured.inputs.get(number)?.is_block_argument();
        let is_real = value.r#type() == types::f32(structured.context());
        let fits = is_given && is_real && !becomes_real(structured.operation.result(0).ok()?);
        let form = Form::of(scale as f32, zero, (least + zero, most + zero))?;
        fits.then_some(Reals { real: value, form })
    }

    /// Puts the form in words in the place of what an operation gives.
    pub fn rewrite(&self, structured: &Structured<'c, 'a>) -> Result<(), Error> {
        let terminator = structured.body.terminator().filter(|terminator| terminator.full_name() == linalg::YIELD);
        let terminator = terminator.ok_or_else(|| Error::malformed("a structured operation that yields nothing"))?;
        let body = Builder::before(terminator)?;
        let bits = arith::bitcast(&body, self.real, types::integer(body.context(), 32))?;
        let result = self.form.computed(&body, bits)?;
        let output = types::element(structured.outputs[0].r#type());
        Ok(terminator.set_operand(0, resized(&body, result, output)?)?)
    }
}

/// Whether what reads a tensor computes reals of it, which has no vectors.
fn becomes_real<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let is_real = |result: Value<'c, 'a>| types::element(result.r#type()).is_float();
    value.uses().into_iter().any(|(user, _)| user.result_values().into_iter().any(is_real))
}

/// Whether an operation quantizes an input of the graph by the bits of its elements, or stores what was quantized so in fewer bits. What is
/// transposed is better bytes than reals.
pub fn quantizes_input(operation: OperationRef<'_, '_>) -> bool {
    let Some(structured) = Structured::read(operation) else { return false };
    let is_cast = |step: &OperationRef<'_, '_>| step.full_name() == Op::Bitcast.name();
    let stored = || block_operations(structured.body).next().filter(|step| step.full_name() == arith::TRUNCI);
    match structured.inputs.as_slice() {
        [source] if stored().is_some() => source.defining_operation().is_some_and(quantizes_input),
        inputs => {
            inputs.iter().any(Value::is_block_argument) && block_operations(structured.body).any(|it| is_cast(&it))
        }
    }
}

/// What computes with words.
trait Words {
    type Word: Copy;
    /// A number as one.
    fn number(&self, number: i64) -> Result<Self::Word, Error>;
    /// What an operation gives of two.
    fn of(&self, op: Op, left: Self::Word, right: Self::Word) -> Result<Self::Word, Error>;
    /// How many zeros a word begins with.
    fn zeros(&self, word: Self::Word) -> Result<Self::Word, Error>;

    /// What an operation gives of a word and a number.
    fn by(&self, op: Op, left: Self::Word, right: i64) -> Result<Self::Word, Error> {
        self.of(op, left, self.number(right)?)
    }

    /// All bits where the first word is less than the second one, of which it is not far; none elsewhere.
    fn is_less(&self, left: Self::Word, right: Self::Word) -> Result<Self::Word, Error> {
        self.by(Op::ShRSI, self.of(Op::SubI, left, right)?, 31)
    }
}

impl<'c: 'a, 'a> Words for Builder<'c, 'a> {
    type Word = Value<'c, 'a>;

    fn number(&self, number: i64) -> Result<Value<'c, 'a>, Error> {
        Ok(self.integer(types::integer(self.context(), 32), number)?)
    }

    fn of(&self, op: Op, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        Ok(self.value(op.name(), &[left, right], &[], left.r#type())?)
    }

    fn zeros(&self, word: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        Ok(math::ctlz(self, word)?)
    }
}

impl Form {
    /// That of a scale, a zero and limits; none where they are no usual ones.
    fn of(scale: f32, zero: f64, (least, most): (f64, f64)) -> Option<Form> {
        let (bits, steps) = (i64::from(scale.to_bits()), (zero - least).max(most - zero));
        let is_whole = [zero, least, most].iter().all(|number| number.fract() == 0.0);
        // What is no number becomes 0.
        let fits =
            is_whole && least <= 0.0 && most >= 0.0 && steps <= MOST_STEPS as f64 && zero.abs() <= MOST_STEPS as f64;
        let is_usual = fits && EXPONENTS.contains(&(bits >> FRACTION));
        let beyond = i64::from((scale * (steps as f32 + 1.0)).to_bits());
        is_usual.then_some(Form {
            scale: bits & (FIRST - 1) | FIRST,
            exponent: (bits >> FRACTION) - 1,
            beyond,
            zero: zero as i64,
            limits: (least as i64, most as i64),
        })
    }

    /// What becomes of the bits of a real.
    fn computed<W: Words>(&self, words: &W, bits: W::Word) -> Result<W::Word, Error> {
        let all = words.by(Op::AndI, bits, INFINITE | (FIRST - 1))?;
        let sign = words.by(Op::ShRSI, bits, 31)?;
        let steps = self.steps(words, all)?;
        let signed = words.of(Op::SubI, words.of(Op::XOrI, steps, sign)?, sign)?;
        let moved = words.by(Op::AddI, signed, self.zero)?;
        let is_number = words.is_less(all, words.number(INFINITE + 1)?)?;
        let value = words.of(Op::AndI, moved, is_number)?;
        words.by(Op::MinSI, words.by(Op::MaxSI, value, self.limits.0)?, self.limits.1)
    }

    /// How many scales a real without a sign has, rounded, halves to the even number; less than are beyond the limits if it has more.
    ///
    /// All numbers are in steps of the last bit of half of the scale: so the real is a whole number, and what it is more than the middle
    /// between two multiples of the scale is known in a word, whatever bits the two have above it.
    fn steps<W: Words>(&self, words: &W, all: W::Word) -> Result<W::Word, Error> {
        let all = words.by(Op::MinSI, all, self.beyond)?;
        let all = words.by(Op::MaxSI, all, self.exponent << FRACTION)?;
        let exponent = words.by(Op::ShRUI, all, FRACTION)?;
        let by = words.by(Op::SubI, exponent, self.exponent)?;
        let digits = words.by(Op::OrI, words.by(Op::AndI, all, FIRST - 1)?, FIRST)?;
        let number = words.of(Op::ShLI, digits, by)?;
        // Of halves of the scale, the odd number next to the real, or next to that where the real is near a multiple.
        let upper = words.by(Op::ShRUI, digits, LEFT_OUT)?;
        let quotient = words.by(Op::MulI, upper, (1 << (QUOTIENT + LEFT_OUT)) / self.scale)?;
        let places = words.of(Op::SubI, words.number(QUOTIENT + self.exponent)?, exponent)?;
        let halves = words.by(Op::OrI, words.of(Op::ShRUI, quotient, places)?, 1)?;
        let beyond = words.of(Op::SubI, number, words.by(Op::MulI, halves, self.scale)?)?;
        // Within half of the last of 24 bits the quotient is the middle.
        let zeros = words.by(Op::SubI, words.zeros(halves)?, 30 - FRACTION)?;
        let near = words.of(Op::ShRUI, words.number(self.scale)?, zeros)?;
        let below = words.by(Op::ShRUI, halves, 1)?;
        let odd = words.of(Op::SubI, words.number(0)?, words.by(Op::AndI, below, 1)?)?;
        let least = words.of(Op::XOrI, near, odd)?;
        words.of(Op::SubI, below, words.is_less(least, beyond)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;

    impl Words for Plain {
        type Word = i32;

        fn number(&self, number: i64) -> Result<i32, Error> {
            Ok(number as i32)
        }

        fn of(&self, op: Op, left: i32, right: i32) -> Result<i32, Error> {
            Ok(match op {
                Op::AddI => left.wrapping_add(right),
                Op::SubI => left.wrapping_sub(right),
                Op::MulI => left.wrapping_mul(right),
                Op::AndI => left & right,
                Op::OrI => left | right,
                Op::XOrI => left ^ right,
                Op::MaxSI => left.max(right),
                Op::MinSI => left.min(right),
                Op::ShLI => left << right,
                Op::ShRSI => left >> right,
                Op::ShRUI => ((left as u32) >> right) as i32,
                _ => return Err(Error::malformed(op.name())),
            })
        }

        fn zeros(&self, word: i32) -> Result<i32, Error> {
            Ok(word.leading_zeros() as i32)
        }
    }

    /// What the formula of the operation gives.
    fn quantized(x: f32, scale: f32, zero: f32, (least, most): (f32, f32)) -> i32 {
        let quotient = x / scale;
        if quotient.is_nan() {
            return 0;
        }
        let magic = NO_FRACTION as f32;
        ((quotient.clamp(least - zero, most - zero) + magic) - magic + zero) as i32
    }

    #[test]
    fn bits_give_what_the_formula_does() {
        let scales = [0.0157, 0.25, 1.0, 3.0, 0.018_658_448, 1e-6, 777.77, 0.007_874_016, 1.999_999_9, 0.1];
        let kinds = [(128.0, (0.0, 255.0)), (0.0, (-128.0, 127.0)), (-128.0, (-128.0, 127.0)), (7.0, (0.0, 255.0))];
        for (scale, (zero, limits)) in scales.into_iter().flat_map(|scale| kinds.map(|kind| (scale, kind))) {
            let form = Form::of(scale, zero, limits).unwrap();
            let bounds = (limits.0 as f32, limits.1 as f32);
            let check = |bits: u32| {
                let x = f32::from_bits(bits);
                let found = form.computed(&Plain, bits as i32).unwrap();
                assert_eq!(found, quantized(x, scale, zero as f32, bounds), "{x} of {scale}, {zero}, {limits:?}");
            };
            // Around all multiples of half of the scale.
            for multiple in -600..600 {
                let bits = (multiple as f32 * scale / 2.0).to_bits();
                (0..41).for_each(|step| check(bits.wrapping_add(step).wrapping_sub(20)));
            }
            // And anywhere, infinite and no numbers among them.
            (0..40_000u32).for_each(|number| check(number.wrapping_mul(107_374)));
            [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, f32::MIN]
                .into_iter()
                .for_each(|x| check(x.to_bits()));
        }
    }

    #[test]
    fn unusual_numbers_have_no_form() {
        let limits = (0.0, 255.0);
        assert!(Form::of(0.5, 3.0, limits).is_some());
        assert_eq!(Form::of(1e-35, 3.0, limits), None);
        assert_eq!(Form::of(-0.5, 3.0, limits), None);
        assert_eq!(Form::of(f32::NAN, 3.0, limits), None);
        assert_eq!(Form::of(0.5, 3.5, limits), None);
        assert_eq!(Form::of(0.5, 0.0, (1.0, 255.0)), None);
        assert_eq!(Form::of(0.5, 0.0, (0.0, 65535.0)), None);
    }
}
