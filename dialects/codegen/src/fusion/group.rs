//! Groups of structured operations that become one kernel: what initialises an accumulator, the operation that
//! accumulates, and elementwise operations on the result. In a kernel the values in between stay in registers.

use super::memory::root;
use crate::nest::access::{Access, Step, Stride};
use crate::nest::space::TYPICAL;
use crate::structured::{OpenExtent, Structured};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{BlockRef, OperationRef, Type, Value, block_arguments, block_operations, types};
use skriptnd_mlir::ops::linalg;

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
    /// What is written beside that. Nothing elementwise is fused with what writes to several places.
    pub further: Vec<(Value<'c, 'a>, Access)>,
    /// The dimensions of the main operation that these are; none for the numbers of blocks.
    pub origins: Vec<Option<usize>>,
    /// The dimensions of the main operation whose indices it asks for.
    pub asked: Vec<usize>,
    /// Whether it adds up products of two operands.
    pub is_contraction: bool,
    /// How many of the dimensions, the first ones, are those of loops around this group and others.
    pub shared: usize,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// The group that some operations are: perhaps one that computes the initial accumulator, the one whose number is given,
    /// and those behind it, in order. None where they don't fit together, or have accesses that are no sums of steps.
    pub fn of(operations: &[OperationRef<'c, 'a>], main: usize) -> Option<Self> {
        let mut growing = Growing::around(*operations.get(main)?)?;
        let read = |operation: &OperationRef<'c, 'a>| Structured::read(*operation);
        let fits = main <= 1
            && operations[..main].iter().all(|initial| read(initial).is_some_and(|it| growing.begin_with(&it)))
            && operations[main + 1..].iter().all(|next| read(next).is_some_and(|it| growing.go_on_with(&it)));
        fits.then_some(growing.group)
    }

    /// In the order in which they run.
    pub fn stages(&self) -> impl Iterator<Item = &Stage<'c, 'a>> {
        self.init.iter().chain([&self.main]).chain(&self.epilogues)
    }

    /// The dimension along which an operand's elements are neighbours.
    fn neighbours(&self, access: &Access) -> Option<usize> {
        (0..self.extents.len()).find(|&dim| self.extents[dim] != 1 && access.steps[dim] == Step::Linear(1))
    }

    /// Keys of all memory that the group reads, by addresses or as its bodies fetch it.
    pub fn roots_read(&self) -> Vec<usize> {
        let values = self.stages().flat_map(|stage| stage.memory().map(|(value, _)| value).chain(stage.captured()));
        values.filter(|value| is_memory(value.r#type())).map(|value| root(value).key()).collect()
    }

    /// Keys of all memory that the group writes.
    pub fn roots_written(&self) -> impl Iterator<Item = usize> {
        [&self.output].into_iter().chain(&self.further).map(|(memory, _)| root(*memory).key())
    }
}

/// A group that takes in operations one after the other.
pub struct Growing<'c, 'a> {
    /// As it is so far.
    pub group: Group<'c, 'a>,
    /// The operation at every point of the iteration space.
    pub main: Structured<'c, 'a>,
    /// The map of what is written, if every element is, and of several the same ones.
    map: Option<Map>,
    /// Operations of the bodies, without that of the initial accumulator.
    length: usize,
}

impl<'c: 'a, 'a> Growing<'c, 'a> {
    /// A structured operation alone.
    pub fn around(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let main = Structured::read(operation)?;
        let maps = main.maps.get(main.inputs.len()..)?;
        let written = (0..main.outputs.len()).zip(maps);
        let written = written.map(|(number, map)| Some((main.written(number)?, access(main.written(number)?, map)?)));
        let mut further = written.collect::<Option<Vec<_>>>()?;
        if further.is_empty() {
            return None;
        }
        let output = further.remove(0);
        let is_same = maps.iter().all(|map| Some(map) == maps.first());
        let map = maps.first().filter(|map| is_same && map.is_projected_permutation()).cloned();
        let group = Group {
            operations: vec![operation],
            extents: main.extents.clone(),
            open: main.open.clone(),
            reduced: main.reduced.clone(),
            init: None,
            main: stage(&main, &Map::identity(main.extents.len()), None)?,
            epilogues: Vec::new(),
            output,
            further,
            origins: (0..main.extents.len()).map(Some).collect(),
            asked: asked(&main),
            is_contraction: main.is_contraction(),
            shared: 0,
        };
        let length = block_operations(main.body).count();
        Some(Growing { group, main, map, length })
    }

    /// Takes in what computes the initial accumulators, if it is such.
    pub fn begin_with(&mut self, init: &Structured<'c, 'a>) -> bool {
        let into = self.main.outputs.iter().map(|output| Some(output.key()));
        let numbers = 0..init.outputs.len();
        let fits = self.reads_outputs()
            && init.is_parallel()
            && numbers.clone().map(|number| init.written(number).map(|written| written.key())).eq(into)
            && !numbers.clone().any(|number| init.reads(init.inputs.len() + number))
            && init.maps[init.inputs.len()..].windows(2).all(|maps| maps[0] == maps[1])
            && !is_indexed(init);
        let inverse = init.maps.last().filter(|_| fits).and_then(Map::inverse);
        let dims = inverse.zip(self.map.as_ref()).and_then(|(inverse, map)| inverse.after(map));
        let Some(stage) = dims.and_then(|dims| stage(init, &dims, None)) else { return false };
        self.group.init = Some(stage);
        self.group.operations.insert(0, init.operation);
        true
    }

    /// Whether the main operation reads all that it writes.
    fn reads_outputs(&self) -> bool {
        (0..self.main.outputs.len()).all(|number| self.main.reads(self.main.inputs.len() + number))
    }

    /// Takes in an elementwise operation on what the group computes so far, if it is such.
    pub fn go_on_with(&mut self, next: &Structured<'c, 'a>) -> bool {
        let length = self.length + block_operations(next.body).count();
        let is_elementwise = self.group.further.is_empty()
            && next.is_parallel()
            && next.outputs.len() == 1
            && !next.reads(next.inputs.len())
            && !is_indexed(next)
            && next.outputs[0].key() != self.group.output.0.key()
            && length <= MOST_OPERATIONS;
        let Some((stage, map)) = self.epilogue(next).filter(|_| is_elementwise) else { return false };
        let Some((written, access)) = next.written(0).and_then(|written| Some((written, access(written, &map)?)))
        else {
            return false;
        };
        // A transposition behind would turn the vectors of everything before into scalars.
        if self.group.neighbours(&access) != self.group.neighbours(&self.group.output.1) {
            return false;
        }
        self.group.epilogues.push(stage);
        self.group.output = (written, access);
        self.group.operations.push(next.operation);
        (self.map, self.length) = (Some(map), length);
        true
    }

    /// The stage of an elementwise operation behind the group, and its output's map in the group's dimensions.
    fn epilogue(&self, next: &Structured<'c, 'a>) -> Option<(Stage<'c, 'a>, Map)> {
        let memory = self.group.output.0;
        let place = next.inputs.iter().position(|input| input.key() == memory.key())?;
        let chained = &next.maps[place];
        let same =
            |(index, input): (usize, &Value<'c, 'a>)| input.key() != memory.key() || next.maps[index] == *chained;
        if !next.inputs.iter().enumerate().all(same) || !next.output_map()?.is_permutation() {
            return None;
        }
        let dims = unread(chained, memory, next)?.after(self.map.as_ref()?)?;
        let map = next.output_map()?.after(&dims)?;
        Some((stage(next, &dims, Some(memory))?, map))
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
    // The kernel's view of the memory begins at its own offset.
    Access::new(map, &strides(memory.r#type())?, 0)
}

/// The strides of memory, for a tensor those of memory that it lies in without gaps. Of those that only a run knows, which
/// are known multiples of each other where memory is contiguous, the innermost stands for all.
pub(super) fn strides(memory: Type<'_>) -> Option<Vec<Stride>> {
    let shape = types::shape(memory)?;
    let contiguous = types::memref(types::element(memory), &shape);
    let memory = if memory.is_mem_ref() { memory } else { contiguous? };
    let ((known, _), is_contiguous) = (types::open_strides(memory)?, contiguous == Some(memory));
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

/// Whether values of a type lie in memory.
pub fn is_memory(kind: Type<'_>) -> bool {
    kind.is_mem_ref() || kind.is_ranked_tensor()
}

fn is_indexed(structured: &Structured<'_, '_>) -> bool {
    !asked(structured).is_empty()
}

/// The dimensions whose indices a body asks for.
fn asked(structured: &Structured<'_, '_>) -> Vec<usize> {
    let indices = block_operations(structured.body).filter(|operation| operation.full_name() == linalg::INDEX);
    indices.filter_map(|index| usize::try_from(index.get_integer("dim")?).ok()).collect()
}
