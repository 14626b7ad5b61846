//! Memory of what lies between the nests of a kernel: it has room for one row, or one block of rows, which stays in the nearest cache. Each
//! thread has its own, on its stack, or each range of the loops around the nests a part of the workspace.

use super::sequence::{Sequence, is_used_by};
use crate::buffers::plan;
use crate::fusion::group::{Group, strides};
use crate::fusion::memory::base;
use crate::fusion::rows::Digit;
use crate::nest::access::{Access, Step, Stride};
use crate::nest::parallel::MOST_PARTS;
use crate::nest::space::{Dim, Source};
use crate::views::extents;
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, Value, attributes, types};
use skriptnd_mlir::ops::memref;
use std::collections::HashSet;

/// As many bytes of rows as a thread's stack is asked for: half of what threads of musl have.
const MOST_PRIVATE_BYTES: i64 = 64 << 10;

impl<'c: 'a, 'a> Sequence<'c, 'a> {
    /// Gives memory that only these groups use the size of what a row needs, or a block of rows.
    pub(super) fn give_rows(&mut self, has_threads: bool) -> Result<(), Error> {
        let operations: HashSet<usize> = self.operations().map(|operation| operation.key()).collect();
        let mut known = HashSet::new();
        for number in 0..self.groups.len() {
            let memory = base(self.groups[number].output());
            let is_new = known.insert(memory.key());
            if !is_new || !self.is_own(number, memory, &operations) {
                continue;
            }
            if self.has_known_rows(memory) {
                self.shrink_memory(memory)?;
            } else if let Some(shape) = self.open_rows(memory).filter(|_| has_threads) {
                self.shrink_open(memory, &shape)?;
            }
        }
        while let Some((from, into)) = self.in_place() {
            self.replace_row(into, from);
        }
        if has_threads { self.make_private() } else { Ok(()) }
    }

    /// Rows that an elementwise group may write into other rows, which it is the last to read.
    fn in_place(&self) -> Option<(Value<'c, 'a>, Value<'c, 'a>)> {
        self.groups.iter().enumerate().find_map(|(number, group)| {
            let (into, written) = (group.output(), &group.space.output.1);
            let is_elementwise = !group.space.has_reduction() && group.space.further.is_empty();
            let from =
                self.rows.iter().copied().filter(|_| is_elementwise && self.rows.contains(&into)).find(|from| {
                    let same = |(value, access): (Value<'c, 'a>, &Access)| value != *from || access == written;
                    let later =
                        self.groups[number + 1..].iter().flat_map(Group::walked).any(|(value, _)| value == *from);
                    let reads = group.walked().any(|(value, _)| value == *from);
                    *from != into && from.r#type() == into.r#type() && reads && !later && group.walked().all(same)
                })?;
            Some((from, into))
        })
    }

    /// Lets all groups have other memory in the place of a row's.
    fn replace_row(&mut self, row: Value<'c, 'a>, by: Value<'c, 'a>) {
        for group in &mut self.groups {
            group.space.operands.iter_mut().filter(|value| **value == row).for_each(|value| *value = by);
        }
        self.rows.retain(|own| *own != row);
    }

    /// Lets each thread have its own memory for rows where its stack has room for that, and each range of the loops around them elsewhere.
    fn make_private(&mut self) -> Result<(), Error> {
        let small = self.rows.iter().filter(|row| !is_marked(**row));
        let bytes: Vec<i64> = small.clone().map(|row| plan::bytes(row.r#type())).collect::<Result<_, _>>()?;
        if bytes.iter().sum::<i64>() > MOST_PRIVATE_BYTES {
            return self.make_parts();
        }
        for (number, made) in (0i64..).zip(small.filter_map(Value::defining_operation)) {
            made.set(notes::PRIVATE, attributes::integer(made.context(), number));
        }
        Ok(())
    }

    /// Makes memory for rows as large as all ranges together need.
    fn make_parts(&mut self) -> Result<(), Error> {
        let parts = u64::try_from(self.most_ranges()).unwrap_or(1);
        for small in self.rows.clone().into_iter().filter(|row| !is_marked(*row)) {
            let malformed = || Error::malformed("rows without memory");
            let made = small.defining_operation().ok_or_else(malformed)?;
            let count = types::shape(small.r#type()).and_then(|shape| *shape.first()?).ok_or_else(malformed)?;
            let kind = types::memref(types::element(small.r#type()), &[count.checked_mul(parts)]);
            let large = memref::alloc(&Builder::before(made)?, kind.ok_or_else(malformed)?)?;
            mark_parts(large, i64::try_from(count).unwrap_or(i64::MAX))?;
            self.replace_row(small, large);
            self.rows.push(large);
        }
        Ok(())
    }

    /// Into how many ranges the loops around the groups are cut at most.
    fn most_ranges(&self) -> i64 {
        let Some(space) = self.groups.first().map(|group| &group.space) else { return 1 };
        let iterations = (0..space.shared()).map(|dim| match space.dims[dim] {
            Dim { is_open: true, .. } => MOST_PARTS,
            Dim { extent, .. } => (extent + space.block_along(dim) - 1) / space.block_along(dim),
        });
        iterations.fold(1, i64::saturating_mul).clamp(1, MOST_PARTS)
    }

    /// Whether all rows may be computed at the same time.
    pub fn has_own_rows(&self) -> bool {
        let shares_reduction =
            |group: &Group<'c, 'a>| group.space.dims.iter().any(|dim| dim.is_shared && dim.is_reduced);
        self.rows.iter().all(|row| is_marked(*row)) && !self.groups.iter().any(shares_reduction)
    }

    /// Whether it is known how much memory one row needs.
    fn has_known_rows(&self, memory: Value<'c, 'a>) -> bool {
        self.groups.iter().all(|group| {
            let own = group.walked().filter(|(value, _)| base(*value).key() == memory.key());
            let is_known = |dim: usize, step: Step| match step {
                Step::Linear(distance) => {
                    distance == 0 || group.space.dims[dim].is_shared || !group.space.dims[dim].is_open
                }
                Step::Open(_) | Step::Panel { .. } => false,
            };
            own.into_iter().all(|(_, access)| access.steps.iter().enumerate().all(|(dim, step)| is_known(dim, *step)))
        })
    }

    /// Whether memory is made for these groups, the first of which writes it before anything reads it.
    fn is_own(&self, first: usize, memory: Value<'c, 'a>, operations: &HashSet<usize>) -> bool {
        let is_new = memory.defining_operation().is_some_and(|made| {
            made.full_name() == memref::ALLOC && self.last().is_some_and(|last| last.block() == made.block())
        });
        let reads = |group: &Group<'c, 'a>| group.roots_read().contains(&memory.key());
        is_new
            && !reads_output(&self.groups[first])
            && !self.groups[..=first].iter().any(reads)
            && self.groups[first + 1..].iter().any(reads)
            && is_used_by(memory, operations)
    }

    fn shrink_memory(&mut self, memory: Value<'c, 'a>) -> Result<(), Error> {
        let is_it = |value: Value<'c, 'a>| base(value).key() == memory.key();
        let mut count = 1;
        for group in &mut self.groups {
            let shape = group.clone();
            let is_it = |operand: usize| is_it(shape.space.operands[operand]);
            for (_, access) in group.space.walked_mut().into_iter().filter(|(operand, _)| is_it(*operand)) {
                (0..shape.space.shared()).for_each(|dim| {
                    if let Some(digit) = Digit::of(&shape, access, dim) {
                        digit.drop_from(access, dim, shape.space.block_along(dim));
                    }
                });
                count = count.max(extent(&shape, access));
            }
        }
        let place = memory.defining_operation().ok_or_else(|| Error::malformed("memory that nothing makes"))?;
        let count = u64::try_from(count).unwrap_or_default();
        let r#type = types::memref(types::element(memory.r#type()), &[Some(count)]);
        let r#type = r#type.ok_or_else(|| Error::malformed("memory of such elements"))?;
        let row = memref::alloc(&Builder::before(place)?, r#type)?;
        self.rows.push(row);
        for group in &mut self.groups {
            group.space.operands.iter_mut().filter(|value| is_it(**value)).for_each(|value| *value = row);
        }
        Ok(())
    }

    /// The extents of memory for a block of rows of which only a run knows how long they are: those of memory whose outermost dimensions are
    /// the rows, where each dimension of the groups goes along one of the memory's.
    fn open_rows(&self, memory: Value<'c, 'a>) -> Option<Vec<Option<u64>>> {
        let mut shape = types::shape(memory.r#type())?;
        let strides = strides(memory)?;
        let mut outer = HashSet::new();
        for group in &self.groups {
            let own = group.walked().filter(|(value, _)| base(*value).key() == memory.key());
            for (value, access) in own {
                if value != memory || access.offset != 0 || access.open_offset.is_some() {
                    return None;
                }
                let shared = group.space.shared();
                let blocked = group.space.block.and_then(|_| access.steps[..shared].last());
                let places =
                    places(&strides, &shape, access, |dim| dim < shared || blocked == Some(&access.steps[dim]))?;
                outer.extend((0..shared).filter_map(|dim| Some((places[dim]?, group.space.block_along(dim)))));
            }
        }
        let is_unit = |place: usize| shape[place] == Some(1);
        let inner =
            (0..shape.len()).filter(|place| !is_unit(*place) && !outer.iter().any(|(own, _)| own == place)).min()?;
        if outer.iter().any(|(place, _)| *place > inner) {
            return None;
        }
        for (place, size) in outer {
            shape[place] = u64::try_from(size).ok();
        }
        Some(shape)
    }

    /// Lets each range have memory of these extents in the place of some.
    fn shrink_open(&mut self, memory: Value<'c, 'a>, shape: &[Option<u64>]) -> Result<(), Error> {
        let malformed = || Error::malformed("memory that nothing makes");
        let place = Builder::before(memory.defining_operation().ok_or_else(malformed)?)?;
        let parts = u64::try_from(self.most_ranges()).ok();
        let all: Vec<Option<u64>> = [parts].into_iter().chain(shape.iter().copied()).collect();
        let kind = types::memref(types::element(memory.r#type()), &all).ok_or_else(malformed)?;
        let open = shape.iter().enumerate().filter(|(_, extent)| extent.is_none());
        let open: Vec<_> = open.map(|(dim, _)| extents::at(&place, memory, dim)).collect::<Result<_, _>>()?;
        let row = memref::alloc_open(&place, kind, &open)?;
        let count = shape.iter().try_fold(1, |count, extent| i64::try_from((*extent)?).ok()?.checked_mul(count));
        mark_parts(row, count.unwrap_or(0))?;
        for group in &mut self.groups {
            let shared = group.space.shared();
            let is_it: Vec<bool> = group.space.operands.iter().map(|value| *value == memory).collect();
            for (_, access) in group.space.walked_mut().into_iter().filter(|(operand, _)| is_it[*operand]) {
                access.steps[..shared].fill(Step::Linear(0));
                for step in &mut access.steps {
                    if let Step::Open(open) = step {
                        // The first dimension counts parts.
                        open.stride += 1;
                    }
                }
            }
        }
        self.rows.push(memory);
        self.replace_row(memory, row);
        self.rows.push(row);
        Ok(())
    }
}

/// The dimension of memory that each dimension of a group goes along; none where one goes along several. What goes over the indices of a
/// block goes along that of the loop over blocks.
fn places(
    strides: &[Stride],
    shape: &[Option<u64>],
    access: &Access,
    is_row: impl Fn(usize) -> bool,
) -> Option<Vec<Option<usize>>> {
    let mut taken = HashSet::new();
    let place = |step: Step, may_be_taken: bool, taken: &mut HashSet<usize>| {
        let mut fitting = (0..strides.len()).filter(|&place| shape[place] != Some(1) && strides[place].is(step));
        let found = fitting.find(|place| may_be_taken || !taken.contains(place))?;
        taken.insert(found);
        Some(found)
    };
    let dims = access.steps.iter().enumerate();
    dims.map(|(dim, step)| match step.moves() {
        true => place(*step, is_row(dim), &mut taken).map(Some),
        false => Some(None),
    })
    .collect()
}

/// Says of memory that each range of a kernel's loops has a part of so many elements; 0 where only a run knows how many.
fn mark_parts(memory: Value<'_, '_>, count: i64) -> Result<(), Error> {
    let made = memory.defining_operation().ok_or_else(|| Error::malformed("memory that nothing makes"))?;
    made.set(notes::PARTS, attributes::integer(made.context(), count));
    Ok(())
}

/// Whether memory is a thread's or a range's own.
fn is_marked(memory: Value<'_, '_>) -> bool {
    let made = memory.defining_operation();
    made.is_some_and(|made| [notes::PRIVATE, notes::PARTS].iter().any(|own| made.get(own).is_some()))
}

/// Elements from the first of a memory to the last that an access touches.
fn extent(group: &Group<'_, '_>, access: &Access) -> i64 {
    let steps = access.steps.iter().zip(&group.space.dims);
    let last = steps.map(|(step, dim)| step.linear().unwrap_or(0) * (dim.extent - 1).max(0));
    1 + access.offset + last.sum::<i64>()
}

/// Whether a group reads what was in its output.
fn reads_output(group: &Group<'_, '_>) -> bool {
    group.space.init.is_none() && group.space.main.sources.contains(&Source::Chain)
}
