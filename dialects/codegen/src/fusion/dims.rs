//! The dimensions of groups: fewer and longer ones make better loops.

use super::group::{Group, Stage};
use crate::nest::access::{Access, Step};
use crate::structured::OpenExtent;
use skriptnd_mlir::ir::Value;

/// Elements of a known dimension that need no others beside them to fill tiles.
const LONG: i64 = 32;

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// Merges dimensions that every operand walks as one. Those of loops around several groups stay.
    pub fn normalize(&mut self) {
        self.drop_units();
        while let Some((outer, inner)) = self.mergeable() {
            self.merge(outer, inner);
        }
    }

    /// Drops dimensions of extent 1.
    pub fn drop_units(&mut self) {
        for dim in (self.shared..self.extents.len()).rev() {
            if self.is_unit(dim) {
                self.remove(dim);
            }
        }
    }

    /// The dimensions that stay where those of extent 1 go.
    pub fn kept_dims(&self) -> Vec<usize> {
        (0..self.extents.len()).filter(|&dim| !self.is_unit(dim)).collect()
    }

    fn is_unit(&self, dim: usize) -> bool {
        self.extents[dim] == 1 && self.open[dim].is_none() && !self.is_asked(dim)
    }

    /// Whether the main operation asks for the index of a dimension.
    fn is_asked(&self, dim: usize) -> bool {
        self.origins[dim].is_some_and(|dim| self.asked.contains(&dim))
    }

    /// Makes these dimensions the first ones, those of loops around several groups.
    pub fn share(&mut self, dims: &[usize]) {
        let others = (0..self.extents.len()).filter(|dim| !dims.contains(dim));
        let order: Vec<usize> = dims.iter().copied().chain(others).collect();
        self.extents = order.iter().map(|&dim| self.extents[dim]).collect();
        self.open = order.iter().map(|&dim| self.open[dim]).collect();
        self.reduced = order.iter().map(|&dim| self.reduced[dim]).collect();
        self.origins = order.iter().map(|&dim| self.origins[dim]).collect();
        for access in self.accesses_mut() {
            access.steps = order.iter().map(|&dim| access.steps[dim]).collect();
        }
        self.shared = dims.len();
    }

    /// Cuts a dimension into blocks of so many indices; the number of the dimension that counts them. None where it is not known
    /// that they come out even.
    pub fn block(&mut self, dim: usize, size: i64) -> Option<usize> {
        let is_even = size > 0 && self.open[dim].is_none() && self.extents[dim] % size == 0;
        let steps = || self.accesses().map(|access| access.steps[dim]);
        if !is_even || self.is_asked(dim) || !steps().all(|step| step.is_even()) {
            return None;
        }
        let count = self.extents[dim] / size;
        self.extents[dim] = size;
        self.extents.push(count);
        self.open.push(None);
        self.reduced.push(self.reduced[dim]);
        self.origins.push(None);
        for access in self.accesses_mut() {
            access.steps.push(access.steps[dim].times(size));
        }
        Some(self.extents.len() - 1)
    }

    fn mergeable(&self) -> Option<(usize, usize)> {
        let dims = self.shared..self.extents.len();
        let pairs = dims.clone().flat_map(|outer| dims.clone().map(move |inner| (outer, inner)));
        pairs
            .into_iter()
            .find(|&(outer, inner)| outer != inner && !self.has_tiles(outer, inner) && self.is_one(outer, inner))
    }

    /// Whether a known dimension inside of an open one is long enough for tiles of its own, which come out even.
    fn has_tiles(&self, outer: usize, inner: usize) -> bool {
        self.open[outer].is_some() && self.is_contraction && self.extents[inner] >= LONG
    }

    /// Whether every operand walks two dimensions as one.
    fn is_one(&self, outer: usize, inner: usize) -> bool {
        let merges = |access: &Access| match (access.steps[outer], access.steps[inner]) {
            (Step::Linear(far), Step::Linear(near)) => far == near * self.extents[inner],
            (Step::Open { stride: outer, factor: far, .. }, Step::Open { stride, factor: near, .. }) => {
                outer == stride && far == near * self.extents[inner]
            }
            _ => false,
        };
        let same = self.reduced[outer] == self.reduced[inner] && self.open[inner].is_none();
        same && !self.is_asked(outer) && !self.is_asked(inner) && self.accesses().all(merges)
    }

    fn merge(&mut self, outer: usize, inner: usize) {
        let factor = self.extents[inner];
        self.extents[inner] *= self.extents[outer];
        self.open[inner] = self.open[outer].map(|open| OpenExtent { factor: open.factor * factor, ..open });
        self.shared -= usize::from(outer < self.shared);
        self.remove(outer);
    }

    fn remove(&mut self, dim: usize) {
        self.extents.remove(dim);
        self.open.remove(dim);
        self.reduced.remove(dim);
        self.origins.remove(dim);
        for access in self.accesses_mut() {
            access.steps.remove(dim);
        }
    }

    /// All accesses to memory.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.walked().map(|(_, access)| access)
    }

    /// All memory that is read or written by addresses, with the accesses.
    pub fn walked(&self) -> impl Iterator<Item = (Value<'c, 'a>, &Access)> {
        let written = [&self.output].into_iter().chain(&self.further).map(|(memory, access)| (*memory, access));
        self.stages().flat_map(Stage::memory).chain(written)
    }

    /// All memory that is read or written, with the accesses, to be changed.
    pub fn memory_mut(&mut self) -> Vec<(&mut Value<'c, 'a>, &mut Access)> {
        let stages = self.init.iter_mut().chain([&mut self.main]).chain(&mut self.epilogues);
        let (value, access) = &mut self.output;
        let further = self.further.iter_mut().map(|(value, access)| (value, access));
        stages.flat_map(Stage::memory_mut).chain([(value, access)]).chain(further).collect()
    }

    /// Whether a reduction takes each element of what it reads once.
    pub fn reads_once(&self) -> bool {
        let moves =
            |access: &Access| (0..self.extents.len()).all(|dim| self.extents[dim] == 1 || access.steps[dim].moves());
        !self.reduced.contains(&true) || self.main.memory().any(|(_, access)| moves(access))
    }

    fn accesses_mut(&mut self) -> Vec<&mut Access> {
        self.memory_mut().into_iter().map(|(_, access)| access).collect()
    }
}

/// Merges the loops around several groups that all operands of all groups walk as one.
pub fn merge_shared(groups: &mut [Group<'_, '_>]) {
    let Some(shared) = groups.first().map(|group| group.shared) else { return };
    for outer in (1..shared).rev().map(|inner| inner - 1) {
        if groups.iter().all(|group| group.is_one(outer, outer + 1)) {
            groups.iter_mut().for_each(|group| group.merge(outer, outer + 1));
        }
    }
}
