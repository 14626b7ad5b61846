//! Rules applied to a plain graph, node by node, as their definition reads: no PDL, no plan, no MLIR. It judges the
//! engine: both must make the same graph.

mod graph;
mod replace;

pub use graph::{Node, NodeId, PlainGraph};
pub use replace::{Limits, NotEnding, run};

#[cfg(test)]
mod tests;
