//! Asks for what tiles will read later, so that it is in a cache by then.

use super::kernel::{Kernel, Tile};
use super::values::{self, Loads};
use crate::Error;
use crate::nest::ahead::Ahead;
use crate::nest::parts::Piece;
use crate::nest::space::Stage;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith::IntegerPredicate;
use skriptnd_mlir::ops::memref::Near;
use skriptnd_mlir::ops::{arith, memref};

/// Bytes of a line of the cache.
const LINE: i64 = 64;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Asks for the part of the next panel that falls to so many elements of the innermost loop around a tile.
    pub(super) fn fetch_next_panel(self, tile: &Tile<'c, 'a>, step: i64) -> Result<(), Error> {
        let ahead = Ahead::of(&self.nest.space, &self.nest.schedule, self.target);
        let Some(ahead) = ahead.filter(|_| self.values.packs.is_empty()) else { return Ok(()) };
        let (builder, operand) = (&self.builder, ahead.operand.0);
        let memory = self.memory(operand)?;
        let (Some(element), Some(elements)) = (self.nest.space.element(operand), values::elements(memory.r#type()))
        else {
            return Ok(());
        };
        let last = builder.index(elements - 1)?;
        let address = self.in_next_panel(&ahead, tile, last)?;
        let innermost = self.nest.schedule.reductions().last().map_or(1, |dim| ahead.distance(*dim));
        for line in 0..(step * innermost * element.bytes() / ahead.parts + LINE - 1) / LINE {
            let place = builder.index_plus(address, line * LINE / element.bytes())?;
            memref::prefetch(builder, memory, arith::minsi(builder, place, last)?, Near::SecondCache)?;
        }
        Ok(())
    }

    /// Where the part begins that falls to an iteration; the last element where none does.
    fn in_next_panel(
        self,
        ahead: &Ahead<'_>,
        tile: &Tile<'c, 'a>,
        last: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let mut first = tile.clone();
        first.base[ahead.panels.dim] = builder.index_plus(tile.base[ahead.panels.dim], ahead.panels.step)?;
        let reductions = self.nest.schedule.reductions();
        for dim in &reductions {
            first.base[*dim] = builder.index(0)?;
        }
        let begin = self.address(&mut Loads::default(), ahead.operand, &first, 0, Piece::ELEMENT)?;
        let along = reductions.into_iter().map(|dim| (tile.base[dim], ahead.distance(dim) / ahead.parts));
        let number = self.number(ahead, tile)?;
        let begin = match ahead.may_be_many {
            // A branch in the loop over products would take longer.
            true => {
                let is_part = arith::cmpi(builder, IntegerPredicate::Slt, number, builder.index(ahead.parts)?)?;
                arith::select(builder, is_part, begin, last)?
            }
            false => begin,
        };
        let parts = [(number, ahead.panel / ahead.parts)];
        parts.into_iter().chain(along).try_fold(begin, |address, (count, distance)| {
            let further = arith::muli(builder, count, builder.index(distance)?)?;
            Ok(arith::addi(builder, address, further)?)
        })
    }

    /// The number of a tile among those with the same panel.
    fn number(self, ahead: &Ahead<'_>, tile: &Tile<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let mut number = builder.index(0)?;
        for own in ahead.tiles {
            let along = arith::divui(builder, tile.base[own.dim], builder.index(own.step)?)?;
            let around = match self.nest.space.dims[own.dim].is_open {
                true => {
                    let rounded = builder.index_plus(self.end(own.dim)?, own.step - 1)?;
                    arith::divui(builder, rounded, builder.index(own.step)?)?
                }
                false => builder.index(own.iterations(&self.nest.space))?,
            };
            number = arith::addi(builder, arith::muli(builder, number, around)?, along)?;
        }
        Ok(number)
    }

    /// Asks for what a stage will read of panels so many bytes further on: so many lanes of a tile times `count`.
    pub(super) fn fetch_ahead(self, stage: &Stage, tile: &Tile<'c, 'a>, ahead: i64, count: i64) -> Result<(), Error> {
        let lanes: i64 = tile.pieces.iter().map(|piece| piece.lanes).sum();
        let mut loads = Loads::default();
        for (operand, access) in stage.memory().filter(|(_, access)| self.lane_distance(access) == 1) {
            let memory = self.memory(operand)?;
            let (Some(element), Some(elements)) = (self.nest.space.element(operand), values::elements(memory.r#type()))
            else {
                continue;
            };
            let address = self.address(&mut loads, (operand, access), tile, 0, Piece::ELEMENT)?;
            let last = self.builder.index(elements - 1)?;
            for line in 0..(lanes * count * element.bytes() + LINE - 1) / LINE {
                let further = self.builder.index_plus(address, (ahead + line * LINE) / element.bytes())?;
                let further = arith::minsi(&self.builder, further, last)?;
                memref::prefetch(&self.builder, memory, further, Near::FirstCache)?;
            }
        }
        Ok(())
    }
}
