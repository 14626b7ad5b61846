//! Rests of whole vectors: where a target has no others, or several that get shorter, the last ones begin as far ahead as they would be short.
//! They compute again what the vectors before them do.

use super::kernel::{Kernel, Place, Tile};
use super::span::Cut;
use crate::Error;
use crate::nest::Nest;
use crate::nest::access::{Access, Step};
use crate::nest::parts::pieces;
use crate::nest::schedule::{Form, Kind, Lanes, Loop, Tail};
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::scf;

/// What is done with a row of a tile, as a tile of its own.
type Row<'b, 'k, 'c, 'a> = dyn Fn(Kernel<'k, 'c, 'a>, Tile<'c, 'a>) -> Result<(), Error> + 'b;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// The tile of what remains behind the full parts of a dimension, as whole vectors; none where these would go too far ahead, or where it is
    /// not the same to compute something again.
    pub(super) fn overlap(
        self,
        own: &Loop,
        [full, length]: [i64; 2],
        tile: &Tile<'c, 'a>,
    ) -> Option<Result<Tile<'c, 'a>, Error>> {
        let Form::Vectors(lanes) = own.form else { return None };
        let isa = &self.target.isa;
        let unit = if isa.only_whole { lanes.count } else { lanes.count.min(isa.lanes()) };
        let needed = (length - full + unit - 1) / unit * unit;
        let start = length - needed;
        let is_cut = length % unit != 0 && self.is_innermost(own) && !lanes.is_scalable;
        let is_all = tile.span.is_none() && !self.has_copies();
        let is_shorter = || pieces(needed, lanes.count).len() < pieces(length - full, lanes.count).len();
        let has_masks = isa.tails.contains(&Tail::Mask);
        let fits = is_cut && start >= 0 && is_all && (isa.only_whole || !has_masks && is_shorter());
        if !fits
            || !self.nest.space.may_repeat()
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

    /// How many elements the last part of a dimension has of which only the run knows the end; none where parts get shorter. Parts are whole on
    /// targets that have no others, and where elements are copied: so it makes no difference which range does them.
    pub(super) fn last_part(self, own: &Loop, cut: Option<&Cut<'c, 'a>>, tile: &Tile<'c, 'a>) -> Option<i64> {
        let (space, only_whole) = (&self.nest.space, self.target.isa.only_whole);
        let length = match own.form {
            Form::Vectors(Lanes { count: lanes @ 2.., is_scalable: false, .. }) => lanes,
            Form::Elements if own.step > 1 && own.kind == Kind::Parallel && !only_whole => own.step,
            _ => return None,
        };
        let begins = |access: &Access| match access.steps[own.dim] {
            Step::Open(_) => !only_whole,
            _ => begins_at(access, own.dim, space.dims[own.dim].multiple, length),
        };
        let is_copy = space.main.computation.instructions.is_empty() && !space.has_reduction();
        // Nothing is written that another range does.
        let is_own = tile.span.is_none() || !only_whole && cut.is_some_and(Cut::is_innermost);
        let fits = is_own && (only_whole || is_copy && self.nest.schedule.has_vectors());
        let fits = fits && self.is_innermost(own) && !self.has_copies();
        (fits && space.may_repeat() && space.accesses().all(begins)).then_some(length)
    }

    /// Behind whole parts of a dimension, one that begins as far ahead as it would be short; where there are fewer elements in all, from `begin` on,
    /// these.
    pub(super) fn open_overlap(
        self,
        (own, inner): Place<'_>,
        [begin, start, end]: [Value<'c, 'a>; 3],
        (length, tile): (i64, &Tile<'c, 'a>),
    ) -> Result<(), Error> {
        let is_left = arith::cmpi(&self.builder, IntegerPredicate::Slt, start, end)?;
        let left = scf::r#if(&self.builder, is_left, &[])?;
        let first = left.then.index_plus(begin, length)?;
        let is_long = arith::cmpi(&left.then, IntegerPredicate::Sge, end, first)?;
        let long = scf::r#if(&left.then, is_long, &[])?;
        let mut whole = self.part(own, tile, length);
        if matches!(own.form, Form::Vectors(_)) {
            whole.pieces = pieces(length, length);
            whole.behind = self.nest.space.dims[own.dim].multiple % length;
        }
        whole.base[own.dim] = long.then.index_plus(end, -length)?;
        self.at(long.then).loops(inner, whole)?;
        self.at(long.otherwise).few((own, inner), [start, end], tile)?;
        for branch in [&long.then, &long.otherwise, &left.then, &left.otherwise] {
            scf::r#yield(branch, &[])?;
        }
        Ok(())
    }

    /// Whether what is read begins with a tile, or a block.
    fn has_copies(self) -> bool {
        self.values.staged.is_some() || !self.values.packs.is_empty()
    }

    /// Fewer elements than a part has: masked where vectors are whole, but for those of several panels, else one after the other.
    fn few(self, (own, inner): Place<'_>, [start, end]: [Value<'c, 'a>; 2], tile: &Tile<'c, 'a>) -> Result<(), Error> {
        if !self.target.isa.only_whole {
            return self.open_part((own, inner), [start, end], (1, tile));
        }
        let has_panels = self.nest.space.accesses().any(|access| matches!(access.steps[own.dim], Step::Panel { .. }));
        let schedule = self.nest.schedule.element_by_element();
        let Some(vectors) = self.nest.schedule.vectors().filter(|_| !has_panels) else {
            let nest = Nest { space: self.nest.space.clone(), schedule };
            let loops = nest.schedule.around();
            let loops = &loops[loops.len() - inner.len() - 1..];
            let mut tile = tile.clone();
            tile.base[own.dim] = start;
            return self.row_by_row(tile, &|kernel, row| Kernel { nest: &nest, ..kernel }.loops(loops, row));
        };
        self.masked_rest(inner, vectors, [start, end], tile)
    }

    /// A loop over the rows of a tile.
    fn row_by_row(self, tile: Tile<'c, 'a>, body: &Row<'_, 'k, 'c, 'a>) -> Result<(), Error> {
        let Some(rows) = self.nest.schedule.rows().filter(|_| tile.rows > 1) else { return body(self, tile) };
        let range = [self.builder.index(0)?, self.builder.index(tile.rows)?];
        self.builder.count_between::<Error>(range, 1, &[], |builder, index, _| {
            let mut row = Tile { rows: 1, ..tile.clone() };
            row.base[rows.dim] = arith::addi(&builder, row.base[rows.dim], index)?;
            body(self.at(builder), row)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}

/// Whether vectors may begin at an index, or a multiple of it: neighbours anywhere, several panels with the first element of one.
fn begins_at(access: &Access, dim: usize, start: i64, lanes: i64) -> bool {
    match access.steps[dim] {
        Step::Linear(_) => true,
        Step::Panel { size, .. } => size < lanes && lanes % size == 0 && start % size == 0,
        Step::Open(_) => false,
    }
}
