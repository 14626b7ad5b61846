//! One assignment of a formula, ready to be executed: its expressions as a list of nodes, each after those it uses.

use super::fault::FormulaFault;
use super::nodes::{NodeId, PerNode};
use skriptnd_language::compose::formula::{LinearForm, TensorRef};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};

/// A scalar expression over the lanes of a row.
#[derive(Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    pub dtype: ScalarType,
    /// The lanes in which the value matters: the node stands in a branch of a select.
    pub mask: Option<NodeId>,
    /// The loops that it depends on.
    pub loops: LoopSet,
    /// Whether it must be evaluated in every row: it may fail, or it reads what the assignment writes.
    pub volatile: bool,
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Real(f32),
    Int(i64),
    Bool(bool),
    /// An affine integer expression.
    Affine(LinearForm),
    Load(Access),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    Select(NodeId, NodeId, NodeId),
    Cast(NodeId),
    Builtin(Builtin, NodeId),
    /// The lanes of the first (all if there is none) where the second has this value.
    Mask(Option<NodeId>, NodeId, bool),
}

/// The access of one element.
#[derive(Debug)]
pub(super) struct Access {
    pub tensor: TensorRef,
    /// The affine part of the address.
    pub offset: LinearForm,
    /// Affine indices that may leave the tensor.
    pub checks: Vec<Check>,
    /// Indices that are not affine.
    pub computed: Vec<ComputedIndex>,
    /// All indices: none where not affine.
    pub forms: Vec<Option<LinearForm>>,
}

/// An affine index that may be outside.
#[derive(Debug, Clone)]
pub(super) struct Check {
    pub form: LinearForm,
    pub bounds: Bounds,
}

/// An index that is a node's value.
#[derive(Debug)]
pub(super) struct ComputedIndex {
    pub node: NodeId,
    pub stride: i64,
    pub bounds: Bounds,
}

/// What an index must satisfy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub dimension: usize,
    pub extent: i64,
    /// Whether the iteration is skipped outside; otherwise that is an error.
    pub skip: bool,
}

impl Bounds {
    /// What an index outside of them is.
    pub(super) fn fault(&self, tensor: TensorRef, index: i64) -> FormulaFault {
        FormulaFault::OutOfRange { tensor, dimension: self.dimension, index, extent: self.extent }
    }
}

/// A set of loops by number. Loops from 63 on share a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LoopSet(u64);

impl LoopSet {
    pub(super) const DISTINCT: usize = 63;

    pub(super) fn of(loops: impl Iterator<Item = usize>) -> Self {
        loops.fold(LoopSet::default(), |set, number| set.union(LoopSet(1 << number.min(Self::DISTINCT))))
    }

    pub(super) fn union(self, other: LoopSet) -> LoopSet {
        LoopSet(self.0 | other.0)
    }

    pub(super) fn contains(self, number: usize) -> bool {
        self.0 & (1 << number.min(Self::DISTINCT)) != 0
    }
}

/// An assignment.
#[derive(Debug)]
pub(super) struct Program {
    pub extents: Vec<i64>,
    pub nodes: PerNode<Node>,
    /// The elements written, one per value.
    pub targets: Vec<Access>,
    pub values: Vec<NodeId>,
    pub condition: Option<NodeId>,
    /// The nodes that belong to the condition: their failures count where it does not hold, too.
    pub condition_nodes: std::ops::Range<NodeId>,
    pub op: AssignOp,
    pub span: Span,
    /// How the loops are run.
    pub schedule: Schedule,
    /// The shorter way of running it, where it is a sum of products.
    pub contraction: Option<Contraction>,
}

/// How the loops are run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Schedule {
    /// The innermost loop, whose iterations are executed together; none if each must be executed on its own.
    pub lane: Option<usize>,
    /// The other loops, outermost first.
    pub order: Vec<usize>,
}

/// `y[..] += a[..] * b[..]`, or without `b`.
#[derive(Debug)]
pub(super) struct Contraction {
    pub extents: Vec<i64>,
    pub output: usize,
    pub target: Address,
    pub factors: Vec<(TensorRef, Address)>,
    /// What must lie between 0 and a bound (exclusive), or the iteration is skipped.
    pub guards: Vec<(Address, i64)>,
    /// The innermost loop.
    pub lane: usize,
    /// The one around it; no guard depends on it.
    pub repeat: Option<usize>,
    pub outer: Vec<usize>,
}

/// An affine form with a step for every loop.
#[derive(Debug)]
pub(super) struct Address {
    pub first: i64,
    pub steps: Vec<i64>,
}
