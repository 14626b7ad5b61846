//! Loads across where a target has whole vectors only: as many are loaded as a vector of lanes has elements, of which the first ones are of the
//! rows of a tile, and shuffled until each vector has a row, or several.

use super::kernel::{Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::access::Access;
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ir::{Type, Value};
use skriptnd_mlir::ops::vector;

/// Words of a vector, and bytes of one.
const WORDS: i64 = 32;
const WORD: i64 = 4;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The vectors of the rows of a tile, one for each.
    pub(super) fn load_across_whole(
        self,
        loads: &mut Loads<'c, 'a>,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        piece: Piece,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (memory, element, builder) = (self.memory(operand)?, self.element(operand)?, &self.builder);
        let whole = lanes_of_vectors(self.bytes(operand));
        if piece.lanes > whole {
            return self.load_across_parts(loads, (operand, access), tile, piece);
        }
        let kind = types::lanes(element, Width { lanes: piece.lanes, is_scalable: false });
        let words = types::lanes(self.word(), Width { lanes: WORDS, is_scalable: false });
        let mut columns = Vec::new();
        for lane in 0..piece.filled {
            let first = Piece { offset: piece.offset + lane, ..Piece::ELEMENT };
            let address = self.address(loads, (operand, access), tile, 0, first)?;
            let loaded = vector::load(builder, (memory, address), kind, None)?;
            columns.push(vector::bitcast(builder, loaded, words)?);
        }
        let width = piece.filled.unsigned_abs().next_power_of_two();
        // Lanes that stand for no element are any.
        columns.resize(usize::try_from(width).unwrap_or(1), columns[0]);
        let rows = tile.rows.unsigned_abs().next_power_of_two();
        let across = self.across(columns, (rows, piece.lanes.unsigned_abs()))?;
        let each = (piece.lanes.unsigned_abs() / width).min(rows);
        let row = |row: i64| {
            let vector =
                vector::bitcast(builder, across[usize::try_from(row.unsigned_abs() / each).unwrap_or(0)], kind)?;
            self.rotated(vector, (row.unsigned_abs() % each * width) as i64, kind)
        };
        (0..tile.rows).map(row).collect()
    }

    /// The same where the lanes of results have several vectors in what is loaded.
    fn load_across_parts(
        self,
        loads: &mut Loads<'c, 'a>,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        piece: Piece,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (builder, lanes) = (&self.builder, lanes_of_vectors(self.bytes(operand)));
        let nothing = builder.broadcast(self.zero(self.element(operand)?)?, piece.lanes)?;
        let mut rows = vec![nothing; usize::try_from(tile.rows).unwrap_or(0)];
        // Lanes that stand for no element are any.
        for first in (0..piece.filled).step_by(lanes.unsigned_abs() as usize) {
            let filled = lanes.min(piece.filled - first);
            let part = Piece { offset: piece.offset + first, lanes, filled, ..piece };
            let own = self.load_across_whole(loads, (operand, access), tile, part)?;
            for (row, part) in rows.iter_mut().zip(own) {
                *row = vector::insert_slice(builder, part, *row, first)?;
            }
        }
        Ok(rows)
    }

    /// Whether lanes of an operand are so many vectors that tiles of so many rows can be loaded across.
    pub(super) fn has_vectors_across(self, operand: usize, rows: i64, piece: Piece) -> bool {
        let lanes = lanes_of_vectors(self.bytes(operand));
        piece.lanes % lanes == 0 && rows <= lanes
    }

    /// Bytes of an operand's elements.
    fn bytes(self, operand: usize) -> i64 {
        self.nest.space.element(operand).map_or(WORD, |element| element.bytes())
    }

    /// Of vectors whose first lanes are those of rows, vectors of which each has the same lane of all, for one row or several.
    ///
    /// The number of an element, that of its vector before that of its lane, is rotated by a bit in each step, until the bits of the
    /// lane are those of the vector.
    fn across(self, mut vectors: Vec<Value<'c, 'a>>, (rows, lanes): (u64, u64)) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (bytes, mut used) = (WORDS * WORD / lanes as i64, rows);
        for _ in 0..vectors.len().ilog2() {
            let mut next = Vec::new();
            let (first, second) = vectors.split_at(vectors.len() / 2);
            for (first, second) in first.iter().zip(second) {
                let both = self.shuffled([*first, *second], bytes)?;
                next.extend(&both[..if used < lanes { 1 } else { 2 }]);
            }
            used = (2 * used).min(lanes);
            vectors = next;
        }
        Ok(vectors)
    }

    /// A vector whose lanes begin with one of those of another.
    fn rotated(self, vector: Value<'c, 'a>, first: i64, kind: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        if first == 0 {
            return Ok(vector);
        }
        let lanes = types::shape(kind).and_then(|shape| *shape.first()?).map_or(1, |lanes| lanes as i64);
        let order: Vec<i64> = (0..lanes).map(|lane| (first + lane) % lanes).collect();
        Ok(vector::shuffle(&self.builder, [vector; 2], &order)?)
    }
}

/// How many elements of so many bytes a vector has.
fn lanes_of_vectors(bytes: i64) -> i64 {
    WORDS * WORD / bytes.max(1)
}
