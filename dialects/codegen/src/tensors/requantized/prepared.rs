//! Multipliers and shifts that only preparation knows. The upper words of products of 32 bits do with others, which are prepared:
//!
//! - Where the shift `s` is at least 33, `(((sum * M) >> 32) + 2^(s-33)) >> (s-32)` is the same: half a step leaves the lower word as it
//!   is.
//! - Where it is less, `M` is doubled as far as it goes, and the sum as often as is left then. So that both fit in words, the sum
//!   is limited before, to where results are limited in any case. One number tells all channels whether that is so: it hardly ever is.

use super::{Limits, Rounded, operands, resized, unlimited};
use crate::Error;
use crate::tensors::operations::{copy_values, tensor as kind};
use crate::tensors::roles::is_fixed;
use crate::values::range::Ranges;
use crate::views::shapes::static_shape;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, Value, block_arguments, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{linalg, math, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// The least shift from which on only the upper word of a product matters.
const LEAST_SHIFT: i64 = 33;
/// By how many bits a sum is shifted at most: where more were to be, each number but 0 leads to a limit.
const MOST_DOUBLINGS: i64 = 20;
/// The greatest shift of which words are long enough.
const MOST_SHIFT: f64 = 62.0;

/// A sum times a multiplier.
pub struct Prepared<'c, 'a> {
    sum: Value<'c, 'a>,
    /// The numbers of the inputs that are multipliers and shift.
    multiplier: usize,
    shift: usize,
    /// The least and the greatest shift: one beyond is taken for these.
    shifts: (i64, i64),
    limits: Limits<'c, 'a>,
}

impl<'c: 'a, 'a> Prepared<'c, 'a> {
    /// What is rounded, if it is such a product.
    pub fn of(
        structured: &Structured<'c, 'a>,
        rounded: &Rounded<'c, 'a>,
        limits: &Limits<'c, 'a>,
        ranges: &Ranges,
    ) -> Option<Self> {
        let (shift, shifts) = shift(structured, rounded.by, ranges)?;
        let [left, right] = operands(rounded.product, arith::MULI)?;
        let is_multiplier = |(value, place): &(Value<'c, 'a>, usize)| {
            ranges.get(*value).is_in(0.0, f64::from(i32::MAX)) && is_fixed(structured.inputs[*place])
        };
        let found = |factor, sum| {
            let place = Some((factor, input(structured, factor)?)).filter(is_multiplier)?.1;
            Some((place, unlimited(sum, ranges)))
        };
        let (multiplier, sum) = found(right, left).or_else(|| found(left, right))?;
        let is_word = ranges.get(sum).is_in(f64::from(i32::MIN), f64::from(i32::MAX));
        let is_prepared = static_shape(structured.inputs[multiplier].r#type()).is_some();
        (is_word && is_prepared).then_some(Prepared { sum, multiplier, shift, shifts, limits: *limits })
    }

    /// Puts the form in words in the place of an operation. With branches, a number tells whether sums are limited and shifted.
    pub fn rewrite(&self, structured: &Structured<'c, 'a>, has_branches: bool) -> Result<(), Error> {
        let operation = structured.operation;
        let builder = Builder::before(operation)?;
        let parts = self.parts(structured, has_branches)?;
        let split = structured.inputs.len();
        let inputs: Vec<_> = structured.inputs.iter().copied().chain(parts.iter().map(|(value, _)| *value)).collect();
        let (read, written) = structured.maps.split_at(split);
        let maps: Vec<_> = read.iter().chain(parts.iter().map(|(_, map)| *map)).chain(written).cloned().collect();
        let made = linalg::generic(&builder, &inputs, &structured.outputs, &maps, &structured.reduced)?;
        let (read, others) = made.arguments.split_at(split);
        let (words, written) = others.split_at(parts.len());
        let arguments = read.iter().chain(written).copied();
        let known = block_arguments(structured.body).map(|own| own.key()).zip(arguments).collect();
        let wanted: Vec<_> = [self.sum].into_iter().chain(self.limits.zero).collect();
        let copied = copy_values(structured.body, &made.builder, known, &wanted)?;
        let value = rounded(&made.builder, copied[0], words)?;
        let output = types::element(structured.outputs[0].r#type());
        let value = self.limits.result(&made.builder, value, copied.get(1).copied(), output)?;
        linalg::r#yield(&made.builder, &[value])?;
        let results = made.operation.result_values();
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &results))?)
    }

    /// What is prepared, in the order in which [`rounded`] takes it, and from which indices.
    fn parts<'s>(
        &self,
        structured: &'s Structured<'c, 'a>,
        has_branches: bool,
    ) -> Result<Vec<(Value<'c, 'a>, &'s Map)>, Error> {
        let parts = Parts {
            builder: Builder::before(structured.operation)?,
            multipliers: structured.inputs[self.multiplier],
            shift: structured.inputs[self.shift],
            of: self,
        };
        let (by_channel, alone) = (&structured.maps[self.multiplier], &structured.maps[self.shift]);
        let mut made = vec![
            (parts.least()?, by_channel),
            (parts.most()?, by_channel),
            (parts.doublings()?, by_channel),
            (parts.multipliers()?, by_channel),
            (parts.half()?, alone),
            (parts.shift()?, alone),
        ];
        if has_branches {
            made.push((parts.is_enough()?, alone));
        }
        Ok(made)
    }
}

/// A sum, multiplied, shifted and rounded.
fn rounded<'c: 'a, 'a>(
    body: &Builder<'c, 'a>,
    sum: Value<'c, 'a>,
    words: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    let &[least, most, doublings, multiplier, half, shift, ref is_enough @ ..] = words else {
        return Err(Error::malformed("a requantization without its numbers"));
    };
    let sum = resized(body, sum, types::integer(body.context(), 32))?;
    let limited = arith::minsi(body, arith::maxsi(body, sum, least)?, most)?;
    let mut doubled = arith::shli(body, limited, doublings)?;
    if let Some(is_enough) = is_enough.first() {
        let zero = body.integer(is_enough.r#type(), 0)?;
        let is_enough = arith::cmpi(body, IntegerPredicate::Ne, *is_enough, zero)?;
        doubled = arith::select(body, is_enough, sum, doubled)?;
    }
    let [_, upper] = arith::mulsi_extended(body, doubled, multiplier)?;
    Ok(arith::shrsi(body, arith::addi(body, upper, half)?, shift)?)
}

/// Computes before the run what a requantization in words takes.
struct Parts<'r, 'c, 'a> {
    builder: Builder<'c, 'a>,
    multipliers: Value<'c, 'a>,
    shift: Value<'c, 'a>,
    of: &'r Prepared<'c, 'a>,
}

/// Numbers of 64 bits in a body.
struct Numbers<'c, 'a>(Builder<'c, 'a>);

impl<'c: 'a, 'a> Numbers<'c, 'a> {
    fn one(&self, number: i64) -> Result<Value<'c, 'a>, Error> {
        Ok(self.0.integer(types::integer(self.0.context(), 64), number)?)
    }

    /// A shift within its limits.
    fn shift(&self, given: Value<'c, 'a>, (least, most): (i64, i64)) -> Result<Value<'c, 'a>, Error> {
        let limited = arith::maxsi(&self.0, given, self.one(least)?)?;
        Ok(arith::minsi(&self.0, limited, self.one(most)?)?)
    }

    /// By how many bits a shift is less than the least one.
    fn missing(&self, shift: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let missing = arith::subi(&self.0, self.one(LEAST_SHIFT)?, shift)?;
        Ok(arith::maxsi(&self.0, missing, self.one(0)?)?)
    }

    /// How many of these doublings a multiplier of 31 bits has room for.
    fn of_multiplier(&self, multiplier: Value<'c, 'a>, missing: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let zeros = math::ctlz(&self.0, multiplier)?;
        Ok(arith::minsi(&self.0, missing, arith::subi(&self.0, zeros, self.one(33)?)?)?)
    }

    /// To what a sum is limited.
    fn bound(&self, multiplier: Value<'c, 'a>, shift: Value<'c, 'a>, steps: i64) -> Result<Value<'c, 'a>, Error> {
        let few = arith::minsi(&self.0, shift, self.one(LEAST_SHIFT - 1)?)?;
        let steps = arith::shli(&self.0, self.one(steps)?, few)?;
        let most = arith::divsi(&self.0, steps, arith::maxsi(&self.0, multiplier, self.one(1)?)?)?;
        let most = arith::addi(&self.0, most, self.one(1)?)?;
        let all = self.one(i64::from(i32::MAX))?;
        let is_few = arith::cmpi(&self.0, IntegerPredicate::Slt, shift, self.one(LEAST_SHIFT)?)?;
        Ok(arith::select(&self.0, is_few, arith::minsi(&self.0, most, all)?, all)?)
    }
}

/// What is computed of the shift.
type OfShift<'f, 'c, 'a> = &'f dyn Fn(&Numbers<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, Error>;

/// What is computed of elements.
type OfElements<'f, 'c, 'a> = &'f dyn Fn(&Numbers<'c, 'a>, &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error>;

/// What is computed of multiplier and shift.
type Of<'f, 'c, 'a> = &'f dyn Fn(&Numbers<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, Error>;

impl<'c: 'a, 'a> Parts<'_, 'c, 'a> {
    /// The least sum that is not limited; where the greatest is the greatest word, the least word.
    fn least(&self) -> Result<Value<'c, 'a>, Error> {
        self.by_channel(&|numbers, multiplier, shift| {
            let bound = numbers.bound(multiplier, shift, self.of.limits.steps)?;
            let all = numbers.one(i64::from(i32::MAX))?;
            let is_all = arith::cmpi(&numbers.0, IntegerPredicate::Eq, bound, all)?;
            let negative = arith::subi(&numbers.0, numbers.one(0)?, bound)?;
            Ok(arith::select(&numbers.0, is_all, numbers.one(i64::from(i32::MIN))?, negative)?)
        })
    }

    /// The greatest sum that is not limited.
    fn most(&self) -> Result<Value<'c, 'a>, Error> {
        self.by_channel(&|numbers, multiplier, shift| numbers.bound(multiplier, shift, self.of.limits.steps))
    }

    /// By how many bits sums are shifted.
    fn doublings(&self) -> Result<Value<'c, 'a>, Error> {
        self.by_channel(&|numbers, multiplier, shift| {
            let missing = numbers.missing(shift)?;
            let left = arith::subi(&numbers.0, missing, numbers.of_multiplier(multiplier, missing)?)?;
            Ok(arith::minsi(&numbers.0, left, numbers.one(MOST_DOUBLINGS)?)?)
        })
    }

    fn multipliers(&self) -> Result<Value<'c, 'a>, Error> {
        self.by_channel(&|numbers, multiplier, shift| {
            let doublings = numbers.of_multiplier(multiplier, numbers.missing(shift)?)?;
            Ok(arith::shli(&numbers.0, multiplier, doublings)?)
        })
    }

    /// By how many bits the upper word is shifted.
    fn shift(&self) -> Result<Value<'c, 'a>, Error> {
        self.alone(&shift_of_upper)
    }

    /// Not 0 where the shift is great enough, so that no sum is limited or shifted.
    fn is_enough(&self) -> Result<Value<'c, 'a>, Error> {
        self.alone(&|numbers, shift| {
            let is_enough = arith::cmpi(&numbers.0, IntegerPredicate::Sge, shift, numbers.one(LEAST_SHIFT)?)?;
            Ok(arith::extui(&numbers.0, is_enough, types::integer(numbers.0.context(), 64))?)
        })
    }

    /// Half of a step.
    fn half(&self) -> Result<Value<'c, 'a>, Error> {
        self.alone(&|numbers, shift| {
            let before = arith::subi(&numbers.0, shift_of_upper(numbers, shift)?, numbers.one(1)?)?;
            Ok(arith::shli(&numbers.0, numbers.one(1)?, before)?)
        })
    }

    /// A word for each multiplier.
    fn by_channel(&self, of: Of<'_, 'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let shape = static_shape(self.multipliers.r#type()).unwrap_or_default();
        let maps = [Map::identity(shape.len()), Map { dims: shape.len(), results: Vec::new() }];
        self.words(&shape, &[self.multipliers, self.shift], &maps, &|numbers, given| {
            of(numbers, given[0], numbers.shift(given[1], self.of.shifts)?)
        })
    }

    /// A word for the shift.
    fn alone(&self, of: OfShift<'_, 'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.words(&[], &[self.shift], &[Map::identity(0)], &|numbers, given| {
            of(numbers, numbers.shift(given[0], self.of.shifts)?)
        })
    }

    /// A tensor of words, each computed of elements of others.
    fn words(
        &self,
        shape: &[i64],
        inputs: &[Value<'c, 'a>],
        maps: &[Map],
        of: OfElements<'_, 'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let word = types::integer(self.builder.context(), 32);
        let empty = tensor::empty(&self.builder, kind(word, shape)?, &[])?;
        let maps: Vec<_> = maps.iter().cloned().chain([Map::identity(shape.len())]).collect();
        let made = linalg::generic(&self.builder, inputs, &[empty], &maps, &vec![false; shape.len()])?;
        let numbers = Numbers(made.builder);
        let long = types::integer(word.context(), 64);
        let wide = made.arguments.iter().take(inputs.len()).map(|given| resized(&numbers.0, *given, long));
        let value = of(&numbers, &wide.collect::<Result<Vec<_>, _>>()?)?;
        linalg::r#yield(&numbers.0, &[arith::trunci(&numbers.0, value, word)?])?;
        Ok(made.operation.result(0)?)
    }
}

fn shift_of_upper<'c: 'a, 'a>(numbers: &Numbers<'c, 'a>, shift: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let shift = arith::maxsi(&numbers.0, shift, numbers.one(LEAST_SHIFT)?)?;
    Ok(arith::subi(&numbers.0, shift, numbers.one(32)?)?)
}

/// The input that a value is an element of.
fn input<'c: 'a, 'a>(structured: &Structured<'c, 'a>, value: Value<'c, 'a>) -> Option<usize> {
    let place = block_arguments(structured.body).position(|argument| argument.key() == value.key())?;
    (place < structured.inputs.len()).then_some(place)
}

/// The input that tells a shift before the run, one for all elements, and between which numbers it is then limited to lie.
fn shift<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    by: Value<'c, 'a>,
    ranges: &Ranges,
) -> Option<(usize, (i64, i64))> {
    let mut given = by;
    while let Some([inside, _]) = operands(given, arith::MAXSI).or_else(|| operands(given, arith::MINSI)) {
        given = inside;
    }
    let (place, range) = (input(structured, given)?, ranges.get(by));
    let is_one = structured.maps[place].results.is_empty() && structured.inputs[place].r#type().is_ranked_tensor();
    let fits = is_one && is_fixed(structured.inputs[place]) && range.is_in(1.0, MOST_SHIFT);
    fits.then_some((place, (range.least as i64, range.most as i64)))
}
