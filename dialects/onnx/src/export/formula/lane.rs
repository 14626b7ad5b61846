//! What an expression has in all iterations.

use crate::export::nodes::Nodes;

/// A value for each iteration: its last dimensions are those of the innermost loops, and it is broadcast along the others.
#[derive(Debug, Clone)]
pub struct Lane {
    /// The tensor.
    pub name: String,
    /// Its rank, at most the number of loops.
    pub rank: usize,
    /// For each loop, whether the tensor has its extent there; else it has extent 1, or no such dimension.
    pub along: Vec<bool>,
    /// In which iterations there is a value at all.
    pub mask: Option<Box<Lane>>,
}

impl Lane {
    /// The same value in all iterations.
    pub fn scalar(name: String, depth: usize) -> Lane {
        Lane { name, rank: 0, along: vec![false; depth], mask: None }
    }

    /// The same without its mask.
    pub fn bare(&self) -> Lane {
        Lane { mask: None, ..self.clone() }
    }

    /// What comes of an elementwise node.
    pub fn of(name: String, operands: &[&Lane], mask: Option<Box<Lane>>) -> Lane {
        let depth = operands.first().map_or(0, |lane| lane.along.len());
        let along = (0..depth).map(|at| operands.iter().any(|lane| lane.along[at])).collect();
        let rank = operands.iter().map(|lane| lane.rank).max().unwrap_or(0);
        Lane { name, rank, along, mask }
    }

    /// The loops along which the tensor has extents, in order.
    pub fn loops(&self) -> Vec<usize> {
        (0..self.along.len()).filter(|at| self.along[*at]).collect()
    }

    /// The tensor without the dimensions of other loops.
    pub fn compact(&self, nodes: &mut Nodes) -> String {
        let first = self.along.len() - self.rank;
        let units: Vec<i64> = (0..self.rank).filter(|at| !self.along[first + at]).map(|at| at as i64).collect();
        nodes.squeeze(&self.name, &units)
    }

    /// The tensor with a dimension for each loop.
    pub fn full_rank(&self, nodes: &mut Nodes) -> String {
        let missing: Vec<i64> = (0..self.along.len() - self.rank).map(|at| at as i64).collect();
        nodes.unsqueeze(&self.name, &missing)
    }

    /// The dimension of a loop.
    pub fn dimension(&self, number: usize) -> usize {
        number + self.rank - self.along.len()
    }
}

/// Where both hold.
pub fn both(nodes: &mut Nodes, a: Option<&Lane>, b: Option<&Lane>) -> Option<Box<Lane>> {
    match (a, b) {
        (Some(a), Some(b)) if a.name != b.name => {
            let name = nodes.add("And", &[&a.name, &b.name], Vec::new());
            Some(Box::new(Lane::of(name, &[a, b], None)))
        }
        (Some(lane), _) | (None, Some(lane)) => Some(Box::new(lane.clone())),
        (None, None) => None,
    }
}
