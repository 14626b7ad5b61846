//! Sums of one or two bytes times multipliers that are known when compiled, in 16 bits: a multiplier is a row of digits, and the sum of
//! products with digits of one place, which 16 bits have, takes what is carried from the place below. How many digits are needed, and which
//! number is added to all, follows from what the formula gives for each pair of bytes: results are the same for all of them.

use super::{Limits, Rounded, operands, resized, term, unlimited};
use crate::Error;
use crate::values::range::Ranges;
use crate::views::constants::integer;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{arith, linalg};

/// Bits of a digit: products of it with two bytes, and what is carried to them, have 16.
const DIGIT: i64 = 7;
/// Bits of the lowest digit, to which nothing is carried. It has a sign.
const LOWEST: i64 = 8;
/// Digits at most: with 31 bits nothing is left out.
const MOST_DIGITS: usize = 5;
/// Bits of fractions in the uppermost place at most.
const MOST_FRACTION: i64 = 7;
/// The greatest value of a byte without a sign.
const MOST: i64 = 255;

/// A value that takes at most as many numbers as a byte without a sign, and by what it is multiplied.
struct Term<'c, 'a> {
    value: Value<'c, 'a>,
    /// The least number that it takes.
    least: i64,
    /// What is added to it before.
    added: i64,
    multiplier: i64,
}

/// A sum in digits.
pub struct Digits<'c, 'a> {
    terms: Vec<Term<'c, 'a>>,
    plan: Plan,
    limits: (i64, i64),
}

/// The numbers of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Plan {
    /// The digits of each multiplier, the lowest first; the last one has all that is left.
    multipliers: Vec<Vec<i64>>,
    /// The digits of what is added; the lowest makes sums positive.
    added: Vec<i64>,
    /// Bits of fractions in the last place.
    fraction: i64,
}

/// What is computed of bytes: their sum with multipliers, shifted, with a number added, and limited.
struct Formula {
    multipliers: Vec<i64>,
    added: i64,
    shift: i64,
    zero: i64,
    limits: (i64, i64),
}

impl<'c: 'a, 'a> Digits<'c, 'a> {
    /// What is rounded, if it is such a sum that digits give.
    pub fn of(rounded: &Rounded<'c, 'a>, limits: &Limits<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let shift = integer(rounded.by).filter(|shift| (1..=62).contains(shift))?;
        let zero = limits.zero.map_or(Some(0), integer)?;
        let mut terms = Vec::new();
        for value in match operands(rounded.product, arith::ADDI) {
            Some(added) => added.to_vec(),
            None => vec![rounded.product],
        } {
            terms.push(Term::of(value, ranges)?);
        }
        let added =
            terms.iter().map(|term| (term.least + term.added) * term.multiplier).sum::<i64>() + (1 << (shift - 1));
        let multipliers = terms.iter().map(|term| term.multiplier).collect();
        let formula = Formula { multipliers, added, shift, zero, limits: rounded.limits };
        let plan = (1..=MOST_DIGITS).find_map(|count| Plan::of(&formula, count))?;
        Some(Digits { terms, plan, limits: rounded.limits })
    }

    /// Puts the form in digits in the place of what an operation gives.
    pub fn rewrite(&self, structured: &Structured<'c, 'a>) -> Result<(), Error> {
        let terminator = structured.body.terminator().filter(|terminator| terminator.full_name() == linalg::YIELD);
        let terminator = terminator.ok_or_else(|| Error::malformed("a structured operation that yields nothing"))?;
        let body = Builder::before(terminator)?;
        let half = types::integer(body.context(), 16);
        let one = |number: i64| body.integer(half, number);
        let bytes = self.terms.iter().map(|term| term.byte(&body, half)).collect::<Result<Vec<_>, Error>>()?;
        let mut sum = None;
        for (place, added) in self.plan.added.iter().enumerate() {
            let mut products = None;
            for (byte, digits) in bytes.iter().zip(&self.plan.multipliers) {
                let product = arith::muli(&body, *byte, one(digits[place])?)?;
                products = Some(products.map_or(Ok(product), |before| arith::addi(&body, before, product))?);
            }
            let products = products.ok_or_else(|| Error::malformed("a sum of nothing"))?;
            let carried = sum.map(|sum| arith::shrui(&body, sum, one(bits_below(place))?)).transpose()?;
            let all = carried.map_or(Ok(products), |carried| arith::addi(&body, carried, products))?;
            sum = Some(if *added == 0 { all } else { arith::addi(&body, all, one(*added)?)? });
        }
        let sum = sum.ok_or_else(|| Error::malformed("a sum without digits"))?;
        let value = arith::shrsi(&body, sum, one(self.plan.fraction)?)?;
        let value = arith::maxsi(&body, value, one(self.limits.0)?)?;
        let value = arith::minsi(&body, value, one(self.limits.1)?)?;
        let output = types::element(structured.outputs[0].r#type());
        Ok(terminator.set_operand(0, resized(&body, value, output)?)?)
    }
}

impl<'c: 'a, 'a> Term<'c, 'a> {
    fn of(value: Value<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let (factor, multiplier) = term(value, ranges)?;
        let (value, added) = less_constant(unlimited(factor, ranges));
        let range = ranges.get(value);
        let least = range.least as i64;
        // Of no values at all the least is beyond the greatest.
        (0.0..=MOST as f64).contains(&(range.most - range.least)).then_some(Term { value, least, added, multiplier })
    }

    /// What the value is more than the least, which a byte without a sign has.
    fn byte(&self, body: &Builder<'c, 'a>, half: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let kind = types::integer(body.context(), 8);
        let byte = resized(body, self.value, kind)?;
        let byte = match self.least as i8 {
            0 => byte,
            least => arith::addi(body, byte, body.integer(kind, least.wrapping_neg().into())?)?,
        };
        Ok(arith::extui(body, byte, half)?)
    }
}

/// What a constant is added to, and the constant.
fn less_constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> (Value<'c, 'a>, i64) {
    let added = operands(value, arith::ADDI).and_then(|[left, right]| {
        integer(right).map(|right| (left, right)).or_else(|| integer(left).map(|left| (right, left)))
    });
    let less = || operands(value, arith::SUBI).and_then(|[left, right]| Some((left, integer(right)?.checked_neg()?)));
    added.or_else(less).unwrap_or((value, 0))
}

impl Formula {
    /// What it gives for some bytes.
    fn at(&self, bytes: &[i64]) -> i64 {
        let sum = self.multipliers.iter().zip(bytes).map(|(multiplier, byte)| multiplier * byte).sum::<i64>();
        (((sum + self.added) >> self.shift) + self.zero).clamp(self.limits.0, self.limits.1)
    }
}

impl Plan {
    /// The form with so many digits, with as much of fractions as there is room for; none if for some bytes it gave another result.
    fn of(formula: &Formula, count: usize) -> Option<Plan> {
        let lower = (1..count).map(bits_below).sum::<i64>();
        (0..=MOST_FRACTION).rev().find_map(|fraction| {
            let bits = fraction + lower;
            let scaled = formula.multipliers.iter().map(|own| scaled(*own, bits - formula.shift));
            let multipliers: Vec<i64> = scaled.collect::<Option<_>>()?;
            let digits: Vec<Vec<i64>> = multipliers.iter().map(|multiplier| digits(*multiplier, count)).collect();
            // A digit is multiplied as a byte with a sign.
            if digits.iter().any(|digits| digits.last().is_none_or(|last| *last >= 1 << DIGIT)) {
                return None;
            }
            let range = added(formula, &multipliers, bits)?;
            let most = multipliers.iter().map(|multiplier| multiplier * MOST).sum::<i64>();
            let fits = |sum: i64| i16::try_from(sum >> lower).is_ok();
            let added = if count > 1 { range.digits(&digits, count) } else { vec![range.most] };
            (fits(range.least) && fits(range.most + most)).then_some(Plan { multipliers: digits, added, fraction })
        })
    }
}

/// Bits of the digit below a place.
fn bits_below(place: usize) -> i64 {
    if place == 1 { LOWEST } else { DIGIT }
}

/// A multiplier times a power of two, rounded.
fn scaled(multiplier: i64, by: i64) -> Option<i64> {
    match by {
        0..=20 => Some(multiplier << by),
        -62..0 => Some((multiplier + (1 << (-by - 1))) >> -by),
        _ => None,
    }
}

/// Digits of a number, of which the lowest one has a sign, and the last one all that is left.
fn digits(number: i64, count: usize) -> Vec<i64> {
    let lowest = if count > 1 { i64::from(number as i8) } else { number };
    [lowest].into_iter().chain(upper_digits((number - lowest) >> LOWEST, count)).collect()
}

/// Digits of a number behind the lowest one.
fn upper_digits(number: i64, count: usize) -> impl Iterator<Item = i64> {
    let place = move |place: usize| {
        let rest = number >> (DIGIT * place as i64 - DIGIT);
        if place + 1 == count { rest } else { rest & ((1 << DIGIT) - 1) }
    };
    (1..count).map(place)
}

/// The numbers of a range.
struct Span {
    least: i64,
    most: i64,
}

impl Span {
    /// The digits of one of the numbers. The lowest one makes sums of products with the multipliers' lowest digits positive; as many of
    /// those behind it as can be are zeros.
    fn digits(&self, multipliers: &[Vec<i64>], count: usize) -> Vec<i64> {
        let of_sign = |sign: i64| multipliers.iter().map(|digits| (digits[0] * sign).max(0) * MOST).sum::<i64>();
        let lowest = Span { least: of_sign(-1), most: i64::from(u16::MAX) - of_sign(1) };
        let rounded = |bits: i64| {
            let upper = (self.most - lowest.least) >> bits << bits;
            let least = lowest.least.max(self.least - upper);
            (least <= lowest.most.min(self.most - upper)).then_some((least, upper))
        };
        // There are as many lowest digits as numbers that the next one counts.
        let (lowest, upper) = (LOWEST..62).rev().find_map(rounded).unwrap_or((lowest.least, self.most - lowest.least));
        [lowest].into_iter().chain(upper_digits(upper >> LOWEST, count)).collect()
    }
}

/// What may be added to sums with these multipliers, so many bits of which are fractions, so that results are those of the formula for all
/// bytes.
fn added(formula: &Formula, multipliers: &[i64], bits: i64) -> Option<Span> {
    let (mut least, mut most) = (i64::MIN >> 1, i64::MAX >> 1);
    let seconds = if multipliers.len() > 1 { MOST } else { 0 };
    for bytes in (0..=MOST).flat_map(|first| (0..=seconds).map(move |second| [first, second])) {
        let result = formula.at(&bytes);
        let sum = multipliers.iter().zip(bytes).map(|(multiplier, byte)| multiplier * byte).sum::<i64>();
        if result > formula.limits.0 {
            least = least.max((result << bits) - sum);
        }
        if result < formula.limits.1 {
            most = most.min(((result + 1) << bits) - 1 - sum);
        }
        if least > most {
            return None;
        }
    }
    // Where all results are a limit, anything beyond does.
    Some(Span { least: least.max(most - (1 << 40)), most: most.min(least + (1 << 40)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the operations of the form give.
    fn computed(plan: &Plan, bytes: &[i64], limits: (i64, i64)) -> i64 {
        let mut sum = 0u16;
        for place in 0..plan.added.len() {
            let products = plan.multipliers.iter().zip(bytes).map(|(digits, byte)| digits[place] * byte).sum::<i64>();
            sum = (sum >> bits_below(place)).wrapping_add((products + plan.added[place]) as u16);
        }
        (i64::from(sum as i16) >> plan.fraction).clamp(limits.0, limits.1)
    }

    #[test]
    fn digits_give_what_the_formula_does() {
        let mut state = 7u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as i64
        };
        let mut found = [0; MOST_DIGITS + 1];
        for round in 0..60 {
            let shift = 29 + next(8);
            let multipliers: Vec<i64> = (0..1 + round % 2).map(|_| (1 << 30) + next(1 << 30)).collect();
            let limits = [(0, 255), (-128, 127), (3, 200)][round as usize % 3];
            let zeros: i64 = multipliers.iter().map(|multiplier| multiplier * next(256)).sum();
            let added = (1 << (shift - 1)) - zeros;
            let formula = Formula { multipliers, added, shift, zero: next(256) + limits.0, limits };
            let Some(plan) = (1..=MOST_DIGITS).find_map(|count| Plan::of(&formula, count)) else {
                found[0] += 1;
                continue;
            };
            found[plan.added.len()] += 1;
            for bytes in (0..=MOST).flat_map(|first| (0..=MOST).map(move |second| [first, second])) {
                assert_eq!(computed(&plan, &bytes, limits), formula.at(&bytes), "{bytes:?} of {plan:?}");
            }
        }
        assert!(found[0] < 6, "{found:?}");
    }
}
