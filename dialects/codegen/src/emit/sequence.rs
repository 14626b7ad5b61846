//! What becomes one kernel, as operations say: a group, or several with loops along common rows around them. What lies
//! between the groups of one row gets room for one row, which stays in the nearest cache.

use crate::Error;
use crate::fusion::group::Group;
use crate::fusion::memory::{is_harmless, is_view, root, written};
use crate::fusion::merge_shared;
use crate::fusion::notes::{self, Part};
use crate::fusion::rows::are_common;
use crate::target::Target;
use crate::views::functions;
use crate::views::shapes::outputs;
use skriptnd_mlir::ir::{Context, Location, OperationRef, Value, operations_named, walk};
use skriptnd_mlir::ops::{linalg, memref};
use std::collections::{HashMap, HashSet};

/// What becomes one kernel.
pub struct Sequence<'c, 'a> {
    /// In the order in which they run.
    pub groups: Vec<Group<'c, 'a>>,
    /// Memory that holds one row of what lies between them, or one block of them.
    pub(super) rows: Vec<Value<'c, 'a>>,
}

/// The kernels that the structured operations of a module say they are. Where bufferization has put something between the
/// operations of one that can't be there, each of its groups is a kernel, or each operation.
///
/// # Errors
/// Where an operand has no place in memory.
pub fn sequences<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target) -> Result<Vec<Sequence<'c, 'a>>, Error> {
    let mut sequences = Vec::new();
    for operations in kernels(module) {
        add(&parts(&operations), target, &mut sequences)?;
    }
    let single = sequences.iter_mut().filter(|sequence| sequence.groups.len() == 1);
    single.flat_map(|sequence| &mut sequence.groups).for_each(|group| group.weave(target));
    Ok(sequences)
}

/// The operations of a group, with the number of the one that runs at every point.
type Members<'c, 'a> = (Vec<OperationRef<'c, 'a>>, usize);

fn add<'c: 'a, 'a>(
    parts: &[Members<'c, 'a>],
    target: &Target,
    sequences: &mut Vec<Sequence<'c, 'a>>,
) -> Result<(), Error> {
    match (Sequence::of(parts, target)?, parts) {
        (Some(sequence), _) => sequences.push(sequence),
        (None, [(operations, _)]) if operations.len() > 1 => {
            operations.iter().try_for_each(|operation| add(&[(vec![*operation], 0)], target, sequences))?;
        }
        (None, [_]) => {}
        (None, parts) => parts.iter().try_for_each(|part| add(std::slice::from_ref(part), target, sequences))?,
    }
    Ok(())
}

/// The structured operations of a module by kernels.
fn kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<Vec<OperationRef<'c, 'a>>> {
    let mut kernels: Vec<Vec<OperationRef<'c, 'a>>> = Vec::new();
    let mut known = HashMap::new();
    for operation in operations_named(module, linalg::GENERIC) {
        let number = notes::kernel(operation).map(|number| (operation.block().map(|block| block.key()), number));
        let place = number.map_or(kernels.len(), |number| *known.entry(number).or_insert(kernels.len()));
        match kernels.get_mut(place) {
            Some(kernel) => kernel.push(operation),
            None => kernels.push(vec![operation]),
        }
    }
    kernels
}

/// The groups of a kernel.
fn parts<'c: 'a, 'a>(operations: &[OperationRef<'c, 'a>]) -> Vec<Members<'c, 'a>> {
    let mut parts: Vec<Members<'c, 'a>> = Vec::new();
    for &operation in operations {
        let (part, last) = (notes::part(operation), parts.last_mut());
        let is_begun = |(begun, main): &Members<'c, 'a>| begun.len() <= *main;
        match last {
            Some(last) if part == Part::Epilogue || part == Part::Main && is_begun(last) => last.0.push(operation),
            _ => parts.push((vec![operation], usize::from(part == Part::Initial))),
        }
    }
    parts
}

impl<'c: 'a, 'a> Sequence<'c, 'a> {
    /// The kernel of some groups; none if they are none where their memory lies.
    fn of(parts: &[Members<'c, 'a>], target: &Target) -> Result<Option<Self>, Error> {
        let groups: Option<Vec<_>> = parts.iter().map(|(operations, main)| Group::of(operations, *main)).collect();
        let Some(groups) = groups else { return Ok(None) };
        let mains = parts.iter().filter_map(|(operations, main)| operations.get(*main));
        let rows: Vec<_> = mains.map(|main| (notes::rows(*main), notes::block(*main))).collect();
        let mut sequence = Sequence { groups, rows: Vec::new() };
        let is_whole = sequence.is_undisturbed() && sequence.arrange(&rows);
        Ok(if is_whole { Some(sequence.finish(&rows, target)?) } else { None })
    }

    /// All operations that the kernel replaces; it takes the place of the last.
    pub fn operations(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> {
        self.groups.iter().flat_map(|group| group.operations.iter().copied())
    }

    /// Where the code stands in the model.
    pub fn location(&self, context: &'c Context) -> Location<'c> {
        self.last().map_or_else(|| Location::unknown(context), |operation| operation.location())
    }

    /// The operation in the place of which the kernel stands.
    pub fn last(&self) -> Option<OperationRef<'c, 'a>> {
        self.groups.last()?.operations.last().copied()
    }

    /// Makes the rows the first dimensions of all groups. False where they are not common to them.
    fn arrange(&mut self, rows: &[(Vec<usize>, i64)]) -> bool {
        let is_single = self.groups.len() == 1;
        for (group, (rows, _)) in self.groups.iter_mut().zip(rows) {
            let kept = group.kept_dims();
            group.drop_units();
            if is_single {
                continue;
            }
            let rows: Option<Vec<_>> = rows.iter().map(|row| kept.iter().position(|dim| dim == row)).collect();
            let Some(rows) = rows else { return false };
            group.share(&rows);
        }
        let shared = self.groups.first().map_or(0, |group| group.space.shared());
        is_single || self.groups.iter().all(|group| group.space.shared() == shared) && are_common(&self.groups)
    }

    /// Lets the innermost loop around several groups go in blocks of so many indices.
    fn block(&mut self, rows: &[(Vec<usize>, i64)]) {
        let size = rows.iter().map(|(_, block)| *block).min().unwrap_or(1);
        let may_block =
            |group: &Group<'c, 'a>| group.space.shared().checked_sub(1).is_some_and(|dim| group.may_block(dim));
        if size > 1 && self.groups.iter().all(may_block) {
            self.groups.iter_mut().for_each(|group| group.block_shared(size));
        }
    }

    /// Merges dimensions, and makes memory that nothing else needs small.
    fn finish(mut self, rows: &[(Vec<usize>, i64)], target: &Target) -> Result<Self, Error> {
        let has_threads = target.has_threads() && self.last().is_some_and(functions::is_in_run);
        if self.groups.first().is_some_and(|group| group.space.shared() > 0) {
            self.block(rows);
            self.give_rows(has_threads)?;
            merge_shared(&mut self.groups);
        }
        self.groups.iter_mut().for_each(Group::normalize);
        Ok(self)
    }

    /// Whether all may be computed where the last operation is: what stands between touches nothing that the kernel writes and
    /// writes nothing that it reads, and nothing else reads what it does not write.
    fn is_undisturbed(&self) -> bool {
        let own: HashSet<usize> = self.operations().map(|operation| operation.key()).collect();
        let (Some(first), Some(last)) = (self.operations().next(), self.last()) else { return false };
        let reads: HashSet<usize> = self.groups.iter().flat_map(Group::roots_read).collect();
        let writes: HashSet<usize> = self.operations().filter_map(written).flatten().collect();
        let mut between = std::iter::successors(Some(first), |operation| operation.next());
        let harms = |operation: OperationRef<'c, 'a>| {
            let Some(written) = written(operation) else { return true };
            let touches = touched(operation).any(|key| writes.contains(&key));
            touches || written.iter().any(|key| reads.contains(key))
        };
        let apart = |operation: &OperationRef<'c, 'a>| !own.contains(&operation.key()) && !is_harmless(*operation);
        let is_free = between
            .by_ref()
            .take_while(|operation| *operation != last)
            .filter(apart)
            .all(|operation| !harms(operation));
        is_free && first.block() == last.block() && self.groups.iter().all(|group| is_hidden(group))
    }
}

/// Whether nothing but these operations uses a memory, and what asks for its extents.
pub(super) fn is_used_by<'c: 'a, 'a>(memory: Value<'c, 'a>, operations: &HashSet<usize>) -> bool {
    memory.uses().into_iter().all(|(user, _)| match user.full_name() {
        memref::DIM => true,
        _ if is_view(user) => user.results().all(|view| is_used_by(view, operations)),
        _ => operations.contains(&user.key()),
    })
}

/// Whether what a group keeps in registers, from its main operation to the last, is read by nothing else.
fn is_hidden(group: &Group<'_, '_>) -> bool {
    let own: HashSet<usize> = group.operations.iter().map(|operation| operation.key()).collect();
    let (main, count) = (usize::from(group.space.init.is_some()), group.operations.len());
    let inside = group.operations.get(main..count - 1).unwrap_or_default();
    inside.iter().filter_map(|operation| outputs(*operation)).flatten().all(|memory| {
        let memory = root(memory);
        let is_new = memory.defining_operation().is_some_and(|made| made.full_name() == memref::ALLOC);
        is_new && is_used_by(memory, &own)
    })
}

/// Keys of all memory that an operation names.
fn touched<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> impl Iterator<Item = usize> {
    let operands = walk(operation).into_iter().flat_map(|inside| inside.operands().collect::<Vec<_>>());
    operands.filter(|operand| operand.r#type().is_mem_ref()).map(|operand| root(operand).key())
}
