//! Sums of products with weights of few bits: what is added up within a group is scaled behind it, once.

use super::kernel::{Kernel, Tile, points};
use crate::Error;
use crate::nest::Nest;
use crate::nest::scaled::Scaled;
use skriptnd_mlir::ir::Value;

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
        carried.extend(Kernel { nest: &nest, ..self }.reduce(dims, tile, zeros)?);
        let chained: Vec<_> = carried.into_iter().map(Some).collect();
        self.evaluate(&scaling, tile, &chained)
    }
}
