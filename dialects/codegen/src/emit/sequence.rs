//! Sequences of groups that become one kernel: reductions of rows with what feeds and follows them, such as the steps of
//! softmax or of a normalization. A row stays in the nearest cache from the first step to the last.

use super::dims::merge_shared;
use super::group::Group;
use super::order::{MOST_BETWEEN, base, is_harmless, is_view, root, written};
use super::rows::{Digit, common, reads_output};
use crate::Error;
use crate::nest::access::{Access, Step};
use skriptnd_mlir::ir::{Builder, Context, Location, OperationRef, Value, block_operations, types};
use skriptnd_mlir::ops::{linalg, memref};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Groups that one kernel may have.
const MOST_GROUPS: usize = 16;

/// What becomes one kernel: a group, or several with common rows.
pub struct Sequence<'c, 'a> {
    /// In the order in which they run.
    pub groups: Vec<Group<'c, 'a>>,
}

impl<'c: 'a, 'a> Sequence<'c, 'a> {
    /// All operations that the kernel replaces; it takes the place of the last.
    pub fn operations(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> {
        self.groups.iter().flat_map(|group| group.operations.iter().copied())
    }

    /// Where the code stands in the model.
    pub fn location(&self, context: &'c Context) -> Location<'c> {
        self.last().map_or_else(|| Location::unknown(context), |operation| operation.location())
    }

    fn last(&self) -> Option<OperationRef<'c, 'a>> {
        self.groups.last()?.operations.last().copied()
    }

    fn is_reduction(&self) -> bool {
        self.groups.iter().any(|group| group.reduced.contains(&true))
    }

    /// Finds the common rows, merges dimensions, and makes memory that nothing else needs small.
    fn finish(&mut self) -> Result<(), Error> {
        for group in self.groups.iter_mut().filter(|group| !group.indexed) {
            group.drop_units();
        }
        let rows = if self.groups.len() > 1 { common(&self.groups) } else { None };
        if let Some(rows) = rows {
            for (group, rows) in self.groups.iter_mut().zip(rows) {
                group.share(&rows);
            }
            self.shrink()?;
            merge_shared(&mut self.groups);
        }
        self.groups.iter_mut().filter(|group| !group.indexed).for_each(Group::normalize);
        Ok(())
    }

    /// Gives memory that only these groups use the size of what one row needs.
    fn shrink(&mut self) -> Result<(), Error> {
        let operations: HashSet<usize> = self.operations().map(|operation| operation.key()).collect();
        let mut known = HashSet::new();
        for number in 0..self.groups.len() {
            let memory = base(self.groups[number].output.0);
            let is_new = known.insert(memory.key());
            if is_new && self.has_known_rows(memory) && self.is_own(number, memory, &operations) {
                self.shrink_memory(memory)?;
            }
        }
        Ok(())
    }

    /// Whether it is known how much memory one row needs.
    fn has_known_rows(&self, memory: Value<'c, 'a>) -> bool {
        self.groups.iter().all(|group| {
            let own = group.walked().filter(|(value, _)| base(*value).key() == memory.key());
            let is_known = |dim: usize, step: Step| match step {
                Step::Linear(distance) => dim < group.shared || distance == 0 || group.open[dim].is_none(),
                Step::Open { .. } | Step::Panel { .. } => false,
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
            for (_, access) in group.memory_mut().into_iter().filter(|(value, _)| is_it(**value)) {
                (0..shape.shared).for_each(|dim| {
                    if let Some(digit) = Digit::of(&shape, access, dim) {
                        digit.drop_from(access, dim);
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
        for group in &mut self.groups {
            group.memory_mut().into_iter().filter(|(value, _)| is_it(**value)).for_each(|(value, _)| *value = row);
        }
        Ok(())
    }
}

/// Elements from the first of a memory to the last that an access touches.
fn extent(group: &Group<'_, '_>, access: &Access) -> i64 {
    let steps = access.steps.iter().zip(&group.extents);
    let last = steps.map(|(step, extent)| step.linear().unwrap_or(0) * (extent - 1).max(0));
    1 + access.offset + last.sum::<i64>()
}

/// Whether nothing but these operations uses a memory, and what asks for its extents.
fn is_used_by<'c: 'a, 'a>(memory: Value<'c, 'a>, operations: &HashSet<usize>) -> bool {
    memory.uses().into_iter().all(|(user, _)| match user.full_name() {
        memref::DIM => true,
        _ if is_view(user) => user.results().all(|view| is_used_by(view, operations)),
        _ => operations.contains(&user.key()),
    })
}

/// Joins groups to sequences, in the order of their places.
pub fn join<'c: 'a, 'a>(
    mut groups: Vec<Group<'c, 'a>>,
    structured: &[OperationRef<'c, 'a>],
) -> Result<Vec<Sequence<'c, 'a>>, Error> {
    let places: HashMap<usize, usize> =
        structured.iter().enumerate().map(|(place, operation)| (operation.key(), place)).collect();
    let place = |group: &Group<'c, 'a>| group.operations.last().and_then(|last| places.get(&last.key()).copied());
    groups.sort_by_key(place);
    let mut joined = Joined::default();
    for (number, group) in groups.iter().enumerate() {
        joined.owners.extend(group.operations.iter().map(|operation| (operation.key(), number)));
    }
    joined.groups = groups.iter().map(|group| effects_of(group)).collect();
    for (number, group) in groups.into_iter().enumerate() {
        joined.add(number, group);
    }
    let mut sequences = joined.sequences;
    sequences.iter_mut().try_for_each(Sequence::finish)?;
    Ok(sequences)
}

/// What is read and what is written.
type Effects = (HashSet<usize>, HashSet<usize>);

fn effects_of(group: &Group<'_, '_>) -> Effects {
    (group.roots_read().into_iter().collect(), group.roots_written().collect())
}

#[derive(Default)]
struct Joined<'c, 'a> {
    sequences: Vec<Sequence<'c, 'a>>,
    /// Which sequence wrote a memory last.
    writers: HashMap<usize, usize>,
    /// The group of each operation.
    owners: HashMap<usize, usize>,
    /// The effects of each group.
    groups: Vec<Effects>,
    /// The effects of each sequence.
    effects: Vec<Effects>,
    /// The sequence of each group so far.
    members: HashMap<usize, usize>,
}

impl<'c: 'a, 'a> Joined<'c, 'a> {
    fn add(&mut self, number: usize, group: Group<'c, 'a>) {
        let written: Vec<usize> = group.roots_written().collect();
        let sources = group.roots_read().into_iter().filter_map(|key| self.writers.get(&key).copied());
        let found = sources.max().filter(|&sequence| self.fits(sequence, number, &group));
        let (read, written_by) = &self.groups[number];
        let place = match found {
            Some(place) => {
                self.sequences[place].groups.push(group);
                self.effects[place].0.extend(read);
                self.effects[place].1.extend(written_by);
                place
            }
            None => {
                self.sequences.push(Sequence { groups: vec![group] });
                self.effects.push((read.clone(), written_by.clone()));
                self.sequences.len() - 1
            }
        };
        self.writers.extend(written.into_iter().map(|written| (written, place)));
        self.members.insert(number, place);
    }

    /// Whether a group may become the last of a sequence.
    fn fits(&self, place: usize, number: usize, group: &Group<'c, 'a>) -> bool {
        let sequence = &self.sequences[place];
        let is_reduction = sequence.is_reduction() || group.reduced.contains(&true);
        if !is_reduction || sequence.groups.len() >= MOST_GROUPS {
            return false;
        }
        let all = || sequence.groups.iter().chain([group]);
        if !all().all(has_rows) || !self.may_wait(place, number, group) {
            return false;
        }
        let mut groups: Vec<Group<'c, 'a>> = all().cloned().collect();
        groups.iter_mut().for_each(Group::drop_units);
        common(&groups).is_some()
    }

    /// Whether a sequence may be computed where a group is: what stands between touches nothing that the sequence writes,
    /// and writes nothing that it reads.
    fn may_wait(&self, place: usize, number: usize, group: &Group<'c, 'a>) -> bool {
        let sequence = &self.sequences[place];
        let (Some(from), Some(&to)) = (sequence.last(), group.operations.last()) else { return false };
        let (reads, writes) = &self.effects[place];
        let mut between = from.next();
        for _ in 0..MOST_BETWEEN {
            let Some(operation) = between else { return false };
            if operation == to {
                return true;
            }
            let owner = self.owners.get(&operation.key());
            let is_own = owner.is_some_and(|owner| *owner == number || self.members.get(owner) == Some(&place));
            if !is_own && !is_harmless(operation) && operation.full_name() != memref::DIM {
                let Some(effects) = self.effects(operation, owner) else { return false };
                let (read, written) = &*effects;
                let crosses = !read.is_disjoint(writes) || !written.is_disjoint(writes) || !written.is_disjoint(reads);
                if crosses {
                    return false;
                }
            }
            between = operation.next();
        }
        false
    }

    /// What an operation touches, with all that is computed at its place.
    fn effects(&self, operation: OperationRef<'c, 'a>, owner: Option<&usize>) -> Option<Cow<'_, Effects>> {
        if let Some(owner) = owner {
            let known = match self.members.get(owner) {
                Some(&sequence) => self.effects.get(sequence),
                None => self.groups.get(*owner),
            };
            return known.map(Cow::Borrowed);
        }
        let written = written(operation)?.into_iter().collect();
        let memory = operation.operands().filter(|operand| operand.r#type().is_mem_ref());
        Some(Cow::Owned((memory.map(|operand| root(operand).key()).collect(), written)))
    }
}

/// Whether a group goes through its operands element by element, and computes on numbers alone: what a product of matrices
/// reads several times needs tiles of several rows.
fn has_rows(group: &Group<'_, '_>) -> bool {
    let is_plain = |operation: OperationRef<'_, '_>| {
        let name = operation.full_name();
        name.starts_with("arith.") || name.starts_with("math.") || name == linalg::YIELD
    };
    let bodies = group.stages().flat_map(|stage| block_operations(stage.body));
    let even = group.accesses().all(|access| access.steps.iter().all(|step| step.is_even()));
    !group.indexed
        && group.further.is_empty()
        && even
        && bodies.into_iter().all(is_plain)
        && !group.is_contraction
        && group.reads_once()
}
