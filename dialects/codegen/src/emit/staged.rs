//! Tiles of operands in VTCM: the copy of the next one is started before the kernel computes with the one that it waited for.

use super::kernel::{Kernel, Place, Tile};
use super::moved::{self, Part};
use super::tiles::{Copied, Staged};
use super::values::Values;
use crate::Error;
use crate::nest::access::Access;
use crate::nest::staged::LINE;
use skriptnd_hexagon::generated::operations::DmaWaitOpBuilder;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{affine, scf};

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// Copies what is copied before the loops; gives what the kernel works on then.
    pub(super) fn with_whole(self, tile: &Tile<'c, 'a>) -> Result<Values<'c, 'a>, Error> {
        let mut values = self.values.clone();
        let Some(staged) = &self.values.staged else { return Ok(values) };
        let zero = self.builder.index(0)?;
        for copied in &staged.whole {
            self.copy(staged, copied, tile, zero)?;
            self.read_in(&mut values, copied, tile, zero)?;
        }
        // The first tile of what is streamed goes behind these in the same chain, if it is copied here as well.
        if !staged.whole.is_empty() && (staged.streamed.is_empty() || staged.depth > 1) {
            self.wait(staged)?;
        }
        Ok(values)
    }

    /// What is copied in each iteration of a loop, if that is the one.
    pub(super) fn streamed(self, (_, inner): Place<'_>) -> Option<&'k Staged<'c, 'a>> {
        let staged = self.values.staged.as_ref().filter(|staged| !staged.streamed.is_empty())?;
        (staged.depth + inner.len() == self.nest.schedule.around().len()).then_some(staged)
    }

    /// A loop over the parts of a dimension whose tiles are copied to VTCM, and what remains behind it.
    pub(super) fn streamed_parts(
        self,
        staged: &Staged<'c, 'a>,
        (own, inner): Place<'_>,
        (length, tile): (i64, &Tile<'c, 'a>),
    ) -> Result<(), Error> {
        let full = length / own.step * own.step;
        let (start, zero) = (tile.base[own.dim], self.builder.index(0)?);
        let is_ahead = staged.streamed.iter().all(|copied| copied.tiles.places > 1);
        if is_ahead {
            self.copy_all(staged, tile, zero)?;
        }
        let end = self.builder.index_plus(start, full)?;
        let last = self.builder.count_between::<Error>([start, end], own.step, &[zero], |builder, index, places| {
            let kernel = self.at(builder);
            let mut part = self.part(own, tile, own.step);
            part.base[own.dim] = index;
            let [place] = places else { return Err(Error::malformed("a loop without a place for its tile")) };
            let next = match is_ahead {
                true => {
                    kernel.wait(staged)?;
                    let next = arith::subi(&builder, builder.index(1)?, *place)?;
                    kernel.copy_next(staged, &part, (own.dim, own.step), (next, (full == length).then_some(end)))?;
                    next
                }
                false => {
                    kernel.copy_all(staged, &part, *place)?;
                    kernel.wait(staged)?;
                    *place
                }
            };
            let values = kernel.reading(staged, &part, *place)?;
            Kernel { values: &values, ..kernel }.loops(inner, part)?;
            Ok(vec![next])
        })?;
        if full < length {
            let rest = self.rest(own, [full, length], tile)?;
            if !is_ahead {
                self.copy_all(staged, &rest, zero)?;
            }
            self.wait(staged)?;
            let values = self.reading(staged, &rest, last.first().copied().unwrap_or(zero))?;
            Kernel { values: &values, ..self }.loops(inner, rest)?;
        }
        Ok(())
    }

    /// Starts to copy the tiles behind a part, unless there are none: where nothing remains at the end, that is where the loop ends.
    fn copy_next(
        self,
        staged: &Staged<'c, 'a>,
        part: &Tile<'c, 'a>,
        (dim, step): (usize, i64),
        (place, end): (Value<'c, 'a>, Option<Value<'c, 'a>>),
    ) -> Result<(), Error> {
        let mut next = part.clone();
        next.base[dim] = self.builder.index_plus(part.base[dim], step)?;
        let Some(end) = end else { return self.copy_all(staged, &next, place) };
        let is_there = arith::cmpi(&self.builder, IntegerPredicate::Slt, next.base[dim], end)?;
        let branch = scf::r#if(&self.builder, is_there, &[])?;
        self.at(branch.then).copy_all(staged, &next, place)?;
        scf::r#yield(&branch.then, &[])?;
        Ok(scf::r#yield(&branch.otherwise, &[])?)
    }

    /// The values of a kernel that reads its tiles at a place.
    fn reading(
        self,
        staged: &Staged<'c, 'a>,
        tile: &Tile<'c, 'a>,
        place: Value<'c, 'a>,
    ) -> Result<Values<'c, 'a>, Error> {
        let mut values = self.values.clone();
        for copied in &staged.streamed {
            self.read_in(&mut values, copied, tile, place)?;
        }
        Ok(values)
    }

    /// Lets a kernel read a tile of an operand at a place.
    fn read_in(
        self,
        values: &mut Values<'c, 'a>,
        copied: &Copied<'c, 'a>,
        tile: &Tile<'c, 'a>,
        place: Value<'c, 'a>,
    ) -> Result<(), Error> {
        let (_, line) = self.starts(copied, tile)?;
        let shift = arith::subi(&self.builder, self.at_place(copied, place)?, line)?;
        values.read_at(copied.tiles.operand, copied.places, shift);
        Ok(())
    }

    /// Where a tile of an operand begins in its memory, and where the line does in which that is.
    fn starts(self, copied: &Copied<'c, 'a>, tile: &Tile<'c, 'a>) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Error> {
        let missing = || Error::malformed("a tile of an operand that is not read");
        let operand = copied.tiles.operand;
        let mut reads = self.nest.space.reads().filter(|(read, _)| *read == operand);
        let access: &Access = reads.next().ok_or_else(missing)?.1;
        let start = affine::apply(&self.builder, &access.map(), &tile.base)?;
        let Some(line) = copied.line else { return Ok((start, start)) };
        let within = arith::remui(&self.builder, start, self.builder.index(line)?)?;
        Ok((start, arith::subi(&self.builder, start, within)?))
    }

    /// The first element of a place.
    fn at_place(self, copied: &Copied<'c, 'a>, place: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        Ok(arith::muli(&self.builder, place, self.builder.index(copied.tiles.place)?)?)
    }

    fn copy_all(self, staged: &Staged<'c, 'a>, tile: &Tile<'c, 'a>, place: Value<'c, 'a>) -> Result<(), Error> {
        staged.streamed.iter().try_for_each(|copied| self.copy(staged, copied, tile, place))
    }

    /// Starts to copy a tile of an operand to a place, as far as the operand goes.
    fn copy(
        self,
        staged: &Staged<'c, 'a>,
        copied: &Copied<'c, 'a>,
        tile: &Tile<'c, 'a>,
        place: Value<'c, 'a>,
    ) -> Result<(), Error> {
        let builder = &self.builder;
        let (start, from) = self.starts(copied, tile)?;
        let end = builder.index_plus(start, copied.tiles.span)?;
        let extent = types::shape(copied.source.r#type()).and_then(|shape| shape.first().copied().flatten());
        let extent = extent.and_then(|extent| i64::try_from(extent).ok());
        let extent = builder.index(extent.ok_or_else(|| Error::malformed("an operand without an end"))?)?;
        let length = arith::subi(builder, arith::minsi(builder, end, extent)?, from)?;
        let part = Part { memory: copied.source, from };
        let to = Part { memory: copied.places, from: self.at_place(copied, place)? };
        match staged.by_dma {
            true => moved::start(builder, [part, to], length),
            false => moved::copy(builder, [part, to], length, (self.lanes_of(copied), copied.line.is_some())),
        }
    }

    /// Lanes of the vectors that copy elements of an operand, if the target has some: of longer elements than words it has none.
    fn lanes_of(self, copied: &Copied<'c, 'a>) -> Option<i64> {
        let bytes = self.nest.space.element(copied.tiles.operand)?.bytes();
        (self.target.aligns_tensors() && bytes <= 4).then_some(LINE / bytes)
    }

    /// Waits for what was started.
    fn wait(self, staged: &Staged<'c, 'a>) -> Result<(), Error> {
        if staged.by_dma {
            DmaWaitOpBuilder::new(&self.builder).build()?;
        }
        Ok(())
    }
}
