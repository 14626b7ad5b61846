//! Sums of many terms, as chains (`nest/chains.rs`).

use super::body::combined;
use super::kernel::Kernel;
use crate::Error;
pub(super) use crate::nest::chains::Count;
use crate::nest::chains::{own_terms, sum_of_reals, terms};
use crate::nest::computation::Combiner;
use crate::views::elements;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith;

/// What stands in a loop: goes on with values at an index, and gives those to go on with.
pub(super) type Step<'b, 'k, 'c, 'a> =
    dyn Fn(Kernel<'k, 'c, 'a>, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error> + 'b;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// Iterations of the loop along a reduced dimension.
    pub(super) fn count(self, dim: usize) -> Count {
        Count::of(&self.nest.space, &self.nest.schedule, dim)
    }

    /// Terms that the innermost iteration adds to each sum.
    pub(super) fn own_terms(self) -> i64 {
        own_terms(&self.nest.space)
    }

    /// Terms that loops along dimensions add to what they carry, where what stands in them adds so many.
    pub(super) fn terms(self, dims: &[usize], within: i64) -> i64 {
        terms(&self.nest.space, &self.nest.schedule, dims, within)
    }

    /// A loop that adds terms to what it carries, in each iteration as many as `terms`.
    pub(super) fn sum(
        self,
        range: [Value<'c, 'a>; 2],
        (step, count, terms): (Value<'c, 'a>, Count, i64),
        carried: &[Value<'c, 'a>],
        body: &Step<'_, 'k, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(combiner) = sum_of_reals(&self.nest.space).filter(|_| !count.parts(terms).is_empty()) else {
            return self.chain(range, step, carried, body);
        };
        let parts: Vec<(i64, bool)> = count.parts(terms).into_iter().map(|part| (part, count.is_even(part))).collect();
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
