//! A graph of single-output nodes in a list, operands before users.

use crate::apply::{Elements, Graph, OutputDef};
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::Hash;

/// Names a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// What computes one tensor: an op, an input of the graph or a constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The op's name with its package; `None` for an input of the graph.
    pub op: Option<String>,
    /// The nodes whose outputs it takes, in the order of the operands.
    pub inputs: Vec<NodeId>,
    /// Shape and encoding of what it computes.
    pub output: OutputDef,
    /// The elements of a constant.
    pub elements: Option<Elements>,
}

impl Node {
    /// What equal nodes have in common. Reals are told apart by their bits, since 0.0 and -0.0 are not the same constant.
    fn computation(&self) -> impl Eq + Hash + use<> {
        let OutputDef { dims, encoding } = self.output.clone();
        let quantization = (encoding.zero_offset, encoding.step_size.to_bits());
        let (ints, reals) = match &self.elements {
            None => (None, None),
            Some(Elements::Ints(values)) => (Some(values.clone()), None),
            Some(Elements::Reals(values)) => {
                (None, Some(values.iter().map(|value| value.to_bits()).collect::<Vec<_>>()))
            }
        };
        (self.op.clone(), self.inputs.clone(), dims, encoding.dtype, quantization, ints, reals)
    }
}

/// Nodes in an order in which they can be computed.
#[derive(Debug, Clone, Default)]
pub struct PlainGraph {
    /// All nodes that ever were; those in `order` are in the graph.
    nodes: Vec<Node>,
    order: Vec<NodeId>,
    /// The outputs of the graph.
    pub outputs: Vec<NodeId>,
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
        let place = self.order.iter().position(|n| *n == at).unwrap_or(self.order.len());
        self.order.insert(place, id);
        id
    }

    /// The node of this number, which may not be in the graph any more.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The nodes, operands before users.
    pub fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// Lets all users of a node use another, and removes it.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        let used = self.nodes.iter_mut().flat_map(|n| n.inputs.iter_mut()).chain(self.outputs.iter_mut());
        used.filter(|id| **id == old).for_each(|id| *id = new);
        self.order.retain(|id| *id != old);
    }

    /// Gives all ops other names.
    pub fn rename(&mut self, name: impl Fn(&str) -> String) {
        for op in self.nodes.iter_mut().filter_map(|node| node.op.as_mut()) {
            *op = name(op);
        }
    }

    /// Removes what no output needs.
    pub fn remove_dead(&mut self) {
        let mut needed = vec![false; self.nodes.len()];
        let mut pending = self.outputs.clone();
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut needed[id.0], true) {
                pending.extend(self.nodes[id.0].inputs.iter().copied());
            }
        }
        self.order.retain(|id| needed[id.0] || self.nodes[id.0].op.is_none());
    }

    /// Merges nodes that compute the same.
    pub fn merge_common(&mut self) {
        let mut seen = HashMap::new();
        for id in self.order.clone() {
            if self.node(id).op.is_none() {
                continue;
            }
            let first = *seen.entry(self.node(id).computation()).or_insert(id);
            if first != id {
                self.replace(id, first);
            }
        }
    }

    /// The graph as text, the same for graphs that differ in numbering or order of nodes only.
    pub fn canonical(&self) -> String {
        let mut numbers: HashMap<NodeId, usize> = HashMap::new();
        let mut text = String::new();
        for id in self.order.iter().filter(|id| self.nodes[id.0].op.is_none()) {
            numbers.insert(*id, numbers.len());
        }
        let mut pending: Vec<(NodeId, bool)> = self.outputs.iter().rev().map(|id| (*id, false)).collect();
        while let Some((id, inputs_done)) = pending.pop() {
            let node = &self.nodes[id.0];
            if numbers.contains_key(&id) {
                continue;
            }
            if !inputs_done {
                pending.push((id, true));
                pending.extend(node.inputs.iter().rev().map(|input| (*input, false)));
                continue;
            }
            let number = numbers.len();
            numbers.insert(id, number);
            let inputs: Vec<usize> = node.inputs.iter().filter_map(|input| numbers.get(input).copied()).collect();
            let op = node.op.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{number} = {op}{inputs:?} {:?} {:?}", node.output, node.elements);
        }
        let outputs: Vec<usize> = self.outputs.iter().filter_map(|id| numbers.get(id).copied()).collect();
        let _ = writeln!(text, "{outputs:?}");
        text
    }
}

impl Graph for PlainGraph {
    type Node = NodeId;

    fn output_def(&self, node: NodeId) -> Option<OutputDef> {
        Some(self.nodes[node.0].output.clone())
    }

    fn is_op(&self, node: NodeId, name: &str) -> bool {
        self.nodes[node.0].op.as_deref() == Some(name)
    }

    fn inputs(&self, node: NodeId) -> Vec<NodeId> {
        self.nodes[node.0].inputs.clone()
    }

    fn outputs(&self, node: NodeId) -> Vec<NodeId> {
        vec![node]
    }

    fn constant(&self, node: NodeId) -> Option<Elements> {
        self.nodes[node.0].elements.clone()
    }
}
