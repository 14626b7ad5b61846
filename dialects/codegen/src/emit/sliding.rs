//! Windows that slide along the lanes, as those of pools whose vectors have several pixels: what lies side by side in a window are the same
//! vectors, shifted. Each is loaded once, and combined along the other dimensions before it is shifted.

use super::body::combined;
use super::kernel::{Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::access::{Access, Step};
use crate::nest::alignment::divisor;
use crate::nest::computation::Ref;
use crate::nest::op::Op;
use crate::nest::parts::Piece;
use crate::nest::space::Source;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ir::types::{self, Width};
use skriptnd_mlir::ops::vector;
use std::collections::BTreeSet;

/// Places along the lanes for which a window has several.
const LEAST_SHIFTS: usize = 2;

/// Places along the lanes, and first indices along the other dimensions of windows.
type Places = (BTreeSet<i64>, Vec<Vec<(usize, i64)>>);

/// Elements of an operand that are combined in windows.
pub(super) struct Sliding<'k> {
    /// What combines them.
    pub op: Op,
    /// The operand.
    pub operand: usize,
    /// Where its elements are.
    pub access: &'k Access,
    /// Of a vector, whose lanes are bytes.
    pub lanes: i64,
    /// How many times as far as they are long panels lie apart, and their length; the vectors themselves, where lanes are neighbours.
    pub panels: (i64, i64),
    /// Places in a window along the lanes.
    pub shifts: BTreeSet<i64>,
    /// First indices along the other reduced dimensions.
    pub others: Vec<Vec<(usize, i64)>>,
}

impl Sliding<'_> {
    /// Vectors that the windows of so many vectors of results read.
    fn vectors(&self, results: i64) -> i64 {
        let (times, size) = self.panels;
        let last = self.shifts.last().copied().unwrap_or(0);
        (times * results * self.lanes - (times - 1) * size + last + self.lanes - 1) / self.lanes
    }
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// What windows of a tile combine with what they begin with; none where they don't slide along whole vectors.
    pub(super) fn slide(
        self,
        tile: &Tile<'c, 'a>,
        begin: &[Value<'c, 'a>],
    ) -> Result<Option<Vec<Value<'c, 'a>>>, Error> {
        let is_whole = tile.rows == 1 && tile.pieces.iter().all(|piece| !piece.is_masked());
        let Some(sliding) = self.sliding(tile).filter(|sliding| is_whole && sliding.shifts.len() >= LEAST_SHIFTS)
        else {
            return self.slide_rows(tile, begin);
        };
        let loaded = self.combined_columns(&sliding, tile)?;
        let mut results = Vec::new();
        for (piece, begin) in (0..).zip(begin) {
            let mut result = *begin;
            for shift in &sliding.shifts {
                let shifted = self.shifted_window(&sliding, &loaded, piece, *shift)?;
                result = combined(self.builder, sliding.op, [result, shifted], self.any_zero)?;
            }
            results.push(result);
        }
        Ok(Some(results))
    }

    /// How windows slide along the lanes of a tile, if they do.
    pub(super) fn sliding(self, tile: &Tile<'c, 'a>) -> Option<Sliding<'k>> {
        let (space, schedule) = (&self.nest.space, &self.nest.schedule);
        let vectors = schedule.vectors().filter(|own| !own.is_scalable && !space.dims[own.dim].is_reduced)?;
        let is_code = schedule.unrolled() == schedule.reductions().len() && schedule.grouped().is_none();
        let has_vectors = tile.pieces.iter().all(|piece| piece.lanes == vectors.lanes);
        if !self.target.isa.only_whole || !is_code || !has_vectors {
            return None;
        }
        let mut used = space.main.sources.iter().enumerate().filter(|(_, source)| **source != Source::Unused);
        let (Some((number, Source::Memory(operand, access))), Some((_, Source::Chain)), None) =
            (used.next(), used.next(), used.next())
        else {
            return None;
        };
        let computation = &space.main.computation;
        let [only] = computation.instructions.as_slice() else { return None };
        let is_plain = computation.combiner().is_some() && only.operands.contains(&Ref::Argument(number));
        let is_byte = space
            .element(*operand)
            .is_some_and(|element| element.bytes() * vectors.lanes * 8 == self.target.isa.bits());
        let panels = match (access.steps[vectors.dim], self.spread(access)) {
            (Step::Linear(1), _) => (1, vectors.lanes),
            (Step::Panel { size, .. }, Some(2)) => (2, size),
            _ => return None,
        };
        let (shifts, others) = self.places_in_windows(access, (vectors.lanes, panels))?;
        (is_plain && is_byte).then_some(Sliding {
            op: only.op,
            operand: *operand,
            access,
            lanes: vectors.lanes,
            panels,
            shifts,
            others,
        })
    }

    /// Places of windows along the lanes, at most a vector away, and indices along the other reduced dimensions.
    fn places_in_windows(self, access: &Access, (lanes, (times, size)): (i64, (i64, i64))) -> Option<Places> {
        let (mut shifts, mut others) = (BTreeSet::from([0]), vec![Vec::new()]);
        for dim in self.nest.schedule.reductions() {
            let extent = self.nest.space.dims[dim].extent;
            let is_along = |step: &i64| *step >= 0 && step * (extent - 1) <= lanes && (times == 1 || step % size == 0);
            if let Some(step) = access.steps[dim].linear().filter(is_along) {
                shifts = shifts.iter().flat_map(|shift| (0..extent).map(move |index| shift + index * step)).collect();
            } else {
                let longer = |first: &Vec<(usize, i64)>, index: i64| [first.as_slice(), &[(dim, index)]].concat();
                others = others.iter().flat_map(|first| (0..extent).map(move |index| longer(first, index))).collect();
            }
        }
        Some((shifts, others))
    }

    /// The vectors that the windows of a tile read, each combined along the dimensions along which windows don't slide.
    fn combined_columns(self, sliding: &Sliding<'_>, tile: &Tile<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (memory, builder) = (self.memory(sliding.operand)?, &self.builder);
        let piece = Piece { offset: 0, lanes: sliding.lanes, filled: sliding.lanes, is_scalable: false };
        let kind = types::lanes(self.element(sliding.operand)?, Width { lanes: sliding.lanes, is_scalable: false });
        let count = sliding.vectors(tile.pieces.len() as i64);
        let mut columns: Vec<Option<Value<'c, 'a>>> = vec![None; usize::try_from(count).unwrap_or(0)];
        for first in &sliding.others {
            let at = self.at_window(tile, first)?;
            let place = (sliding.operand, sliding.access);
            let address = self.address(&mut Loads::default(), place, &at, 0, piece)?;
            let bytes = self.target.alignment();
            let alignment = self.alignment(place, &at, 0, piece).map(|own| divisor(own, bytes));
            for (number, column) in (0..).zip(&mut columns) {
                let address = builder.index_plus(address, number * sliding.lanes)?;
                let loaded = vector::load(builder, (memory, address), kind, alignment)?;
                *column = Some(match *column {
                    Some(column) => combined(self.builder, sliding.op, [column, loaded], self.any_zero)?,
                    None => loaded,
                });
            }
        }
        columns.into_iter().map(|column| column.ok_or_else(|| Error::malformed("windows of nothing"))).collect()
    }

    /// A tile at the first elements of windows, along some dimensions at others.
    pub(super) fn at_window(self, tile: &Tile<'c, 'a>, first: &[(usize, i64)]) -> Result<Tile<'c, 'a>, Error> {
        let mut at = tile.clone();
        for dim in self.nest.schedule.reductions() {
            let index = first.iter().find(|(other, _)| *other == dim).map_or(0, |(_, index)| *index);
            at.base[dim] = self.builder.index(index)?;
        }
        Ok(at)
    }

    /// What a vector of results has at a place of its windows.
    fn shifted_window(
        self,
        sliding: &Sliding<'_>,
        loaded: &[Value<'c, 'a>],
        piece: i64,
        shift: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let (times, size) = sliding.panels;
        let start = times * piece * sliding.lanes + shift;
        if times == 1 {
            return self.lanes_from(loaded, start, sliding.lanes);
        }
        let phase = shift / size % 2;
        let begin = self.lanes_from(loaded, start - phase * size, sliding.lanes)?;
        let end = self.lanes_from(loaded, start - phase * size + sliding.lanes, sliding.lanes)?;
        let element = self.element(sliding.operand)?;
        self.dealt([begin, end], (size, sliding.lanes), element, phase)
    }

    /// A vector that begins so many lanes behind the first one of several; lanes behind the last one are any.
    fn lanes_from(self, vectors: &[Value<'c, 'a>], start: i64, lanes: i64) -> Result<Value<'c, 'a>, Error> {
        let at = |number: i64| {
            let number = usize::try_from(number).unwrap_or(0).min(vectors.len().saturating_sub(1));
            vectors.get(number).copied().ok_or_else(|| Error::malformed("windows of nothing"))
        };
        let (number, rest) = (start / lanes, start % lanes);
        if rest == 0 {
            return at(number);
        }
        let order: Vec<i64> = (rest..rest + lanes).collect();
        Ok(vector::shuffle(&self.builder, [at(number)?, at(number + 1)?], &order)?)
    }
}
