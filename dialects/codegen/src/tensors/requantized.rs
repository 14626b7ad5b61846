//! Sums that become quantized values again: `clamp(((sum * M + 2^(s-1)) >> s) + zero)`, of whole numbers, where only preparation
//! knows the multipliers `M` and the shift `s`. Few processors have vectors of 64 bits for that. The upper words of products of 32
//! bits do, by other multipliers and shifts, which are prepared:
//!
//! - Where `s` is at least 33, `((sum * M) >> 32) + 2^(s-33)) >> (s-32)` is the same: what half a step adds leaves the lower word as it is.
//! - Where it is less, `M` is doubled as far as it goes, and the sum as often as is left then. So that both fit in words, the sum
//!   is limited before, to where results are limited in any case.

use super::operations::{copy_values, tensor as kind};
use super::roles::is_fixed;
use crate::Error;
use crate::values::range::{Range, Ranges};
use crate::values::ranges;
use crate::views::structured::{Structured, static_shape};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, block_arguments, operations_named, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{linalg, math, tensor};
use skriptnd_mlir::rewrite::with_rewriter;
use std::cmp::Ordering;

/// The least shift from which on only the upper word of a product matters.
const LEAST_SHIFT: i64 = 33;
/// By how many bits a sum is shifted at most: where more were to be, each number but 0 leads to a limit.
const MOST_DOUBLINGS: i64 = 20;
/// The greatest magnitude of limits, less the zero: those of 16 bits.
const MOST_STEPS: i64 = 1 << 17;
/// The greatest shift of which words are long enough.
const MOST_SHIFT: i64 = 62;

/// Gives the sums in a function that are quantized again a form in words. Returns how many it are.
pub fn requantize_in_words<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let ranges = ranges(function);
    let operations = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let found: Vec<_> =
        operations.filter_map(|structured| Requantized::of(&structured, &ranges).map(|it| (structured, it))).collect();
    for (structured, requantized) in &found {
        requantized.rewrite(structured)?;
    }
    Ok(found.len())
}

/// The requantization in the body of a structured operation.
struct Requantized<'c, 'a> {
    sum: Value<'c, 'a>,
    /// The numbers of the inputs that are multipliers and shift.
    multiplier: usize,
    shift: usize,
    /// The least and the greatest shift: one beyond is taken for these.
    shifts: (i64, i64),
    zero: Option<Value<'c, 'a>>,
    limits: (i64, i64),
    /// How far limits are from the zero at most.
    steps: i64,
}

impl<'c: 'a, 'a> Requantized<'c, 'a> {
    fn of(structured: &Structured<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let result = structured.body.terminator()?.operand(0).ok()?;
        let (_, value, limits) = limited(passed(result, &[arith::EXTSI, arith::TRUNCI]))?;
        let (shifted, zero) = match operands(value, arith::ADDI) {
            Some([left, right]) if named(left, arith::SHRSI).is_some() => (left, Some(right)),
            Some([left, right]) if named(right, arith::SHRSI).is_some() => (right, Some(left)),
            _ => (value, None),
        };
        let [rounded, by] = operands(shifted, arith::SHRSI).filter(|_| types::is_integer(shifted.r#type(), 64))?;
        let (shift, shifts) = shift(structured, by, ranges)?;
        let [left, right] = operands(rounded, arith::ADDI)?;
        let product = if is_half(right, by) { left } else { Some(right).filter(|_| is_half(left, by))? };
        let [left, right] = operands(product, arith::MULI)?;
        let of = |value| Some((value, input(structured, value)?));
        let is_multiplier = |(value, place): &(Value<'c, 'a>, usize)| {
            ranges.get(*value).is_in(0.0, f64::from(i32::MAX)) && is_fixed(structured.inputs[*place])
        };
        let known = [(of(right), left), (of(left), right)].into_iter();
        let (multiplier, sum) =
            known.into_iter().find_map(|(factor, sum)| Some((factor.filter(is_multiplier)?.1, sum)))?;
        let sum = unlimited(sum, ranges);
        let zeros = zero.map_or(Range::one(0.0), |zero| ranges.get(zero));
        let steps = limits.1.abs().max(limits.0.abs()) as f64 + zeros.magnitude();
        let is_word = ranges.get(sum).is_in(f64::from(i32::MIN), f64::from(i32::MAX));
        let is_prepared = static_shape(structured.inputs[multiplier].r#type()).is_some();
        (is_word && is_prepared && steps <= MOST_STEPS as f64).then_some(Requantized {
            sum,
            multiplier,
            shift,
            shifts,
            zero,
            limits,
            steps: steps as i64,
        })
    }

    fn rewrite(&self, structured: &Structured<'c, 'a>) -> Result<(), Error> {
        let operation = structured.operation;
        let builder = Builder::before(operation)?;
        let parts = self.parts(structured)?;
        let split = structured.inputs.len();
        let inputs: Vec<_> = structured.inputs.iter().copied().chain(parts.iter().map(|(value, _)| *value)).collect();
        let (read, written) = structured.maps.split_at(split);
        let maps: Vec<_> = read.iter().chain(parts.iter().map(|(_, map)| *map)).chain(written).cloned().collect();
        let made = linalg::generic(&builder, &inputs, &structured.outputs, &maps, &structured.reduced)?;
        let (read, others) = made.arguments.split_at(split);
        let (words, written) = others.split_at(parts.len());
        let arguments = read.iter().chain(written).copied();
        let known = block_arguments(structured.body).map(|own| own.key()).zip(arguments).collect();
        let wanted: Vec<_> = [self.sum].into_iter().chain(self.zero).collect();
        let copied = copy_values(structured.body, &made.builder, known, &wanted)?;
        let value = self.computed(&made.builder, &copied, words)?;
        let given = types::element(structured.outputs[0].r#type());
        linalg::r#yield(&made.builder, &[resized(&made.builder, value, given)?])?;
        let results = made.operation.result_values();
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &results))?)
    }

    /// What is prepared, in the order in which [`Self::computed`] takes it, and from which indices.
    fn parts<'s>(&self, structured: &'s Structured<'c, 'a>) -> Result<[(Value<'c, 'a>, &'s Map); 6], Error> {
        let prepared = Prepared {
            builder: Builder::before(structured.operation)?,
            multipliers: structured.inputs[self.multiplier],
            shift: structured.inputs[self.shift],
            of: self,
        };
        let (by_channel, alone) = (&structured.maps[self.multiplier], &structured.maps[self.shift]);
        Ok([
            (prepared.least()?, by_channel),
            (prepared.most()?, by_channel),
            (prepared.doublings()?, by_channel),
            (prepared.multipliers()?, by_channel),
            (prepared.half()?, alone),
            (prepared.shift()?, alone),
        ])
    }

    /// The result for a sum, behind which the zero may stand.
    fn computed(
        &self,
        body: &Builder<'c, 'a>,
        given: &[Value<'c, 'a>],
        words: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let (&[least, most, doublings, multiplier, half, shift], Some((sum, zero))) = (words, given.split_first())
        else {
            return Err(Error::malformed("a requantization without its numbers"));
        };
        let word = types::integer(body.context(), 32);
        let limited = arith::minsi(body, arith::maxsi(body, resized(body, *sum, word)?, least)?, most)?;
        let [_, upper] = arith::mulsi_extended(body, arith::shli(body, limited, doublings)?, multiplier)?;
        let mut value = arith::shrsi(body, arith::addi(body, upper, half)?, shift)?;
        if let Some(zero) = zero.first() {
            value = arith::addi(body, value, resized(body, *zero, word)?)?;
        }
        let bound = |number| body.integer(word, number);
        Ok(arith::minsi(body, arith::maxsi(body, value, bound(self.limits.0)?)?, bound(self.limits.1)?)?)
    }
}

/// Computes before the run what a requantization in words takes.
struct Prepared<'r, 'c, 'a> {
    builder: Builder<'c, 'a>,
    multipliers: Value<'c, 'a>,
    shift: Value<'c, 'a>,
    of: &'r Requantized<'c, 'a>,
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

/// What is computed of multiplier and shift.
type Of<'f, 'c, 'a> = &'f dyn Fn(&Numbers<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, Error>;

impl<'c: 'a, 'a> Prepared<'_, 'c, 'a> {
    /// The least sum that is not limited; where the greatest is the greatest word, the least word.
    fn least(&self) -> Result<Value<'c, 'a>, Error> {
        self.by_channel(&|numbers, multiplier, shift| {
            let bound = numbers.bound(multiplier, shift, self.of.steps)?;
            let all = numbers.one(i64::from(i32::MAX))?;
            let is_all = arith::cmpi(&numbers.0, IntegerPredicate::Eq, bound, all)?;
            let negative = arith::subi(&numbers.0, numbers.one(0)?, bound)?;
            Ok(arith::select(&numbers.0, is_all, numbers.one(i64::from(i32::MIN))?, negative)?)
        })
    }

    /// The greatest sum that is not limited.
    fn most(&self) -> Result<Value<'c, 'a>, Error> {
        self.by_channel(&|numbers, multiplier, shift| numbers.bound(multiplier, shift, self.of.steps))
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
    fn alone(
        &self,
        of: &dyn Fn(&Numbers<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, Error>,
    ) -> Result<Value<'c, 'a>, Error> {
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
        of: &dyn Fn(&Numbers<'c, 'a>, &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error>,
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

/// An integer in a type that has it.
fn resized<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>, kind: Type<'c>) -> Result<Value<'c, 'a>, Error> {
    Ok(match types::width(value.r#type()).cmp(&types::width(kind)) {
        Ordering::Greater => arith::trunci(builder, value, kind)?,
        Ordering::Less => arith::extsi(builder, value, kind)?,
        Ordering::Equal => value,
    })
}

/// What operations of these names were given, one behind the other.
fn passed<'c: 'a, 'a>(mut value: Value<'c, 'a>, names: &[&str]) -> Value<'c, 'a> {
    while let Some(made) = value.defining_operation().filter(|made| names.contains(&made.full_name())) {
        let Ok(given) = made.operand(0) else { break };
        value = given;
    }
    value
}

fn named<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<OperationRef<'c, 'a>> {
    value.defining_operation().filter(|made| made.full_name() == name)
}

/// The operands of what gives a value, if that has this name.
fn operands<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<[Value<'c, 'a>; 2]> {
    let made = named(value, name)?;
    Some([made.operand(0).ok()?, made.operand(1).ok()?])
}

fn number(value: Value<'_, '_>) -> Option<i64> {
    named(value, arith::CONSTANT)?.get("value").and_then(attributes::as_integer)
}

/// A limited value, what is limited, and the least and greatest.
fn limited<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>, (i64, i64))> {
    let [below, most] = operands(value, arith::MINSI)?;
    let [inside, least] = operands(below, arith::MAXSI)?;
    Some((value, inside, (number(least)?, number(most)?)))
}

/// A value without limits that it does not reach.
fn unlimited<'c: 'a, 'a>(value: Value<'c, 'a>, ranges: &Ranges) -> Value<'c, 'a> {
    match limited(value) {
        Some((_, inside, (least, most))) if ranges.get(inside).is_in(least as f64, most as f64) => inside,
        _ => value,
    }
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
    let fits = is_one && is_fixed(structured.inputs[place]) && range.is_in(1.0, MOST_SHIFT as f64);
    fits.then_some((place, (range.least as i64, range.most as i64)))
}

/// Whether a value is half of what a shift divides by.
fn is_half(value: Value<'_, '_>, by: Value<'_, '_>) -> bool {
    let found = || {
        let [one, before] = operands(value, arith::SHLI)?;
        let [whole, less] = operands(before, arith::ADDI)?;
        Some(number(one)? == 1 && number(less)? == -1 && whole.key() == by.key())
    };
    found().unwrap_or(false)
}
