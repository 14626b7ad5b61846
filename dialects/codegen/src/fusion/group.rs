//! Groups of structured operations that become one kernel: what initialises an accumulator, the operation that
//! accumulates, and elementwise operations on the result. In a kernel the values in between stay in registers.

use super::body;
use super::memory::root;
use crate::nest::access::{Access, Open, Step, Stride};
use crate::nest::space::{Dim, Rounding, Source, Space, Stage};
use crate::views::contiguous::is_contiguous;
use crate::views::structured::{OpenExtent, Structured};
use crate::views::typical;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{OperationRef, Type, Value, types};

/// Operations that the bodies of one kernel may have together: what LLVM does to one block takes more than proportional
/// time.
const MOST_OPERATIONS: usize = 256;

/// What becomes one kernel.
#[derive(Clone)]
pub struct Group<'c, 'a> {
    /// The operations that it replaces, in order; the kernel takes the place of the last.
    pub operations: Vec<OperationRef<'c, 'a>>,
    /// What is computed, and on which values. Nothing elementwise is fused with what writes to several places.
    pub space: Space<Value<'c, 'a>>,
    /// Where dimensions end of which only a run knows that.
    pub open: Vec<Option<OpenExtent<'c, 'a>>>,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// The group that some operations are: perhaps one that computes the initial accumulator, the one whose number is given,
    /// and those behind it, in order. None where they don't fit together, have accesses that are no sums of steps, or compute
    /// with branches or loops.
    pub fn of(operations: &[OperationRef<'c, 'a>], main: usize) -> Option<Self> {
        let mut growing = Growing::around(*operations.get(main)?)?;
        let read = |operation: &OperationRef<'c, 'a>| Structured::read(*operation);
        let fits = main <= 1
            && operations[..main].iter().all(|initial| read(initial).is_some_and(|it| growing.begin_with(&it)))
            && operations[main + 1..].iter().all(|next| read(next).is_some_and(|it| growing.go_on_with(&it)));
        fits.then_some(growing.group)
    }

    /// All memory that is read or written by addresses, with the accesses.
    pub fn walked(&self) -> impl Iterator<Item = (Value<'c, 'a>, &Access)> {
        self.space.walked().map(|(operand, access)| (self.space.operands[operand], access))
    }

    /// What is written, where several places are the first.
    pub fn output(&self) -> Value<'c, 'a> {
        self.space.operands[self.space.output.0]
    }

    /// What bodies use from outside besides their arguments.
    pub fn captured(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.space.stages().flat_map(|stage| stage.computation.operands()).map(|operand| self.space.operands[operand])
    }

    /// The dimension along which an operand's elements are neighbours.
    pub fn neighbours(&self, access: &Access) -> Option<usize> {
        let dims = &self.space.dims;
        (0..dims.len()).find(|&dim| dims[dim].extent != 1 && access.steps[dim] == Step::Linear(1))
    }

    /// Keys of all memory that the group reads, by addresses or as its bodies fetch it.
    pub fn roots_read(&self) -> Vec<usize> {
        let values = self.space.reads().map(|(operand, _)| self.space.operands[operand]).chain(self.captured());
        values.filter(|value| is_memory(value.r#type())).map(|value| root(value).key()).collect()
    }

    /// Keys of all memory that the group writes.
    pub fn roots_written(&self) -> impl Iterator<Item = usize> {
        self.space.outputs().map(|(operand, _)| root(self.space.operands[*operand]).key())
    }
}

/// A group that takes in operations one after the other.
pub struct Growing<'c, 'a> {
    /// As it is so far.
    pub group: Group<'c, 'a>,
    /// The operation at every point of the iteration space.
    pub main: Structured<'c, 'a>,
    /// The map of what is written first, if every element is.
    map: Option<Map>,
    /// Operations of the bodies, without that of the initial accumulator.
    length: usize,
}

impl<'c: 'a, 'a> Growing<'c, 'a> {
    /// A structured operation alone.
    pub fn around(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let main = Structured::read(operation)?;
        let maps = main.maps.get(main.inputs.len()..)?;
        let mut operands = Vec::new();
        let written = maps.iter().enumerate().map(|(place, map)| {
            let memory = main.written(place)?;
            Some((number(&mut operands, memory), access(memory, map)?))
        });
        let mut further = written.collect::<Option<Vec<_>>>()?;
        if further.is_empty() {
            return None;
        }
        let output = further.remove(0);
        let map = maps.first().filter(|map| map.is_projected_permutation()).cloned();
        let stage = stage(&main, &Map::identity(main.extents.len()), (None, &mut operands))?;
        let length = stage.computation.instructions.len();
        let dims = (0..main.extents.len()).map(|dim| Dim {
            extent: main.extents[dim],
            is_open: main.open[dim].is_some(),
            multiple: 1,
            is_reduced: main.reduced[dim],
            is_shared: false,
        });
        let space = {
            let (epilogues, rounding) = (Vec::new(), Rounding::default());
            Space {
                dims: dims.collect(),
                block: None,
                operands,
                init: None,
                main: stage,
                epilogues,
                output,
                further,
                rounding,
            }
        };
        let group = Group { operations: vec![operation], space, open: main.open.clone() };
        Some(Growing { group, main, map, length })
    }

    /// Takes in what computes the initial accumulators, if it is such.
    pub fn begin_with(&mut self, init: &Structured<'c, 'a>) -> bool {
        let begun: Vec<usize> =
            (0..self.main.outputs.len()).filter(|it| self.main.reads(self.main.inputs.len() + it)).collect();
        let into = begun.iter().map(|number| Some(self.main.outputs[*number].key()));
        let numbers = 0..init.outputs.len();
        let is_written = |number: &usize| self.main.maps.get(self.main.inputs.len() + number) == self.map.as_ref();
        let fits = begun.first() == Some(&0)
            && begun.iter().all(is_written)
            && init.is_parallel()
            && numbers.clone().map(|number| init.written(number).map(|written| written.key())).eq(into)
            && !numbers.clone().any(|number| init.reads(init.inputs.len() + number))
            && init.maps[init.inputs.len()..].windows(2).all(|maps| maps[0] == maps[1]);
        let inverse = init.maps.last().filter(|_| fits).and_then(Map::inverse);
        let dims = inverse.zip(self.map.as_ref()).and_then(|(inverse, map)| inverse.after(map));
        let operands = &mut self.group.space.operands;
        let stage = dims.and_then(|dims| stage(init, &dims, (None, operands)));
        let Some(stage) = stage.filter(|stage| !stage.computation.is_indexed()) else { return false };
        self.group.space.init = Some(stage);
        self.group.operations.insert(0, init.operation);
        true
    }

    /// Takes in an elementwise operation on what the group computes so far, if it is such.
    pub fn go_on_with(&mut self, next: &Structured<'c, 'a>) -> bool {
        let is_elementwise = self.group.space.further.is_empty()
            && next.is_parallel()
            && next.outputs.len() == 1
            && !next.reads(next.inputs.len())
            && next.outputs[0].key() != self.group.output().key();
        let Some((stage, map)) = is_elementwise.then(|| self.epilogue(next)).flatten() else { return false };
        let length = self.length + stage.computation.instructions.len();
        let written = next.written(0).and_then(|written| Some((written, access(written, &map)?)));
        let Some((written, access)) = written.filter(|_| length <= MOST_OPERATIONS) else { return false };
        // A transposition behind would turn the vectors of everything before into scalars.
        let is_near = self.group.neighbours(&access) == self.group.neighbours(&self.group.space.output.1);
        if !is_near || stage.computation.is_indexed() {
            return false;
        }
        let space = &mut self.group.space;
        space.epilogues.push(stage);
        space.output = (number(&mut space.operands, written), access);
        self.group.operations.push(next.operation);
        (self.map, self.length) = (Some(map), length);
        true
    }

    /// The stage of an elementwise operation behind the group, and its output's map in the group's dimensions.
    fn epilogue(&mut self, next: &Structured<'c, 'a>) -> Option<(Stage, Map)> {
        let memory = self.group.output();
        let place = next.inputs.iter().position(|input| input.key() == memory.key())?;
        let chained = &next.maps[place];
        let same =
            |(index, input): (usize, &Value<'c, 'a>)| input.key() != memory.key() || next.maps[index] == *chained;
        if !next.inputs.iter().enumerate().all(same) || !next.output_map()?.is_permutation() {
            return None;
        }
        let dims = unread(chained, memory, next)?.after(self.map.as_ref()?)?;
        let map = next.output_map()?.after(&dims)?;
        Some((stage(next, &dims, (Some(memory), &mut self.group.space.operands))?, map))
    }
}

/// The number of a value among operands, to which it is added.
fn number<'c, 'a>(operands: &mut Vec<Value<'c, 'a>>, value: Value<'c, 'a>) -> usize {
    operands.iter().position(|known| known.key() == value.key()).unwrap_or_else(|| {
        operands.push(value);
        operands.len() - 1
    })
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

/// A stage whose dimensions are given as expressions in the group's; in it the elements of `chained` are what the stage before
/// computed.
fn stage<'c: 'a, 'a>(
    from: &Structured<'c, 'a>,
    dims: &Map,
    (chained, operands): (Option<Value<'c, 'a>>, &mut Vec<Value<'c, 'a>>),
) -> Option<Stage> {
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
        let number = number(operands, operand);
        if types::rank(operand.r#type()).is_none() {
            return Some(Source::Scalar(number));
        }
        Some(Source::Memory(number, access(operand, &from.maps[index].after(dims)?)?))
    });
    let sources = sources.collect::<Option<_>>()?;
    Some(Stage { computation: body::computation(from.body, |value| number(operands, value))?, sources })
}

fn access(memory: Value<'_, '_>, map: &Map) -> Option<Access> {
    // The kernel's view of the memory begins at its own offset.
    Access::new(map, &strides(memory)?, 0)
}

/// The strides of memory, for a tensor those of memory that it lies in without gaps. Of those that only a run knows, which
/// are known multiples of each other where memory is contiguous, the innermost stands for all.
pub fn strides(memory: Value<'_, '_>) -> Option<Vec<Stride>> {
    let (kind, is_contiguous) = (memory.r#type(), is_contiguous(memory));
    let shape = types::shape(kind)?;
    let kind = if kind.is_mem_ref() { kind } else { types::memref(types::element(kind), &shape)? };
    let (known, _) = types::open_strides(kind)?;
    let mut strides: Vec<Stride> = Vec::new();
    let (mut distance, mut multiple) = (1, 1);
    for (place, (stride, extent)) in known.iter().zip(&shape).enumerate().rev() {
        let outer = strides.last().copied().zip(shape.get(place + 1).copied().flatten());
        strides.push(match (*stride, outer) {
            (types::OPEN, Some((Stride::Open(open), extent))) if is_contiguous => {
                let factor = open.factor.checked_mul(i64::try_from(extent).ok()?)?;
                Stride::Open(Open { factor, typical: distance, ..open })
            }
            (types::OPEN, _) => {
                let multiple = if is_contiguous { multiple } else { 1 };
                Stride::Open(Open { stride: place, factor: 1, typical: distance, multiple })
            }
            (known, _) => Stride::Known(known),
        });
        let known = extent.map(i64::try_from).transpose().ok()?;
        multiple = multiple.checked_mul(known.unwrap_or(1).max(1))?;
        distance = distance.saturating_mul(known.unwrap_or_else(|| typical::extent(memory, place)).max(1));
    }
    strides.reverse();
    Some(strides)
}

/// Whether values of a type lie in memory.
pub fn is_memory(kind: Type<'_>) -> bool {
    kind.is_mem_ref() || kind.is_ranked_tensor()
}
