//! The dimensions of groups: fewer and longer ones make better loops.

use super::group::Group;
use crate::nest::access::{Access, Step};
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::nest::space::{Block, Dim, Stage, Within};
use crate::nest::woven::Woven;
use crate::target::Target;
use crate::views::contiguous::is_contiguous;
use crate::views::extents::is_same as is_same_extent;
use crate::views::structured::OpenExtent;
use skriptnd_mlir::ir::{Value, types};

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

    /// Lets vectors have several rows that are shorter: of bytes where there are whole vectors only, and what is computed has a form for
    /// vectors of integers; elsewhere those that are one element, repeated.
    pub fn weave(&mut self, target: &Target) {
        let space = &self.space;
        let is_parallel = space.dims.iter().all(|dim| !dim.is_shared && !dim.is_reduced);
        if !is_parallel || space.is_indexed() || target.isa.only_whole && !self.has_bytes() {
            return;
        }
        let dims = 0..space.dims.len();
        let pairs = dims.clone().flat_map(|outer| dims.clone().map(move |inner| (outer, inner)));
        let found = pairs.into_iter().find(|&(outer, inner)| outer != inner && self.is_woven(outer, inner, target));
        let Some((outer, inner)) = found else { return };
        let size = self.space.dims[inner].extent;
        for (_, access) in self.space.walked_mut() {
            access.steps[inner] = woven(access.steps[outer], access.steps[inner], size);
        }
        self.merge(outer, inner);
    }

    /// Whether all memory has bytes, and integers are computed of them.
    fn has_bytes(&self) -> bool {
        let is_byte = |(value, _): (Value<'c, 'a>, &Access)| types::is_integer(types::element(value.r#type()), 8);
        let is_plain = |stage: &Stage| {
            let integers = |element: &Element| matches!(element, Element::Integer(2..=32));
            let mut instructions = stage.computation.instructions.iter();
            instructions.all(|it| it.op != Op::Fetch && it.results.iter().all(integers))
                && stage.computation.divisors().next().is_none()
        };
        self.walked().all(is_byte) && self.space.stages().all(is_plain)
    }

    /// Whether the rows of all operands along two dimensions are woven.
    fn is_woven(&self, outer: usize, inner: usize, target: &Target) -> bool {
        let lanes = if target.isa.only_whole { target.alignment() } else { target.isa.lanes() };
        let size = self.space.dims[inner].extent;
        let fits = |access: &Access| match woven(access.steps[outer], access.steps[inner], size) {
            Step::Linear(0 | 1) => true,
            step => Woven::of(step, lanes).is_some_and(|woven| target.isa.only_whole == (woven.within != 0)),
        };
        let is_written = |(_, access): &(usize, Access)| {
            let step = woven(access.steps[outer], access.steps[inner], size);
            access.steps[outer].moves() && !Woven::of(step, lanes).is_some_and(Woven::has_columns)
        };
        let may_be_open = !target.isa.only_whole;
        let is_known = !self.space.dims[inner].is_open && (may_be_open || !self.space.dims[outer].is_open);
        let fills = is_known && size > 1 && size < lanes && size * self.space.dims[outer].extent >= lanes;
        fills && self.space.outputs().all(is_written) && self.space.accesses().all(fits)
    }

    /// Drops dimensions of extent 1.
    pub fn drop_units(&mut self) {
        for dim in (self.space.shared()..self.space.dims.len()).rev() {
            if self.is_unit(dim) {
                self.remove(dim);
            }
        }
    }

    /// The dimensions that stay where those of extent 1 go.
    pub fn kept_dims(&self) -> Vec<usize> {
        (0..self.space.dims.len()).filter(|&dim| !self.is_unit(dim)).collect()
    }

    fn is_unit(&self, dim: usize) -> bool {
        self.space.dims[dim].extent == 1 && !self.space.dims[dim].is_open && !self.is_asked(dim)
    }

    /// Whether the main operation asks for the index of a dimension.
    fn is_asked(&self, dim: usize) -> bool {
        self.space.main.computation.asks(dim)
    }

    /// Makes these dimensions the first ones, those of loops around several groups.
    pub fn share(&mut self, shared: &[usize]) {
        let others = (0..self.space.dims.len()).filter(|dim| !shared.contains(dim));
        let order: Vec<usize> = shared.iter().copied().chain(others).collect();
        self.space.dims = order.iter().map(|&dim| self.space.dims[dim]).collect();
        self.space.dims[..shared.len()].iter_mut().for_each(|dim| dim.is_shared = true);
        self.open = order.iter().map(|&dim| self.open[dim].take()).collect();
        for (_, access) in self.space.walked_mut() {
            access.steps = order.iter().map(|&dim| access.steps[dim]).collect();
        }
        let place = |dim: usize| order.iter().position(|old| *old == dim).unwrap_or(dim);
        self.space.main.computation.renumber_dims(place);
    }

    /// Whether indices along a dimension may be gone through in blocks.
    pub fn may_block(&self, dim: usize) -> bool {
        !self.is_asked(dim) && self.space.accesses().all(|access| access.steps[dim].is_even())
    }

    /// Lets the loop along the last of the dimensions around several groups go in blocks of so many indices, along which a dimension of its
    /// own goes.
    pub fn block_shared(&mut self, size: i64) {
        let Some(shared) = self.space.shared().checked_sub(1) else { return };
        let known = self.space.dims[shared];
        let is_whole = !known.is_open && known.extent % size == 0;
        let within = Within { dim: self.space.dims.len(), each: 1 };
        self.space.block = Some(Block { size, within: (!is_whole).then_some(within) });
        self.space.dims.push(Dim { extent: size, is_open: false, multiple: 1, is_shared: false, ..known });
        self.open.push(None);
        for (_, access) in self.space.walked_mut() {
            access.steps.push(access.steps[shared]);
        }
    }

    /// Cuts a dimension into blocks of so many indices; the number of the dimension that counts them. None where it is not known
    /// that they come out even.
    pub fn block(&mut self, dim: usize, size: i64) -> Option<usize> {
        let known = self.space.dims[dim];
        let is_even = size > 0 && !known.is_open && known.extent % size == 0;
        if !is_even || !self.may_block(dim) {
            return None;
        }
        self.space.dims[dim].extent = size;
        self.space.dims.push(Dim { extent: known.extent / size, ..known });
        self.open.push(None);
        for (_, access) in self.space.walked_mut() {
            access.steps.push(access.steps[dim].times(size));
        }
        Some(self.open.len() - 1)
    }

    fn mergeable(&self) -> Option<(usize, usize)> {
        let dims = self.space.shared()..self.space.dims.len();
        let pairs = dims.clone().flat_map(|outer| dims.clone().map(move |inner| (outer, inner)));
        pairs
            .into_iter()
            .find(|&(outer, inner)| outer != inner && !self.has_tiles(outer, inner) && self.is_one(outer, inner))
    }

    /// Whether a known dimension inside of an open one is long enough for tiles of its own, which come out even.
    fn has_tiles(&self, outer: usize, inner: usize) -> bool {
        let within = self.space.dims[inner];
        self.space.dims[outer].is_open && !within.is_open && within.extent >= LONG && self.space.is_contraction()
    }

    /// Whether every operand walks two dimensions as one.
    fn is_one(&self, outer: usize, inner: usize) -> bool {
        let (around, within) = (self.space.dims[outer], self.space.dims[inner]);
        let merges = |(memory, access): (Value<'c, 'a>, &Access)| match (access.steps[outer], access.steps[inner]) {
            (Step::Linear(0), Step::Linear(0)) => true,
            (Step::Open(far), Step::Linear(near)) if within.is_open && far.factor == 1 => self.open[inner]
                .as_ref()
                .is_some_and(|extent| is_filled(memory, far.stride, &extent.clone().times(near))),
            (Step::Linear(far), Step::Linear(near)) => !within.is_open && far == near * within.extent,
            (Step::Open(outer), Step::Open(inner)) => {
                !within.is_open && outer.stride == inner.stride && outer.factor == inner.factor * within.extent
            }
            _ => false,
        };
        // Of what goes over a block's indices, the last block may have fewer: so many times as many as the inner dimension has elements.
        let rest = self.space.rest().is_some_and(|rest| rest.dim == inner || rest.dim == outer && within.is_open);
        let same = around.is_reduced == within.is_reduced && !rest;
        same && !self.is_asked(outer) && !self.is_asked(inner) && self.walked().all(merges)
    }

    fn merge(&mut self, outer: usize, inner: usize) {
        let factor = self.space.dims[inner].extent;
        if let Some(rest) = self.space.rest_mut().filter(|rest| rest.dim == outer) {
            *rest = Within { dim: inner, each: rest.each * factor };
        }
        let around = self.space.dims[outer];
        self.space.dims[inner].extent *= around.extent;
        self.open[inner] = match (self.open[outer].take(), self.open[inner].take()) {
            (Some(outer), Some(inner)) => {
                Some(OpenExtent { of: [outer.of, inner.of].concat(), factor: outer.factor * inner.factor })
            }
            (Some(outer), None) => Some(outer.times(factor)),
            (None, inner) => inner.map(|inner| inner.times(around.extent)),
        };
        self.space.dims[inner].is_open = self.open[inner].is_some();
        self.remove(outer);
    }

    fn remove(&mut self, dim: usize) {
        self.space.dims.remove(dim);
        if let Some(rest) = self.space.rest_mut() {
            rest.dim -= usize::from(rest.dim > dim);
        }
        self.open.remove(dim);
        for (_, access) in self.space.walked_mut() {
            access.steps.remove(dim);
        }
        self.space.main.computation.renumber_dims(|own| own - usize::from(own > dim));
    }

    /// Whether a reduction takes each element of what it reads once.
    pub fn reads_once(&self) -> bool {
        let dims = &self.space.dims;
        let moves = |access: &Access| (0..dims.len()).all(|dim| dims[dim].extent == 1 || access.steps[dim].moves());
        !self.space.has_reduction() || self.space.main.memory().any(|(_, access)| moves(access))
    }
}

/// Whether the dimensions of memory behind one are together this extent, and nothing lies between: a step along it is over all of that.
fn is_filled<'c: 'a, 'a>(memory: Value<'c, 'a>, dimension: usize, extent: &OpenExtent<'c, 'a>) -> bool {
    let shape = types::shape(memory.r#type()).unwrap_or_default();
    let behind = || shape.iter().enumerate().skip(dimension + 1);
    let known = behind().filter_map(|(_, known)| *known).try_fold(1, |so_far: u64, own| so_far.checked_mul(own));
    let open = || behind().filter(|(_, known)| known.is_none()).map(|(place, _)| place);
    is_contiguous(memory)
        && known.and_then(|known| i64::try_from(known).ok()) == Some(extent.factor)
        && open().count() == extent.of.len()
        && open().zip(&extent.of).all(|(place, (own, dimension))| is_same_extent((memory, place), (*own, *dimension)))
}

/// The step along two dimensions as one, the inner one of which has so many elements.
fn woven(outer: Step, inner: Step, size: i64) -> Step {
    match (outer, inner) {
        (Step::Linear(0), Step::Linear(0)) => Step::Linear(0),
        (Step::Linear(far), Step::Linear(1)) if far == size => Step::Linear(1),
        (Step::Linear(far), Step::Linear(near)) => Step::Panel { size, outer: far, inner: near },
        _ => Step::Panel { size: 0, outer: 0, inner: 0 },
    }
}

/// Merges the loops around several groups that all operands of all groups walk as one.
pub fn merge_shared(groups: &mut [Group<'_, '_>]) {
    let Some(shared) = groups.first().map(|group| group.space.shared()) else { return };
    // The loop along the last goes in blocks.
    let merged = shared - usize::from(groups.iter().any(|group| group.space.block.is_some()));
    for outer in (1..merged).rev().map(|inner| inner - 1) {
        if groups.iter().all(|group| group.is_one(outer, outer + 1)) {
            groups.iter_mut().for_each(|group| group.merge(outer, outer + 1));
        }
    }
}
