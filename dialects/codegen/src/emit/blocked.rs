//! Reduced dimensions in blocks: accumulators are stored behind each block but the last, and loaded again before each but the first.

use super::kernel::{Extent, Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::{Nest, blocked};
use skriptnd_mlir::ir::{Type, Value, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::scf;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The loops around tiles. Where a run may find more blocks than sums may have, there are none then.
    pub(super) fn all_loops(self, tile: Tile<'c, 'a>) -> Result<(), Error> {
        let schedule = &self.nest.schedule;
        let limited = schedule.blocks().and_then(|blocks| Some((blocks.0, blocked::most(&self.nest.space, blocks)?)));
        let Some((dim, most)) = limited else { return self.loops(schedule.around(), tile) };
        let fits = arith::cmpi(&self.builder, IntegerPredicate::Sle, self.end(dim)?, self.builder.index(most)?)?;
        let branch = scf::r#if(&self.builder, fits, &[])?;
        self.at(branch.then).loops(schedule.around(), tile.clone())?;
        scf::r#yield(&branch.then, &[])?;
        let nest = Nest { space: self.nest.space.clone(), schedule: schedule.in_one_block() };
        Kernel { nest: &nest, ..self.at(branch.otherwise) }.loops(nest.schedule.around(), tile)?;
        Ok(scf::r#yield(&branch.otherwise, &[])?)
    }

    /// Where the loop along a reduced dimension begins and ends in a tile.
    pub(super) fn reduced_range(self, dim: usize, tile: &Tile<'c, 'a>) -> Result<[Value<'c, 'a>; 2], Error> {
        let begin = tile.base[dim];
        let end = match tile.extents[dim] {
            Extent::Known(length) => self.builder.index_plus(begin, length)?,
            Extent::Open(end) => end,
        };
        Ok([begin, end])
    }

    /// The accumulators of a tile before a block.
    pub(super) fn begun(self, tile: &Tile<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let blocks = self.nest.schedule.blocks().filter(|_| self.nest.space.init.is_some());
        let Some((dim, _)) = blocks else { return self.initial(tile) };
        let zero = self.builder.index(0)?;
        let is_first = arith::cmpi(&self.builder, IntegerPredicate::Eq, tile.base[dim], zero)?;
        let kinds = self.kinds_of_accumulators(tile)?;
        let branch = scf::r#if(&self.builder, is_first, &kinds)?;
        scf::r#yield(&branch.then, &self.at(branch.then).initial(tile)?)?;
        scf::r#yield(&branch.otherwise, &self.at(branch.otherwise).stored(tile)?)?;
        Ok(branch.operation.result_values())
    }

    /// Computes what follows from the accumulators of a tile behind the last block, and stores it; behind others, stores these.
    pub(super) fn finish_block(self, tile: &Tile<'c, 'a>, values: Vec<Value<'c, 'a>>) -> Result<(), Error> {
        let Some((dim, _)) = self.nest.schedule.blocks().filter(|_| !self.nest.space.epilogues.is_empty()) else {
            return self.finish_all(tile, values);
        };
        let [_, end] = self.reduced_range(dim, tile)?;
        let is_last = arith::cmpi(&self.builder, IntegerPredicate::Eq, end, self.end(dim)?)?;
        let branch = scf::r#if(&self.builder, is_last, &[])?;
        self.at(branch.then).finish_all(tile, values.clone())?;
        scf::r#yield(&branch.then, &[])?;
        self.at(branch.otherwise).store(tile, &values)?;
        Ok(scf::r#yield(&branch.otherwise, &[])?)
    }

    fn finish_all(self, tile: &Tile<'c, 'a>, values: Vec<Value<'c, 'a>>) -> Result<(), Error> {
        if self.finish_one_by_one(tile, &values)? { Ok(()) } else { self.finish(tile, values) }
    }

    /// What the output has at the points of a tile.
    pub(super) fn stored(self, tile: &Tile<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (mut loads, mut values) = (Loads::default(), Vec::new());
        for (memory, access) in self.nest.space.finished() {
            for (row, piece) in self.rows_and_pieces(tile) {
                let value = self.load(&mut loads, *memory, access, tile, row, piece)?;
                values.push(self.builder.broadcast(value, piece.width())?);
            }
        }
        Ok(values)
    }

    fn kinds_of_accumulators(self, tile: &Tile<'c, 'a>) -> Result<Vec<Type<'c>>, Error> {
        let element = self.accumulator()?;
        let kinds = self.rows_and_pieces(tile).map(|(_, piece)| match piece.width() {
            width if width.lanes == 1 && !width.is_scalable => element,
            width => types::lanes(element, width),
        });
        Ok(kinds.collect())
    }
}
