//! Rules applied to a plain graph, node by node, as their definition reads: no PDL, no plan, no MLIR. It judges the
//! engine: both must make the same graph.

mod graph;
mod modify;
mod pieces;
mod replace;
mod sweep;

pub use graph::{Node, NodeId, Output, PlainGraph};
pub use sweep::{NotEnding, run};

#[cfg(test)]
mod tests;
