//! Rests of whole vectors: where a target has no others, the last ones begin as far ahead as they would be short. They compute again what the
//! vectors before them do.

use super::kernel::{Kernel, Tile};
use crate::Error;
use crate::nest::access::{Access, Step};
use crate::nest::parts::pieces;
use crate::nest::schedule::{Form, Loop};
use crate::nest::space::Source;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The tile of what remains behind the full parts of a dimension, as whole vectors; none where these would go too far ahead, or where it is
    /// not the same to compute something again.
    pub(super) fn overlap(
        self,
        own: &Loop,
        [full, length]: [i64; 2],
        tile: &Tile<'c, 'a>,
    ) -> Option<Result<Tile<'c, 'a>, Error>> {
        let Form::Vectors(lanes) = own.form else { return None };
        let needed = (length - full + lanes.count - 1) / lanes.count * lanes.count;
        let start = length - needed;
        let is_cut = length % lanes.count != 0 && self.is_innermost(own) && !lanes.is_scalable;
        // What is in VTCM begins with the tile.
        let is_all = tile.span.is_none() && self.values.staged.is_none();
        let fits = is_cut && start >= 0 && self.target.isa.only_whole && is_all;
        if !fits
            || !self.may_repeat()
            || !self.nest.space.accesses().all(|access| begins_at(access, own.dim, start, lanes.count))
        {
            return None;
        }
        let base = self.builder.index_plus(tile.base[own.dim], start).map_err(Error::from);
        Some(base.map(|base| {
            let mut rest = Tile { pieces: pieces(needed, lanes.count), behind: start % lanes.count, ..tile.clone() };
            rest.base[own.dim] = base;
            rest
        }))
    }

    /// Whether nothing is read that the kernel writes.
    fn may_repeat(self) -> bool {
        let space = &self.nest.space;
        let begins =
            if space.has_reduction() { space.init.is_some() } else { !space.main.sources.contains(&Source::Chain) };
        let is_reduced = self.nest.schedule.vectors().is_none_or(|vectors| space.dims[vectors.dim].is_reduced);
        begins
            && !is_reduced
            && space.further.is_empty()
            && space.reads().all(|(operand, _)| space.is_only_read(operand))
    }
}

/// Whether vectors may begin at an index: neighbours anywhere, several panels with the first element of one.
fn begins_at(access: &Access, dim: usize, start: i64, lanes: i64) -> bool {
    match access.steps[dim] {
        Step::Linear(_) => true,
        Step::Panel { size, .. } => size < lanes && lanes % size == 0 && start % size == 0,
        Step::Open { .. } => false,
    }
}
