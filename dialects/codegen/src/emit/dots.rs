//! The last columns of products, of which whole vectors of bytes are multiplied.

use super::groups::Groups;
use super::kernel::{Kernel, Tile};
use super::values::{Loads, Values};
use crate::Error;
use crate::nest::access::Access;
use crate::nest::alignment::divisor;
use crate::nest::dots::{BYTES, Dots, WORD};
use crate::nest::parts::Piece;
use crate::nest::rows_of_bytes::WORDS;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ir::{Type, Value};
use skriptnd_mlir::ops::{arith, memref, vector};

/// How memory of a kernel's own is aligned.
const ALIGNMENT: i64 = 8;

/// Vectors of sums that leave registers for what is multiplied.
const MOST_SUMS: i64 = 20;

/// What is done with a word of the filter, whose indices along the reduced dimensions are known, and the column.
type Word<'b, 'k, 'c, 'a> =
    dyn Fn(Kernel<'k, 'c, 'a>, &[(usize, Value<'c, 'a>)], Value<'c, 'a>) -> Result<(), Error> + 'b;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// The last columns of the filter one behind the other, as values that the kernel works on.
    pub(super) fn with_columns(self, values: Values<'c, 'a>, tile: &Tile<'c, 'a>) -> Result<Values<'c, 'a>, Error> {
        // Loops around several nests would make memory each time.
        let is_alone = self.nest.space.shared() == 0;
        let dots = Dots::of(&self.nest.space, &self.nest.schedule, self.target).filter(|_| is_alone);
        let (Some(dots), None, Some(_)) = (dots, &values.staged, self.groups_of_vectors()) else { return Ok(values) };
        let columns = Kernel { values: &values, ..self }.columns(&dots, tile)?;
        Ok(Values { columns: Some(columns), ..values })
    }

    /// Memory with the last columns of the filter, each run of a column in whole vectors.
    fn columns(self, dots: &Dots, tile: &Tile<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let groups = self.groups().ok_or_else(no_columns)?;
        let (operand, access) = groups.grouping().factors[1];
        let element = self.element(operand)?;
        let memory = self.zeros_in_memory(element, dots.columns * dots.all_vectors() * BYTES)?;
        let last = self.nest.schedule.vectors().map(|vectors| (vectors.dim, self.nest.space.dims[vectors.dim].extent));
        let (dim, extent) = last.ok_or_else(no_columns)?;
        let word = types::lanes(element, WORD);
        let copy = |kernel: Kernel<'k, 'c, 'a>, indices: &[(usize, Value<'c, 'a>)], column: Value<'c, 'a>| {
            let builder = &kernel.builder;
            let mut at = tile.clone();
            at.base[dim] = builder.index_plus(column, extent - dots.columns)?;
            indices.iter().for_each(|(dim, index)| at.base[*dim] = *index);
            let place = (operand, access);
            let address = kernel.address(&mut Loads::default(), place, &at, 0, Piece::ELEMENT)?;
            let group = vector::load(builder, (kernel.memory(operand)?, address), word, kernel.of_words(place))?;
            let place = kernel.place(dots, indices, column)?;
            vector::store(builder, group, (memory, place), Some(WORD))?;
            Ok(())
        };
        self.each_word(dots, &dots.dims(), &[], &copy)?;
        Ok(memory)
    }

    /// Memory of the kernel's own for so many elements, which are zero.
    fn zeros_in_memory(self, element: Type<'c>, size: i64) -> Result<Value<'c, 'a>, Error> {
        let builder = self.builder;
        let kind = types::memref(element, &[u64::try_from(size).ok()]).ok_or_else(no_columns)?;
        let memory = memref::alloca(&builder, kind, ALIGNMENT)?;
        let (zeros, range) =
            (builder.broadcast(self.zero(element)?, BYTES)?, [builder.index(0)?, builder.index(size)?]);
        builder.count_between::<Error>(range, BYTES, &[], |builder, index, _| {
            vector::store(&builder, zeros, (memory, index), None)?;
            Ok(Vec::new())
        })?;
        Ok(memory)
    }

    /// Of how many bytes the addresses of groups of the filter are multiples, if that is known.
    fn of_words(self, (operand, access): (usize, &Access)) -> Option<i64> {
        self.begin(operand).filter(|_| access.offset % WORD == 0).map(|_| WORD)
    }

    /// Loops over all words of all columns.
    fn each_word(
        self,
        dots: &Dots,
        dims: &[usize],
        indices: &[(usize, Value<'c, 'a>)],
        body: &Word<'_, 'k, 'c, 'a>,
    ) -> Result<(), Error> {
        let range = |end: i64| Ok::<_, Error>([self.builder.index(0)?, self.builder.index(end)?]);
        let Some((&dim, inner)) = dims.split_first() else {
            self.builder.count_between::<Error>(range(dots.columns)?, 1, &[], |builder, column, _| {
                body(self.at(builder), indices, column)?;
                Ok(Vec::new())
            })?;
            return Ok(());
        };
        let step = if dim == dots.run[0].0 { WORD } else { 1 };
        self.builder.count_between::<Error>(
            range(self.nest.space.dims[dim].extent)?,
            step,
            &[],
            |builder, index, _| {
                self.at(builder).each_word(dots, inner, &[indices, &[(dim, index)]].concat(), body)?;
                Ok(Vec::new())
            },
        )?;
        Ok(())
    }

    /// Where an element of a column is among all.
    fn place(
        self,
        dots: &Dots,
        indices: &[(usize, Value<'c, 'a>)],
        column: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let mut place = arith::muli(builder, column, builder.index(dots.all_vectors() * BYTES)?)?;
        for (dim, distance) in self.distances(dots) {
            if let Some((_, index)) = indices.iter().find(|(own, _)| *own == dim) {
                let further = arith::muli(builder, *index, builder.index(distance)?)?;
                place = arith::addi(builder, place, further)?;
            }
        }
        Ok(place)
    }

    /// How far neighbours along reduced dimensions are apart in a column.
    fn distances(self, dots: &Dots) -> Vec<(usize, i64)> {
        let mut distances = dots.run.clone();
        let mut length = dots.vectors() * BYTES;
        for &dim in dots.around.iter().rev() {
            distances.push((dim, length));
            length *= self.nest.space.dims[dim].extent;
        }
        distances
    }

    /// The last columns of a tile, if it has them and they are added up by themselves.
    pub(super) fn last_columns(self, tile: &Tile<'c, 'a>) -> Option<Dots> {
        let dots =
            Dots::of(&self.nest.space, &self.nest.schedule, self.target).filter(|_| self.values.columns.is_some())?;
        let has_columns = |piece: &Piece| piece.is_masked() && piece.filled % WORDS == dots.columns;
        tile.pieces.last().is_some_and(has_columns).then_some(dots)
    }

    /// The sums of a tile, of which the last columns are added up by themselves: before the others, which then have the registers.
    pub(super) fn with_last_columns(
        self,
        dots: &Dots,
        tile: &Tile<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some((last, whole)) = tile.pieces.split_last() else { return Ok(carried.to_vec()) };
        let columns = self.sums_of_columns(dots, tile)?;
        let left = Piece { filled: last.filled - dots.columns, ..*last };
        let others = whole.iter().copied().chain((left.filled > 0).then_some(left)).collect();
        let others = Tile { pieces: others, ..tile.clone() };
        let (each, own) = (others.pieces.len(), tile.pieces.len());
        let begin: Vec<_> = carried.chunks_exact(own).flat_map(|row| row[..each].iter().copied()).collect();
        let sums = match each {
            0 => Vec::new(),
            _ => self.reduce(&self.nest.schedule.reductions(), &others, begin)?,
        };
        let mut results = Vec::new();
        for (row, begin) in carried.chunks_exact(own).enumerate() {
            results.extend(sums[row * each..].iter().take(each));
            let sum = if each < own { begin[own - 1] } else { results.pop().ok_or_else(no_columns)? };
            let sums = self.columns_of_row(dots, &columns, row)?;
            let part = arith::addi(&self.builder, vector::slice(&self.builder, sum, left.filled, WORDS)?, sums)?;
            results.push(vector::insert_slice(&self.builder, part, sum, left.filled)?);
        }
        Ok(results)
    }

    /// The last columns of all rows of a tile, in few vectors.
    fn sums_of_columns(self, dots: &Dots, tile: &Tile<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let groups = self.groups_of_vectors().ok_or_else(no_columns)?;
        let rows: Vec<i64> = (0..tile.rows).collect();
        let of = |rows: &[i64]| self.settled(self.added_up(self.by_vectors((dots, &groups), tile, rows)?)?);
        rows.chunks(dots.together()).map(of).collect()
    }

    /// Those of one row in the first lanes.
    fn columns_of_row(self, dots: &Dots, sums: &[Value<'c, 'a>], row: usize) -> Result<Value<'c, 'a>, Error> {
        let first = (row % dots.together()) as i64 * dots.columns;
        let order: Vec<i64> = (first..first + WORDS).map(|lane| lane % WORDS).collect();
        Ok(vector::shuffle(&self.builder, [sums[row / dots.together()]; 2], &order)?)
    }

    /// The products of some rows and the last columns, as vectors of words that are to be added up, those of a row beside each other.
    fn by_vectors(
        self,
        (dots, groups): (&Dots, &Groups<'_>),
        tile: &Tile<'c, 'a>,
        rows: &[i64],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (builder, columns) = (self.builder, self.values.columns.ok_or_else(no_columns)?);
        let place = groups.grouping().factors[0];
        let (memory, kind) = (self.memory(place.0)?, bytes(self.element(place.0)?));
        let filter = bytes(self.element(groups.grouping().factors[1].0)?);
        let zeros = builder.broadcast(builder.integer(self.word(), 0)?, WORDS)?;
        let count = usize::try_from(dots.columns).unwrap_or(1);
        let mut sums = vec![zeros; rows.len() * count];
        let words = |value| vector::bitcast(&builder, value, types::lanes(self.word(), whole(WORDS)));
        for number in 0..dots.all_vectors() {
            let (time, further) = (number / dots.vectors(), number % dots.vectors() * BYTES);
            let at = self.at_time(dots, tile, time)?;
            let mut inputs = Vec::new();
            for row in rows {
                let address = self.address(&mut Loads::default(), place, &at, *row, Piece::ELEMENT)?;
                let address = builder.index_plus(address, further)?;
                let alignment = self.alignment(place, &at, *row, Piece::ELEMENT).map(|own| divisor(own, BYTES));
                inputs.push(words(vector::load(&builder, (memory, address), kind, alignment)?)?);
            }
            for column in 0..count {
                let first = builder.index((column as i64 * dots.all_vectors() + number) * BYTES)?;
                let own = words(vector::load(&builder, (columns, first), filter, Some(ALIGNMENT))?)?;
                for (row, input) in inputs.iter().enumerate() {
                    let sum = &mut sums[row * count + column];
                    *sum = self.multiply_add(groups, *sum, *input, own)?;
                }
            }
        }
        Ok(sums)
    }

    /// A tile at the first elements of a run.
    fn at_time(self, dots: &Dots, tile: &Tile<'c, 'a>, time: i64) -> Result<Tile<'c, 'a>, Error> {
        let (mut at, mut left) = (tile.clone(), time);
        for (dim, _) in &dots.run {
            at.base[*dim] = self.builder.index(0)?;
        }
        for &dim in dots.around.iter().rev() {
            let extent = self.nest.space.dims[dim].extent;
            at.base[dim] = self.builder.index(left % extent)?;
            left /= extent;
        }
        Ok(at)
    }
}

impl Dots {
    /// Rows whose products are added at once: their sums fit into a vector, and before into registers.
    fn together(&self) -> usize {
        usize::try_from(MOST_SUMS / self.columns).unwrap_or(1)
    }

    /// The reduced dimensions, outermost first.
    fn dims(&self) -> Vec<usize> {
        self.around.iter().copied().chain(self.run.iter().rev().map(|(dim, _)| *dim)).collect()
    }
}

fn whole(lanes: i64) -> Width {
    Width { lanes, is_scalable: false }
}

fn bytes(element: Type<'_>) -> Type<'_> {
    types::lanes(element, whole(BYTES))
}

fn no_columns() -> Error {
    Error::malformed("products without last columns")
}
