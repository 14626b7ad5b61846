//! What a replacement will build, decided before anything is changed: a graph, in which a node has results and what
//! several users take is there once.

use super::{Elements, Encoding, OutputDef, SplitRecord};
use crate::grammar::model::DType;

/// The op that holds a shape: the shape of its output.
pub const SHAPE_OP: &str = "$Shape";
/// The op that holds a constant.
pub const CONST_OP: &str = "$Const";
/// The op that stands for one output of another op.
pub const OUT_OP: &str = "$Out";
/// The op that takes a part of a tensor: operands are the tensor, begin and extents of the part, both shapes.
pub const SLICE_OP: &str = "q::Slice_shape";
/// The op that puts tensors together: operands are the dimension, a constant, and the tensors.
pub const CONCAT_OP: &str = "q::Concat";

/// Elements that a rule may give to a constant.
pub const MAX_ELEMENTS: i64 = 1 << 20;
/// Outputs that an op may have.
pub const MAX_OUTPUTS: i64 = 1 << 10;
/// Slices of a split, and steps of an iteration.
pub const MAX_PIECES: i64 = 1 << 14;

/// Nodes that one replacement may have.
const MAX_NODES: usize = 100_000;

/// What a node takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<N> {
    /// A node that is there.
    Existing(N),
    /// An output of a node of the plan: the node's index and the output's.
    New(usize, usize),
}

/// An op id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Id<N> {
    /// One that is known.
    Number(i64),
    /// That of a node, which gets one if it has none.
    Of(N),
}

/// Op id and split history of a new node.
#[derive(Debug, Clone, PartialEq)]
pub struct Lineage<N> {
    /// The op id.
    pub id: Option<Id<N>>,
    /// The splits, the first one first.
    pub history: Vec<SplitRecord<Id<N>>>,
}

impl<N> Lineage<N> {
    /// Of what the framework makes itself: such nodes may be shared.
    pub fn none() -> Self {
        Lineage { id: None, history: Vec::new() }
    }
}

/// A node of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanNode<N> {
    /// The op, as the graph calls it.
    pub op: String,
    /// What it takes.
    pub inputs: Vec<Source<N>>,
    /// What it gives.
    pub outputs: Vec<OutputDef>,
    /// The elements of a constant.
    pub elements: Option<Elements>,
    /// The node whose place in the model's source it has.
    pub origin: N,
    /// Op id and split history.
    pub lineage: Lineage<N>,
}

/// The nodes that a replacement adds to a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<N> {
    /// The nodes, operands before users; the result needs all of them.
    pub nodes: Vec<PlanNode<N>>,
    /// What takes the root's place.
    pub result: Source<N>,
}

impl<N: Copy + Eq> Plan<N> {
    /// Adds a node; `None` if there are too many.
    pub(super) fn add(&mut self, node: PlanNode<N>) -> Option<usize> {
        self.nodes.push(node);
        (self.nodes.len() <= MAX_NODES).then(|| self.nodes.len() - 1)
    }

    /// Adds a node, or takes the one that computes the same.
    pub(super) fn share(&mut self, node: PlanNode<N>) -> Option<usize> {
        let same = |other: &PlanNode<N>| {
            (&other.op, &other.inputs, &other.outputs) == (&node.op, &node.inputs, &node.outputs)
                && other.elements == node.elements
                && other.lineage == node.lineage
        };
        match self.nodes.iter().position(same) {
            Some(found) => Some(found),
            None => self.add(node),
        }
    }

    /// Whether tensors can be what all of its nodes say.
    pub(super) fn is_valid(&self) -> bool {
        self.nodes.iter().flat_map(|node| &node.outputs).all(|output| output.encoding.is_valid())
    }

    /// Removes what the result does not need: operands of functions, and the ops that iterations begin with.
    pub(super) fn prune(&mut self) {
        let mut needed = vec![false; self.nodes.len()];
        let mut pending = vec![self.result];
        while let Some(source) = pending.pop() {
            if let Source::New(index, _) = source
                && !std::mem::replace(&mut needed[index], true)
            {
                pending.extend(&self.nodes[index].inputs);
            }
        }
        let mut places = Vec::with_capacity(needed.len());
        let mut kept = 0;
        for is_needed in &needed {
            places.push(kept);
            kept += usize::from(*is_needed);
        }
        let mut keep = needed.iter();
        self.nodes.retain(|_| keep.next().copied().unwrap_or(false));
        let inputs = self.nodes.iter_mut().flat_map(|node| node.inputs.iter_mut());
        for source in inputs.chain([&mut self.result]) {
            if let Source::New(index, _) = source {
                *index = places[*index];
            }
        }
    }
}

/// The output of a shape op: what counts is the shape.
pub fn shape_output(dims: Vec<u64>) -> OutputDef {
    OutputDef { dims, encoding: Encoding::plain(DType::Int32) }
}

/// The output of a constant: an array of shape `[1, 1, 1, n]`.
pub fn array_output(elements: &Elements) -> OutputDef {
    let (count, dtype) = match elements {
        Elements::Ints(values) => (values.len(), DType::Int32),
        Elements::Reals(values) => (values.len(), DType::Float32),
    };
    OutputDef { dims: vec![1, 1, 1, count as u64], encoding: Encoding::plain(dtype) }
}
