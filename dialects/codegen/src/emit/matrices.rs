//! Products of matrices that registers hold (AMX). How many rows and columns registers have is told to the processor before a kernel begins,
//! and again for rows that fill no tile; sums go through memory to what is computed of them, a row after the other.

use super::body::combined;
use super::kernel::{Kernel, Tile};
use super::matrix_memory::{MatrixMemory, TOLD, WIDTH};
use super::values::Loads;
use crate::Error;
use crate::nest::access::Access;
use crate::nest::matrices::{BESIDE, COLUMNS, Matrices, ROWS};
use crate::nest::op::Op;
use crate::nest::parts::Piece;
use crate::nest::schedule::Loop;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{arith, llvm, memref, vector};

/// Bytes of a row of words.
const ROW_BYTES: i64 = 64;
/// The first registers of rows of the input and of columns of the filter, behind those of sums.
const INPUT: i64 = BESIDE * BESIDE;
const FILTER: i64 = INPUT + BESIDE;

/// Lets the processor forget the registers, where a kernel ends: it need not save them any more.
pub(super) fn release(builder: Builder<'_, '_>) -> Result<(), Error> {
    Ok(llvm::call_intrinsic_for_effect(&builder, "llvm.x86.tilerelease", &[])?)
}

/// What the processor is told of registers: 1, the bytes of a row of each from byte 16 on, and the rows of each from byte 48 on.
fn told(matrices: &Matrices, rows: i64) -> [i64; TOLD as usize] {
    let depth = matrices.step / matrices.group;
    let rows_of = |number: i64| (rows - number * ROWS).clamp(1, ROWS);
    let sums = (0..INPUT).map(|own| [rows_of(own / BESIDE), ROW_BYTES]);
    let input = (0..BESIDE).map(|own| [rows_of(own), matrices.step * matrices.bytes]);
    let filter = (0..BESIDE).map(|_| [depth, ROW_BYTES]);
    let mut bytes = [0u8; 64];
    bytes[0] = 1;
    for (register, [rows, length]) in sums.chain(input).chain(filter).enumerate() {
        let [rows, length] = [rows, length].map(|extent| u8::try_from(extent).unwrap_or(u8::MAX));
        (bytes[16 + 2 * register], bytes[48 + register]) = (length, rows);
    }
    let mut words = [0; TOLD as usize];
    for (word, part) in words.iter_mut().zip(bytes.chunks(8)) {
        *word = i64::from_le_bytes(part.try_into().unwrap_or_default());
    }
    words
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// How the kernel multiplies matrices, if it does, and with what memory.
    fn matrices(self) -> Option<(Matrices, MatrixMemory<'c, 'a>)> {
        Matrices::of(&self.nest.space, &self.nest.schedule).zip(self.values.matrices)
    }

    /// Tells the processor how many rows a tile has, where that matters.
    pub(super) fn tell_rows(self, rows: i64) -> Result<(), Error> {
        let Some((matrices, MatrixMemory { told: memory, .. })) = self.matrices() else { return Ok(()) };
        let word = types::integer(self.builder.context(), 64);
        for (place, number) in (0..).zip(told(&matrices, rows)) {
            let number = self.builder.integer(word, number)?;
            memref::store(&self.builder, number, memory, &[self.builder.index(place)?])?;
        }
        let pointer = self.pointer(memory, self.builder.index(0)?, 8)?;
        Ok(llvm::call_intrinsic_for_effect(&self.builder, "llvm.x86.ldtilecfg", &[pointer])?)
    }

    /// What is done with a part of a dimension, whose tile has so many rows: maybe fewer than others.
    pub(super) fn with_rows(
        self,
        own: &Loop,
        rows: i64,
        body: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let all = self.nest.schedule.rows().filter(|rows| rows.dim == own.dim && self.is_innermost(own));
        let Some(all) = all.filter(|all| all.count != rows && self.matrices().is_some()) else { return body() };
        self.tell_rows(rows)?;
        body()?;
        self.tell_rows(all.count)
    }

    /// Computes a tile. False, and nothing, where no matrices are multiplied.
    pub(super) fn multiply_matrices(self, tile: &Tile<'c, 'a>) -> Result<bool, Error> {
        let Some((matrices, memory)) = self.matrices() else { return Ok(false) };
        let mut others = self.nest.schedule.reductions();
        others.retain(|dim| *dim != matrices.dim);
        match matrices.part.zip(memory.total) {
            Some((part, total)) => {
                self.clear(total, tile)?;
                self.over(&others, tile, &|kernel, tile| {
                    kernel.add_parts_of(&matrices, part, (memory.sums, total), tile)
                })?;
            }
            None => self.put_products(memory.sums, tile, &|kernel| {
                let range = [kernel.builder.index(0)?, kernel.end(matrices.dim)?];
                kernel.over(&others, tile, &|kernel, tile| kernel.add_range(&matrices, range, tile))
            })?,
        }
        let sums = memory.total.unwrap_or(memory.sums);
        self.each_row(tile, &|kernel, row| kernel.finish_row(sums, row, &matrices, tile))?;
        Ok(true)
    }

    /// Puts zeros where the sums of a tile lie.
    fn clear(self, memory: Value<'c, 'a>, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let zero = self.zero(self.accumulator()?)?;
        self.each_row(tile, &|kernel, row| {
            let (place, zeros) = (kernel.place_of(row)?, kernel.builder.broadcast(zero, WIDTH)?);
            Ok(vector::store(&kernel.builder, zeros, (memory, place), None)?)
        })
    }

    /// Sums that begin with zeros, and what is added to them, in memory.
    fn put_products(
        self,
        memory: Value<'c, 'a>,
        tile: &Tile<'c, 'a>,
        add: &dyn Fn(Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let [rows, columns] = registers(tile);
        let all = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        for (row, column) in all() {
            self.do_with_register(("llvm.x86.tilezero", row * BESIDE + column), None)?;
        }
        add(self)?;
        for (row, column) in all() {
            let place = self.builder.index(row * ROWS * WIDTH + column * COLUMNS)?;
            let pointer = self.pointer(memory, place, WORD)?;
            self.do_with_register(("llvm.x86.tilestored64", row * BESIDE + column), Some((pointer, WIDTH * WORD)))?;
        }
        Ok(())
    }

    /// The sums of all parts of the dimension of groups, each added to those before.
    fn add_parts_of(
        self,
        matrices: &Matrices,
        part: i64,
        (sums, total): (Value<'c, 'a>, Value<'c, 'a>),
        tile: &Tile<'c, 'a>,
    ) -> Result<(), Error> {
        let end = self.end(matrices.dim)?;
        self.builder.count_between::<Error>([self.builder.index(0)?, end], part, &[], |builder, first, _| {
            let kernel = self.at(builder);
            let behind = arith::minsi(&builder, builder.index_plus(first, part)?, end)?;
            kernel.put_products(sums, tile, &|kernel| kernel.add_range(matrices, [first, behind], tile))?;
            let kind = types::lanes(kernel.accumulator()?, WIDTH);
            kernel.each_row(tile, &|kernel, row| {
                let place = kernel.place_of(row)?;
                let [before, own] =
                    [total, sums].map(|memory| vector::load(&kernel.builder, (memory, place), kind, None));
                let sum = combined(kernel.builder, Op::AddF, [before?, own?], kernel.any_zero)?;
                Ok(vector::store(&kernel.builder, sum, (total, place), None)?)
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// A loop over the rows of a tile.
    fn each_row(
        self,
        tile: &Tile<'c, 'a>,
        body: &dyn Fn(Self, Value<'c, 'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let range = [self.builder.index(0)?, self.builder.index(tile.rows)?];
        self.builder.count_between::<Error>(range, 1, &[], |builder, row, _| {
            body(self.at(builder), row)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Where the sums of a row lie.
    fn place_of(self, row: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        Ok(arith::muli(&self.builder, row, self.builder.index(WIDTH)?)?)
    }

    /// Loops along some reduced dimensions.
    fn over(
        self,
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        body: &dyn Fn(Self, &Tile<'c, 'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((&dim, inner)) = dims.split_first() else { return body(self, tile) };
        let range = [self.builder.index(0)?, self.end(dim)?];
        self.builder.count_between::<Error>(range, 1, &[], |builder, index, _| {
            let mut tile = tile.clone();
            tile.base[dim] = index;
            self.at(builder).over(inner, &tile, body)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The products in a range of the dimension of groups.
    fn add_range(self, matrices: &Matrices, range: [Value<'c, 'a>; 2], tile: &Tile<'c, 'a>) -> Result<(), Error> {
        self.builder.count_between::<Error>(range, matrices.step, &[], |builder, index, _| {
            let mut tile = tile.clone();
            tile.base[matrices.dim] = index;
            self.at(builder).add_products(matrices, &tile)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Loads each factor once, and adds all their products.
    fn add_products(self, matrices: &Matrices, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let grouping = self.nest.space.grouping().ok_or_else(|| Error::malformed("products without groups"))?;
        let [input, filter] = grouping.factors;
        let [rows, columns] = registers(tile);
        let down = input.1.steps[matrices.rows].linear().unwrap_or(0);
        let across = filter.1.steps[matrices.dim].typical();
        let mut loads = Loads::default();
        self.fetch_next_panel(tile, matrices.step)?;
        for column in 0..columns {
            let piece = Piece { offset: column * COLUMNS, lanes: COLUMNS, filled: COLUMNS, is_scalable: false };
            self.load_matrix(&mut loads, (filter, FILTER + column), tile, (0, piece), across)?;
        }
        for row in 0..rows {
            self.load_matrix(&mut loads, (input, INPUT + row), tile, (row * ROWS, Piece::ELEMENT), down)?;
            for column in 0..columns {
                let registers = [row * BESIDE + column, INPUT + row, FILTER + column];
                let registers = registers.map(|number| self.register(number));
                let registers = registers.into_iter().collect::<Result<Vec<_>, _>>()?;
                llvm::call_intrinsic_for_effect(&self.builder, matrices.function, &registers)?;
            }
        }
        Ok(())
    }

    /// Loads the rows from a point of a tile on, which are so many elements apart.
    fn load_matrix(
        self,
        loads: &mut Loads<'c, 'a>,
        ((operand, access), register): ((usize, &Access), i64),
        tile: &Tile<'c, 'a>,
        (row, piece): (i64, Piece),
        apart: i64,
    ) -> Result<(), Error> {
        let bytes = self.nest.space.element(operand).map_or(1, |element| element.bytes());
        let address = self.address(loads, (operand, access), tile, row, piece)?;
        let pointer = self.pointer(self.memory(operand)?, address, bytes)?;
        self.do_with_register(("llvm.x86.tileloadd64", register), Some((pointer, apart * bytes)))
    }

    /// What is computed of the sums of a row, and where it goes.
    fn finish_row(
        self,
        sums: Value<'c, 'a>,
        row: Value<'c, 'a>,
        matrices: &Matrices,
        tile: &Tile<'c, 'a>,
    ) -> Result<(), Error> {
        let mut own = Tile { rows: 1, pieces: whole(&tile.pieces), ..tile.clone() };
        own.base[matrices.rows] = arith::addi(&self.builder, tile.base[matrices.rows], row)?;
        let (first, kind) = (self.place_of(row)?, self.accumulator()?);
        let load = |piece: &Piece| {
            let address = self.builder.index_plus(first, piece.offset)?;
            Ok(match piece.lanes {
                1 => memref::load(&self.builder, sums, &[address])?,
                _ => vector::load(&self.builder, (sums, address), types::lanes(kind, piece.width()), None)?,
            })
        };
        let mut values = own.pieces.iter().map(load).collect::<Result<Vec<_>, Error>>()?;
        if !self.nest.space.begins_with_zero() {
            let op = if matrices.sum.is_real() { Op::AddF } else { Op::AddI };
            let pairs = self.initial(&own)?.into_iter().zip(values);
            let added = pairs.map(|(begin, sum)| combined(self.builder, op, [begin, sum], self.any_zero));
            values = added.collect::<Result<_, _>>()?;
        }
        self.finish(&own, values)
    }

    fn register(self, number: i64) -> Result<Value<'c, 'a>, Error> {
        Ok(self.builder.integer(types::integer(self.builder.context(), 8), number)?)
    }

    /// An instruction for one register, and for memory whose rows are so many bytes apart.
    fn do_with_register(
        self,
        (function, number): (&str, i64),
        memory: Option<(Value<'c, 'a>, i64)>,
    ) -> Result<(), Error> {
        let mut operands = vec![self.register(number)?];
        if let Some((pointer, apart)) = memory {
            operands.extend([pointer, self.builder.integer(types::integer(self.builder.context(), 64), apart)?]);
        }
        Ok(llvm::call_intrinsic_for_effect(&self.builder, function, &operands)?)
    }

    /// Where an element of so many bytes is.
    fn pointer(self, memory: Value<'c, 'a>, place: Value<'c, 'a>, bytes: i64) -> Result<Value<'c, 'a>, Error> {
        let (builder, context) = (&self.builder, self.builder.context());
        let (_, offset) = memref::base(builder, memory)?;
        let place = arith::addi(builder, offset, place)?;
        let place = arith::muli(builder, place, builder.index(bytes)?)?;
        let address = arith::addi(builder, memref::address(builder, memory)?, place)?;
        let address = arith::index_cast(builder, address, types::integer(context, 64))?;
        Ok(llvm::inttoptr(builder, address, llvm::pointer_type(context))?)
    }
}

/// Bytes of a sum.
const WORD: i64 = 4;

/// Two vectors of sums as one: what is computed in fewer bits is one vector then.
fn whole(pieces: &[Piece]) -> Vec<Piece> {
    match pieces {
        [first, second] if [first, second].iter().all(|piece| piece.filled == COLUMNS) => {
            vec![Piece { offset: first.offset, lanes: WIDTH, filled: WIDTH, is_scalable: false }]
        }
        _ => pieces.to_vec(),
    }
}

/// Registers of sums that a tile has along rows, and along columns.
fn registers(tile: &Tile<'_, '_>) -> [i64; 2] {
    let columns = tile.pieces.iter().map(|piece| piece.offset + piece.lanes).max().unwrap_or(0);
    [(tile.rows, ROWS), (columns, COLUMNS)].map(|(extent, own)| (extent + own - 1) / own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::element::Element;

    #[test]
    fn registers_have_the_rows_of_a_tile() {
        let matrices = Matrices {
            function: "",
            dim: 2,
            step: 48,
            group: 4,
            bytes: 1,
            rows: 0,
            sum: Element::Integer(32),
            part: None,
        };
        let words = told(&matrices, 25);
        let bytes: Vec<u8> = words.into_iter().flat_map(i64::to_le_bytes).collect();
        assert_eq!(bytes[0], 1);
        assert_eq!(bytes[16..32], [64, 0, 64, 0, 64, 0, 64, 0, 48, 0, 48, 0, 64, 0, 64, 0]);
        assert_eq!(bytes[48..56], [16, 16, 9, 9, 16, 9, 12, 12]);
    }
}
