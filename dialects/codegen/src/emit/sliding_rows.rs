//! Windows of rows that are shorter than vectors, as those of pools with few channels and strides: a vector has what the windows of a row read
//! side by side, or of several rows. It is loaded once, combined along the other dimensions, and shifted.

use super::body::combined;
use super::kernel::{Kernel, Tile};
use super::lanes::known_mask;
use super::sliding::Sliding;
use super::values::Loads;
use crate::Error;
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ops::vector;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// What windows of the rows of a tile combine with what they begin with; none where no vector has a window.
    pub(super) fn slide_rows(
        self,
        tile: &Tile<'c, 'a>,
        begin: &[Value<'c, 'a>],
    ) -> Result<Option<Vec<Value<'c, 'a>>>, Error> {
        let Some(sliding) = self.sliding(tile) else { return Ok(None) };
        let apart =
            self.nest.schedule.rows().map_or(Some(sliding.lanes), |rows| sliding.access.steps[rows.dim].linear());
        let ([piece], Some(apart)) = (tile.pieces.as_slice(), apart) else { return Ok(None) };
        let is_known = !piece.is_masked() || known_mask(tile) == Some(piece.filled);
        let free = sliding.lanes - piece.filled - sliding.shifts.last().copied().unwrap_or(0);
        let is_shared = sliding.shifts.len() > 1 || apart <= free;
        if !is_known || !is_shared || sliding.panels.0 != 1 || free < 0 || apart <= 0 {
            return Ok(None);
        }
        let together = free / apart + 1;
        let mut results = Vec::new();
        for first in (0..tile.rows).step_by(usize::try_from(together).unwrap_or(1)) {
            let windows = self.windows_of_rows(&sliding, tile, (first, *piece))?;
            for row in first..tile.rows.min(first + together) {
                let own = self.shifted(windows, (row - first) * apart, sliding.lanes)?;
                let before = begin[usize::try_from(row).unwrap_or(0)];
                results.push(combined(self.builder, sliding.op, [before, own], self.any_zero)?);
            }
        }
        Ok(Some(results))
    }

    /// The windows of a row and of those behind it whose elements are in the same vectors.
    fn windows_of_rows(
        self,
        sliding: &Sliding<'_>,
        tile: &Tile<'c, 'a>,
        (row, piece): (i64, Piece),
    ) -> Result<Value<'c, 'a>, Error> {
        let (memory, builder, place) =
            (self.memory(sliding.operand)?, &self.builder, (sliding.operand, sliding.access));
        let kind = types::lanes(self.element(sliding.operand)?, Width { lanes: sliding.lanes, is_scalable: false });
        let combine = |all: Option<Value<'c, 'a>>, own| match all {
            Some(all) => combined(self.builder, sliding.op, [all, own], self.any_zero),
            None => Ok(own),
        };
        let mut column = None;
        for first in &sliding.others {
            let at = self.at_window(tile, first)?;
            let address = self.address(&mut Loads::default(), place, &at, row, piece)?;
            let alignment = self.alignment(place, &at, row, piece);
            column = Some(combine(column, vector::load(builder, (memory, address), kind, alignment)?)?);
        }
        let column = column.ok_or_else(|| Error::malformed("windows of nothing"))?;
        let mut all = None;
        for shift in &sliding.shifts {
            all = Some(combine(all, self.shifted(column, *shift, sliding.lanes)?)?);
        }
        all.ok_or_else(|| Error::malformed("windows of nothing"))
    }

    /// A vector that begins so many lanes further; behind its last lanes are any.
    fn shifted(self, vector: Value<'c, 'a>, by: i64, lanes: i64) -> Result<Value<'c, 'a>, Error> {
        if by == 0 { Ok(vector) } else { self.behind_each_other(vector, vector, (by, lanes)) }
    }
}
