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
use skriptnd_mlir::ir::{Type, Value, attributes};
use skriptnd_mlir::ops::{arith, llvm, vector};

/// Sends the words of two vectors to two others: those with even numbers, and those with odd ones.
const DEAL: &str = "llvm.hexagon.V6.vdealvdd.128B";
/// Bytes of a vector, and of a word.
const BYTES: i64 = 128;
const WORD: i64 = 4;

/// Vectors of words of which neighbours are to be added up, with how often that was done.
#[derive(Default)]
struct Halves<'c, 'a>(Vec<(u32, Value<'c, 'a>)>);

impl<'c, 'a> Halves<'c, 'a> {
    /// The last vector, if that was done so often.
    fn take(&mut self, times: u32) -> Option<Value<'c, 'a>> {
        self.0.last().filter(|(own, _)| *own == times)?;
        self.0.pop().map(|(_, sum)| sum)
    }
}

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
        let builder = &self.builder;
        let (memory, element) = (self.memory(rows.source.0)?, self.element(rows.source.0)?);
        let address = self.address(&mut Loads::default(), rows.source, tile, row, piece)?;
        let alignment = self.alignment(rows.source, tile, row, piece);
        let zeros = builder.broadcast(self.zero(self.word())?, WORDS)?;
        let mut words = Halves::default();
        for parts in rows.parts() {
            let mut sum = zeros;
            // Rows that there are not are not read.
            for (offset, count) in parts.into_iter().filter(|(offset, _)| *offset < piece.filled * rows.length) {
                let alignment = alignment.map(|own| divisor(own, offset));
                let address = builder.index_plus(address, offset)?;
                let bytes = vector::load(builder, (memory, address), whole(element, BYTES), alignment)?;
                sum = self.add_bytes(sums, sum, self.first_bytes(bytes, count)?)?;
            }
            self.add_up(&mut words, sum)?;
        }
        words.0.pop().map(|(_, sum)| sum).ok_or_else(|| Error::malformed("rows without bytes"))
    }

    /// A vector of bytes with zeros behind so many of them.
    fn first_bytes(self, bytes: Value<'c, 'a>, count: i64) -> Result<Value<'c, 'a>, Error> {
        if count == BYTES {
            return Ok(bytes);
        }
        let bits: Vec<&str> = (0..BYTES).map(|byte| if byte < count { "-1" } else { "0" }).collect();
        let text = format!("dense<[{}]> : {}", bits.join(", "), bytes.r#type());
        let mask = attributes::parse(self.builder.context(), &text);
        let mask = mask.ok_or_else(|| Error::malformed("no constant mask"))?;
        Ok(arith::andi(&self.builder, bytes, self.builder.constant(mask, bytes.r#type())?)?)
    }

    /// The sums of the words of up to as many vectors as one has words.
    pub(super) fn added_up(self, vectors: Vec<Value<'c, 'a>>) -> Result<Value<'c, 'a>, Error> {
        let zeros = self.builder.broadcast(self.zero(self.word())?, WORDS)?;
        let mut words = Halves::default();
        vectors.into_iter().try_for_each(|sum| self.add_up(&mut words, sum))?;
        let (mut times, mut sum) = words.0.pop().unwrap_or((0, zeros));
        while times < WORDS.ilog2() {
            sum = match words.take(times) {
                Some(before) => self.neighbours(before, sum)?,
                None => self.neighbours(sum, zeros)?,
            };
            times += 1;
        }
        Ok(sum)
    }

    /// Adds a vector, and adds up neighbours as soon as there are as many of both: so few vectors are alive.
    fn add_up(self, words: &mut Halves<'c, 'a>, sum: Value<'c, 'a>) -> Result<(), Error> {
        let (mut times, mut sum) = (0, sum);
        while let Some(before) = words.take(times) {
            (times, sum) = (times + 1, self.neighbours(before, sum)?);
        }
        words.0.push((times, sum));
        Ok(())
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
