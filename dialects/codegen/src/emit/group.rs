//! Groups of structured operations that become one kernel: what initialises an accumulator, the operation that
//! accumulates, and elementwise operations on the result. In a kernel the values in between stay in registers.

use crate::nest::access::{Access, Step};
use crate::structured::{OpenExtent, Structured, outputs, static_shape};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{BlockRef, Location, OperationRef, Value, block_arguments, block_operations, types};
use skriptnd_mlir::ops::{linalg, memref};

/// Operations that the bodies of one kernel may have together: what LLVM does to one block takes more than proportional
/// time.
const MOST_OPERATIONS: usize = 256;

/// How many operations may stand between two that become one kernel. Without a limit, the time to look for them would grow
/// with the square of the graph.
const MOST_BETWEEN: usize = 256;

/// Where an argument of a body comes from.
#[derive(Clone)]
pub enum Source<'c, 'a> {
    /// An element of a memref.
    Memory(Value<'c, 'a>, Access),
    /// A scalar operand.
    Scalar(Value<'c, 'a>),
    /// The accumulator, or what the stage before computed.
    Chain,
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

    fn memory_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        self.sources.iter_mut().filter_map(|source| match source {
            Source::Memory(_, access) => Some(access),
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
    /// Whether a body asks for the indices of the iteration space.
    pub indexed: bool,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// The largest group around a structured operation on memrefs; none if it has several outputs, or accesses that
    /// are no sums of steps.
    pub fn around(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let main = Structured::read(operation)?;
        if main.outputs.len() != 1 || main.operation.result_count() != 0 {
            return None;
        }
        let output_map = main.output_map()?.clone();
        let covers = output_map.is_projected_permutation();
        let mut group = Group {
            operations: vec![operation],
            extents: main.extents.clone(),
            open: main.open.clone(),
            reduced: main.reduced.clone(),
            init: None,
            main: stage(&main, &Map::identity(main.extents.len()), None)?,
            epilogues: Vec::new(),
            output: (main.outputs[0], access(main.outputs[0], &output_map)?),
            indexed: is_indexed(&main),
        };
        if covers {
            group.take_init(&main, &output_map);
            group.take_epilogues(&output_map);
        }
        if !group.indexed {
            group.normalize();
        }
        group.is_passable().then_some(group)
    }

    /// In the order in which they run.
    pub fn stages(&self) -> impl Iterator<Item = &Stage<'c, 'a>> {
        self.init.iter().chain([&self.main]).chain(&self.epilogues)
    }

    /// Where the group's code stands in the model.
    pub fn location(&self) -> Location<'c> {
        let context = self.output.0.context();
        self.operations.last().map_or_else(|| Location::unknown(context), |operation| operation.location())
    }

    /// Whether all memory can be given to a function: elements that a body fetches by several indices need their strides,
    /// and their place.
    fn is_passable(&self) -> bool {
        let mut fetched = self.stages().flat_map(Stage::captured).filter(|value| value.r#type().is_mem_ref());
        fetched.all(|value| static_shape(value.r#type()).is_some() && types::strides(value.r#type()).is_some())
    }

    fn take_init(&mut self, main: &Structured<'c, 'a>, output_map: &Map) {
        if !main.reads(main.inputs.len()) {
            return;
        }
        let memory = self.output.0;
        let Some(init) = previous_access(main.operation, memory).and_then(Structured::read) else { return };
        let fits = init.is_parallel() && init.outputs.len() == 1 && init.outputs[0].key() == memory.key();
        if !fits || init.reads(init.inputs.len()) || is_indexed(&init) || !inputs_stay(&init, main.operation) {
            return;
        }
        let Some(inverse) = init.output_map().and_then(Map::inverse) else { return };
        let dims = inverse.after(output_map);
        if let Some(stage) = dims.and_then(|dims| stage(&init, &dims, None)) {
            self.init = Some(stage);
            self.operations.insert(0, init.operation);
        }
    }

    fn take_epilogues(&mut self, output_map: &Map) {
        let mut output_map = output_map.clone();
        let mut length = block_operations(self.main.body).count();
        while let Some(next) = self.next_epilogue() {
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
        let dims = chained.inverse()?.after(output_map)?;
        let map = next.output_map()?.after(&dims)?;
        Some((stage(next, &dims, Some(memory))?, map))
    }

    /// Keys of all memory that the group reads, by addresses or as its bodies fetch it.
    fn roots_read(&self) -> Vec<usize> {
        let values = self.stages().flat_map(|stage| stage.memory().map(|(value, _)| value).chain(stage.captured()));
        values.filter(|value| value.r#type().is_mem_ref()).map(|value| root(value).key()).collect()
    }

    /// Whether no operation from the group's last to `place` writes what the group reads.
    fn may_move_to(&self, place: OperationRef<'c, 'a>) -> bool {
        let mut kept = self.roots_read();
        kept.push(root(self.output.0).key());
        self.operations.last().is_some_and(|last| writes_nothing_of(&kept, *last, place))
    }

    /// Drops dimensions of extent 1 and merges those that every operand walks as one.
    fn normalize(&mut self) {
        for dim in (0..self.extents.len()).rev() {
            if self.extents[dim] == 1 && self.open[dim].is_none() {
                self.remove(dim);
            }
        }
        while let Some((outer, inner)) = self.mergeable() {
            let factor = self.extents[inner];
            self.extents[inner] *= self.extents[outer];
            self.open[inner] = self.open[outer].map(|open| OpenExtent { factor: open.factor * factor, ..open });
            self.remove(outer);
        }
    }

    fn mergeable(&mut self) -> Option<(usize, usize)> {
        let (extents, reduced, open) = (self.extents.clone(), self.reduced.clone(), self.open.clone());
        let accesses: Vec<Access> = self.accesses().into_iter().map(|access| access.clone()).collect();
        let merges = |outer: usize, inner: usize| {
            accesses.iter().all(|access| match (access.steps[outer], access.steps[inner]) {
                (Step::Linear(far), Step::Linear(near)) => far == near * extents[inner],
                _ => false,
            })
        };
        let dims = extents.len();
        let pairs = (0..dims).flat_map(|outer| (0..dims).map(move |inner| (outer, inner)));
        pairs
            .into_iter()
            .filter(|&(outer, inner)| outer != inner && reduced[outer] == reduced[inner] && open[inner].is_none())
            .find(|&(outer, inner)| merges(outer, inner))
    }

    fn remove(&mut self, dim: usize) {
        self.extents.remove(dim);
        self.open.remove(dim);
        self.reduced.remove(dim);
        for access in self.accesses() {
            access.steps.remove(dim);
        }
    }

    fn accesses(&mut self) -> Vec<&mut Access> {
        let stages = self.init.iter_mut().chain([&mut self.main]).chain(&mut self.epilogues);
        stages.flat_map(Stage::memory_mut).chain([&mut self.output.1]).collect()
    }
}

/// A stage whose dimensions are given as expressions in the group's.
fn stage<'c: 'a, 'a>(from: &Structured<'c, 'a>, dims: &Map, chained: Option<Value<'c, 'a>>) -> Option<Stage<'c, 'a>> {
    let sources = from.operands().enumerate().map(|(index, operand)| {
        if !from.reads(index) {
            return Some(Source::Unused);
        }
        if index >= from.inputs.len() || chained.is_some_and(|chained| chained.key() == operand.key()) {
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
    let (strides, _) = types::strides_with_open_offset(memory.r#type())?;
    // The kernel's view of the memref begins at its own offset.
    Access::new(map, &strides, 0)
}

fn is_indexed(structured: &Structured<'_, '_>) -> bool {
    block_operations(structured.body).any(|operation| operation.full_name() == linalg::INDEX)
}

/// The memory that a view belongs to.
pub fn root<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut memory = memory;
    while let Some(view) = memory.defining_operation().filter(|operation| is_view(*operation)) {
        match view.operand(0) {
            Ok(source) => memory = source,
            Err(_) => break,
        }
    }
    memory
}

/// Operations whose result is the memory of their first operand.
pub fn is_view(operation: OperationRef<'_, '_>) -> bool {
    matches!(
        operation.full_name(),
        memref::SUBVIEW
            | memref::COLLAPSE_SHAPE
            | memref::EXPAND_SHAPE
            | memref::REINTERPRET_CAST
            | memref::BASE
            | memref::CAST
            | memref::TRANSPOSE
            | memref::MEMORY_SPACE_CAST
            | memref::ASSUME_ALIGNMENT
    )
}

/// Operations that touch no memory.
fn is_harmless(operation: OperationRef<'_, '_>) -> bool {
    let name = operation.full_name();
    is_view(operation) || name == memref::ALLOC || name == memref::GET_GLOBAL || name.starts_with("arith.")
}

/// Keys of the memory that an operation writes; none if that is unknown.
fn written(operation: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    match operation.full_name() {
        memref::COPY => Some(vec![root(operation.operand(1).ok()?).key()]),
        _ => Some(outputs(operation)?.into_iter().map(|output| root(output).key()).collect()),
    }
}

/// The operation before `place` in its block that last touched the memory.
fn previous_access<'c: 'a, 'a>(place: OperationRef<'c, 'a>, memory: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let key = root(memory).key();
    let mut before = place.previous();
    for _ in 0..MOST_BETWEEN {
        let operation = before?;
        let asks = operation.full_name() == memref::DIM;
        if operation.operands().any(|operand| root(operand).key() == key) && !is_view(operation) && !asks {
            return Some(operation);
        }
        if operation.region_count() > 0 && outputs(operation).is_none() {
            return None;
        }
        before = operation.previous();
    }
    None
}

/// Whether what `early` reads is not written before `late`.
fn inputs_stay(early: &Structured<'_, '_>, late: OperationRef<'_, '_>) -> bool {
    let kept: Vec<usize> = early.inputs.iter().map(|input| root(*input).key()).collect();
    writes_nothing_of(&kept, early.operation, late)
}

/// Whether no operation between two of a block writes any of this memory.
fn writes_nothing_of(kept: &[usize], early: OperationRef<'_, '_>, late: OperationRef<'_, '_>) -> bool {
    let mut between = early.next();
    for _ in 0..MOST_BETWEEN {
        let Some(operation) = between else { return false };
        if operation == late {
            return true;
        }
        let writes = || written(operation).is_none_or(|roots| roots.iter().any(|key| kept.contains(key)));
        if !is_harmless(operation) && writes() {
            return false;
        }
        between = operation.next();
    }
    false
}
