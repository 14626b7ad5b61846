//! Vectors whose length only the processor knows: tiles of so many times it, and behind them one masked vector after the other.

use super::chains::Count;
use super::kernel::{Kernel, Tile, mask};
use crate::Error;
use crate::nest::computation::Combiner;
use crate::nest::parts::{Piece, scalable_pieces};
use crate::nest::schedule::{Loop, Vectors};
use crate::nest::space::MOST_TERMS;
use crate::views::elements;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// So many times what the processor multiplies lanes by.
    pub(super) fn scaled(self, count: i64) -> Result<Value<'c, 'a>, Error> {
        let scale = self.values.scale.ok_or_else(|| Error::malformed("a kernel that does not know its vectors"))?;
        Ok(arith::muli(&self.builder, scale, self.builder.index(count)?)?)
    }

    /// Elements of one vector.
    pub(super) fn step(self, vectors: Vectors) -> Result<Value<'c, 'a>, Error> {
        if vectors.is_scalable { self.scaled(vectors.lanes) } else { Ok(self.builder.index(vectors.lanes)?) }
    }

    /// A loop over the whole tiles of a dimension, and one over the masked vectors behind them.
    pub(super) fn scalable_parts(self, inner: &[Loop], vectors: Vectors, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let (step, [start, full, end]) = self.scalable_range(vectors)?;
        self.builder.count_by::<Error>([start, full], step, &[], |builder, index, _| {
            self.at(builder).loops(inner, whole(vectors, tile, index))?;
            Ok(Vec::new())
        })?;
        self.masked_rest(inner, vectors, [full, end], tile)
    }

    /// The elements of a tile; where the dimension begins, where its last whole tile ends, and where it ends.
    fn scalable_range(self, vectors: Vectors) -> Result<(Value<'c, 'a>, [Value<'c, 'a>; 3]), Error> {
        let (step, end) = (self.scaled(vectors.tile)?, self.end(vectors.dim)?);
        let tiles = arith::divui(&self.builder, end, step)?;
        Ok((step, [self.builder.index(0)?, arith::muli(&self.builder, tiles, step)?, end]))
    }

    /// The finished accumulators of a tile, one per row, of a reduction along the vectorized dimension.
    pub(super) fn scalable_dot(
        self,
        vectors: Vectors,
        tile: &Tile<'c, 'a>,
        combiner: Combiner,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let scalar = Tile { pieces: vec![Piece::ELEMENT], ..tile.clone() };
        let initial = self.initial(&scalar)?;
        let start = elements::literal(&self.builder, self.accumulator()?, combiner.neutral)?;
        let start = self.builder.broadcast(start, vectors.width())?;
        let mut outer = self.nest.schedule.reductions();
        outer.retain(|&dim| dim != vectors.dim);
        let pieces = pieces(vectors);
        let sums = |kernel: Self, tile: &Tile<'c, 'a>, carried: &[_]| kernel.scalable_sums(tile, vectors, carried);
        let partial =
            self.over_all((&outer, self.tiles(vectors).terms(1)), tile, &vec![start; initial.len() * pieces], &sums)?;
        let folded = |(sum, partial)| self.fold(combiner, sum, partial);
        initial.into_iter().zip(partial.chunks(pieces)).map(folded).collect()
    }

    /// Whole tiles of a dimension, of which there are no more than for the least length of vectors.
    fn tiles(self, vectors: Vectors) -> Count {
        match self.nest.space.dims[vectors.dim] {
            dim if !dim.is_open && dim.extent / vectors.tile <= MOST_TERMS => Count::Known(dim.extent / vectors.tile),
            _ => Count::Open,
        }
    }

    /// The vectors of partial results of each row, after one pass along the vectorized dimension.
    fn scalable_sums(
        self,
        tile: &Tile<'c, 'a>,
        vectors: Vectors,
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (step, [start, full, end]) = self.scalable_range(vectors)?;
        let sums = self.sum([start, full], (step, self.tiles(vectors), 1), carried, &|kernel, index, carried| {
            let chained: Vec<_> = carried.iter().copied().map(Some).collect();
            kernel.evaluate(&self.nest.space.main, &whole(vectors, tile, index), &chained)
        })?;
        self.builder.count_by([full, end], self.step(vectors)?, &sums, |builder, index, sums| {
            self.at(builder).add_masked(vectors, tile, [index, end], sums)
        })
    }

    /// The first partial result of each row with what a masked vector adds; where that is masked it stays.
    fn add_masked(
        self,
        vectors: Vectors,
        tile: &Tile<'c, 'a>,
        range: [Value<'c, 'a>; 2],
        sums: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let part = self.masked(vectors, tile, range)?;
        let firsts: Vec<_> = sums.iter().copied().step_by(pieces(vectors)).map(Some).collect();
        let added = self.evaluate(&self.nest.space.main, &part, &firsts)?;
        let mut sums = sums.to_vec();
        for (sum, added) in sums.iter_mut().step_by(pieces(vectors)).zip(added) {
            *sum = arith::select(&self.builder, mask(&part)?, added, *sum)?;
        }
        Ok(sums)
    }
}

/// Vectors of a tile.
fn pieces(vectors: Vectors) -> usize {
    usize::try_from(vectors.tile / vectors.lanes).unwrap_or(1)
}

/// The part of a tile that is whole, from an index on.
fn whole<'c, 'a>(vectors: Vectors, tile: &Tile<'c, 'a>, index: Value<'c, 'a>) -> Tile<'c, 'a> {
    let mut part = tile.clone();
    part.base[vectors.dim] = index;
    part.pieces = scalable_pieces(vectors.tile, vectors.lanes);
    part
}
