//! Groups of a convolution of integers whose channels leave most of a vector empty: several of them become one, with zeros in its filter where
//! an input's channel is of another group than a result's. Vectors are whole, so the lanes that these products take were empty before.

use super::narrow::filled;
use super::operations::{extent, open_extents, zero};
use super::roles::is_fixed;
use crate::Error;
use crate::nest::element::Element;
use crate::target::Target;
use crate::values::encoding::{self, Encoding};
use crate::values::range::{Range, Ranges};
use crate::values::ranges;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{Size, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Joins the small groups of a function's convolutions. Returns in how many of them.
pub fn join_groups<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    if !target.isa.only_whole {
        return Ok(0);
    }
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let found: Vec<_> = products.filter_map(|structured| Grouped::of(structured, &ranges, target)).collect();
    for grouped in &found {
        grouped.join()?;
    }
    Ok(found.len())
}

/// A convolution whose channels are in groups.
struct Grouped<'c, 'a> {
    structured: Structured<'c, 'a>,
    input: usize,
    filter: usize,
    /// The dimension that counts groups, and those of channels in one: of results, and of the input where it has several.
    group: usize,
    output_channel: usize,
    input_channel: Option<usize>,
    /// How many groups become one.
    joined: i64,
    /// What is known of its results: of products with zeros less follows.
    range: Range,
}

impl<'c: 'a, 'a> Grouped<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges, target: &Target) -> Option<Self> {
        let contraction = structured.contraction().filter(|own| matches!(own.sum, Element::Integer(_)))?;
        let [left, right] = contraction.factors.map(|(place, _)| place);
        let (input, filter) = if is_fixed(structured.inputs[left]) { (right, left) } else { (left, right) };
        let are_alone = structured.inputs.len() == 2 && structured.operation.result_count() == 1 && left != right;
        let is_known = is_fixed(structured.inputs[filter]) && !is_fixed(structured.inputs[input]);
        let are_bytes = structured.inputs.iter().all(|factor| {
            let range = ranges.get(*factor);
            range.most - range.least <= f64::from(u8::MAX)
        });
        let filtered = structured.maps[filter].as_dims().filter(|_| are_alone && is_known && are_bytes)?;
        let (read, written) = (&structured.maps[input].results, structured.output_map()?.as_dims()?);
        let is_read = |dim: usize| read.contains(&Expr::Dim(dim));
        let several = |dim: &usize| structured.extents[*dim] > 1;
        let mut groups = written.iter().copied().filter(|dim| filtered.contains(dim) && is_read(*dim)).filter(several);
        let mut own = written.iter().copied().filter(|dim| filtered.contains(dim) && !is_read(*dim)).filter(several);
        let mut channels =
            filtered.iter().copied().filter(|dim| structured.reduced[*dim] && is_read(*dim)).filter(several);
        let (group, output_channel, input_channel) = (groups.next()?, own.next()?, channels.next());
        let is_one = groups.next().is_none() && own.next().is_none() && channels.next().is_none();
        let place = |dim: usize| read.iter().position(|expr| *expr == Expr::Dim(dim));
        let is_next = input_channel.is_none_or(|dim| place(dim) == place(group).map(|place| place + 1));
        let is_written_next = written.windows(2).any(|pair| pair == [group, output_channel]);
        let is_static = filtered.iter().all(|dim| structured.open[*dim].is_none());
        let (count, own, lanes) = (structured.extents[group], structured.extents[output_channel], target.isa.lanes());
        let joined = (2..count).find(|joined| count % joined == 0 && joined * own >= lanes).unwrap_or(count);
        let fits = is_one && is_next && is_written_next && is_static && own < lanes;
        let range = ranges.get(structured.operation.result(0).ok()?);
        fits.then_some(Grouped { structured, input, filter, group, output_channel, input_channel, joined, range })
    }

    /// Puts the convolution with fewer groups in its place.
    fn join(&self) -> Result<(), Error> {
        let structured = &self.structured;
        let builder = Builder::before(structured.operation)?;
        let dims = structured.extents.len() + usize::from(self.input_channel.is_none());
        let channel = self.input_channel.unwrap_or(structured.extents.len());
        let maps: Vec<Map> = structured.maps.iter().map(|map| Map { dims, results: map.results.clone() }).collect();
        let (mut inputs, mut maps) = (structured.inputs.clone(), maps);
        if self.input_channel.is_none() {
            let place = self.place(self.input)?;
            maps[self.input].results.insert(place + 1, Expr::Dim(channel));
        }
        let within = (self.place(self.input)?, self.input_channel.is_some());
        inputs[self.input] = self.regrouped(&builder, inputs[self.input], within)?;
        inputs[self.filter] = self.joined_filter(&builder)?;
        let filtered = structured.maps[self.filter].as_dims().unwrap_or_default();
        let is_own = |dim: &usize| [self.group, self.output_channel, channel].contains(dim);
        let rest = filtered.into_iter().filter(|dim| !is_own(dim));
        let order = [self.group, self.output_channel, channel].into_iter().chain(rest);
        maps[self.filter].results = order.map(Expr::Dim).collect();
        let written = self.place(structured.inputs.len())?;
        let mut reduced = structured.reduced.clone();
        reduced.resize(dims, true);
        if self.are_all_joined() {
            maps = maps.iter().map(|map| self.without_groups(map)).collect::<Result<_, _>>()?;
            reduced.remove(self.group);
        }
        let like = self.regrouped(&builder, structured.outputs[0], (written, true))?;
        let zeros = filled(&builder, (like.r#type(), like), zero(&builder, types::element(like.r#type()))?)?;
        let made = linalg::generic(&builder, &inputs, &[zeros], &maps, &reduced)?;
        let [left, right, sum] = made.arguments[..] else { return Err(no_groups()) };
        let product = arith::muli(&made.builder, left, right)?;
        linalg::r#yield(&made.builder, &[arith::addi(&made.builder, sum, product)?])?;
        self.replace(&builder, made.operation.result(0)?, written)
    }

    /// Adds what sums begin with, and puts that in the place of the convolution, or of its result without groups.
    fn replace(&self, builder: &Builder<'c, 'a>, sums: Value<'c, 'a>, written: usize) -> Result<(), Error> {
        let operation = self.structured.operation;
        let (result, begin) = (operation.result(0)?, self.structured.outputs[0]);
        let sums = if self.are_all_joined() { sums } else { merged(builder, sums, written)? };
        let source = begin.defining_operation().filter(|made| made.full_name() == tensor::EXPAND_SHAPE);
        let source = source.and_then(|made| made.operand(0).ok()).filter(|source| source.r#type() == sums.r#type());
        let is_merged = |reader: &OperationRef<'c, 'a>| {
            reader.full_name() == tensor::COLLAPSE_SHAPE
                && reader.result(0).is_ok_and(|whole| whole.r#type() == sums.r#type())
        };
        let reader = match result.uses()[..] {
            [(reader, _)] => Some(reader).filter(is_merged),
            _ => None,
        };
        let Some((reader, begin)) = reader.zip(source) else {
            let apart = split(builder, sums, (written, self.structured.extents[self.output_channel]))?;
            let sum = self.added(builder, apart, begin)?;
            return Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[sum]))?);
        };
        let sum = self.added(builder, sums, begin)?;
        with_rewriter(reader, |rewriter| rewriter.replace(reader, &[sum]))?;
        Ok(with_rewriter(operation, |rewriter| rewriter.erase(operation))?)
    }

    /// Sums with what they begin with.
    fn added(
        &self,
        builder: &Builder<'c, 'a>,
        sums: Value<'c, 'a>,
        begin: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let element = types::element(sums.r#type());
        let rank = types::rank(sums.r#type()).unwrap_or(0);
        let empty = tensor::empty(builder, sums.r#type(), &open_extents(builder, begin)?)?;
        let body =
            linalg::generic(builder, &[sums, begin], &[empty], &vec![Map::identity(rank); 3], &vec![false; rank])?;
        linalg::r#yield(&body.builder, &[arith::addi(&body.builder, body.arguments[0], body.arguments[1])?])?;
        encoding::note(body.operation, Encoding::of(self.range, element));
        Ok(body.operation.result(0)?)
    }

    /// Whether one group is left, which no dimension counts.
    fn are_all_joined(&self) -> bool {
        self.joined == self.structured.extents[self.group]
    }

    /// A map without the dimension that counts groups.
    fn without_groups(&self, map: &Map) -> Result<Map, Error> {
        let dims: Vec<Expr> = (0..map.dims).map(|dim| Expr::Dim(dim - usize::from(dim > self.group))).collect();
        let others = map.results.iter().filter(|expr| **expr != Expr::Dim(self.group));
        let results = others.map(|expr| expr.substitute(&dims).ok_or_else(no_groups));
        Ok(Map { dims: map.dims - 1, results: results.collect::<Result<_, _>>()? })
    }

    /// The place of the groups in an operand.
    fn place(&self, operand: usize) -> Result<usize, Error> {
        let results = &self.structured.maps[operand].results;
        results.iter().position(|expr| *expr == Expr::Dim(self.group)).ok_or_else(no_groups)
    }

    /// A tensor with fewer groups: what joined ones have, the dimension behind them counts, which may be new.
    fn regrouped(
        &self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        (place, has_channels): (usize, bool),
    ) -> Result<Value<'c, 'a>, Error> {
        let (value, channels) = match self.are_all_joined() {
            true => (value, place),
            false => (split(builder, value, (place, self.joined))?, place + 1),
        };
        if has_channels { merged(builder, value, channels) } else { Ok(value) }
    }

    /// The filter of joined groups, their number first, then channels of results and those of the input.
    fn joined_filter(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let Grouped { structured, group, output_channel, input_channel, joined, .. } = self;
        let filter = structured.inputs[self.filter];
        let filtered = structured.maps[self.filter].as_dims().unwrap_or_default();
        let is_own = |dim: &usize| [Some(*group), Some(*output_channel), *input_channel].contains(&Some(*dim));
        let rest: Vec<usize> = filtered.iter().copied().filter(|dim| !is_own(dim)).collect();
        let extent = |dim: usize| structured.extents[dim];
        let channels = input_channel.map_or(1, extent);
        let first = [extent(*group) / joined, *joined, extent(*output_channel), *joined, channels];
        let shape: Vec<_> =
            first.into_iter().chain(rest.iter().map(|dim| extent(*dim))).map(i64::unsigned_abs).map(Some).collect();
        let at = |dim: &usize| match rest.iter().position(|own| own == dim) {
            Some(place) => Expr::Dim(first.len() + place),
            None if dim == group => Expr::Dim(0).times(*joined).plus(Expr::Dim(1)),
            None if dim == output_channel => Expr::Dim(2),
            None => Expr::Dim(4),
        };
        let element = types::element(filter.r#type());
        let kind = types::tensor(element, &shape).ok_or_else(no_groups)?;
        let empty = tensor::empty(builder, kind, &[])?;
        let read = Map { dims: shape.len(), results: filtered.iter().map(at).collect() };
        let body = linalg::generic(
            builder,
            &[filter],
            &[empty],
            &[read, Map::identity(shape.len())],
            &vec![false; shape.len()],
        )?;
        let inside = &body.builder;
        let is_same = arith::cmpi(inside, IntegerPredicate::Eq, linalg::index(inside, 1)?, linalg::index(inside, 3)?)?;
        let other = zero(inside, element)?;
        linalg::r#yield(inside, &[arith::select(inside, is_same, body.arguments[0], other)?])?;
        let filter = merged(builder, merged(builder, body.operation.result(0)?, 3)?, 1)?;
        if self.are_all_joined() { merged(builder, filter, 0) } else { Ok(filter) }
    }
}

/// A tensor with one dimension as two, of which the inner one is so long.
fn split<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    (place, inner): (usize, i64),
) -> Result<Value<'c, 'a>, Error> {
    let mut shape = types::shape(value.r#type()).unwrap_or_default();
    let whole = shape.get(place).copied().flatten().ok_or_else(no_groups)?;
    shape[place] = Some(whole / inner.unsigned_abs());
    shape.insert(place + 1, Some(inner.unsigned_abs()));
    let sizes = shape.iter().enumerate().map(|(at, known)| match known {
        Some(known) => Ok(Size::Known(i64::try_from(*known).map_err(|_| no_groups())?)),
        None => Ok(Size::Value(extent(builder, value, at - usize::from(at > place))?)),
    });
    let sizes = sizes.collect::<Result<Vec<_>, Error>>()?;
    let kind = types::tensor(types::element(value.r#type()), &shape).ok_or_else(no_groups)?;
    Ok(tensor::expand_shape(builder, value, &pairs(shape.len(), place), &sizes, kind)?)
}

/// A tensor with a dimension and the one behind it as one.
fn merged<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>, place: usize) -> Result<Value<'c, 'a>, Error> {
    let mut shape = types::shape(value.r#type()).unwrap_or_default();
    let rank = shape.len();
    let inner = shape.remove(place + 1).ok_or_else(no_groups)?;
    shape[place] = shape[place].map(|outer| outer * inner);
    let kind = types::tensor(types::element(value.r#type()), &shape).ok_or_else(no_groups)?;
    Ok(tensor::collapse_shape(builder, value, &pairs(rank, place), kind)?)
}

/// The dimensions of a tensor, two of them together.
fn pairs(rank: usize, place: usize) -> Vec<Vec<usize>> {
    let others = (0..rank).filter(|at| *at != place + 1);
    others.map(|at| if at == place { vec![at, at + 1] } else { vec![at] }).collect()
}

fn no_groups() -> Error {
    Error::malformed("a convolution without groups")
}
