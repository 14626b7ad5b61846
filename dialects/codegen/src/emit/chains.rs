//! Sums of many terms (docs/semantics.md): no chain of additions in a lane has more than [`MOST_TERMS`], and sums of chains
//! neither, whose error is that of the longest chain. Where they are cut follows from the extents of the sum alone.

use super::body::combined;
use super::kernel::Kernel;
use crate::Error;
use crate::nest::computation::Combiner;
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::nest::space::MOST_TERMS;
use crate::views::elements;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith;

/// What stands in a loop: goes on with values at an index, and gives those to go on with.
pub(super) type Step<'b, 'k, 'c, 'a> =
    dyn Fn(Kernel<'k, 'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error> + 'b;

/// Iterations of a loop.
#[derive(Clone, Copy)]
pub(super) enum Count {
    /// So many.
    Known(i64),
    /// As many as a run finds.
    Open,
}

impl Count {
    /// The lengths of the parts in which so many iterations are added up, each to one sum, short ones first; an iteration adds
    /// this number of terms to its sum.
    fn parts(self, terms: i64) -> Vec<i64> {
        let first = (MOST_TERMS / terms.max(1)).max(1);
        let Count::Known(count) = self else { return vec![first, first * MOST_TERMS] };
        let (mut parts, mut left, mut length) = (Vec::new(), count, 1);
        let mut most = first;
        while left > most {
            // Parts of one length, if that can be.
            let own = (most / 2 + 1..=most).rev().find(|length| left % length == 0);
            let own = own.unwrap_or_else(|| quotient(left, quotient(left, most)));
            length *= own;
            parts.push(length);
            (left, most) = (quotient(left, own), MOST_TERMS);
        }
        parts
    }

    /// Terms that are added to what is carried around the loop.
    pub(super) fn terms(self, terms: i64) -> i64 {
        let Count::Known(count) = self else { return MOST_TERMS };
        let length = self.parts(terms).last().copied();
        length.map_or(count.saturating_mul(terms), |length| quotient(count, length))
    }
}

/// Rounded up.
fn quotient(number: i64, by: i64) -> i64 {
    number / by + i64::from(number % by > 0)
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// How terms are added, if real numbers are, and in any order.
    fn adds(self) -> Option<Combiner> {
        let main = &self.nest.space.main.computation;
        let is_real = main.type_of(main.result).is_some_and(Element::is_real);
        self.nest.space.combiner().filter(|combiner| is_real && combiner.op == Op::AddF)
    }

    /// Iterations of the loop along a reduced dimension.
    pub(super) fn count(self, dim: usize) -> Count {
        match self.nest.space.dims[dim].is_open {
            true => Count::Open,
            false => Count::Known(self.nest.schedule.iterations(&self.nest.space, dim)),
        }
    }

    /// Terms that the innermost iteration adds to each sum.
    pub(super) fn own_terms(self) -> i64 {
        i64::try_from(self.nest.space.main.computation.terms()).unwrap_or(1)
    }

    /// Terms that loops along dimensions add to what they carry, where what stands in them adds so many.
    pub(super) fn terms(self, dims: &[usize], within: i64) -> i64 {
        dims.iter().rev().fold(within, |terms, dim| self.count(*dim).terms(terms))
    }

    /// A loop that adds terms to what it carries, in each iteration as many as `terms`.
    pub(super) fn sum(
        self,
        range: [Value<'c, 'a>; 2],
        (step, count, terms): (Value<'c, 'a>, Count, i64),
        carried: &[Value<'c, 'a>],
        body: &Step<'_, 'k, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(combiner) = self.adds().filter(|_| !count.parts(terms).is_empty()) else {
            return self.chain(range, step, carried, body);
        };
        let is_even = |part: i64| matches!(count, Count::Known(all) if all % part == 0);
        let parts: Vec<(i64, bool)> = count.parts(terms).into_iter().map(|part| (part, is_even(part))).collect();
        self.sum_parts(range, (step, &parts), (&combiner, carried), body)
    }

    fn chain(
        self,
        range: [Value<'c, 'a>; 2],
        step: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: &Step<'_, 'k, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        self.builder.count_by(range, step, carried, |builder, index, carried| body(self.at(builder), index, carried))
    }

    /// The same in parts of parts, each with its iterations and whether it is the length of all.
    fn sum_parts(
        self,
        range: [Value<'c, 'a>; 2],
        (step, parts): (Value<'c, 'a>, &[(i64, bool)]),
        (combiner, carried): (&Combiner, &[Value<'c, 'a>]),
        body: &Step<'_, 'k, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some((&(length, is_even), shorter)) = parts.split_last() else {
            return self.chain(range, step, carried, body);
        };
        let length = arith::muli(&self.builder, step, self.builder.index(length)?)?;
        self.builder.count_by(range, length, carried, |builder, start, carried| {
            let end = arith::addi(&builder, start, length)?;
            let end = if is_even { end } else { arith::minsi(&builder, end, range[1])? };
            let zeros = carried.iter().map(|sum| zero(builder, combiner, *sum)).collect::<Result<Vec<_>, Error>>()?;
            let kernel = self.at(builder);
            let sums = kernel.sum_parts([start, end], (step, shorter), (combiner, &zeros), body)?;
            let pairs = carried.iter().zip(sums);
            pairs.map(|(before, sum)| combined(builder, combiner.op, [*before, sum], self.any_zero)).collect()
        })
    }
}

/// What changes nothing where it is combined with a value, of its type.
fn zero<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    combiner: &Combiner,
    like: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let kind = like.r#type();
    if !kind.is_vector() {
        return Ok(elements::literal(&builder, kind, combiner.neutral)?);
    }
    let lanes = types::shape(kind).and_then(|shape| shape.first().copied().flatten());
    let lanes =
        lanes.and_then(|lanes| i64::try_from(lanes).ok()).ok_or_else(|| Error::malformed("a vector without lanes"))?;
    let is_scalable = types::lanes(types::element(kind), lanes) != kind;
    let zero = elements::literal(&builder, types::element(kind), combiner.neutral)?;
    Ok(builder.broadcast(zero, Width { lanes, is_scalable })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_short_and_even() {
        assert_eq!(Count::Known(256).parts(1), [0i64; 0]);
        assert_eq!(Count::Known(512).parts(1), [256]);
        assert_eq!(Count::Known(1000).parts(1), [250]);
        assert_eq!(Count::Known(257).parts(1), [129]);
        assert_eq!(Count::Known(65_536).parts(1), [256]);
        assert_eq!(Count::Known(1 << 20).parts(1), [256, 65_536]);
        assert_eq!(Count::Known(512).parts(9), [16]);
        assert_eq!(Count::Known(3).parts(256), [1]);
        assert_eq!(Count::Open.parts(1), [256, 65_536]);
    }

    #[test]
    fn no_sum_has_more_terms_than_a_chain_may_have() {
        for count in [1, 2, 255, 256, 257, 1000, 4097, 65_537, 1 << 20, (1 << 24) + 1] {
            for terms in [1, 2, 9, 100, 255, 256] {
                let parts = Count::Known(count).parts(terms);
                let mut length = 1;
                for (number, part) in parts.iter().enumerate() {
                    let own = if number == 0 { terms } else { 1 };
                    assert!(
                        part % length == 0 && part / length * own <= MOST_TERMS.max(own),
                        "{count} {terms} {parts:?}"
                    );
                    length = *part;
                }
                assert!(Count::Known(count).terms(terms) <= MOST_TERMS, "{count} {terms} {parts:?}");
            }
        }
    }
}
