//! A graph of nodes with outputs in a list, operands before users.

use crate::apply::{Elements, Identity, OutputDef};
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::Hash;

/// Names a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

impl NodeId {
    /// An output of the node.
    pub fn output(self, index: usize) -> Output {
        Output { node: self, index }
    }
}

/// Names one output of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Output {
    /// The node.
    pub node: NodeId,
    /// Which of its outputs.
    pub index: usize,
}

/// What computes tensors: an op, an input of the graph or a constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The op's name with its package; `None` for an input of the graph.
    pub op: Option<String>,
    /// What it takes, in the order of the operands.
    pub inputs: Vec<Output>,
    /// Shape and encoding of what it computes.
    pub outputs: Vec<OutputDef>,
    /// The elements of a constant.
    pub elements: Option<Elements>,
    /// Op id and split history.
    pub identity: Identity,
}

impl Node {
    /// A node of one output, without id and split history.
    pub fn new(op: Option<&str>, inputs: &[Output], output: OutputDef, elements: Option<Elements>) -> Self {
        let inputs = inputs.to_vec();
        Node { op: op.map(str::to_owned), inputs, outputs: vec![output], elements, identity: Identity::default() }
    }

    /// What equal nodes have in common.
    pub fn computation(&self) -> Computation {
        let (ints, reals) = match &self.elements {
            None => (None, None),
            Some(Elements::Ints(values)) => (Some(values.clone()), None),
            Some(Elements::Reals(values)) => (None, Some(values.iter().map(|value| value.to_bits()).collect())),
        };
        let (op, inputs, outputs) =
            (self.op.clone(), self.inputs.clone(), self.outputs.iter().map(ToString::to_string));
        Computation { op, inputs, outputs: outputs.collect(), ints, reals, identity: self.identity.clone() }
    }
}

/// What a node computes. Reals are told apart by their bits, since 0.0 and -0.0 are not the same constant.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Computation {
    op: Option<String>,
    inputs: Vec<Output>,
    /// As text, which tells all of them.
    outputs: Vec<String>,
    ints: Option<Vec<i64>>,
    reals: Option<Vec<u64>>,
    identity: Identity,
}

/// Nodes in an order in which they can be computed.
#[derive(Debug, Clone, Default)]
pub struct PlainGraph {
    /// All nodes that ever were; those in `order` are in the graph.
    nodes: Vec<Node>,
    order: Vec<NodeId>,
    /// The outputs of the graph.
    pub outputs: Vec<Output>,
}

impl PlainGraph {
    /// Appends a node.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(node);
        self.order.push(id);
        id
    }

    /// Adds a node before another.
    pub fn insert_before(&mut self, at: NodeId, node: Node) -> NodeId {
        let id = self.add(node);
        self.order.pop();
        let place = self.order.iter().rposition(|n| *n == at).unwrap_or(self.order.len());
        self.order.insert(place, id);
        id
    }

    /// How many nodes there are and were.
    pub fn ever(&self) -> usize {
        self.nodes.len()
    }

    /// The node of this number, which may not be in the graph any more.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The same, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// The nodes, operands before users.
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// The op id of a node, which gets one that no node has if it has none.
    pub fn id_of(&mut self, node: NodeId) -> i64 {
        if let Some(id) = self.nodes[node.0].identity.id {
            return id;
        }
        let ids = self.nodes.iter().flat_map(|node| {
            node.identity.id.into_iter().chain(node.identity.history.iter().map(|record| record.original))
        });
        let id = ids.max().unwrap_or(0) + 1;
        self.nodes[node.0].identity.id = Some(id);
        id
    }

    /// Lets all users of a node use outputs of another, in their order, and removes it.
    pub fn replace(&mut self, old: NodeId, with: &[Output]) {
        let used = self.nodes.iter_mut().flat_map(|n| n.inputs.iter_mut()).chain(self.outputs.iter_mut());
        for output in used.filter(|output| output.node == old) {
            if let Some(new) = with.get(output.index) {
                *output = *new;
            }
        }
        self.order.retain(|id| *id != old);
    }

    /// Lets all users of a node but those made since there were `before` nodes use other outputs, and removes the node
    /// unless one of those takes it.
    pub fn supersede(&mut self, old: NodeId, with: &[Output], before: usize) {
        let old_users = self.nodes[..before].iter_mut().flat_map(|node| node.inputs.iter_mut());
        for output in old_users.chain(self.outputs.iter_mut()).filter(|output| output.node == old) {
            *output = with[output.index];
        }
        self.order.retain(|id| *id != old);
        let is_taken = self.nodes[before..].iter().any(|node| node.inputs.iter().any(|input| input.node == old));
        if is_taken {
            let first = self.order.iter().position(|id| id.0 >= before && self.nodes[id.0].op.is_some());
            self.order.insert(first.unwrap_or(self.order.len()), old);
        }
    }

    /// Gives all ops other names.
    pub fn rename(&mut self, name: impl Fn(&str) -> String) {
        for op in self.nodes.iter_mut().filter_map(|node| node.op.as_mut()) {
            *op = name(op);
        }
    }

    /// Removes dead nodes, and merges common subexpressions.
    pub fn clean(&mut self) {
        self.remove_dead();
        self.merge_common();
    }

    /// Removes what no output needs.
    pub fn remove_dead(&mut self) {
        let mut needed = vec![false; self.nodes.len()];
        let mut pending: Vec<NodeId> = self.outputs.iter().map(|output| output.node).collect();
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut needed[id.0], true) {
                pending.extend(self.nodes[id.0].inputs.iter().map(|input| input.node));
            }
        }
        self.order.retain(|id| needed[id.0] || self.nodes[id.0].op.is_none());
    }

    /// Merges nodes that compute the same.
    pub fn merge_common(&mut self) {
        let mut seen = HashMap::new();
        for id in self.order.clone() {
            let node = self.node(id);
            if node.op.is_none() {
                continue;
            }
            let outputs = node.outputs.len();
            let first = *seen.entry(node.computation()).or_insert(id);
            if first != id {
                self.replace(id, &(0..outputs).map(|index| first.output(index)).collect::<Vec<_>>());
            }
        }
    }

    /// The graph as text, the same for graphs that differ in numbering or order of nodes only.
    pub fn canonical(&self) -> String {
        let mut writer = Canonical { graph: self, numbers: HashMap::new(), ids: HashMap::new(), text: String::new() };
        for id in self.order.iter().filter(|id| self.nodes[id.0].op.is_none()) {
            writer.numbers.insert(*id, writer.numbers.len());
        }
        let mut pending: Vec<(NodeId, bool)> = self.outputs.iter().rev().map(|id| (id.node, false)).collect();
        while let Some((id, inputs_done)) = pending.pop() {
            if writer.numbers.contains_key(&id) {
                continue;
            }
            if inputs_done {
                writer.node(id);
            } else {
                pending.push((id, true));
                pending.extend(self.nodes[id.0].inputs.iter().rev().map(|input| (input.node, false)));
            }
        }
        let outputs = writer.outputs(&self.outputs);
        let _ = writeln!(writer.text, "{outputs:?}");
        writer.text
    }
}

/// Writes nodes with numbers in the order in which they are met; ids of ops as well.
struct Canonical<'a> {
    graph: &'a PlainGraph,
    numbers: HashMap<NodeId, usize>,
    ids: HashMap<i64, usize>,
    text: String,
}

impl Canonical<'_> {
    fn outputs(&self, outputs: &[Output]) -> Vec<(usize, usize)> {
        outputs.iter().filter_map(|output| Some((*self.numbers.get(&output.node)?, output.index))).collect()
    }

    fn id(&mut self, id: i64) -> usize {
        let next = self.ids.len();
        *self.ids.entry(id).or_insert(next)
    }

    fn node(&mut self, id: NodeId) {
        let node = self.graph.node(id);
        let number = self.numbers.len();
        self.numbers.insert(id, number);
        let history: Vec<_> =
            node.identity.history.iter().map(|r| (r.dimension, self.id(r.original), r.size)).collect();
        let own = node.identity.id.map(|id| self.id(id));
        let (op, inputs) = (node.op.as_deref().unwrap_or_default(), self.outputs(&node.inputs));
        let _ =
            writeln!(self.text, "{number} = {op}{inputs:?} {:?} {:?} {own:?} {history:?}", node.outputs, node.elements);
    }
}
