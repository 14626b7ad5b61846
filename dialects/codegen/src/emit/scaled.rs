//! Sums of products with weights of few bits: what is added up within a group is scaled behind it, once.

use super::chains::Count;
use super::kernel::{Kernel, Tile, points};
use crate::Error;
use crate::nest::Nest;
use crate::nest::scaled::{Scaled, chains};
use crate::nest::space::Dim;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith;

/// Rows up to which a product takes as long as its weights take to be read.
const MOST_STREAMED: i64 = 2;
/// How many bytes before they are read weights and scales are asked for: what processors fetch by themselves comes too late for one
/// that waits for conversions as well.
const WEIGHTS_AHEAD: i64 = 2048;
const SCALES_AHEAD: i64 = 1024;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// How sums over these innermost dimensions are scaled, if they are all along which the scale is the same.
    pub(super) fn scale_behind(self, dims: &[usize]) -> Option<Scaled> {
        let scaled = Scaled::of(&self.nest.space).filter(|_| !dims.is_empty())?;
        let around = scaled.around(&self.nest.schedule)?;
        (self.nest.schedule.reductions().len() - around == dims.len()).then_some(scaled)
    }

    /// Goes on with accumulators to which the sums of products along these dimensions are added, scaled.
    pub(super) fn scale_sums(
        self,
        Scaled { terms, scaling }: Scaled,
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        mut carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let mut nest = Nest { space: self.nest.space.clone(), schedule: self.nest.schedule.clone() };
        nest.space.main = terms;
        let mut zeros = Vec::new();
        for piece in std::iter::repeat_n(&tile.pieces, points(tile) / tile.pieces.len()).flatten() {
            zeros.push(self.builder.broadcast(self.zero(self.accumulator()?)?, piece.width())?);
        }
        let kernel = Kernel { nest: &nest, ..self };
        if self.is_stream(tile) {
            self.fetch_ahead(&scaling, tile, SCALES_AHEAD, 1)?;
        }
        carried.extend(match *dims {
            [dim] => kernel.sum_at_once(dim, tile, &zeros)?,
            _ => kernel.reduce(dims, tile, zeros)?,
        });
        let chained: Vec<_> = carried.into_iter().map(Some).collect();
        self.evaluate(&scaling, tile, &chained)
    }

    /// The sums of terms along a dimension, several for each point of a small tile, which become one at the end.
    fn sum_at_once(
        self,
        dim: usize,
        tile: &Tile<'c, 'a>,
        zeros: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Dim { extent, is_open, .. } = self.nest.space.dims[dim];
        let (points, is_stream) = (zeros.len(), self.is_stream(tile));
        let chains = if is_open { 1 } else { chains(i64::try_from(points).unwrap_or(i64::MAX), extent) };
        if is_open || chains == 1 && !is_stream {
            return self.reduce(&[dim], tile, zeros.to_vec());
        }
        let step = |kernel: Kernel<'k, 'c, 'a>, index: Value<'c, 'a>, carried: &[Value<'c, 'a>]| {
            let mut next = Vec::new();
            for (number, chain) in (0..).zip(carried.chunks(points)) {
                let mut tile = tile.clone();
                tile.base[dim] = kernel.builder.index_plus(index, number)?;
                if is_stream && number == 0 {
                    kernel.fetch_ahead(&kernel.nest.space.main, &tile, WEIGHTS_AHEAD, chains)?;
                }
                next.extend(kernel.reduce(&[], &tile, chain.to_vec())?);
            }
            Ok(next)
        };
        let mut sums: Vec<_> = (0..chains).flat_map(|_| zeros.iter().copied()).collect();
        if self.nest.schedule.unrolled() > 0 {
            for first in (0..extent / chains).map(|part| part * chains) {
                sums = step(self, self.builder.index(first)?, &sums)?;
            }
        } else {
            let range = [self.builder.index(0)?, self.builder.index(extent)?];
            let steps = (self.builder.index(chains)?, Count::Known(extent / chains), self.own_terms());
            sums = self.sum(range, steps, &sums, &step)?;
        }
        while sums.len() > points {
            let half = sums.split_off(sums.len() / 2);
            let pairs = sums.into_iter().zip(half);
            sums = pairs.map(|(one, other)| arith::addf(&self.builder, one, other)).collect::<Result<_, _>>()?;
        }
        Ok(sums)
    }

    /// Whether the weights of a tile are used so few times that memory decides how long it takes.
    fn is_stream(self, tile: &Tile<'c, 'a>) -> bool {
        tile.rows <= MOST_STREAMED && self.target.has_threads()
    }
}
