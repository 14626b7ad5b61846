//! Pooling over the bins of regions.

use super::super::emit::arithmetic::{self, is_inside};
use super::loops::{Bounds, nest, repeat, up_to};
use super::{Invocation, counted, whole};
use crate::require::require;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{arith, tensor};
use skriptnd_syntax::ast::{BinaryOp, Builtin};

/// What becomes of the elements of a bin; without elements it is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// The largest; what is not a number counts only where there is nothing else.
    Max,
    /// The mean.
    Mean,
}

/// Coordinates count as this far outside at most, so that bins are divided exactly; those that are no number are 0.
const FARTHEST: i64 = 1 << 30;

pub fn emit<'c: 'a, 'a>(
    invocation: &Invocation<'_, 'c, 'a>,
    reduction: Reduction,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let builder = invocation.builder;
    let (shape, input) = invocation.input(0)?;
    let (_, items) = invocation.input(2)?;
    let [batch, _, spatial @ ..] = &shape.shape[..] else { return Err("has an input without channels".into()) };
    let extents = invocation.indices(&invocation.output(0)?.shape)?;
    let (count, bins) = extents.split_first().ok_or("has a result without dimensions")?;
    let results = invocation.results()?;
    repeat(builder, *count, &results, |builder, region, results| {
        let item = tensor::extract(&builder, items, &[region])?;
        let is_there = item_is_there(invocation, &builder, (region, item), batch)?;
        let ranges = ranges(invocation, &builder, region, spatial, is_there)?;
        let item = arith::index_cast(&builder, item, types::index(builder.context()))?;
        nest(builder, &up_to(&builder, bins)?, results, |builder, at, results| {
            let (channel, at) = at.split_first().ok_or("a bin without a channel")?;
            let bounds = ranges.iter().zip(at).map(|(range, at)| range.of_bin(&builder, *at));
            let bin = Bin { input, corner: [item, *channel], bounds: bounds.collect::<Result<Vec<_>, _>>()? };
            let value = bin.reduced(builder, reduction)?;
            let position = [&[region, *channel], at].concat();
            Ok(vec![tensor::insert(&builder, value, results[0], &position)?])
        })
    })
}

/// Requires the batch item of a region.
fn item_is_there<'c: 'a, 'a>(
    invocation: &Invocation<'_, 'c, 'a>,
    builder: &Builder<'c, 'a>,
    (region, item): (Value<'c, 'a>, Value<'c, 'a>),
    batch: &SymExpr,
) -> Result<Value<'c, 'a>, Failure> {
    let count = invocation.extents.int(builder, batch)?;
    let is_there = is_inside(builder, item, count)?;
    let mut values = vec![counted(builder, region)?, item];
    if batch.as_known().is_none() {
        values.push(count);
    }
    let fault = Fault::batch_item_missing(&invocation.call.operator, batch.as_known());
    require(builder, is_there, &fault, &values)?;
    Ok(is_there)
}

/// The part of a dimension that a region covers, and how it is divided; all are `i64`.
struct Range<'c, 'a> {
    first: Value<'c, 'a>,
    size: Value<'c, 'a>,
    bins: Value<'c, 'a>,
    /// What the input has there.
    extent: Value<'c, 'a>,
}

/// The ranges of a region in all spatial dimensions. Where its batch item is not there, there are no elements.
fn ranges<'c: 'a, 'a>(
    invocation: &Invocation<'_, 'c, 'a>,
    builder: &Builder<'c, 'a>,
    region: Value<'c, 'a>,
    spatial: &[SymExpr],
    is_there: Value<'c, 'a>,
) -> Result<Vec<Range<'c, 'a>>, Failure> {
    let (_, regions) = invocation.input(1)?;
    let bins = invocation.output(0)?.shape.iter().skip(2);
    let rank = spatial.len();
    let range = |(at, (extent, bins)): (usize, (&SymExpr, &SymExpr))| {
        // Corners have their coordinates in reverse order.
        let corner = |number: usize| {
            let column = builder.index((number * rank + rank - 1 - at) as i64)?;
            position(builder, tensor::extract(builder, regions, &[region, column])?)
        };
        let (first, last) = (corner(0)?, corner(1)?);
        let one = builder.int(1)?;
        let size = whole(builder, BinaryOp::Add, whole(builder, BinaryOp::Sub, last, first)?, one)?;
        let extent = invocation.extents.int(builder, extent)?;
        Ok(Range {
            first,
            size: whole(builder, BinaryOp::Max, size, one)?,
            bins: invocation.extents.int(builder, bins)?,
            extent: arith::select(builder, is_there, extent, builder.int(0)?)?,
        })
    };
    spatial.iter().zip(bins).enumerate().map(range).collect()
}

/// A coordinate, rounded to a whole position.
fn position<'c: 'a, 'a>(builder: &Builder<'c, 'a>, coordinate: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let rounded = arithmetic::builtin(builder, Builtin::Round, ScalarType::Real, coordinate)?;
    let position = arithmetic::cast(builder, ScalarType::Real, ScalarType::Int, rounded)?;
    let position = whole(builder, BinaryOp::Max, position, builder.int(-FARTHEST)?)?;
    whole(builder, BinaryOp::Min, position, builder.int(FARTHEST)?)
}

impl<'c: 'a, 'a> Range<'c, 'a> {
    /// The positions that a bin covers.
    fn of_bin(&self, builder: &Builder<'c, 'a>, bin: Value<'c, 'a>) -> Result<Bounds<'c, 'a>, Failure> {
        let one = builder.int(1)?;
        let number = counted(builder, bin)?;
        let before = whole(builder, BinaryOp::Mul, number, self.size)?;
        let behind = whole(builder, BinaryOp::Add, before, self.size)?;
        let behind = whole(builder, BinaryOp::Add, behind, whole(builder, BinaryOp::Sub, self.bins, one)?)?;
        // None is negative, so that all ways to round down are one.
        let bound = |sum| {
            let at = whole(builder, BinaryOp::Add, self.first, arith::divui(builder, sum, self.bins)?)?;
            let at = whole(builder, BinaryOp::Max, at, builder.int(0)?)?;
            let at = whole(builder, BinaryOp::Min, at, self.extent)?;
            arith::index_cast(builder, at, types::index(builder.context()))
        };
        Ok((bound(before)?, bound(behind)?))
    }
}

/// The elements of one bin.
struct Bin<'c, 'a> {
    input: Value<'c, 'a>,
    /// Batch item and channel.
    corner: [Value<'c, 'a>; 2],
    bounds: Vec<Bounds<'c, 'a>>,
}

impl<'c: 'a, 'a> Bin<'c, 'a> {
    fn reduced(&self, builder: Builder<'c, 'a>, reduction: Reduction) -> Result<Value<'c, 'a>, Failure> {
        let wide = types::f64(builder.context());
        let count = self.count(&builder)?;
        let initial = match reduction {
            Reduction::Max => builder.float(f64::NAN)?,
            Reduction::Mean => builder.real(wide, 0.0)?,
        };
        let reduced = nest(builder, &self.bounds, &[initial], |builder, at, carried| {
            let item = tensor::extract(&builder, self.input, &[&self.corner, at].concat())?;
            Ok(vec![match reduction {
                Reduction::Max => arith::maxnumf(&builder, carried[0], item)?,
                Reduction::Mean => arith::addf(&builder, carried[0], arith::extf(&builder, item, wide)?)?,
            }])
        })?;
        let value = match reduction {
            Reduction::Max => reduced[0],
            Reduction::Mean => mean(&builder, reduced[0], count)?,
        };
        let is_empty = whole(&builder, BinaryOp::Eq, count, builder.int(0)?)?;
        arith::select(&builder, is_empty, builder.float(0.0)?, value)
    }

    /// How many elements there are.
    fn count(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        self.bounds.iter().try_fold(builder.int(1)?, |count, (low, high)| {
            let length = counted(builder, whole(builder, BinaryOp::Sub, *high, *low)?)?;
            whole(builder, BinaryOp::Mul, count, whole(builder, BinaryOp::Max, length, builder.int(0)?)?)
        })
    }
}

/// A sum divided by a count. Not all targets divide in double precision: they multiply by a reciprocal, improved by a step
/// of Newton's method.
fn mean<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sum: Value<'c, 'a>,
    count: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let wide = types::f64(builder.context());
    let short = arithmetic::cast(builder, ScalarType::Int, ScalarType::Real, count)?;
    let near = arithmetic::binary(builder, BinaryOp::Div, ScalarType::Real, builder.float(1.0)?, short)?;
    let near = arith::extf(builder, near, wide)?;
    let product = arith::mulf(builder, arith::sitofp(builder, count, wide)?, near)?;
    let correction = arith::subf(builder, builder.real(wide, 2.0)?, product)?;
    let mean = arith::mulf(builder, sum, arith::mulf(builder, near, correction)?)?;
    arith::truncf(builder, mean, types::f32(builder.context()))
}
