//! What a rule means, for any representation of a graph: [`evaluate`](Evaluation::evaluate) expressions, and
//! [`plan`](plan_replacement) a replacement. Both are pure and total: what is undefined makes a rule not apply.

mod argument;
mod arithmetic;
mod encoding;
mod evaluate;
mod functions;
mod libraries;
mod options;
mod pieces;
pub mod plan;
mod planner;
mod replaced;
mod undefined;
mod work;

pub use argument::Argument;
pub use arithmetic::{Scalar, compare};
pub use encoding::{Channels, Encoding};
pub use evaluate::{Evaluation, constant_value, extent, property_of, same};
pub use functions::{Functions, OF_FRAMEWORK};
pub use options::Options;
pub use plan::Undefined;
pub use planner::{plan_part, plan_replacement};
pub use replaced::{NewNode, NewSource, Replaced, Subject};
use std::fmt;
pub use undefined::undefined_part;
pub use work::Work;

/// The output definition of one result of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputDef {
    /// The extents, outermost first.
    pub dims: Vec<u64>,
    /// What its elements are, and what they stand for.
    pub encoding: Encoding,
}

impl OutputDef {
    /// Whether tensors can be so.
    pub fn is_valid(&self) -> bool {
        self.encoding.is_valid(&self.dims)
    }
}

/// As cases of rules write it, e.g. `QUInt8(128, 0.5)[1, 8, 8, 3]`.
impl fmt::Display for OutputDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.encoding, self.dims)
    }
}

/// The elements of a constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// Integers.
    Ints(Vec<i64>),
    /// Floating-point numbers.
    Reals(Vec<f64>),
}

/// One split that a node comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SplitRecord<I> {
    /// The dimension that was split.
    pub dimension: i64,
    /// The id of what was split.
    pub original: I,
    /// The extent of its slices.
    pub size: i64,
}

/// What a graph knows of a node beside what it computes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The op id; most nodes have none before a rule asks for it.
    pub id: Option<i64>,
    /// The splits that it comes from, the first one first.
    pub history: Vec<SplitRecord<i64>>,
}

impl Identity {
    /// The split history as numbers: dimension, original's id and size of each record.
    pub fn history_numbers(&self) -> Vec<i64> {
        self.history.iter().flat_map(|record| [record.dimension, record.original, record.size]).collect()
    }

    /// Of an id and the numbers of a split history.
    pub fn of_numbers(id: Option<i64>, numbers: &[i64]) -> Self {
        let record = |of: &[i64]| SplitRecord { dimension: of[0], original: of[1], size: of[2] };
        Identity { id, history: numbers.chunks_exact(3).map(record).collect() }
    }
}

/// What rules can ask of a graph.
pub trait Graph {
    /// One output of a node.
    type Node: Copy + Eq + std::fmt::Debug;

    /// The output definition; `None` if its shape is not static.
    fn output_def(&self, node: Self::Node) -> Option<OutputDef>;
    /// What the graph calls the op of this name with package.
    fn op_called(&self, qualified: &str) -> String;
    /// The op that has this output, as the graph calls it; `None` for an input of the graph.
    fn op_name(&self, node: Self::Node) -> Option<String>;
    /// The same as rules have it, with package; external functions are given this.
    fn qualified_op(&self, node: Self::Node) -> Option<String> {
        self.op_name(node)
    }
    /// The inputs of the node that has this output.
    fn inputs(&self, node: Self::Node) -> Vec<Self::Node>;
    /// All outputs of the node that has this output.
    fn outputs(&self, node: Self::Node) -> Vec<Self::Node>;
    /// The elements, if it is a constant.
    fn constant(&self, node: Self::Node) -> Option<Elements>;
    /// Id and split history of the node that has this output.
    fn identity(&self, node: Self::Node) -> Identity;
}

/// What a match has bound.
#[derive(Debug, Clone)]
pub struct Bindings<'a, N> {
    /// The matched root.
    pub root: N,
    /// The operand tags of the rule, in their order there, and what they are bound to.
    pub tags: Vec<(&'a str, N)>,
}

impl<N: Copy> Bindings<'_, N> {
    /// What a tag is bound to.
    pub fn tag(&self, name: &str) -> Option<N> {
        self.tags.iter().find(|(tag, _)| *tag == name).map(|(_, node)| *node)
    }
}

/// One slice of an `AUTOSPLIT`, or one step of an `OP_ITER`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The split tag by which the body refers to it.
    pub tag: String,
    /// The dimension that is split; of an iteration 0.
    pub dimension: u64,
    /// Where the slice begins; the number of the step.
    pub start: u64,
    /// The extent of the slice; of an iteration 1.
    pub size: u64,
}

/// What rules are applied with, beside the graph.
#[derive(Debug, Default)]
pub struct Environment {
    /// Options of the graph.
    pub options: Options,
    /// External functions.
    pub functions: Functions,
    /// How much may be done.
    pub work: Work,
}

impl Environment {
    /// With the functions that are built in.
    pub fn new(options: Options) -> Self {
        Environment { options, ..Environment::default() }
    }
}

/// When rules that go on and on are stopped.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Sweeps over the graph in one pass.
    pub sweeps: usize,
    /// Applications of rules in one pass.
    pub applications: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { sweeps: 1000, applications: 100_000 }
    }
}

#[cfg(test)]
mod tests;
