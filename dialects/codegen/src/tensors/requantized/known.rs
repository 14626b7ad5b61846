//! Sums of products with multipliers that are known when compiled, such as those of two quantized tensors that are added. What is
//! multiplied has 10 bits, multipliers have 31: a product is that with their upper 15 bits, 16 bits higher, and that with the lower 16, so
//! both sums have words.

use super::{Limits, Rounded, operands, resized};
use crate::Error;
use crate::values::range::Ranges;
use crate::views::constants::integer;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{arith, linalg};

/// The greatest magnitude of what is multiplied.
const MOST: f64 = 512.0;
/// Products that are added up at most.
const MOST_TERMS: usize = 4;
/// Bits of a multiplier below the upper ones.
const LOWER: i64 = 16;
/// The greatest shift of a word.
const MOST_SHIFT: i64 = 31;

/// A sum of products.
pub struct Known<'c, 'a> {
    /// What is multiplied, by what.
    terms: Vec<(Value<'c, 'a>, i64)>,
    shift: i64,
    limits: Limits<'c, 'a>,
}

impl<'c: 'a, 'a> Known<'c, 'a> {
    /// What is rounded, if it is such a sum.
    pub fn of(rounded: &Rounded<'c, 'a>, limits: &Limits<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let shift = integer(rounded.by).filter(|shift| (LOWER + 1..=62).contains(shift))?;
        let (mut terms, mut open) = (Vec::new(), vec![rounded.product]);
        while let Some(value) = open.pop() {
            match operands(value, arith::ADDI) {
                Some(added) => open.extend(added),
                None => terms.push(term(value, ranges)?),
            }
            if open.len() + terms.len() > MOST_TERMS {
                return None;
            }
        }
        Some(Known { terms, shift, limits: *limits })
    }

    /// Puts the form in words in the place of what an operation gives.
    pub fn rewrite(&self, structured: &Structured<'c, 'a>) -> Result<(), Error> {
        let terminator = structured.body.terminator().filter(|terminator| terminator.full_name() == linalg::YIELD);
        let terminator = terminator.ok_or_else(|| Error::malformed("a structured operation that yields nothing"))?;
        let body = Builder::before(terminator)?;
        let word = types::integer(body.context(), 32);
        let bits = |number: i64| body.integer(word, number);
        let upper = self.sum(&body, |multiplier| multiplier >> LOWER)?;
        let lower = self.sum(&body, |multiplier| multiplier & ((1 << LOWER) - 1))?;
        // Sums have fewer bits than words that are shifted as far as they can be.
        let shift = (self.shift - LOWER).min(MOST_SHIFT);
        let upper = arith::addi(&body, upper, bits(1 << (shift - 1))?)?;
        let sum = arith::addi(&body, upper, arith::shrsi(&body, lower, bits(LOWER)?)?)?;
        let rounded = arith::shrsi(&body, sum, bits(shift)?)?;
        let output = types::element(structured.outputs[0].r#type());
        let result = self.limits.result(&body, rounded, self.limits.zero, output)?;
        Ok(terminator.set_operand(0, result)?)
    }

    /// The sum of products with a part of each multiplier.
    fn sum(&self, body: &Builder<'c, 'a>, part: impl Fn(i64) -> i64) -> Result<Value<'c, 'a>, Error> {
        let word = types::integer(body.context(), 32);
        let products = self.terms.iter().map(|(value, multiplier)| {
            let multiplier = body.integer(word, part(*multiplier))?;
            Ok(arith::muli(body, resized(body, *value, word)?, multiplier)?)
        });
        let sum = products.reduce(|left, right: Result<_, Error>| Ok(arith::addi(body, left?, right?)?));
        sum.unwrap_or_else(|| Err(Error::malformed("a sum of nothing")))
    }
}

/// A factor of few bits, and what it is multiplied by.
pub(super) fn term<'c: 'a, 'a>(value: Value<'c, 'a>, ranges: &Ranges) -> Option<(Value<'c, 'a>, i64)> {
    let [left, right] = operands(value, arith::MULI)?;
    let of = |factor: Value<'c, 'a>, multiplier: Value<'c, 'a>| {
        let multiplier = integer(multiplier).filter(|multiplier| (0..=i64::from(i32::MAX)).contains(multiplier))?;
        ranges.get(factor).is_in(-MOST, MOST).then_some((factor, multiplier))
    };
    of(left, right).or_else(|| of(right, left))
}
