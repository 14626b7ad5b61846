//! Lanes in memory: neighbours, backwards, or apart.

use super::kernel::{Kernel, Tile, mask};
use super::values::{Lanes, constant_index};
use crate::Error;
use crate::nest::alignment::divisor;
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::{Type, Value, types};
use skriptnd_mlir::ops::{arith, memref, vector};

/// Bytes of a word.
const WORD: i64 = 4;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    pub(super) fn load_piece(
        self,
        tile: &Tile<'c, 'a>,
        piece: Piece,
        element: Type<'c>,
        lanes: Lanes<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, Lanes { memory, address, distance, alignment }) = (&self.builder, lanes);
        let r#type = types::lanes(element, piece.width());
        let zeros = || builder.broadcast(self.zero(element)?, piece.width()).map_err(Error::from);
        Ok(match (piece.is_masked(), distance) {
            _ if piece.lanes == 1 => memref::load(builder, memory, &[address])?,
            (true, 1) if self.has_whole_parts(piece) => self.load_parts(piece, element, lanes)?,
            (false, 1) => vector::load(builder, (memory, address), r#type, alignment)?,
            (true, 2) if self.has_whole_parts(piece) => self.load_every_second(piece, element, lanes)?,
            (true, 1) => vector::masked_load(builder, (memory, address), (mask(tile)?, zeros()?), alignment)?,
            (false, -1) if !piece.is_scalable => {
                let last = builder.index_plus(address, 1 - piece.lanes)?;
                vector::reverse(builder, vector::load(builder, (memory, last), r#type, None)?, piece.lanes)?
            }
            (false, 2) if !piece.is_scalable => {
                // The second half ends with the last lane: nothing behind it is read.
                let half = builder.index_plus(address, piece.lanes - 1)?;
                let halves = [
                    vector::load(builder, (memory, address), r#type, None)?,
                    vector::load(builder, (memory, half), r#type, None)?,
                ];
                vector::every_second(builder, halves, piece.lanes)?
            }
            (is_masked, _) => {
                let mask =
                    if is_masked { mask(tile)? } else { builder.broadcast(builder.boolean(true)?, piece.width())? };
                vector::gather(builder, (memory, address), self.apart(piece, distance)?, mask, zeros()?)?
            }
        })
    }

    pub(super) fn store_piece(
        self,
        tile: &Tile<'c, 'a>,
        piece: Piece,
        value: Value<'c, 'a>,
        lanes: Lanes<'c, 'a>,
        room: i64,
    ) -> Result<(), Error> {
        let (builder, Lanes { memory, address, distance, alignment }) = (&self.builder, lanes);
        match (piece.is_masked(), distance) {
            _ if piece.lanes == 1 => memref::store(builder, value, memory, &[address])?,
            (true, 1) if self.has_whole_parts(piece) && known_mask(tile) == Some(piece.filled) => {
                self.store_parts(piece, value, lanes, room)?;
            }
            (false, 1) => vector::store(builder, value, (memory, address), alignment)?,
            (true, 1) => vector::masked_store(builder, (memory, address), (mask(tile)?, value), alignment)?,
            (true, _) => vector::scatter(builder, (memory, address), self.apart(piece, distance)?, mask(tile)?, value)?,
            (false, _) => {
                for lane in 0..piece.lanes {
                    let address = builder.index_plus(address, lane * distance)?;
                    memref::store(builder, vector::extract(builder, value, lane)?, memory, &[address])?;
                }
            }
        }
        Ok(())
    }

    /// Whether the lanes of a masked vector are loaded as whole vectors of the target, which has no others: those that stand for no element
    /// are not stored.
    fn has_whole_parts(self, piece: Piece) -> bool {
        let is_parallel = |dim: usize| !self.nest.space.dims[dim].is_reduced;
        let vectors = self.nest.schedule.vectors().filter(|vectors| is_parallel(vectors.dim));
        self.target.isa.only_whole && !piece.is_scalable && vectors.is_some()
    }

    /// The lanes of a piece in vectors that are as long as those of the target: where each begins, how many there are, and how many stand
    /// for elements.
    fn whole_parts(self, piece: Piece, bytes: i64) -> Vec<Piece> {
        let lanes = (self.target.isa.bits() / 8 / bytes).clamp(1, piece.lanes);
        let starts = (0..piece.filled).step_by(usize::try_from(lanes).unwrap_or(1));
        starts.map(|offset| Piece { offset, lanes, filled: lanes.min(piece.filled - offset), ..piece }).collect()
    }

    fn load_parts(self, piece: Piece, element: Type<'c>, lanes: Lanes<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let bytes = types::width(element).map_or(WORD, |bits| i64::from(bits.div_ceil(8)));
        // Of reals, bits are used: LLVM loads them as words where they are cast at once.
        let stored = if element == types::f32(builder.context()) { self.word() } else { element };
        let as_stored = |loaded: Value<'c, 'a>, width| match stored == element {
            true => Ok(loaded),
            false => vector::bitcast(builder, loaded, types::lanes(stored, width)),
        };
        let mut whole = builder.broadcast(self.zero(stored)?, piece.width())?;
        for part in self.whole_parts(piece, bytes) {
            let address = builder.index_plus(lanes.address, part.offset)?;
            let alignment = lanes.alignment.map(|own| divisor(own, part.offset * bytes));
            let loaded =
                vector::load(builder, (lanes.memory, address), types::lanes(element, part.width()), alignment)?;
            whole = vector::insert_slice(builder, as_stored(loaded, part.width())?, whole, part.offset)?;
        }
        Ok(if stored == element {
            whole
        } else {
            vector::bitcast(builder, whole, types::lanes(element, piece.width()))?
        })
    }

    /// Loads every second element in such parts, as far as there are any: without an instruction for it, each element of a gather is a load.
    fn load_every_second(self, piece: Piece, element: Type<'c>, lanes: Lanes<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let both = Piece { lanes: 2 * piece.lanes, filled: 2 * piece.filled - 1, ..piece };
        let both = self.load_parts(both, element, lanes)?;
        let order: Vec<i64> = (0..piece.lanes).map(|lane| 2 * lane).collect();
        Ok(vector::shuffle(&self.builder, [both; 2], &order)?)
    }

    /// Whether lanes beside each other are for another nest of the kernel. They are stored by registers then: where LLVM takes what the other
    /// loads from a longer vector that was stored, it takes the lanes out of that one by one.
    pub(super) fn goes_to_another_nest(self, operand: usize, piece: Piece, lanes: Lanes<'c, 'a>) -> bool {
        let is_whole = piece.lanes > 1 && !piece.is_scalable && !piece.is_masked();
        is_whole && lanes.distance == 1 && self.nest.space.operands[operand].is_own()
    }

    /// Stores a vector in such parts. What has room behind the elements may be written there.
    pub(super) fn store_parts(
        self,
        piece: Piece,
        value: Value<'c, 'a>,
        lanes: Lanes<'c, 'a>,
        room: i64,
    ) -> Result<(), Error> {
        let builder = &self.builder;
        let bytes = types::width(types::element(value.r#type())).map_or(WORD, |bits| i64::from(bits.div_ceil(8)));
        for part in self.whole_parts(piece, bytes) {
            let place = (lanes.memory, builder.index_plus(lanes.address, part.offset)?);
            let alignment = lanes.alignment.map(|own| divisor(own, part.offset * bytes));
            let own = vector::slice(builder, value, part.offset, part.lanes)?;
            if part.is_masked() && part.lanes - part.filled > room {
                let mask = vector::create_mask(builder, builder.index(part.filled)?, part.lanes)?;
                vector::masked_store(builder, place, (mask, own), alignment)?;
            } else {
                vector::store(builder, own, place, alignment)?;
            }
        }
        Ok(())
    }

    /// How far each lane is from the first.
    fn apart(self, piece: Piece, distance: i64) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let index = types::index(builder.context());
        let lanes = vector::step(builder, types::lanes(index, piece.width()))?;
        Ok(arith::muli(builder, lanes, builder.broadcast(builder.index(distance)?, piece.width())?)?)
    }
}

/// How many lanes a mask has set, where that is known when code is made.
pub(super) fn known_mask(tile: &Tile<'_, '_>) -> Option<i64> {
    constant_index(tile.mask?.defining_operation()?.operand(0).ok()?)
}
