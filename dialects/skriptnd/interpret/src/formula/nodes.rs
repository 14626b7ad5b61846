//! Numbers of nodes, and lists with an item for each node.

use std::ops::{Index, IndexMut};

/// Which node of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(usize);

/// What there is for each node of a program, in their order.
#[derive(Debug)]
pub(super) struct PerNode<T>(Vec<T>);

impl<T> PerNode<T> {
    pub(super) fn new() -> Self {
        PerNode(Vec::new())
    }

    /// Adds what there is for a further node.
    pub(super) fn push(&mut self, item: T) -> NodeId {
        self.0.push(item);
        NodeId(self.0.len() - 1)
    }

    /// What the next node is going to be.
    pub(super) fn next(&self) -> NodeId {
        NodeId(self.0.len())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<T> {
        (0..self.0.len()).map(NodeId)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// Something else for the same nodes.
    pub(super) fn map<U>(&self, make: impl FnMut(&T) -> U) -> PerNode<U> {
        PerNode(self.0.iter().map(make).collect())
    }
}

impl<T> Index<NodeId> for PerNode<T> {
    type Output = T;

    fn index(&self, id: NodeId) -> &T {
        &self.0[id.0]
    }
}

impl<T> IndexMut<NodeId> for PerNode<T> {
    fn index_mut(&mut self, id: NodeId) -> &mut T {
        &mut self.0[id.0]
    }
}
