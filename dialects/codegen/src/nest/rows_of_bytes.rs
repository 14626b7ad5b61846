//! Sums of rows of bytes that lie one behind the other: a vector has the sums of as many rows as it has words. Words of neighbours are added
//! up, until there is one for each row. A vector of bytes has several rows whose lengths are powers of two, or a part of one row.

use super::access::{Access, Step};
use super::element::{Element, Number};
use super::op::Op;
use super::space::{Source, Space};

/// Words of a vector, and bytes of it.
pub const WORDS: i64 = 32;
const BYTES: i64 = 128;
/// Bytes that are added up to a word at once: shorter rows are none.
const WORD: i64 = 4;
/// Rows that are several vectors long have at most so many of them: all are code.
const MOST_VECTORS: i64 = 8;

/// Bytes of one operand that are added up in 32 bits.
pub struct RowsOfBytes<'s> {
    /// The operand, and where its elements are.
    pub source: (usize, &'s Access),
    /// Of a row.
    pub length: i64,
    /// What the bytes are.
    pub number: Number,
}

impl RowsOfBytes<'_> {
    /// Those of which lanes along a dimension have one each.
    pub fn of(space: &Space, dim: usize) -> Option<RowsOfBytes<'_>> {
        let (source, number) = summed(space)?;
        let mut reduced = space.dims_that_are(true);
        let (row, None) = (reduced.next()?, reduced.next()) else { return None };
        let (along, known) = (&source.1.steps, space.dims[row]);
        let length = known.extent;
        let lies = along[row] == Step::Linear(1) && along[dim] == Step::Linear(length) && !known.is_open;
        let has_parts = (WORD..=MOST_VECTORS * BYTES).contains(&length);
        let is_written = space.output.1.steps[dim] == Step::Linear(1) && space.init.is_some();
        (lies && has_parts && is_written && space.epilogues.is_empty()).then_some(RowsOfBytes {
            source,
            length,
            number,
        })
    }

    /// Where the vectors of bytes begin that are added up to a vector of words, and how many of their bytes those are, one vector of words
    /// after the other.
    pub fn parts(&self) -> Vec<Vec<(i64, i64)>> {
        let length = self.length;
        if BYTES % length == 0 {
            return (0..self.vectors()).map(|number| vec![(number * BYTES, BYTES)]).collect();
        }
        let of_row = |row: i64| {
            let first = (0..length).step_by(BYTES as usize);
            first.map(|first| (row * length + first, BYTES.min(length - first))).collect()
        };
        (0..WORDS).map(of_row).collect()
    }

    /// Operations that the sums of a vector of rows take, beside loads.
    pub fn operations(&self) -> i64 {
        let masks = if BYTES % self.length == 0 || self.length % BYTES == 0 { 0 } else { WORDS };
        self.vectors() + masks + 2 * (self.vectors().min(WORDS) - 1)
    }

    /// Vectors of bytes that as many rows have as a vector has words.
    pub fn vectors(&self) -> i64 {
        match BYTES % self.length {
            0 => self.length * WORDS / BYTES,
            _ => WORDS * ((self.length + BYTES - 1) / BYTES),
        }
    }
}

/// What is added up, if it is the bytes of one operand.
pub fn summed(space: &Space) -> Option<((usize, &Access), Number)> {
    let main = &space.main.computation;
    let [extension, sum] = main.instructions.as_slice() else { return None };
    let is_unsigned = match extension.op {
        Op::ExtUI => true,
        Op::ExtSI => false,
        _ => return None,
    };
    let is_sum = sum.op == Op::AddI && sum.results == [Element::Integer(32)] && space.further.is_empty();
    let [Source::Memory(operand, access), Source::Chain] = space.main.sources.as_slice() else { return None };
    let is_byte = space.element(*operand) == Some(Element::Integer(8));
    let number = Number::of(Element::Integer(8), is_unsigned)?;
    (is_sum && is_byte).then_some(((*operand, access), number))
}
