//! What a replacement will build, decided before anything is changed: a graph, in which a node has results and what
//! several users take is there once.

use super::{Elements, Encoding, OutputDef, SplitRecord};
use crate::grammar::model::DType;
use skriptnd_source::Span;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

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

/// Dimensions that a tensor of the processor has at most: rules that ask for others are warned of.
pub const MAX_RANK: i64 = 8;

/// Parts that one replacement may have, those of a split or an iteration counted for each slice or step.
pub const MAX_PARTS: usize = 1 << 17;

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

impl<N: PartialEq> PlanNode<N> {
    fn computes_same(&self, other: &PlanNode<N>) -> bool {
        (&self.op, &self.inputs, &self.outputs) == (&other.op, &other.inputs, &other.outputs)
            && self.elements.as_ref().map(bits) == other.elements.as_ref().map(bits)
            && self.lineage == other.lineage
    }

    /// The same for nodes that compute the same.
    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.op.hash(&mut hasher);
        for input in &self.inputs {
            let place = if let Source::New(node, output) = input { Some((node, output)) } else { None };
            place.hash(&mut hasher);
        }
        self.outputs.iter().for_each(|output| output.dims.hash(&mut hasher));
        self.elements.as_ref().map(bits).hash(&mut hasher);
        hasher.finish()
    }
}

/// What tells elements apart: 0.0 and -0.0 are not the same constant.
fn bits(elements: &Elements) -> (bool, Vec<u64>) {
    match elements {
        Elements::Ints(values) => (true, values.iter().map(|value| *value as u64).collect()),
        Elements::Reals(values) => (false, values.iter().map(|value| value.to_bits()).collect()),
    }
}

/// The nodes of a plan that may be shared, by what they compute: there are several for each slice of a split.
#[derive(Debug, Default)]
pub(super) struct Shared(HashMap<u64, Vec<usize>>);

/// The nodes that a replacement adds to a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<N> {
    /// The nodes, operands before users; the result needs all of them.
    pub nodes: Vec<PlanNode<N>>,
    /// What takes the root's place.
    pub result: Source<N>,
}

impl<N: Copy + Eq> Plan<N> {
    /// Adds a node.
    pub(super) fn add(&mut self, node: PlanNode<N>) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a node, or takes the shared one that computes the same.
    pub(super) fn share(&mut self, node: PlanNode<N>, shared: &mut Shared) -> usize {
        let places = shared.0.entry(node.key()).or_default();
        let found = places.iter().copied().find(|place| self.nodes[*place].computes_same(&node));
        found.unwrap_or_else(|| {
            let added = self.add(node);
            places.push(added);
            added
        })
    }

    /// Whether tensors can be what all of its nodes say.
    pub(super) fn is_valid(&self) -> bool {
        self.nodes.iter().flat_map(|node| &node.outputs).all(OutputDef::is_valid)
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

/// A part of a replacement that is undefined for a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undefined {
    /// Where the part stands.
    pub span: Span,
    /// Why it is undefined.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// The only node of a graph; counts how often it is looked at.
    #[derive(Debug, Clone, Copy)]
    struct Only;

    impl PartialEq for Only {
        fn eq(&self, Only: &Only) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            true
        }
    }

    impl Eq for Only {}

    fn node(op: &str, inputs: Vec<Source<Only>>, extent: u64) -> PlanNode<Only> {
        let outputs = vec![shape_output(vec![extent])];
        PlanNode { op: op.to_owned(), inputs, outputs, elements: None, origin: Only, lineage: Lineage::none() }
    }

    #[test]
    fn what_is_shared_is_not_sought_among_all_nodes() {
        const COUNT: u64 = 1000;
        let (mut plan, mut shared) = (Plan { nodes: Vec::new(), result: Source::Existing(Only) }, Shared::default());
        for _ in 0..2 {
            for start in 0..COUNT {
                let start = Source::New(plan.share(node(SHAPE_OP, Vec::new(), start), &mut shared), 0);
                plan.share(node(SLICE_OP, vec![Source::Existing(Only), start, start], 1), &mut shared);
            }
        }
        assert_eq!(plan.nodes.len() as u64, 2 * COUNT);
        assert!((COMPARED.get() as u64) < 10 * COUNT, "{}", COMPARED.get());
    }
}
