//! Loads across: lanes that lie far apart in memory, where the rows of a tile are neighbours. So many vectors are loaded along
//! the rows and transposed in registers.

use super::kernel::{Kernel, Tile};
use super::lanes::known_mask;
use super::values::Lanes;
use super::values::Loads;
use crate::Error;
use crate::nest::access::Access;
use crate::nest::legal::lies_far;
use crate::nest::parts::{Piece, pieces};
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::vector;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The rows that are loaded together with one of them, as a piece along the rows; none where its lanes are loaded by
    /// themselves.
    pub(super) fn crossing(
        self,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Option<Piece> {
        let rows = self.nest.schedule.rows()?;
        let step = access.steps[self.nest.schedule.vectors()?.dim];
        let far = lies_far(step) && access.steps[rows.dim].linear() == Some(1);
        // Of lanes whose distance only a run knows, those of one row are put together as well.
        let least = if step.linear().is_some() { 2 } else { 1 };
        if self.target.isa.only_whole {
            let is_known = !piece.is_masked() || known_mask(tile) == Some(piece.filled);
            let rows = Piece { offset: 0, lanes: tile.rows, filled: tile.rows, is_scalable: false };
            let has_vectors = self.has_vectors_across(operand, tile.rows, piece);
            return (far && is_known && has_vectors && step.linear().is_some()).then_some(rows);
        }
        let block = || {
            let blocks = pieces(tile.rows, piece.lanes);
            blocks.into_iter().find(|block| (block.offset..block.offset + block.lanes).contains(&row))
        };
        let whole = piece.lanes > 1 && !piece.is_masked() && !piece.is_scalable;
        block().filter(|block| far && whole && block.lanes >= least)
    }

    /// The vectors of these rows, one for each.
    pub(super) fn load_across(
        self,
        loads: &mut Loads<'c, 'a>,
        operand: usize,
        access: &Access,
        tile: &Tile<'c, 'a>,
        (rows, piece): (Piece, Piece),
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        if self.target.isa.only_whole {
            return self.load_across_whole(loads, (operand, access), tile, piece);
        }
        let (memory, element) = (self.memory(operand)?, self.element(operand)?);
        let along = Piece { offset: 0, ..rows };
        let mut columns = Vec::new();
        for lane in 0..piece.lanes {
            let first = Piece { offset: piece.offset + lane, ..Piece::ELEMENT };
            let address = self.address(loads, (operand, access), tile, rows.offset, first)?;
            columns.push(self.load_piece(
                tile,
                along,
                element,
                Lanes { memory, address, distance: 1, alignment: None },
            )?);
        }
        match along.lanes {
            1 => Ok(vec![collected(&self.builder, &columns)?]),
            lanes => transposed(&self.builder, columns, lanes),
        }
    }
}

/// The vector of some elements.
fn collected<'c: 'a, 'a>(builder: &Builder<'c, 'a>, elements: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
    let first = *elements.first().ok_or_else(|| Error::malformed("a vector without lanes"))?;
    let all = builder.broadcast(first, i64::try_from(elements.len()).unwrap_or(1))?;
    let others = (0i64..).zip(elements).skip(1);
    others.into_iter().try_fold(all, |vector, (lane, element)| Ok(vector::insert(builder, *element, vector, lane)?))
}

/// Of `n` vectors with `count` lanes, both powers of two and `count` at most `n`, the `count` vectors with `n` lanes that have
/// the first lanes of all, the second ones, and so on.
///
/// The number of an element, that of its vector before that of its lane, is rotated by a bit in each step, until the bits of the
/// lane are those of the vector.
fn transposed<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    vectors: Vec<Value<'c, 'a>>,
    count: i64,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let mut vectors = vectors;
    let lanes = i64::try_from(vectors.len()).unwrap_or(1);
    let mut length = count;
    while length < lanes {
        let order: Vec<i64> = (0..2 * length).collect();
        vectors = pairs(&vectors, 1, |a, b| Ok(vec![vector::shuffle(builder, [a, b], &order)?]))?;
        length *= 2;
    }
    for _ in 0..lanes.ilog2() {
        let half = vectors.len() / 2;
        vectors = pairs(&vectors, half, |a, b| {
            let interleaved = |first: i64| -> Vec<i64> {
                (0..lanes).map(|lane| first + lane / 2 + if lane % 2 == 0 { 0 } else { lanes }).collect()
            };
            let orders = [interleaved(0), interleaved(lanes / 2)];
            orders.iter().map(|order| Ok(vector::shuffle(builder, [a, b], order)?)).collect()
        })?;
    }
    Ok(vectors)
}

/// What becomes of each pair of vectors that are so far apart, one pair behind the other.
fn pairs<'c: 'a, 'a>(
    vectors: &[Value<'c, 'a>],
    apart: usize,
    mut make: impl FnMut(Value<'c, 'a>, Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error>,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let mut made = Vec::new();
    for both in vectors.chunks_exact(2 * apart) {
        for first in 0..apart {
            made.extend(make(both[first], both[first + apart])?);
        }
    }
    Ok(made)
}
