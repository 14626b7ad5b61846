//! Rules applied to a plain graph, node by node, as their definition reads: no PDL, no plan, no MLIR, and expressions of its
//! own. It judges the engine: both must make the same graph. They share the rule that was read, what tensors and splits
//! are, options and external functions.

mod facts;
mod graph;
mod modify;
mod pieces;
mod replace;
mod sweep;
mod values;

pub use graph::{Node, NodeId, Output, PlainGraph};
pub use sweep::{NotEnding, run};
#[cfg(test)]
pub(crate) use {
    facts::{Facts, Match},
    values::Value,
};

#[cfg(test)]
mod tests;
