//! Groups of structured operations that become one kernel: what initialises an accumulator, the operation that
//! accumulates, and elementwise operations on the result. In a kernel the values in between stay in registers.

use super::order::{inputs_stay, previous_access, root, writes_nothing_of};
use crate::nest::access::{Access, Step, Stride};
use crate::nest::space::TYPICAL;
use crate::structured::{OpenExtent, Structured};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{BlockRef, OperationRef, Type, Value, block_arguments, block_operations, types};
use skriptnd_mlir::ops::{linalg, memref};
use std::collections::HashSet;

/// Operations that the bodies of one kernel may have together: what LLVM does to one block takes more than proportional
/// time.
const MOST_OPERATIONS: usize = 256;

/// Where an argument of a body comes from.
#[derive(Clone)]
pub enum Source<'c, 'a> {
    /// An element of a memref.
    Memory(Value<'c, 'a>, Access),
    /// A scalar operand.
    Scalar(Value<'c, 'a>),
    /// The accumulator, or what the stage before computed.
    Chain,
    /// One of the further accumulators, by its number.
    Further(usize),
    /// The body does not use it.
    Unused,
}

/// One body with the sources of its arguments.
#[derive(Clone)]
pub struct Stage<'c, 'a> {
    /// The scalar computation.
    pub body: BlockRef<'c, 'a>,
    /// One per argument of the body.
    pub sources: Vec<Source<'c, 'a>>,
}

impl<'c: 'a, 'a> Stage<'c, 'a> {
    /// Memrefs that are read, with their accesses.
    pub fn memory(&self) -> impl Iterator<Item = (Value<'c, 'a>, &Access)> {
        self.sources.iter().filter_map(|source| match source {
            Source::Memory(value, access) => Some((*value, access)),
            _ => None,
        })
    }

    /// What the body uses from outside besides its arguments; a value for each use.
    pub fn captured(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let body = self.body;
        let is_local = move |value: &Value<'c, 'a>| match value.defining_operation() {
            Some(definition) => definition.block() == Some(body),
            None => block_arguments(body).any(|own| own.key() == value.key()),
        };
        let operands = block_operations(body).flat_map(|operation| operation.operands().collect::<Vec<_>>());
        operands.filter(move |value| !is_local(value))
    }

    /// The same, to be changed.
    pub fn memory_mut(&mut self) -> impl Iterator<Item = (&mut Value<'c, 'a>, &mut Access)> {
        self.sources.iter_mut().filter_map(|source| match source {
            Source::Memory(value, access) => Some((value, access)),
            _ => None,
        })
    }
}

/// What becomes one kernel.
#[derive(Clone)]
pub struct Group<'c, 'a> {
    /// The operations that it replaces, in order; the kernel takes the place of the last.
    pub operations: Vec<OperationRef<'c, 'a>>,
    /// Extents of the iteration space of `main`; estimates of those that only a run knows.
    pub extents: Vec<i64>,
    /// Those that only a run knows.
    pub open: Vec<Option<OpenExtent<'c, 'a>>>,
    /// Which dimensions are reduced.
    pub reduced: Vec<bool>,
    /// Computes the initial accumulator.
    pub init: Option<Stage<'c, 'a>>,
    /// Runs at every point of the iteration space.
    pub main: Stage<'c, 'a>,
    /// Run at the points of the parallel dimensions, on the finished accumulator.
    pub epilogues: Vec<Stage<'c, 'a>>,
    /// What is written.
    pub output: (Value<'c, 'a>, Access),
    /// What is written beside that. Nothing is fused with what writes to several places.
    pub further: Vec<(Value<'c, 'a>, Access)>,
    /// Whether a body asks for the indices of the iteration space.
    pub indexed: bool,
    /// Whether it adds up products of two operands.
    pub is_contraction: bool,
    /// How many of the dimensions, the first ones, are those of loops around this group and others.
    pub shared: usize,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// The largest group around a structured operation on memrefs, of operations whose keys are not taken; none if it has
    /// accesses that are no sums of steps.
    pub fn around(operation: OperationRef<'c, 'a>, taken: &HashSet<usize>) -> Option<Self> {
        let main = Structured::read(operation)?;
        let (output, further) = main.outputs.split_first().filter(|_| main.operation.result_count() == 0)?;
        let (output_map, further_maps) = main.maps.get(main.inputs.len()..)?.split_first()?;
        let output_map = output_map.clone();
        let further = further.iter().zip(further_maps).map(|(memory, map)| Some((*memory, access(*memory, map)?)));
        let covers = output_map.is_projected_permutation();
        let mut group = Group {
            operations: vec![operation],
            extents: main.extents.clone(),
            open: main.open.clone(),
            reduced: main.reduced.clone(),
            init: None,
            main: stage(&main, &Map::identity(main.extents.len()), None)?,
            epilogues: Vec::new(),
            output: (*output, access(*output, &output_map)?),
            further: further.collect::<Option<_>>()?,
            indexed: is_indexed(&main),
            is_contraction: main.is_contraction(),
            shared: 0,
        };
        if covers && group.further.is_empty() {
            group.take_init(&main, &output_map, taken);
            group.take_epilogues(&output_map, taken);
        }
        Some(group)
    }

    /// In the order in which they run.
    pub fn stages(&self) -> impl Iterator<Item = &Stage<'c, 'a>> {
        self.init.iter().chain([&self.main]).chain(&self.epilogues)
    }

    fn take_init(&mut self, main: &Structured<'c, 'a>, output_map: &Map, taken: &HashSet<usize>) {
        if !main.reads(main.inputs.len()) {
            return;
        }
        let memory = self.output.0;
        let Some(init) = previous_access(main.operation, memory).and_then(Structured::read) else { return };
        let fits = init.is_parallel() && init.outputs.len() == 1 && init.outputs[0].key() == memory.key();
        if !fits
            || taken.contains(&init.operation.key())
            || init.reads(init.inputs.len())
            || is_indexed(&init)
            || !inputs_stay(&init, main.operation)
        {
            return;
        }
        let Some(inverse) = init.output_map().and_then(Map::inverse) else { return };
        let dims = inverse.after(output_map);
        if let Some(stage) = dims.and_then(|dims| stage(&init, &dims, None)) {
            self.init = Some(stage);
            self.operations.insert(0, init.operation);
        }
    }

    fn take_epilogues(&mut self, output_map: &Map, taken: &HashSet<usize>) {
        let mut output_map = output_map.clone();
        let mut length = block_operations(self.main.body).count();
        while let Some(next) = self.next_epilogue().filter(|next| !taken.contains(&next.operation.key())) {
            length += block_operations(next.body).count();
            if length > MOST_OPERATIONS {
                return;
            }
            let Some((stage, map)) = self.epilogue_stage(&next, &output_map) else { return };
            let Some(access) = access(next.outputs[0], &map) else { return };
            // A transposition behind would turn the vectors of everything before into scalars.
            if self.neighbours(&access) != self.neighbours(&self.output.1) {
                return;
            }
            self.epilogues.push(stage);
            self.output = (next.outputs[0], access);
            self.operations.push(next.operation);
            output_map = map;
        }
    }

    /// The dimension along which an operand's elements are neighbours.
    fn neighbours(&self, access: &Access) -> Option<usize> {
        (0..self.extents.len()).find(|&dim| self.extents[dim] != 1 && access.steps[dim] == Step::Linear(1))
    }

    /// The only reader of what the group writes so far, if the group may be computed at its place.
    fn next_epilogue(&self) -> Option<Structured<'c, 'a>> {
        let memory = self.output.0;
        memory.defining_operation().filter(|definition| definition.full_name() == memref::ALLOC)?;
        let last = *self.operations.last()?;
        let inside = |user: OperationRef<'c, 'a>| self.operations.contains(&user);
        let asks = |user: OperationRef<'c, 'a>| user.full_name() == memref::DIM;
        let users = memory.uses().into_iter().map(|(user, _)| user);
        let mut users: Vec<_> = users.filter(|user| !inside(*user) && !asks(*user)).collect();
        users.dedup();
        let [user] = users.as_slice() else { return None };
        let next = Structured::read(*user)?;
        if next.operation.block() != last.block() || !next.is_parallel() || next.outputs.len() != 1 {
            return None;
        }
        let writes_input = self.roots_read().contains(&root(next.outputs[0]).key());
        let plain = !next.reads(next.inputs.len()) && !is_indexed(&next) && next.outputs[0].key() != memory.key();
        (plain && !writes_input && self.may_move_to(next.operation)).then_some(next)
    }

    /// The stage of an elementwise operation behind the group, and its output's map in the group's dimensions.
    fn epilogue_stage(&self, next: &Structured<'c, 'a>, output_map: &Map) -> Option<(Stage<'c, 'a>, Map)> {
        let memory = self.output.0;
        let place = next.inputs.iter().position(|input| input.key() == memory.key())?;
        let chained = &next.maps[place];
        let same =
            |(index, input): (usize, &Value<'c, 'a>)| input.key() != memory.key() || next.maps[index] == *chained;
        if !next.inputs.iter().enumerate().all(same) || !next.output_map()?.is_permutation() {
            return None;
        }
        let dims = unread(chained, memory, next)?.after(output_map)?;
        let map = next.output_map()?.after(&dims)?;
        Some((stage(next, &dims, Some(memory))?, map))
    }

    /// Keys of all memory that the group reads, by addresses or as its bodies fetch it.
    pub fn roots_read(&self) -> Vec<usize> {
        let values = self.stages().flat_map(|stage| stage.memory().map(|(value, _)| value).chain(stage.captured()));
        values.filter(|value| value.r#type().is_mem_ref()).map(|value| root(value).key()).collect()
    }

    /// Keys of all memory that the group writes.
    pub fn roots_written(&self) -> impl Iterator<Item = usize> {
        [&self.output].into_iter().chain(&self.further).map(|(memory, _)| root(*memory).key())
    }

    /// Whether no operation from the group's last to `place` writes what the group reads.
    fn may_move_to(&self, place: OperationRef<'c, 'a>) -> bool {
        let mut kept = self.roots_read();
        kept.push(root(self.output.0).key());
        self.operations.last().is_some_and(|last| writes_nothing_of(&kept, *last, place))
    }
}

/// For an operation that reads each element of a memory once, its dimensions as expressions in those of the memory.
/// Dimensions of extent 1 may be there or not.
fn unread(read: &Map, memory: Value<'_, '_>, by: &Structured<'_, '_>) -> Option<Map> {
    let shape = types::shape(memory.r#type())?;
    let is_unit = |dim: usize| by.open[dim].is_none() && by.extents[dim] == 1;
    let mut results: Vec<_> = (0..read.dims).map(|dim| is_unit(dim).then_some(Expr::Const(0))).collect();
    for (place, expr) in read.results.iter().enumerate() {
        match expr {
            Expr::Dim(dim) if results[*dim].is_none() => results[*dim] = Some(Expr::Dim(place)),
            Expr::Dim(_) | Expr::Const(0) if shape[place] == Some(1) => {}
            _ => return None,
        }
    }
    Some(Map { dims: read.results.len(), results: results.into_iter().collect::<Option<_>>()? })
}

/// A stage whose dimensions are given as expressions in the group's.
fn stage<'c: 'a, 'a>(from: &Structured<'c, 'a>, dims: &Map, chained: Option<Value<'c, 'a>>) -> Option<Stage<'c, 'a>> {
    let sources = from.operands().enumerate().map(|(index, operand)| {
        if !from.reads(index) {
            return Some(Source::Unused);
        }
        if let Some(number) = index.checked_sub(from.inputs.len() + 1) {
            return Some(Source::Further(number));
        }
        if index == from.inputs.len() || chained.is_some_and(|chained| chained.key() == operand.key()) {
            return Some(Source::Chain);
        }
        if types::rank(operand.r#type()).is_none() {
            return Some(Source::Scalar(operand));
        }
        Some(Source::Memory(operand, access(operand, &from.maps[index].after(dims)?)?))
    });
    Some(Stage { body: from.body, sources: sources.collect::<Option<_>>()? })
}

fn access(memory: Value<'_, '_>, map: &Map) -> Option<Access> {
    // The kernel's view of the memref begins at its own offset.
    Access::new(map, &strides(memory.r#type())?, 0)
}

/// The strides of memory. Of those that only a run knows, which are known multiples of each other where memory is
/// contiguous, the innermost stands for all.
pub(super) fn strides(memory: Type<'_>) -> Option<Vec<Stride>> {
    let ((known, _), shape) = (types::open_strides(memory)?, types::shape(memory)?);
    let is_contiguous = types::memref(types::element(memory), &shape) == Some(memory);
    let mut strides: Vec<Stride> = Vec::new();
    let mut typical = 1;
    for (place, (stride, extent)) in known.iter().zip(&shape).enumerate().rev() {
        let outer = strides.last().copied().zip(shape.get(place + 1).copied().flatten());
        strides.push(match (*stride, outer) {
            (types::OPEN, Some((Stride::Open(of, factor, _), extent))) if is_contiguous => {
                Stride::Open(of, factor.checked_mul(i64::try_from(extent).ok()?)?, typical)
            }
            (types::OPEN, _) => Stride::Open(place, 1, typical),
            (known, _) => Stride::Known(known),
        });
        let extent = extent.map_or(Some(TYPICAL), |extent| i64::try_from(extent).ok())?;
        typical = typical.saturating_mul(extent.max(1));
    }
    strides.reverse();
    Some(strides)
}

fn is_indexed(structured: &Structured<'_, '_>) -> bool {
    block_operations(structured.body).any(|operation| operation.full_name() == linalg::INDEX)
}
