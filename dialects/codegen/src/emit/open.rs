//! Loops over dimensions whose extents only a run knows.

use super::kernel::{Extent, Kernel, Place, Tile};
use super::span::{Cut, Span};
use crate::Error;
use crate::nest::parts::{Piece, shorter};
use crate::nest::schedule::{Form, Kind, Lanes, Loop, Tail, Vectors};
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::{arith, vector};

/// What stands within loops over whole dimensions: goes on with values, and gives those to go on with.
pub type Inner<'b, 'k, 'c, 'a> =
    dyn Fn(Kernel<'k, 'c, 'a>, &Tile<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error> + 'b;

/// The span of the loops within one, at an index.
type Within<'b, 'c, 'a> = dyn Fn(Builder<'c, 'a>, Value<'c, 'a>) -> Result<Option<Span<'c, 'a>>, Error> + 'b;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// The same where only the run knows the end: loops over parts that are shorter each time, one behind the other.
    pub(super) fn open_parts(
        self,
        (own, inner): Place<'_>,
        end: Value<'c, 'a>,
        tile: &Tile<'c, 'a>,
    ) -> Result<(), Error> {
        let cut = self.cut((own, inner), tile.span)?;
        let [mut start, end] = match &cut {
            Some(cut) => cut.elements(self.builder, end)?,
            None => [tile.base[own.dim], end],
        };
        let within = |builder, index| cut.as_ref().map_or(Ok(tile.span), |cut| cut.within(builder, index));
        if !self.is_innermost(own) {
            return self.open_blocks((own, inner), [start, end], tile, &within);
        }
        let last = self.last_part(own, cut.as_ref(), tile);
        // Without ranges a part may reach into the block before.
        let begin = if tile.span.is_none() { self.builder.index(0)? } else { start };
        for length in self.lengths(own).into_iter().filter(|length| last.is_none_or(|last| *length >= last)) {
            let full = self.full(start, end, length)?;
            if length != own.step || !self.by_blocks((own, inner), [start, full], tile)? {
                self.open_part((own, inner), [start, full], (length, tile))?;
            }
            start = full;
        }
        if let Some(last) = last {
            return self.open_overlap((own, inner), [begin, start, end], (last, tile));
        }
        match (own.form, self.nest.schedule.vectors()) {
            (Form::Vectors(Lanes { tail: Tail::Mask, .. }), Some(vectors)) => {
                let tile = Tile { span: within(self.builder, start)?, ..tile.clone() };
                let vectors = Vectors { lanes: self.masked_lanes(vectors.lanes), ..vectors };
                self.masked_rest(inner, vectors, [start, end], &tile)
            }
            _ => Ok(()),
        }
    }

    /// A loop over parts of a length.
    pub(super) fn open_part(
        self,
        (own, inner): Place<'_>,
        [start, end]: [Value<'c, 'a>; 2],
        (length, tile): (i64, &Tile<'c, 'a>),
    ) -> Result<(), Error> {
        let cut = self.cut((own, inner), tile.span)?;
        self.builder.count_between::<Error>([start, end], length, &[], |builder, index, _| {
            let mut part = self.part(own, tile, length);
            part.base[own.dim] = index;
            part.span = cut.as_ref().map_or(Ok(tile.span), |cut| cut.within(builder, index))?;
            let kernel = self.at(builder);
            kernel.with_rows(own, part.rows, || kernel.loops(inner, part))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// A loop over blocks, the last of which may be shorter.
    fn open_blocks(
        self,
        (own, inner): Place<'_>,
        [start, end]: [Value<'c, 'a>; 2],
        tile: &Tile<'c, 'a>,
        within: &Within<'_, 'c, 'a>,
    ) -> Result<(), Error> {
        // What is reduced has a block where there is nothing to reduce as well.
        let last = match own.kind {
            Kind::Parallel => end,
            Kind::Reduce | Kind::Unroll => arith::maxsi(&self.builder, end, self.builder.index(1)?)?,
        };
        self.builder.count_by::<Error>([start, last], self.builder.index(own.step)?, &[], |builder, index, _| {
            let mut block = tile.clone();
            block.base[own.dim] = index;
            let next = builder.index_plus(index, own.step)?;
            block.extents[own.dim] = Extent::Open(arith::minsi(&builder, next, end)?);
            block.span = within(builder, index)?;
            self.at(builder).loops(inner, block)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The elements behind the last whole vector, which are fewer than it has lanes.
    pub(super) fn masked_rest(
        self,
        inner: &[Loop],
        vectors: Vectors,
        [start, end]: [Value<'c, 'a>; 2],
        tile: &Tile<'c, 'a>,
    ) -> Result<(), Error> {
        self.builder.count_by::<Error>([start, end], self.step(vectors)?, &[], |builder, index, _| {
            let kernel = self.at(builder);
            kernel.loops(inner, kernel.masked(vectors, tile, [index, end])?)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The part of a tile that is the masked vector from an index on, for the elements up to an end.
    pub(super) fn masked(
        self,
        vectors: Vectors,
        tile: &Tile<'c, 'a>,
        [index, end]: [Value<'c, 'a>; 2],
    ) -> Result<Tile<'c, 'a>, Error> {
        let Vectors { dim, lanes, is_scalable, .. } = vectors;
        let mut part = tile.clone();
        part.base[dim] = index;
        // Whatever their number is, it is not that of all lanes.
        part.pieces = vec![Piece { offset: 0, lanes, filled: lanes - 1, is_scalable }];
        let filled = arith::subi(&self.builder, end, index)?;
        part.mask = Some(vector::create_mask(&self.builder, filled, vectors.width())?);
        Ok(part)
    }

    /// How long the parts of a dimension are: the last ones are single elements, or masked.
    fn lengths(self, own: &Loop) -> Vec<i64> {
        let mut lengths = vec![own.step];
        match own.form {
            // Vectors of a tile, one vector, elements: shorter vectors would not be worth their code.
            Form::Vectors(Lanes { count, tail, .. }) => {
                let last = match tail {
                    Tail::Mask if self.target.isa.masks_words => self.masked_lanes(count),
                    Tail::Mask => own.step,
                    Tail::Split => 1,
                };
                lengths.extend([count, last].into_iter().filter(|&shorter| shorter < own.step));
                lengths.dedup();
            }
            Form::Elements | Form::Groups(_) => lengths.extend(shorter(own.step)),
        }
        lengths
    }

    /// Lanes of a masked vector: no more than a register has, where the rest is more than it.
    pub(super) fn masked_lanes(self, lanes: i64) -> i64 {
        if self.target.isa.masks_words { lanes.min(self.target.isa.lanes()) } else { lanes }
    }

    /// The end of the last full part from `start` on.
    pub(super) fn full(self, start: Value<'c, 'a>, end: Value<'c, 'a>, length: i64) -> Result<Value<'c, 'a>, Error> {
        if length == 1 {
            return Ok(end);
        }
        let length = self.builder.index(length)?;
        let count = arith::divui(&self.builder, arith::subi(&self.builder, end, start)?, length)?;
        Ok(arith::addi(&self.builder, start, arith::muli(&self.builder, count, length)?)?)
    }

    /// Loops over whole reduced dimensions, the first one outermost, and what stands within them, which adds so many terms.
    pub(super) fn over_all(
        self,
        (dims, terms): (&[usize], i64),
        tile: &Tile<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: &Inner<'_, 'k, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some((&dim, inner)) = dims.split_first() else { return body(self, tile, carried) };
        let range = [self.builder.index(0)?, self.end(dim)?];
        let steps = (self.builder.index(1)?, self.count(dim), self.terms(inner, terms));
        self.sum(range, steps, carried, &|kernel, index, carried| {
            let mut tile = tile.clone();
            tile.base[dim] = index;
            kernel.over_all((inner, terms), &tile, carried, body)
        })
    }

    /// The parallel loop that a loop is, if it is one and not all of it is done.
    pub(super) fn cut(self, (own, inner): Place<'_>, span: Option<Span<'c, 'a>>) -> Result<Option<Cut<'c, 'a>>, Error> {
        let loops = self.nest.schedule.around();
        let around = loops.iter().take(loops.len() - inner.len() - 1);
        // Blocks are not cut.
        let is_outermost = !around.into_iter().any(|outer| outer.dim == own.dim);
        if is_outermost { self.cut_along(own.dim, span) } else { Ok(None) }
    }

    pub(super) fn cut_along(self, dim: usize, span: Option<Span<'c, 'a>>) -> Result<Option<Cut<'c, 'a>>, Error> {
        match (&self.values.spans, span) {
            (Some(spans), Some(span)) => spans.cut(self.builder, dim, span),
            _ => Ok(None),
        }
    }

    /// Where a dimension ends.
    pub(super) fn end(self, dim: usize) -> Result<Value<'c, 'a>, Error> {
        self.values.end(self.builder, &self.nest.space, dim)
    }
}
