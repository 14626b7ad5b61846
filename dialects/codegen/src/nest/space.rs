//! What a kernel computes: the iteration space, the stages at its points, and where their operands lie.

use super::access::{Access, Step};
use super::atom::Fused;
use super::computation::{Combiner, Computation, Ref};
use super::element::{Constant, Element, Literal, Number};
use super::op::Op;
use crate::target::Target;

/// What an extent that only a run knows is taken for where sizes are compared.
pub const TYPICAL: i64 = 64;
/// Terms that a chain of additions of reals has at most (docs/semantics.md).
pub const MOST_TERMS: i64 = 256;
/// Bytes of a lane of a vector as its length is counted.
const WORD: i64 = 4;

/// A dimension of an iteration space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dim {
    /// Its extent; an estimate where only a run knows that.
    pub extent: i64,
    /// Whether only a run knows it.
    pub is_open: bool,
    /// Of what number it is known to be a multiple then; 1 elsewhere.
    pub multiple: i64,
    /// Whether it is reduced; others are parallel.
    pub is_reduced: bool,
    /// Whether a loop along it goes around this space and others, one behind the other. Such dimensions are the first ones.
    pub is_shared: bool,
}

impl Dim {
    /// Its extent, if that is known.
    pub fn known_extent(&self) -> Option<i64> {
        (!self.is_open).then_some(self.extent)
    }
}

/// Indices of the last shared dimension that an iteration of its loop has, where they are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    /// How many; the last block may have fewer.
    pub size: i64,
    /// Where it may have: what goes over the indices of a block.
    pub within: Option<Within>,
}

/// The dimension that goes over the indices of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Within {
    /// Which.
    pub dim: usize,
    /// How many elements of it an index has.
    pub each: i64,
}

/// What a kernel takes from outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    /// An argument of its function.
    Passed {
        /// The type, as MLIR writes it.
        r#type: String,
        /// The type of its elements, or its own.
        element: Option<Element>,
        /// Whether a further argument tells where it begins in its memory.
        is_moved: bool,
        /// How many elements it has, as far as that is known.
        count: i64,
        /// Whether the kernel writes nothing of the memory that it lies in.
        is_only_read: bool,
        /// How many bytes behind its elements may be read, where these are bytes.
        room: i64,
        /// Where computations fetch elements of it, or accesses need strides that only a run knows: the distances of
        /// neighbours along its dimensions. Those that only a run knows are further arguments.
        strides: Option<Vec<Option<i64>>>,
    },
    /// Memory of the kernel's own, which holds what one of several nests gives another; each thread has its own.
    Private {
        /// Which of those of the kernel.
        number: usize,
        /// The type, as MLIR writes it.
        r#type: String,
        /// The type of its elements.
        element: Option<Element>,
    },
    /// An argument that is such memory for several ranges of its loops: each has a part.
    Parts {
        /// The type of the argument, as MLIR writes it.
        r#type: String,
        /// The type of its elements.
        element: Option<Element>,
        /// How many elements a part has, as far as that is known.
        count: i64,
        /// Where only a run knows how many: the distances of parts, and of neighbours along the dimensions of one, as of what is passed.
        strides: Option<Vec<Option<i64>>>,
    },
    /// A constant, which it makes itself.
    Constant(Constant),
}

impl Operand {
    /// The type of its elements, where it is memory, or its own.
    pub fn element(&self) -> Option<Element> {
        match self {
            Operand::Passed { element, .. } | Operand::Private { element, .. } | Operand::Parts { element, .. } => {
                *element
            }
            Operand::Constant(_) => None,
        }
    }

    /// How many bytes behind its elements may be read.
    pub fn room(&self) -> i64 {
        if let Operand::Passed { room, .. } = self { *room } else { 0 }
    }

    /// Whether it holds what nests of the kernel give each other, and nobody else sees it.
    pub fn is_own(&self) -> bool {
        matches!(self, Operand::Private { .. } | Operand::Parts { .. })
    }

    /// The strides of memory of which computations fetch elements, or of which only a run knows some.
    pub fn strides(&self) -> impl Iterator<Item = Option<i64>> {
        let known = match self {
            Operand::Passed { strides, .. } | Operand::Parts { strides, .. } => strides.as_deref().unwrap_or_default(),
            Operand::Private { .. } | Operand::Constant(_) => &[],
        };
        known.iter().copied()
    }

    /// How many of them only a run knows.
    pub fn open_strides(&self) -> usize {
        self.strides().filter(Option::is_none).count()
    }
}

/// Where an argument of a computation comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// An element of an operand.
    Memory(usize, Access),
    /// An operand that is a scalar.
    Scalar(usize),
    /// The accumulator, or what the stage before computed.
    Chain,
    /// One of the further accumulators, by its number.
    Further(usize),
    /// It is not used.
    Unused,
}

/// A computation with the sources of its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stage {
    /// What is computed.
    pub computation: Computation,
    /// One per argument.
    pub sources: Vec<Source>,
}

impl Stage {
    /// The stage with other numbers for its operands.
    ///
    /// # Errors
    /// Where one has none.
    pub fn with_operands<E>(&self, mut number: impl FnMut(usize) -> Result<usize, E>) -> Result<Stage, E> {
        let mut stage = self.clone();
        for source in &mut stage.sources {
            if let Source::Memory(operand, _) | Source::Scalar(operand) = source {
                *operand = number(*operand)?;
            }
        }
        for operand in stage.computation.operands_mut() {
            *operand = number(*operand)?;
        }
        Ok(stage)
    }

    fn memory_mut(&mut self) -> impl Iterator<Item = (usize, &mut Access)> {
        self.sources.iter_mut().filter_map(|source| match source {
            Source::Memory(operand, access) => Some((*operand, access)),
            _ => None,
        })
    }

    /// Operands that are read element by element, with their accesses.
    pub fn memory(&self) -> impl Iterator<Item = (usize, &Access)> {
        self.sources.iter().filter_map(|source| match source {
            Source::Memory(operand, access) => Some((*operand, access)),
            _ => None,
        })
    }
}

/// Products along a reduced dimension of which several at a time can be added to a sum: an operand, the filter, is cut into
/// groups along it, and the elements of the other lie beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grouping<'s> {
    /// The dimension.
    pub dim: usize,
    /// Elements in a group. Whole groups are in memory, whatever the extent of the dimension is.
    pub size: i64,
    /// What input and filter are.
    pub numbers: [Number; 2],
    /// The operands that they are, and where.
    pub factors: [(usize, &'s Access); 2],
    /// The type of the sum.
    pub sum: Element,
    /// Whether the elements of a group of the input lie apart, and each lane has its own group; elsewhere they are beside each other and the same
    /// for all.
    pub is_apart: bool,
}

impl Grouping<'_> {
    /// Whether an access takes groups as words, rather than elements as vectors.
    pub fn has_words(&self, access: &Access) -> bool {
        let [input, filter] = self.factors;
        std::ptr::eq(filter.1, access) || !self.is_apart && std::ptr::eq(input.1, access)
    }
}

/// How real numbers may be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rounding {
    /// In any way whose results are within the bounds of docs/semantics.md: sums in other orders, products and sums rounded together.
    #[default]
    Bounded,
    /// As the formulas say: one after the other, each rounded by itself.
    Formula,
}

/// What a kernel computes. `V` is what its operands are: values of the IR, or what is known of how a kernel is given them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Space<V = Operand> {
    /// The dimensions.
    pub dims: Vec<Dim>,
    /// What of the last shared one an iteration has, where it is not one index.
    pub block: Option<Block>,
    /// What comes from outside.
    pub operands: Vec<V>,
    /// Computes the initial accumulator.
    pub init: Option<Stage>,
    /// Runs at every point.
    pub main: Stage,
    /// Run at the points of the parallel dimensions, on the finished accumulator.
    pub epilogues: Vec<Stage>,
    /// The operand that is written, and where.
    pub output: (usize, Access),
    /// The same for further accumulators, and for what is written at each point of a reduction ([`Space::on_the_way`]).
    pub further: Vec<(usize, Access)>,
    /// How real numbers may be combined.
    pub rounding: Rounding,
}

impl<V> Space<V> {
    /// In the order in which they run.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.init.iter().chain([&self.main]).chain(&self.epilogues)
    }

    /// All that is read.
    pub fn reads(&self) -> impl Iterator<Item = (usize, &Access)> {
        self.stages().flat_map(Stage::memory)
    }

    /// All that is written.
    pub fn outputs(&self) -> impl Iterator<Item = &(usize, Access)> {
        [&self.output].into_iter().chain(&self.further)
    }

    /// All that is read and written by addresses.
    pub fn walked(&self) -> impl Iterator<Item = (usize, &Access)> {
        self.reads().chain(self.outputs().map(|(operand, access)| (*operand, access)))
    }

    /// The same, to be changed.
    pub fn walked_mut(&mut self) -> Vec<(usize, &mut Access)> {
        let stages = self.init.iter_mut().chain([&mut self.main]).chain(&mut self.epilogues);
        let written = [&mut self.output].into_iter().chain(&mut self.further);
        let written = written.map(|(operand, access)| (*operand, access));
        stages.flat_map(Stage::memory_mut).chain(written).collect()
    }

    /// The accesses of all that is read and written.
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.walked().map(|(_, access)| access)
    }

    /// The same, to be changed.
    pub fn accesses_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        self.walked_mut().into_iter().map(|(_, access)| access)
    }

    /// Whether a dimension is reduced.
    pub fn has_reduction(&self) -> bool {
        self.dims.iter().any(|dim| dim.is_reduced)
    }

    /// What is written at each point of a reduction: what this has so far.
    pub fn on_the_way(&self) -> &[(usize, Access)] {
        let moves = |(_, access): &(usize, Access)| self.dims_that_are(true).any(|dim| access.steps[dim].moves());
        if self.further.iter().any(moves) { &self.further } else { &[] }
    }

    /// What is written at the points of the parallel dimensions.
    pub fn finished(&self) -> impl Iterator<Item = &(usize, Access)> {
        self.outputs().take(1 + self.further.len() - self.on_the_way().len())
    }

    /// Whether it adds up products of two operands, or such products that are scaled.
    pub fn is_contraction(&self) -> bool {
        let main = &self.main.computation;
        let adds = main.product_sum().is_some() || main.scaled_sum().is_some();
        adds && self.main.sources.last() == Some(&Source::Chain)
    }

    /// How partial results of the reduction become one, where they may be combined in any order.
    pub fn combiner(&self) -> Option<Combiner> {
        let rounds = |op: Op| matches!(op, Op::AddF | Op::MulF);
        self.main.computation.combiner().filter(|it| self.rounding == Rounding::Bounded || !rounds(it.op))
    }

    /// The reals whose products and sums may be rounded together on a target, because one instruction computes them.
    pub fn fused(&self, target: &Target) -> Fused {
        match self.rounding {
            Rounding::Bounded => Fused::of(target),
            Rounding::Formula => Fused::NONE,
        }
    }

    /// Whether a stage asks for the indices of its point.
    pub fn is_indexed(&self) -> bool {
        self.stages().any(|stage| stage.computation.is_indexed())
    }

    /// Points of the iteration space.
    pub fn points(&self) -> i64 {
        self.dims.iter().fold(1i64, |points, dim| points.saturating_mul(dim.extent))
    }

    /// The parallel or the reduced dimensions that loops of this space go along.
    pub fn dims_that_are(&self, reduced: bool) -> impl Iterator<Item = usize> {
        (0..self.dims.len()).filter(move |&dim| self.dims[dim].is_reduced == reduced && !self.dims[dim].is_shared)
    }

    /// What goes over the indices of a block, of which the last one may have fewer.
    pub fn rest(&self) -> Option<Within> {
        self.block.and_then(|block| block.within)
    }

    /// The same, to be changed.
    pub fn rest_mut(&mut self) -> Option<&mut Within> {
        self.block.as_mut().and_then(|block| block.within.as_mut())
    }

    /// How many indices of a dimension an iteration of the loop around several spaces has.
    pub fn block_along(&self, dim: usize) -> i64 {
        self.block.filter(|_| self.dims[dim].is_shared && dim + 1 == self.shared()).map_or(1, |block| block.size)
    }

    /// The last index along a dimension at which an iteration of its loop begins, where blocks are whole.
    pub fn last_begin(&self, dim: usize) -> i64 {
        (self.dims[dim].extent - self.block_along(dim)).max(0)
    }

    /// How many dimensions are those of loops around several spaces.
    pub fn shared(&self) -> usize {
        self.dims.iter().filter(|dim| dim.is_shared).count()
    }

    /// Whether the operand is written, or one of its elements read by an access or fetched.
    pub fn is_accessed(&self, operand: usize) -> bool {
        self.walked().any(|(walked, _)| walked == operand) || self.is_fetched(operand)
    }

    /// Whether a computation fetches elements.
    pub fn fetches(&self) -> bool {
        self.stages().any(|stage| stage.computation.fetched().next().is_some())
    }

    /// Whether a computation fetches elements of the operand.
    pub fn is_fetched(&self, operand: usize) -> bool {
        self.stages().any(|stage| stage.computation.fetched().any(|fetched| fetched == operand))
    }
}

impl Space {
    /// Lanes of a vector of what is computed at each point, where a target has vectors of all integers.
    pub fn lanes_of_results(&self, target: &Target) -> i64 {
        let (main, lanes) = (&self.main.computation, target.isa.lanes());
        let bytes = main.type_of(main.result).map_or(WORD, |element| element.bytes()).clamp(1, WORD);
        if target.isa.only_whole { lanes * WORD / bytes } else { lanes }
    }

    /// The type of the elements of an operand.
    pub fn element(&self, operand: usize) -> Option<Element> {
        self.operands.get(operand)?.element()
    }

    /// Whether the kernel writes nothing of the memory that an operand lies in.
    pub fn is_only_read(&self, operand: usize) -> bool {
        matches!(self.operands.get(operand), Some(Operand::Passed { is_only_read: true, .. }))
    }

    /// Whether it makes no difference to compute something again: nothing is read that is written.
    pub fn may_repeat(&self) -> bool {
        let begins =
            if self.has_reduction() { self.init.is_some() } else { !self.main.sources.contains(&Source::Chain) };
        let is_given = |operand: usize| {
            let is_private = matches!(self.operands.get(operand), Some(Operand::Private { .. }));
            self.is_only_read(operand) || is_private && self.outputs().all(|(output, _)| *output != operand)
        };
        begins && self.further.is_empty() && self.reads().all(|(operand, _)| is_given(operand))
    }

    /// Where products can be added in groups.
    pub fn grouping(&self) -> Option<Grouping<'_>> {
        let main = &self.main;
        let product = main.computation.product_sum().filter(|_| main.sources.last() == Some(&Source::Chain))?;
        if self.rounding == Rounding::Formula && product.sum.is_real() {
            return None;
        }
        let operand = |argument: usize| match main.sources.get(argument)? {
            Source::Memory(operand, access) => Some((*operand, access)),
            _ => None,
        };
        let [(left, left_number), (right, right_number)] = product.factors;
        let pair = [(operand(left)?, left_number), (operand(right)?, right_number)];
        [pair, [pair[1], pair[0]]].into_iter().find_map(|[(input, input_number), (filter, filter_number)]| {
            let dim = self.dims_that_are(true).find(|&dim| is_grouped(filter.1.steps[dim]))?;
            let step = Some(input.1.steps[dim]).filter(|step| step.moves() && step.is_even())?;
            let Step::Panel { size, .. } = filter.1.steps[dim] else { return None };
            let numbers = [input_number, filter_number];
            let is_apart = step != Step::Linear(1);
            Some(Grouping { dim, size, numbers, factors: [input, filter], sum: product.sum, is_apart })
        })
    }
}

impl Space {
    /// Whether accumulators begin with the number zero.
    pub fn begins_with_zero(&self) -> bool {
        let begin = self.init.as_ref().and_then(|init| self.number(init, init.computation.result));
        begin.is_some_and(|begin| [Literal::Integer(0), Literal::Real(0.0)].contains(&begin))
    }

    /// Whether a stage may be computed for lanes that stand for no point: it divides by known numbers only.
    pub fn is_total(&self, stage: &Stage) -> bool {
        let has_quotients = |divisor: Ref| match self.number(stage, divisor) {
            Some(Literal::Integer(number)) => number > 0,
            Some(Literal::Real(_)) | None => false,
        };
        stage.computation.divisors().all(has_quotients)
    }

    /// The number that a value in a stage is, if it is always the same.
    fn number(&self, stage: &Stage, value: Ref) -> Option<Literal> {
        let operand = match value {
            Ref::Argument(argument) => match stage.sources.get(argument)? {
                Source::Scalar(operand) => *operand,
                _ => return None,
            },
            Ref::Operand(operand) => operand,
            Ref::Result(instruction, 0) => match stage.computation.instructions.get(instruction)?.op {
                Op::Constant(constant) => return Some(constant.literal()),
                _ => return None,
            },
            Ref::Result(..) => return None,
        };
        match self.operands.get(operand)? {
            Operand::Constant(constant) => Some(constant.literal()),
            Operand::Passed { .. } | Operand::Private { .. } | Operand::Parts { .. } => None,
        }
    }

    /// The dimension along which windows have groups of the input in common, where each lane has its own groups.
    pub fn shared_groups(&self) -> Option<usize> {
        let grouping = self.grouping().filter(|grouping| grouping.is_apart)?;
        let step = |dim: usize| grouping.factors[0].1.steps[dim].linear().filter(|distance| *distance != 0);
        let mut windows = self.dims_that_are(true).filter(|dim| *dim != grouping.dim).filter_map(step);
        let window = windows.next()?;
        let is_along = |dim: &usize| step(*dim).is_some_and(|distance| distance % window == 0 && distance != 1);
        self.dims_that_are(false).filter(is_along).min_by_key(|dim| step(*dim))
    }
}

/// Whether the elements of a panel are beside each other.
fn is_grouped(step: Step) -> bool {
    matches!(step, Step::Panel { inner: 1, .. })
}
