//! Reductions whose vectorized dimension is reduced itself, as in a product of a matrix and a vector: vectors of partial
//! results, combined at the end.

use super::byte_sums::ByteSums;
use super::chains::Count;
use super::kernel::{Kernel, Tile};
use super::search::Search;
use crate::Error;
use crate::nest::computation::{Combined, Combiner};
use crate::nest::op::Op;
use crate::nest::parts::{Piece, pieces};
use crate::nest::schedule::{Tail, Vectors};
use crate::views::elements;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith;

/// A part of the reduced dimension.
struct DotPart<'c, 'a> {
    start: Value<'c, 'a>,
    end: Value<'c, 'a>,
    /// Elements of an iteration.
    length: i64,
    /// Iterations.
    count: Count,
    pieces: Vec<Piece>,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The finished accumulators of a tile, one per row; of a search, the elements and behind them the indices.
    pub(super) fn dot(self, dim: usize, tile: &Tile<'c, 'a>, combined: Combined) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(vectors) = self.nest.schedule.vectors() else {
            return Err(Error::malformed("a nest without vectors"));
        };
        if let (true, Combined::By(combiner)) = (vectors.is_scalable, combined) {
            return self.scalable_dot(vectors, tile, combiner);
        }
        let parts = match (self.values.ends[dim], vectors.tail) {
            (Some(end), _) => self.open_dot_parts(vectors, end)?,
            (None, Tail::Mask) => {
                self.open_dot_parts(vectors, self.builder.index(self.nest.space.dims[dim].extent)?)?
            }
            (None, Tail::Split) => self.dot_parts(vectors)?,
        };
        let bytes = self.byte_sums(vectors.lanes, combined);
        let scalar = Tile { pieces: vec![Piece::ELEMENT], ..tile.clone() };
        let initial = self.initial(&scalar)?;
        let starts = match combined {
            Combined::By(combiner) => {
                vec![elements::literal(&self.builder, self.accumulator()?, combiner.neutral)?; initial.len()]
            }
            Combined::Search(_) => initial.clone(),
        };
        let mut partial = Vec::new();
        for part in &parts {
            for start in &starts {
                for piece in &part.pieces {
                    let is_whole = part.pieces.iter().all(|piece| piece.lanes == vectors.lanes);
                    let lanes = bytes.filter(|_| is_whole).map_or(piece.lanes, |bytes| bytes.lanes());
                    partial.push(self.builder.broadcast(*start, lanes)?);
                }
            }
        }
        let mut outer = self.nest.schedule.reductions();
        outer.retain(|&other| other != dim);
        let sums = |kernel: Self, tile: &Tile<'c, 'a>, carried: &[_]| kernel.dot_sums(tile, (&parts, bytes), carried);
        let terms = parts.iter().map(|part| part.count.terms(1)).max().unwrap_or(1);
        let partial = self.over_all((&outer, terms), tile, &partial, &sums)?;
        match combined {
            Combined::By(combiner) => self.combine(&parts, combiner, initial, &partial),
            Combined::Search(compared) => self.found(tile, &parts, compared, &partial),
        }
    }

    /// Whole tiles, and what remains.
    fn dot_parts(self, vectors: Vectors) -> Result<Vec<DotPart<'c, 'a>>, Error> {
        let Vectors { dim, lanes, tile: length, .. } = vectors;
        let extent = self.nest.space.dims[dim].extent;
        let full = extent / length * length;
        let index = |index| self.builder.index(index);
        let part = |start: i64, end: i64, length: i64| {
            let count = Count::Known((end - start) / length);
            let (start, end) = (index(start)?, index(end)?);
            Ok::<_, Error>(DotPart { start, end, length, count, pieces: pieces(length, lanes) })
        };
        let mut parts = Vec::new();
        if full > 0 {
            parts.push(part(0, full, length)?);
        }
        if full < extent {
            parts.push(part(full, extent, extent - full)?);
        }
        Ok(parts)
    }

    /// Whole tiles, whole vectors, and elements or a masked vector.
    fn open_dot_parts(self, vectors: Vectors, end: Value<'c, 'a>) -> Result<Vec<DotPart<'c, 'a>>, Error> {
        let Vectors { lanes, tile, tail, .. } = vectors;
        let mut start = self.builder.index(0)?;
        let mut parts = Vec::new();
        let mut lengths = vec![tile, lanes];
        lengths.dedup();
        for length in lengths {
            let full = self.full(start, end, length)?;
            // Behind whole tiles there are few whole vectors.
            let count = if length == tile { Count::Open } else { Count::Known(tile / lanes) };
            parts.push(DotPart { start, end: full, length, count, pieces: pieces(length, lanes) });
            start = full;
        }
        let (length, pieces) = match tail {
            Tail::Mask => (lanes, vec![Piece { offset: 0, lanes, filled: lanes - 1, is_scalable: false }]),
            Tail::Split => (1, vec![Piece::ELEMENT]),
        };
        let count = if tail == Tail::Mask { Count::Known(1) } else { Count::Known(lanes) };
        parts.push(DotPart { start, end, length, count, pieces });
        Ok(parts)
    }

    /// The partial results after one pass along the vectorized dimension.
    fn dot_sums(
        self,
        tile: &Tile<'c, 'a>,
        (parts, bytes): (&[DotPart<'c, 'a>], Option<ByteSums>),
        mut carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(vectors) = self.nest.schedule.vectors() else {
            return Err(Error::malformed("a nest without vectors"));
        };
        let mut sums = Vec::new();
        for part in parts {
            let (own, others) = carried.split_at(self.accumulators(tile) * part.pieces.len());
            carried = others;
            let is_known = self.values.ends[vectors.dim].is_none() && vectors.tail == Tail::Split;
            let is_rest = is_known && matches!(part.count, Count::Known(1));
            sums.extend(match is_rest {
                true => self.dot_part((part, bytes), tile, part.start, own)?,
                false => {
                    let steps = (self.builder.index(part.length)?, part.count, 1);
                    self.sum([part.start, part.end], steps, own, &|kernel, index, carried| {
                        kernel.dot_part((part, bytes), tile, index, carried)
                    })?
                }
            });
        }
        Ok(sums)
    }

    /// One iteration.
    fn dot_part(
        self,
        (part, bytes): (&DotPart<'c, 'a>, Option<ByteSums>),
        tile: &Tile<'c, 'a>,
        index: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(vectors) = self.nest.schedule.vectors() else {
            return Err(Error::malformed("a nest without vectors"));
        };
        let tile = match part.pieces.iter().any(|piece| piece.is_masked()) {
            true => self.masked(vectors, tile, [index, part.end])?,
            false => {
                let mut tile = Tile { pieces: part.pieces.clone(), ..tile.clone() };
                tile.base[vectors.dim] = index;
                tile
            }
        };
        let is_whole = part.pieces.iter().all(|piece| piece.lanes == vectors.lanes);
        if let Some(bytes) = bytes.filter(|_| is_whole) {
            return self.add_all_bytes(&bytes, &tile, carried);
        }
        let chained: Vec<_> = carried.iter().copied().map(Some).collect();
        let sums = self.evaluate(&self.nest.space.main, &tile, &chained)?;
        match tile.mask {
            // Lanes that stand for no element keep what they have.
            Some(mask) => {
                let kept =
                    sums.into_iter().zip(carried).map(|(sum, old)| arith::select(&self.builder, mask, sum, *old));
                Ok(kept.collect::<Result<_, _>>()?)
            }
            None => Ok(sums),
        }
    }

    fn accumulators(self, tile: &Tile<'c, 'a>) -> usize {
        usize::try_from(tile.rows).unwrap_or(1) * self.nest.space.outputs().count()
    }

    /// One scalar per row from the initial value and the vectors of partial results.
    fn combine(
        self,
        parts: &[DotPart<'c, 'a>],
        combiner: Combiner,
        initial: Vec<Value<'c, 'a>>,
        partial: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let rows = initial.len();
        let of_rows: Vec<_> = (0..rows).map(|row| of_row(parts, partial, row, rows)).collect();
        if let Some(sums) = self.fold_together(combiner, &initial, &of_rows)? {
            return Ok(sums);
        }
        let sums = initial.into_iter().zip(&of_rows);
        sums.map(|(start, values)| self.fold(combiner, start, values)).collect()
    }

    /// The best of the elements that the lanes found, and of those that are no worse the first one's index. A lane that found
    /// none has the element and the index that all begin with.
    fn found(
        self,
        tile: &Tile<'c, 'a>,
        parts: &[DotPart<'c, 'a>],
        compared: Op,
        partial: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let rows = usize::try_from(tile.rows).unwrap_or(1);
        let (mut elements, mut indices) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let all = self.accumulators(tile);
            let (found, places) = (of_row(parts, partial, row, all), of_row(parts, partial, rows + row, all));
            let search = Search::new(compared);
            let best = search.best(self.builder, &found)?;
            indices.push(search.first(self.builder, best, &found, &places)?);
            elements.push(best);
        }
        Ok([elements, indices].concat())
    }
}

/// The partial results of one accumulator of `all`.
fn of_row<'c, 'a>(
    parts: &[DotPart<'c, 'a>],
    partial: &[Value<'c, 'a>],
    number: usize,
    all: usize,
) -> Vec<Value<'c, 'a>> {
    let (mut own, mut begin) = (Vec::new(), 0);
    for part in parts {
        let width = part.pieces.len();
        own.extend_from_slice(&partial[begin + number * width..][..width]);
        begin += all * width;
    }
    own
}
