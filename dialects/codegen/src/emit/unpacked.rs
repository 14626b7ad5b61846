//! Products of many rows with weights of few bits: a part of a panel is unpacked, and all rows of a block are multiplied by it, before
//! the next part is. The sums of the block lie in memory meanwhile.

use super::body::{combined, lanewise};
use super::kernel::{Kernel, Place, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::nest::parts::Piece;
use crate::nest::space::Source;
use crate::nest::unpacked::{LEAST_ROWS, Unpacked};
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{math, memref, scf, vector};

/// The memory of a kernel that unpacks weights: that of a part, and that of the sums of a block.
pub(super) type Memory<'c, 'a> = [Value<'c, 'a>; 2];

/// Makes that memory, where a kernel begins.
pub(super) fn memory<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    unpacked: &Unpacked,
    alignment: i64,
) -> Result<Memory<'c, 'a>, Error> {
    let real = types::f32(builder.context());
    let [weights, sums] = unpacked.elements().map(|count| {
        let kind = u64::try_from(count).ok().and_then(|count| types::memref(real, &[Some(count)]));
        let kind = kind.ok_or_else(|| Error::malformed("no memory for weights"))?;
        Ok::<_, Error>(memref::alloca(&builder, kind, alignment)?)
    });
    Ok([weights?, sums?])
}

/// A block of rows: how weights are unpacked, where, its first row and that behind the last.
struct Block<'u, 'c, 'a> {
    unpacked: &'u Unpacked,
    memory: Memory<'c, 'a>,
    rows: Part<'c, 'a>,
}

/// A part of a panel: its first group and first element within a group; or of the rows.
type Part<'c, 'a> = [Value<'c, 'a>; 2];

/// What is done at a point of a part, by its places there: goes on with values, and gives those to go on with.
type AtPoint<'b, 'k, 'c, 'a> =
    dyn Fn(Kernel<'k, 'c, 'a>, [Value<'c, 'a>; 2], &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error> + 'b;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// Goes over whole tiles of rows in a range in blocks, where the loop is that over tiles of rows, the tile is a whole one of a
    /// panel, and weights are unpacked; whether they are follows from the extents alone. False where they never are.
    pub(super) fn by_blocks(
        self,
        (own, inner): Place<'_>,
        range: [Value<'c, 'a>; 2],
        tile: &Tile<'c, 'a>,
    ) -> Result<bool, Error> {
        let Some(memory) = self.values.unpacked else { return Ok(false) };
        let Some(unpacked) = Unpacked::of(&self.nest.space, &self.nest.schedule, self.target) else { return Ok(false) };
        let lanes = self.nest.schedule.vectors().map_or(1, |vectors| vectors.lanes);
        let (dim, step, _) = unpacked.rows;
        let filled: i64 = tile.pieces.iter().map(|piece| if piece.lanes == lanes { piece.filled } else { 0 }).sum();
        if own.dim != dim || own.step != step || filled != unpacked.columns {
            return Ok(false);
        }
        let Some(rows) = self.values.ends[dim] else {
            self.blocks(&unpacked, memory, range, tile)?;
            return Ok(true);
        };
        let least = self.builder.index(LEAST_ROWS)?;
        let has_many = arith::cmpi(&self.builder, IntegerPredicate::Sge, rows, least)?;
        let branch = scf::r#if(&self.builder, has_many, &[])?;
        self.at(branch.then).blocks(&unpacked, memory, range, tile)?;
        scf::r#yield(&branch.then, &[])?;
        branch.otherwise.count_between::<Error>(range, step, &[], |builder, row, _| {
            let mut part = self.part(own, tile, step);
            part.base[dim] = row;
            self.at(builder).loops(inner, part)?;
            Ok(Vec::new())
        })?;
        scf::r#yield(&branch.otherwise, &[])?;
        Ok(true)
    }

    fn blocks(
        self,
        unpacked: &Unpacked,
        memory: Memory<'c, 'a>,
        range: [Value<'c, 'a>; 2],
        tile: &Tile<'c, 'a>,
    ) -> Result<(), Error> {
        let (_, _, length) = unpacked.rows;
        self.builder.count_by::<Error>(range, self.builder.index(length)?, &[], |builder, row, _| {
            let end = arith::minsi(&builder, builder.index_plus(row, length)?, range[1])?;
            self.at(builder).block(&Block { unpacked, memory, rows: [row, end] }, tile)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn block(self, block: &Block<'_, 'c, 'a>, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let space = &self.nest.space;
        self.each_tile(block, tile, &|kernel, tile, first| kernel.put_sums(block, first, &kernel.initial(tile)?))?;
        let (within, length) = block.unpacked.within;
        let ranges = block.unpacked.groups.map(|(dim, count)| (space.dims[dim].extent, count));
        let (groups, count) = ranges.unwrap_or((1, 1));
        let zero = self.builder.index(0)?;
        self.builder.count_between::<Error>([zero, self.builder.index(groups)?], count, &[], |builder, group, _| {
            let extent = builder.index(space.dims[within].extent)?;
            builder.count_between::<Error>([builder.index(0)?, extent], length, &[], |builder, first, _| {
                let kernel = self.at(builder);
                kernel.unpack(block, [group, first], tile)?;
                kernel
                    .each_tile(block, tile, &|kernel, tile, row| kernel.add_part(block, [group, first], tile, row))?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        self.each_tile(block, tile, &|kernel, tile, first| kernel.finish(tile, kernel.sums(block, tile, first)?))
    }

    /// A loop over the tiles of a block; `body` is given where the sums of one begin.
    fn each_tile(
        self,
        block: &Block<'_, 'c, 'a>,
        tile: &Tile<'c, 'a>,
        body: &dyn Fn(Self, &Tile<'c, 'a>, Value<'c, 'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (dim, step, _) = block.unpacked.rows;
        self.builder.count_between::<Error>(block.rows, step, &[], |builder, row, _| {
            let mut tile = Tile { rows: step, ..tile.clone() };
            tile.base[dim] = row;
            let before = arith::subi(&builder, row, block.rows[0])?;
            let first = arith::muli(&builder, before, builder.index(block.unpacked.columns)?)?;
            body(self.at(builder), &tile, first)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn vector_of_reals(self, piece: Piece) -> Type<'c> {
        types::lanes(types::f32(self.builder.context()), piece.width())
    }

    /// Where the sums of the pieces of a tile lie, from the first on.
    fn places(self, block: &Block<'_, 'c, 'a>, tile: &Tile<'c, 'a>) -> Vec<(Piece, i64)> {
        let columns = block.unpacked.columns;
        (0..tile.rows)
            .flat_map(|row| tile.pieces.iter().map(move |piece| (*piece, row * columns + piece.offset)))
            .collect()
    }

    fn sums(
        self,
        block: &Block<'_, 'c, 'a>,
        tile: &Tile<'c, 'a>,
        first: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let load = |(piece, offset): (Piece, i64)| {
            let address = self.builder.index_plus(first, offset)?;
            Ok(vector::load(&self.builder, (block.memory[1], address), self.vector_of_reals(piece), None)?)
        };
        self.places(block, tile).into_iter().map(load).collect()
    }

    fn put_sums(self, block: &Block<'_, 'c, 'a>, first: Value<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Error> {
        let columns = block.unpacked.columns;
        let mut offset = 0;
        for value in values {
            let address = self.builder.index_plus(first, offset)?;
            vector::store(&self.builder, *value, (block.memory[1], address), None)?;
            offset += columns / (values.len() as i64 / block.unpacked.rows.1);
        }
        Ok(())
    }

    /// The tile at a point of a part, and where the weights of that point lie.
    fn at_point(
        self,
        block: &Block<'_, 'c, 'a>,
        (part, index): (Part<'c, 'a>, [Value<'c, 'a>; 2]),
        tile: &Tile<'c, 'a>,
    ) -> Result<(Tile<'c, 'a>, Value<'c, 'a>), Error> {
        let (builder, Unpacked { groups, within, factors, columns, .. }) = (&self.builder, block.unpacked);
        let mut tile = tile.clone();
        if let Some((dim, _)) = groups {
            tile.base[*dim] = arith::addi(builder, part[0], index[0])?;
        }
        tile.base[within.0] = arith::addi(builder, part[1], index[1])?;
        let before = arith::muli(builder, index[0], builder.index(within.1)?)?;
        let number = arith::addi(builder, before, index[1])?;
        let address = arith::muli(builder, number, builder.index(factors.len() as i64 * columns)?)?;
        Ok((tile, address))
    }

    /// Puts the weights of a part into memory, scaled.
    fn unpack(self, block: &Block<'_, 'c, 'a>, part: Part<'c, 'a>, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let unpacked = block.unpacked;
        let Some(Source::Memory(operand, access)) = self.nest.space.main.sources.get(unpacked.scale) else {
            return Err(Error::malformed("weights without scales"));
        };
        let tile = Tile { rows: 1, ..tile.clone() };
        self.over_part(unpacked, &[], &|kernel, index, _| {
            let (tile, address) = kernel.at_point(block, (part, index), &tile)?;
            let (builder, mut loads) = (&kernel.builder, Loads::default());
            let weights = kernel.evaluate(&unpacked.weights, &tile, &vec![None; tile.pieces.len()])?;
            for (number, weights) in (0..).zip(weights.chunks(tile.pieces.len())) {
                for (piece, weight) in tile.pieces.iter().zip(weights) {
                    let scale = kernel.load(&mut loads, *operand, access, &tile, 0, *piece)?;
                    let scaled = lanewise(*builder, arith::MULF, &[*weight, scale], piece.width())?;
                    let address = builder.index_plus(address, number * unpacked.columns + piece.offset)?;
                    vector::store(builder, scaled, (block.memory[0], address), None)?;
                }
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Adds the products of a tile with a part to its sums.
    fn add_part(
        self,
        block: &Block<'_, 'c, 'a>,
        part: Part<'c, 'a>,
        tile: &Tile<'c, 'a>,
        first: Value<'c, 'a>,
    ) -> Result<(), Error> {
        let zero = self.zero(types::f32(self.builder.context()))?;
        let places = self.places(block, tile);
        let zeros = places.iter().map(|(piece, _)| Ok(self.builder.broadcast(zero, piece.width())?));
        let zeros = zeros.collect::<Result<Vec<_>, Error>>()?;
        let sums = self.over_part(block.unpacked, &zeros, &|kernel, index, carried| {
            let (tile, address) = kernel.at_point(block, (part, index), tile)?;
            kernel.multiply(block, (&tile, address), carried)
        })?;
        let before = self.sums(block, tile, first)?;
        let pairs = before.into_iter().zip(sums);
        let added = pairs.map(|(before, sum)| combined(self.builder, Op::AddF, [before, sum], self.any_zero));
        self.put_sums(block, first, &added.collect::<Result<Vec<_>, Error>>()?)
    }

    /// Sums with the products at a point added.
    fn multiply(
        self,
        block: &Block<'_, 'c, 'a>,
        (tile, address): (&Tile<'c, 'a>, Value<'c, 'a>),
        carried: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (builder, mut loads, mut sums) = (&self.builder, Loads::default(), carried.to_vec());
        for (number, factor) in (0..).zip(&block.unpacked.factors) {
            let Some(Source::Memory(operand, access)) = self.nest.space.main.sources.get(*factor) else {
                return Err(Error::malformed("weights without factors"));
            };
            let load = |piece: &Piece| {
                let address = builder.index_plus(address, number * block.unpacked.columns + piece.offset)?;
                Ok(vector::load(builder, (block.memory[0], address), self.vector_of_reals(*piece), None)?)
            };
            let weights = tile.pieces.iter().map(load).collect::<Result<Vec<_>, Error>>()?;
            for (row, sums) in (0..).zip(sums.chunks_mut(weights.len())) {
                let input = self.load(&mut loads, *operand, access, tile, row, Piece::ELEMENT)?;
                for ((sum, weight), piece) in sums.iter_mut().zip(&weights).zip(&tile.pieces) {
                    *sum = match self.fused.has(Element::Real(32)) {
                        true => lanewise(*builder, math::FMA, &[input, *weight, *sum], piece.width())?,
                        false => {
                            let product = lanewise(*builder, arith::MULF, &[input, *weight], piece.width())?;
                            arith::addf(builder, *sum, product)?
                        }
                    };
                }
            }
        }
        Ok(sums)
    }

    /// Loops over the points of a part, by their places in it.
    fn over_part(
        self,
        unpacked: &Unpacked,
        carried: &[Value<'c, 'a>],
        body: &AtPoint<'_, 'k, 'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let groups = unpacked.groups.map_or(1, |(_, count)| count);
        let range = |builder: Builder<'c, 'a>, count: i64| Ok::<_, Error>([builder.index(0)?, builder.index(count)?]);
        self.builder.count_between(range(self.builder, groups)?, 1, carried, |builder, group, carried| {
            builder.count_between(range(builder, unpacked.within.1)?, 1, carried, |builder, place, carried| {
                body(self.at(builder), [group, place], carried)
            })
        })
    }
}
