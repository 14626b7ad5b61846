//! Products of pairs of rows of the input and pairs of columns of the filter: a vector of sums has two columns of a row, and of the next.

use super::body::combined;
use super::groups::Groups;
use super::kernel::{Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::op::Op;
use crate::nest::parts::Piece;
use crate::nest::row_pairs::PAIR;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{arith, llvm, vector};

/// Sums of a vector, and bits of a group.
const SUMS: i64 = PAIR * PAIR;
const GROUP_BITS: u32 = 64;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The sums of a tile, where pairs of rows are multiplied.
    pub(super) fn multiply_row_pairs(self, tile: &Tile<'c, 'a>) -> Result<Option<Vec<Value<'c, 'a>>>, Error> {
        let function = self.nest.schedule.grouped().and_then(|grouped| grouped.atom.function_of_row_pairs());
        let Some((function, groups)) = function.zip(self.groups()) else { return Ok(None) };
        let zero = self.builder.broadcast(self.zero(self.word())?, SUMS)?;
        let pairs = (tile.rows + 1) / PAIR * columns(tile).count() as i64;
        let zeros = vec![zero; usize::try_from(pairs).unwrap_or(0)];
        let dims = self.nest.schedule.reductions();
        let sums = self.add_row_pairs((function, &groups), &dims, tile, zeros)?;
        let rows = self.rows_of_pairs(tile, &sums)?;
        if self.nest.space.begins_with_zero() {
            return Ok(Some(rows));
        }
        let begins = self.initial(tile)?.into_iter().zip(rows);
        let sums = begins.map(|(begin, sum)| combined(self.builder, Op::AddI, [begin, sum], self.any_zero));
        sums.collect::<Result<_, _>>().map(Some)
    }

    /// The loops along some reduced dimensions, and in them products.
    fn add_row_pairs(
        self,
        (function, groups): (&str, &Groups<'_>),
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some((&dim, inner)) = dims.split_first() else {
            return self.add_pairs_of_rows(function, groups, tile, carried);
        };
        let at = |kernel: Self, index: Value<'c, 'a>, products: Option<i64>, carried: Vec<Value<'c, 'a>>| {
            let mut tile = Tile { products: products.or(tile.products), ..tile.clone() };
            tile.base[dim] = index;
            kernel.add_row_pairs((function, groups), inner, &tile, carried)
        };
        let (extent, is_grouped) = (self.nest.space.dims[dim].extent, dim == groups.grouping().dim);
        let size = if is_grouped { groups.grouping().size } else { 1 };
        let full = extent / size * size;
        let mut sums = carried;
        if dims.len() <= self.nest.schedule.unrolled() {
            for index in (0..full / size).map(|group| group * size) {
                sums = at(self, self.builder.index(index)?, None, sums)?;
            }
        } else {
            let end = if is_grouped { self.builder.index(full)? } else { self.end(dim)? };
            let range = [self.builder.index(0)?, end];
            let step = self.builder.index(size)?;
            sums = self.builder.count_by::<Error>(range, step, &sums, |builder, index, sums| {
                at(self.at(builder), index, None, sums.to_vec())
            })?;
        }
        if is_grouped && full < extent {
            sums = at(self, self.builder.index(full)?, Some(extent - full), sums)?;
        }
        Ok(sums)
    }

    /// The products of groups at all points of a tile.
    fn add_pairs_of_rows(
        self,
        function: &str,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        mut sums: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (mut loads, size) = (Loads::default(), groups.grouping().size);
        let (operand, access) = groups.grouping().factors[1];
        let kind = types::lanes(self.element(operand)?, PAIR * size);
        let mut filters = Vec::new();
        for (piece, column) in columns(tile) {
            let address = self.address(&mut loads, (operand, access), tile, 0, piece)?;
            let address = self.builder.index_plus(address, column * size)?;
            filters.push(vector::load(&self.builder, (self.memory(operand)?, address), kind, None)?);
        }
        for pair in 0..(tile.rows + 1) / PAIR {
            // Of an odd number of rows the last one is there twice.
            let rows = [PAIR * pair, (PAIR * pair + 1).min(tile.rows - 1)];
            let rows = rows.map(|row| self.group_of_row(groups, &mut loads, tile, row));
            let [first, second] = rows;
            let order: Vec<i64> = (0..PAIR * size).collect();
            let input = vector::shuffle(&self.builder, [first?, second?], &order)?;
            let first = usize::try_from(pair).unwrap_or(0) * filters.len();
            for (sum, filter) in sums[first..].iter_mut().zip(&filters) {
                *sum = llvm::call_intrinsic(&self.builder, function, &[*sum, input, *filter], sum.r#type())?;
            }
        }
        Ok(sums)
    }

    /// A group of a row of the input; of fewer products, the elements that there are before zeros.
    fn group_of_row(
        self,
        groups: &Groups<'_>,
        loads: &mut Loads<'c, 'a>,
        tile: &Tile<'c, 'a>,
        row: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let (grouping, builder) = (groups.grouping(), &self.builder);
        let (operand, access) = grouping.factors[0];
        let (memory, element) = (self.memory(operand)?, self.element(operand)?);
        let address = self.address(loads, (operand, access), tile, row, Piece::ELEMENT)?;
        let kind = types::lanes(element, grouping.size);
        let Some(products) = tile.products else { return Ok(vector::load(builder, (memory, address), kind, None)?) };
        if self.nest.space.dims[grouping.dim].extent < grouping.size {
            return self.first_elements((memory, address), products, grouping.size);
        }
        let missing = grouping.size - products;
        let whole = vector::load(builder, (memory, builder.index_plus(address, -missing)?), kind, None)?;
        let word = types::integer(builder.context(), GROUP_BITS);
        let words = types::vector(word, &[1]);
        let bits = builder.integer(word, missing * i64::from(GROUP_BITS) / grouping.size)?;
        let own = vector::extract(builder, vector::bitcast(builder, whole, words)?, 0)?;
        let shifted = vector::broadcast(builder, arith::shrui(builder, own, bits)?, words)?;
        Ok(vector::bitcast(builder, shifted, kind)?)
    }

    /// The sums of pairs as those of the pieces of all rows.
    fn rows_of_pairs(self, tile: &Tile<'c, 'a>, sums: &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (builder, each) = (&self.builder, columns(tile).count());
        let mut rows = Vec::new();
        for row in 0..tile.rows {
            let own = &sums[usize::try_from(row / PAIR).unwrap_or(0) * each..][..each];
            let first = row % PAIR * PAIR;
            let mut pairs = own.iter();
            for piece in &tile.pieces {
                if piece.lanes == 1 {
                    let sum = pairs.next().ok_or_else(|| Error::malformed("a column without a sum"))?;
                    rows.push(vector::extract(builder, *sum, first)?);
                    continue;
                }
                let mut all = builder.broadcast(self.zero(self.word())?, piece.lanes)?;
                for (place, sum) in (0..piece.lanes / PAIR).zip(&mut pairs) {
                    let half = vector::slice(builder, *sum, first, PAIR)?;
                    all = vector::insert_slice(builder, half, all, place * PAIR)?;
                }
                rows.push(all);
            }
        }
        Ok(rows)
    }
}

/// The pairs of columns of the pieces of a tile, by the first column within the piece.
fn columns<'t>(tile: &'t Tile<'_, '_>) -> impl Iterator<Item = (Piece, i64)> + 't {
    tile.pieces.iter().flat_map(|piece| (0..(piece.lanes / PAIR).max(1)).map(|pair| (*piece, PAIR * pair)))
}
