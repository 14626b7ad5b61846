//! Reductions whose vectorized dimension is reduced itself, as in a product of a matrix and a vector: vectors of partial
//! results, combined at the end.

use super::body::{combined, neutral};
use super::kernel::{Kernel, Tile};
use super::search::Search;
use crate::Error;
use crate::nest::computation::{Combined, Combiner, Instruction};
use crate::nest::parts::{Piece, pieces};
use skriptnd_mlir::ir::{Type, Value};
use skriptnd_mlir::ops::vector;

/// How the reduced dimension is cut.
struct DotParts {
    dim: usize,
    full: i64,
    length: i64,
    main: Vec<Piece>,
    rest: Vec<Piece>,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The finished accumulators of a tile, one per row; of a search, the elements and behind them the indices.
    pub(super) fn dot(
        self,
        dim: usize,
        tile: &Tile<'c, 'a>,
        combined: Combined<'_>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some(vectors) = self.nest.schedule.vectors else { return Err(Error::malformed("a nest without vectors")) };
        if let (true, Combined::By(combiner)) = (vectors.is_scalable, combined) {
            return self.scalable_dot(vectors, tile, combiner);
        }
        let (extent, length, lanes) = (self.nest.space.dims[dim].extent, vectors.tile, vectors.lanes);
        let full = extent / length * length;
        let main = if full > 0 { pieces(length, lanes) } else { Vec::new() };
        let rest = pieces(extent - full, lanes);
        let scalar = Tile { pieces: vec![Piece::ELEMENT], ..tile.clone() };
        let initial = self.initial(&scalar)?;
        let starts = match combined {
            Combined::By(combiner) => vec![neutral(self.builder, &combiner, self.accumulator()?)?; initial.len()],
            Combined::Search(_) => initial.clone(),
        };
        let mut partial = Vec::new();
        for part in [&main, &rest] {
            for start in &starts {
                for piece in part {
                    partial.push(self.builder.broadcast(*start, piece.lanes)?);
                }
            }
        }
        let parts = DotParts { dim, full, length, main, rest };
        let outer: Vec<usize> = self.nest.schedule.reductions.iter().copied().filter(|&other| other != dim).collect();
        let partial = self.dot_loops(&outer, tile, &parts, partial)?;
        match combined {
            Combined::By(combiner) => self.combine(&parts, combiner, initial, &partial),
            Combined::Search(compared) => self.found(tile, &parts, compared, &partial),
        }
    }

    fn dot_loops(
        self,
        outer: &[usize],
        tile: &Tile<'c, 'a>,
        parts: &DotParts,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        if let Some((&dim, inner)) = outer.split_first() {
            return self.over(dim, &carried, |builder, index, carried| {
                let mut tile = tile.clone();
                tile.base[dim] = index;
                self.at(builder).dot_loops(inner, &tile, parts, carried.to_vec())
            });
        }
        let (main, rest) = carried.split_at(self.accumulators(tile) * parts.main.len());
        let (mut main, mut rest) = (main.to_vec(), rest.to_vec());
        if parts.full > 0 {
            main = self.builder.count(parts.full, parts.length, &main, |builder, index, carried| {
                let mut tile = Tile { pieces: parts.main.clone(), ..tile.clone() };
                tile.base[parts.dim] = index;
                let chained: Vec<_> = carried.iter().copied().map(Some).collect();
                self.at(builder).evaluate(&self.nest.space.main, &tile, &chained)
            })?;
        }
        if !parts.rest.is_empty() {
            let mut tile = Tile { pieces: parts.rest.clone(), ..tile.clone() };
            tile.base[parts.dim] = self.builder.index(parts.full)?;
            let chained: Vec<_> = rest.iter().copied().map(Some).collect();
            rest = self.evaluate(&self.nest.space.main, &tile, &chained)?;
        }
        Ok(main.into_iter().chain(rest).collect())
    }

    fn accumulators(self, tile: &Tile<'c, 'a>) -> usize {
        usize::try_from(tile.rows).unwrap_or(1) * self.nest.space.outputs().count()
    }

    /// One scalar per row from the initial value and the vectors of partial results.
    fn combine(
        self,
        parts: &DotParts,
        combiner: Combiner,
        initial: Vec<Value<'c, 'a>>,
        partial: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let mut sums = initial;
        let (main, rest) = partial.split_at(sums.len() * parts.main.len());
        for (row, sum) in sums.iter_mut().enumerate() {
            let of = |values: &[Value<'c, 'a>], pieces: usize| values[row * pieces..(row + 1) * pieces].to_vec();
            *sum = self.fold(combiner, *sum, &[of(main, parts.main.len()), of(rest, parts.rest.len())].concat())?;
        }
        Ok(sums)
    }

    /// The best of the elements that the lanes found, and of those that are no worse the first one's index. A lane that found
    /// none has the element and the index that all begin with.
    fn found(
        self,
        tile: &Tile<'c, 'a>,
        parts: &DotParts,
        compared: &Instruction,
        partial: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let rows = usize::try_from(tile.rows).unwrap_or(1);
        let (main, rest) = partial.split_at(self.accumulators(tile) * parts.main.len());
        let (mut elements, mut indices) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let of = |number: usize| {
                let own =
                    |values: &[Value<'c, 'a>], width: usize| values[(number * rows + row) * width..][..width].to_vec();
                [own(main, parts.main.len()), own(rest, parts.rest.len())].concat()
            };
            let (found, places) = (of(0), of(1));
            let search = Search::new(compared)?;
            let best = search.best(self.builder, &found)?;
            indices.push(search.first(self.builder, best, &found, &places)?);
            elements.push(best);
        }
        Ok([elements, indices].concat())
    }

    pub(super) fn fold(
        self,
        combiner: Combiner,
        start: Value<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let element = start.r#type();
        let mut sum = start;
        let mut wide: Option<Value<'c, 'a>> = None;
        for &value in values {
            let same = wide.filter(|wide| wide.r#type() == value.r#type());
            if let Some(known) = same {
                wide = Some(combined(self.builder, &combiner, [known, value], self.texts)?);
            } else if let Some(done) = wide.replace(value) {
                sum = self.reduce_lanes(combiner, sum, done, element)?;
            }
        }
        match wide {
            Some(done) => self.reduce_lanes(combiner, sum, done, element),
            None => Ok(sum),
        }
    }

    fn reduce_lanes(
        self,
        combiner: Combiner,
        sum: Value<'c, 'a>,
        lanes: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let scalar = match lanes.r#type().is_vector() {
            false => lanes,
            true => vector::reduction(&self.builder, combiner.kind, lanes, element)?,
        };
        combined(self.builder, &combiner, [sum, scalar], self.texts)
    }
}
