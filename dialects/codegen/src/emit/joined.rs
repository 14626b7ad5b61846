//! Rows of results that lie one behind the other, each shorter than a vector: they are put together to whole vectors before they are stored.

use super::kernel::{Kernel, Tile};
use super::lanes::known_mask;
use super::values::{Lanes, Loads, constant_index};
use crate::Error;
use crate::nest::access::{Access, Step};
use crate::nest::alignment::divisor;
use crate::nest::parts::Piece;
use crate::nest::space::Dim;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ops::{llvm, vector};

/// Of two vectors, the bytes from one of the second on.
const ALIGN: &str = "llvm.hexagon.V6.valignb.128B";
/// Words of a vector, and bytes of one.
const WORDS: i64 = 32;
const WORD: i64 = 4;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Whether the rows of a tile lie one behind the other, each with all elements along the lanes: how many these are.
    pub(super) fn rows_behind(self, access: &Access, tile: &Tile<'c, 'a>) -> Option<i64> {
        let (rows, vectors) = (self.nest.schedule.rows()?, self.nest.schedule.vectors()?);
        let Dim { extent, is_open, .. } = self.nest.space.dims[vectors.dim];
        let filled: i64 = tile.pieces.iter().map(|piece| piece.filled).sum();
        let is_whole = constant_index(tile.base[vectors.dim]) == Some(0) && filled == extent && !is_open;
        let is_next = access.steps[rows.dim] == Step::Linear(extent) && access.steps[vectors.dim] == Step::Linear(1);
        (is_whole && is_next).then_some(extent)
    }

    /// Stores the rows of a tile as whole vectors, if each is a part of one. False where they are none.
    pub(super) fn store_joined(
        self,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Result<bool, Error> {
        let (Some(length), [piece]) = (self.rows_behind(access, tile), tile.pieces.as_slice()) else {
            return Ok(false);
        };
        let bytes = self.nest.space.element(operand).map_or(1, |element| element.bytes());
        let is_part =
            piece.is_masked() && known_mask(tile) == Some(length) && piece.lanes * bytes * 8 == self.target.isa.bits();
        if !self.target.isa.only_whole || !is_part || tile.rows < 2 {
            return Ok(false);
        }
        let address = self.address(&mut Loads::default(), (operand, access), tile, 0, *piece)?;
        let alignment = self.alignment((operand, access), tile, 0, *piece);
        let memory = self.memory(operand)?;
        for (place, whole) in (0..).zip(self.joined(values, (length, piece.lanes))?) {
            let first = place * piece.lanes;
            let address = self.builder.index_plus(address, first)?;
            let alignment = alignment.map(|own| divisor(own, first * bytes));
            let filled = piece.lanes.min(tile.rows * length - first);
            if filled == piece.lanes {
                vector::store(&self.builder, whole, (memory, address), alignment)?;
                continue;
            }
            let mask = vector::create_mask(&self.builder, self.builder.index(filled)?, piece.lanes)?;
            let (part, lanes) = (Piece { filled, ..*piece }, Lanes { memory, address, distance: 1, alignment });
            self.store_piece(&Tile { mask: Some(mask), ..tile.clone() }, part, whole, lanes, 0)?;
        }
        Ok(true)
    }

    /// The first elements of vectors one behind the other: each shifts those before it towards the begin of a vector.
    fn joined(self, values: &[Value<'c, 'a>], (length, lanes): (i64, i64)) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (mut joined, mut last, mut filled) = (Vec::new(), *values.first().ok_or_else(no_rows)?, 0);
        for value in values {
            if filled + length >= lanes {
                joined.push(self.behind_each_other(last, *value, (lanes - filled, lanes))?);
            }
            last = self.behind_each_other(last, *value, (length, lanes))?;
            filled = (filled + length) % lanes;
        }
        if filled > 0 {
            joined.push(self.behind_each_other(last, last, (lanes - filled, lanes))?);
        }
        Ok(joined)
    }

    /// The last lanes of a vector, and behind them so many of the first ones of another.
    pub(super) fn behind_each_other(
        self,
        first: Value<'c, 'a>,
        second: Value<'c, 'a>,
        (count, lanes): (i64, i64),
    ) -> Result<Value<'c, 'a>, Error> {
        if count == lanes {
            return Ok(second);
        }
        let (builder, kind) = (&self.builder, first.r#type());
        let words = types::lanes(self.word(), Width { lanes: WORDS, is_scalable: false });
        let [low, high] = [first, second].map(|vector| vector::bitcast(builder, vector, words));
        // LLVM would make one of several shuffles, which takes longer than each of these.
        let bytes = builder.integer(self.word(), count * WORDS * WORD / lanes)?;
        let both = llvm::call_intrinsic(builder, ALIGN, &[high?, low?, bytes], words)?;
        Ok(vector::bitcast(builder, both, kind)?)
    }
}

fn no_rows() -> Error {
    Error::malformed("a tile without rows")
}
