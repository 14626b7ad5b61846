//! Sums of rows of bytes, of as many rows at a time as a vector has words.

use super::byte_sums::ByteSums;
use super::kernel::{Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::alignment::divisor;
use crate::nest::computation::Combined;
use crate::nest::parts::Piece;
use crate::nest::rows_of_bytes::{RowsOfBytes, WORDS};
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ir::{Type, Value};
use skriptnd_mlir::ops::{arith, llvm, vector};

/// Sends the words of two vectors to two others: those with even numbers, and those with odd ones.
const DEAL: &str = "llvm.hexagon.V6.vdealvdd.128B";
/// Bytes of a vector, and of a word.
const BYTES: i64 = 128;
const WORD: i64 = 4;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The finished sums of a tile whose lanes have a row of bytes each; none where they don't.
    pub(super) fn sum_rows(self, tile: &Tile<'c, 'a>) -> Result<Option<Vec<Value<'c, 'a>>>, Error> {
        let Some(vectors) = self.nest.schedule.vectors() else { return Ok(None) };
        let rows = RowsOfBytes::of(&self.nest.space, vectors.dim).filter(|_| vectors.lanes == WORDS);
        let combined = self.nest.space.combiner().map(Combined::By);
        let sums = combined.and_then(|combined| self.byte_sums(BYTES, combined));
        let (Some(rows), Some(sums)) = (rows, sums) else { return Ok(None) };
        let mut results = Vec::new();
        for ((row, piece), begin) in self.rows_and_pieces(tile).zip(self.initial(tile)?) {
            let own = self.sum_piece((&rows, &sums), tile, row, piece)?;
            results.push(arith::addi(&self.builder, begin, own)?);
        }
        Ok(Some(results))
    }

    /// The sums of the rows of a piece.
    fn sum_piece(
        self,
        (rows, sums): (&RowsOfBytes<'_>, &ByteSums),
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, each) = (&self.builder, (rows.length / BYTES).max(1));
        let (memory, element) = (self.memory(rows.source.0)?, self.element(rows.source.0)?);
        let address = self.address(&mut Loads::default(), rows.source, tile, row, piece)?;
        let alignment = self.alignment(rows.source, tile, row, piece);
        let zeros = builder.broadcast(self.zero(self.word())?, WORDS)?;
        let mut words = Vec::new();
        for first in (0..rows.vectors()).step_by(usize::try_from(each).unwrap_or(1)) {
            let mut sum = zeros;
            // Rows that there are not are not read.
            for offset in (first..first + each).map(|number| number * BYTES) {
                if offset < piece.filled * rows.length {
                    let alignment = alignment.map(|own| divisor(own, offset));
                    let address = builder.index_plus(address, offset)?;
                    let bytes = vector::load(builder, (memory, address), whole(element, BYTES), alignment)?;
                    sum = self.add_bytes(sums, sum, bytes)?;
                }
            }
            words.push(sum);
        }
        while words.len() > 1 {
            words = words.chunks_exact(2).map(|pair| self.neighbours(pair[0], pair[1])).collect::<Result<_, _>>()?;
        }
        words.pop().ok_or_else(|| Error::malformed("rows without bytes"))
    }

    /// The sums of the neighbours in two vectors.
    fn neighbours(self, first: Value<'c, 'a>, second: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let arguments = [second, first, builder.integer(self.word(), -WORD)?];
        let both = llvm::call_intrinsic(builder, DEAL, &arguments, whole(self.word(), 2 * WORDS))?;
        let half = |first: i64| vector::slice(builder, both, first, WORDS);
        Ok(arith::addi(builder, half(0)?, half(WORDS)?)?)
    }
}

fn whole(element: Type<'_>, lanes: i64) -> Type<'_> {
    types::lanes(element, Width { lanes, is_scalable: false })
}
