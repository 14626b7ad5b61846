//! Packs of tensors of which only a run knows the length: as many tensors as there can be, of which the first ones are there.

use super::journal::{Journal, Place, Reversible};
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::tensors::TensorId;
use std::cell::RefCell;

/// Numbers of tensors and lengths of packs of open length, and of parts of such, by their first tensors.
#[derive(Debug, Default)]
pub(crate) struct Lengths(RefCell<Journal<TensorId, Vec<(usize, Extent)>>>);

impl Lengths {
    /// Notes how long the pack of so many tensors from one on is.
    pub(super) fn note(&self, first: TensorId, count: usize, length: &SymExpr) {
        let mut known = self.0.borrow_mut();
        let mut packs = known.get(&first).cloned().unwrap_or_default();
        packs.retain(|(other, _)| *other != count);
        packs.push((count, Extent { value: length.clone(), bound: i64::try_from(count).ok() }));
        known.insert(first, packs);
    }

    /// Notes a part; whether nothing else is noted of the same tensors.
    pub(super) fn note_part(&self, first: TensorId, count: usize, length: &SymExpr) -> bool {
        let noted = self.0.borrow().get(&first).and_then(|packs| packs.iter().find(|pack| pack.0 == count).cloned());
        match noted {
            Some((_, noted)) => noted.value == *length,
            None => {
                self.note(first, count, length);
                true
            }
        }
    }

    /// The longest pack that some tensors begin with: the number of its tensors, and its length.
    fn leading(&self, items: &[Option<TensorId>]) -> Option<(usize, Extent)> {
        let first = items.first().copied()??;
        let follow = |count: usize| {
            (0..count).all(|at| items.get(at).is_some_and(|id| id.is_some_and(|id| id.0 == first.0 + at as u32)))
        };
        let known = self.0.borrow();
        let packs = known.get(&first)?.iter().filter(|(count, _)| *count > 0 && follow(*count));
        packs.max_by_key(|(count, _)| *count).cloned()
    }

    /// How many of some tensors there are, if only a run knows it: such packs are among them.
    pub(super) fn of(&self, items: &[Option<TensorId>]) -> Option<SymExpr> {
        if self.0.borrow().is_empty() {
            return None;
        }
        let (mut length, mut rest, mut open) = (SymExpr::Const(0), items, false);
        while !rest.is_empty() {
            let pack = self.leading(rest);
            open |= pack.as_ref().is_some_and(|(_, length)| length.as_known().is_none());
            let (count, own) = pack.map_or((1, SymExpr::Const(1)), |(count, length)| (count, length.value));
            length = length.plus(&own)?;
            rest = &rest[count..];
        }
        open.then_some(length)
    }

    /// The same of tensors of the graph.
    pub(super) fn of_tensors(&self, items: &[TensorId]) -> Option<SymExpr> {
        self.of(&items.iter().copied().map(Some).collect::<Vec<_>>())
    }

    /// All of them, in the order of their first tensors.
    pub(super) fn into_sorted(self) -> Vec<(TensorId, Extent)> {
        let packs = self.0.into_inner();
        let mut sorted: Vec<_> = packs
            .iter()
            .flat_map(|(first, packs)| packs.iter().map(|(count, length)| (*first, *count, length.clone())))
            .collect();
        sorted.sort_by_key(|(first, count, _)| (*first, *count));
        sorted.into_iter().map(|(first, _, length)| (first, length)).collect()
    }
}

impl Reversible for Lengths {
    fn place(&self) -> Place {
        self.0.borrow().place()
    }

    fn go_back(&mut self, place: Place) {
        self.0.get_mut().go_back(place);
    }
}
