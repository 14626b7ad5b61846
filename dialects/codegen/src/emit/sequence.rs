//! What becomes one kernel, as operations say: a group, or several with loops along common rows around them. What lies
//! between the groups of one row gets room for one row, which stays in the nearest cache.

use crate::buffers::plan;
use crate::fusion::group::Group;
use crate::fusion::memory::{base, is_harmless, is_view, root, written};
use crate::fusion::merge_shared;
use crate::fusion::notes::{self as marks, Part};
use crate::fusion::rows::{Digit, are_common};
use crate::nest::access::{Access, Step};
use crate::nest::parallel::MOST_PARTS;
use crate::nest::space::Source;
use crate::target::Target;
use crate::views::functions;
use crate::views::structured::outputs;
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, Context, Location, OperationRef, Value, attributes, operations_named, types, walk};
use skriptnd_mlir::ops::{linalg, memref};
use std::collections::{HashMap, HashSet};

/// As many bytes of rows as a thread's stack is asked for: half of what threads of musl have.
const MOST_PRIVATE_BYTES: i64 = 64 << 10;

/// What becomes one kernel.
pub struct Sequence<'c, 'a> {
    /// In the order in which they run.
    pub groups: Vec<Group<'c, 'a>>,
    /// Memory that holds one row of what lies between them.
    rows: Vec<Value<'c, 'a>>,
}

/// The kernels that the structured operations of a module say they are. Where bufferization has put something between the
/// operations of one that can't be there, each of its groups is a kernel, or each operation.
///
/// # Errors
/// Where an operand has no place in memory.
pub fn sequences<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target) -> Result<Vec<Sequence<'c, 'a>>, Error> {
    let mut sequences = Vec::new();
    for operations in kernels(module) {
        add(&parts(&operations), &mut sequences)?;
    }
    let single = sequences.iter_mut().filter(|sequence| sequence.groups.len() == 1);
    single.flat_map(|sequence| &mut sequence.groups).for_each(|group| group.weave(target));
    let is_run = |sequence: &Sequence<'c, 'a>| sequence.last().is_some_and(functions::is_in_run);
    if target.has_threads() {
        sequences.iter_mut().filter(|sequence| is_run(sequence)).try_for_each(Sequence::make_private)?;
    }
    Ok(sequences)
}

/// The operations of a group, with the number of the one that runs at every point.
type Members<'c, 'a> = (Vec<OperationRef<'c, 'a>>, usize);

fn add<'c: 'a, 'a>(parts: &[Members<'c, 'a>], sequences: &mut Vec<Sequence<'c, 'a>>) -> Result<(), Error> {
    match (Sequence::of(parts)?, parts) {
        (Some(sequence), _) => sequences.push(sequence),
        (None, [(operations, _)]) if operations.len() > 1 => {
            operations.iter().try_for_each(|operation| add(&[(vec![*operation], 0)], sequences))?;
        }
        (None, [_]) => {}
        (None, parts) => parts.iter().try_for_each(|part| add(std::slice::from_ref(part), sequences))?,
    }
    Ok(())
}

/// The structured operations of a module by kernels.
fn kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<Vec<OperationRef<'c, 'a>>> {
    let mut kernels: Vec<Vec<OperationRef<'c, 'a>>> = Vec::new();
    let mut known = HashMap::new();
    for operation in operations_named(module, linalg::GENERIC) {
        let number = marks::kernel(operation).map(|number| (operation.block().map(|block| block.key()), number));
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
        let (part, last) = (marks::part(operation), parts.last_mut());
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
    fn of(parts: &[Members<'c, 'a>]) -> Result<Option<Self>, Error> {
        let groups: Option<Vec<_>> = parts.iter().map(|(operations, main)| Group::of(operations, *main)).collect();
        let Some(groups) = groups else { return Ok(None) };
        let mains = parts.iter().filter_map(|(operations, main)| operations.get(*main));
        let rows: Vec<_> = mains.map(|main| (marks::rows(*main), marks::block(*main))).collect();
        let mut sequence = Sequence { groups, rows: Vec::new() };
        let is_whole = sequence.is_undisturbed() && sequence.arrange(&rows);
        Ok(if is_whole { Some(sequence.finish(&rows)?) } else { None })
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
    fn finish(mut self, rows: &[(Vec<usize>, i64)]) -> Result<Self, Error> {
        if self.groups.first().is_some_and(|group| group.space.shared() > 0) {
            self.block(rows);
            self.shrink()?;
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

    /// Gives memory that only these groups use the size of what one row needs.
    fn shrink(&mut self) -> Result<(), Error> {
        let operations: HashSet<usize> = self.operations().map(|operation| operation.key()).collect();
        let mut known = HashSet::new();
        for number in 0..self.groups.len() {
            let memory = base(self.groups[number].output());
            let is_new = known.insert(memory.key());
            if is_new && self.has_known_rows(memory) && self.is_own(number, memory, &operations) {
                self.shrink_memory(memory)?;
            }
        }
        while let Some((from, into)) = self.in_place() {
            self.replace_row(into, from);
        }
        Ok(())
    }

    /// Rows that an elementwise group may write into other rows, which it is the last to read.
    fn in_place(&self) -> Option<(Value<'c, 'a>, Value<'c, 'a>)> {
        self.groups.iter().enumerate().find_map(|(number, group)| {
            let (into, written) = (group.output(), &group.space.output.1);
            let is_elementwise = !group.space.has_reduction() && group.space.further.is_empty();
            let from = self.rows.iter().copied().filter(|_| is_elementwise && self.rows.contains(&into)).find(|from| {
                let same = |(value, access): (Value<'c, 'a>, &Access)| value != *from || access == written;
                let later = self.groups[number + 1..].iter().flat_map(Group::walked).any(|(value, _)| value == *from);
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
        let bytes: Vec<i64> = self.rows.iter().map(|row| plan::bytes(row.r#type())).collect::<Result<_, _>>()?;
        if bytes.iter().sum::<i64>() > MOST_PRIVATE_BYTES {
            return self.make_parts();
        }
        for (number, made) in (0i64..).zip(self.rows.iter().filter_map(Value::defining_operation)) {
            made.set(notes::PRIVATE, attributes::integer(made.context(), number));
        }
        Ok(())
    }

    /// Makes memory for rows as large as all ranges together need.
    fn make_parts(&mut self) -> Result<(), Error> {
        let parts = u64::try_from(self.most_ranges()).unwrap_or(1);
        for small in self.rows.clone() {
            let malformed = || Error::malformed("rows without memory");
            let made = small.defining_operation().ok_or_else(malformed)?;
            let count = types::shape(small.r#type()).and_then(|shape| *shape.first()?).ok_or_else(malformed)?;
            let kind = types::memref(types::element(small.r#type()), &[count.checked_mul(parts)]);
            let large = memref::alloc(&Builder::before(made)?, kind.ok_or_else(malformed)?)?;
            let count = attributes::integer(made.context(), i64::try_from(count).unwrap_or(i64::MAX));
            large.defining_operation().ok_or_else(malformed)?.set(notes::PARTS, count);
            self.replace_row(small, large);
            self.rows.push(large);
        }
        Ok(())
    }

    /// Into how many ranges the loops around the groups are cut at most.
    fn most_ranges(&self) -> i64 {
        let Some(space) = self.groups.first().map(|group| &group.space) else { return 1 };
        let dims = space.dims.iter().enumerate().filter(|(_, dim)| dim.is_shared);
        let iterations = dims.map(|(place, dim)| match dim.is_open {
            true => MOST_PARTS,
            false => {
                let block = space.block.filter(|_| place + 1 == space.shared()).map_or(1, |block| block.size);
                (dim.extent + block - 1) / block
            }
        });
        iterations.fold(1, i64::saturating_mul).clamp(1, MOST_PARTS)
    }

    /// Whether all rows may be computed at the same time.
    pub fn has_own_rows(&self) -> bool {
        let is_own = |row: &Value<'c, 'a>| {
            let made = row.defining_operation();
            made.is_some_and(|made| [notes::PRIVATE, notes::PARTS].iter().any(|own| made.get(own).is_some()))
        };
        let shares_reduction =
            |group: &Group<'c, 'a>| group.space.dims.iter().any(|dim| dim.is_shared && dim.is_reduced);
        self.rows.iter().all(is_own) && !self.groups.iter().any(shares_reduction)
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
                    let block = shape.space.block.filter(|_| dim + 1 == shape.space.shared());
                    if let Some(digit) = Digit::of(&shape, access, dim) {
                        digit.drop_from(access, dim, block.map_or(1, |block| block.size));
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
}

/// Elements from the first of a memory to the last that an access touches.
fn extent(group: &Group<'_, '_>, access: &Access) -> i64 {
    let steps = access.steps.iter().zip(&group.space.dims);
    let last = steps.map(|(step, dim)| step.linear().unwrap_or(0) * (dim.extent - 1).max(0));
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

/// Whether a group reads what was in its output.
fn reads_output(group: &Group<'_, '_>) -> bool {
    group.space.init.is_none() && group.space.main.sources.contains(&Source::Chain)
}
