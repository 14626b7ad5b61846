//! Lanes in memory: neighbours, backwards, or apart.

use super::kernel::{Kernel, Tile, mask};
use super::values::Lanes;
use crate::Error;
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::{Type, Value, types};
use skriptnd_mlir::ops::{arith, memref, vector};

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
            (false, 1) => vector::load(builder, (memory, address), r#type, alignment)?,
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
    ) -> Result<(), Error> {
        let (builder, Lanes { memory, address, distance, alignment }) = (&self.builder, lanes);
        match (piece.is_masked(), distance) {
            _ if piece.lanes == 1 => memref::store(builder, value, memory, &[address])?,
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

    /// How far each lane is from the first.
    fn apart(self, piece: Piece, distance: i64) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let index = types::index(builder.context());
        let lanes = vector::step(builder, types::lanes(index, piece.width()))?;
        Ok(arith::muli(builder, lanes, builder.broadcast(builder.index(distance)?, piece.width())?)?)
    }
}
