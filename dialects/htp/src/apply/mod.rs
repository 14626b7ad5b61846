//! What a rule means, for any representation of a graph: [`evaluate`](Evaluation::evaluate) expressions, and
//! [`plan`](plan::plan) a replacement. Both are pure and total: what is undefined makes a rule not apply.

mod arithmetic;
mod evaluate;
pub mod plan;

use crate::grammar::model::DType;
pub use arithmetic::Scalar;
pub use evaluate::{Evaluation, Options};

/// DType and quantization of a tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encoding {
    /// The type of its elements.
    pub dtype: DType,
    /// The element that stands for 0.
    pub zero_offset: i32,
    /// The difference between neighbouring elements.
    pub step_size: f32,
}

impl Encoding {
    /// An encoding without quantization.
    pub fn plain(dtype: DType) -> Self {
        Encoding { dtype, zero_offset: 0, step_size: 0.0 }
    }
}

/// The output definition of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputDef {
    /// The extents, outermost first.
    pub dims: Vec<u64>,
    /// What its elements are, and what they stand for.
    pub encoding: Encoding,
}

/// The elements of a constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// Integers.
    Ints(Vec<i64>),
    /// Floating-point numbers.
    Reals(Vec<f64>),
}

/// What rules can ask of a graph.
pub trait Graph {
    /// One output of a node.
    type Node: Copy + Eq + std::fmt::Debug;

    /// The output definition of the node; `None` if its shape is not static.
    fn output_def(&self, node: Self::Node) -> Option<OutputDef>;
    /// Whether it is the output of an op of this name, with package.
    fn is_op(&self, node: Self::Node, name: &str) -> bool;
    /// The inputs of the node that has this output.
    fn inputs(&self, node: Self::Node) -> Vec<Self::Node>;
    /// All outputs of the node that has this output.
    fn outputs(&self, node: Self::Node) -> Vec<Self::Node>;
    /// The elements, if it is a constant.
    fn constant(&self, node: Self::Node) -> Option<Elements>;
}

/// What a match has bound.
#[derive(Debug, Clone)]
pub struct Bindings<'a, N> {
    /// The matched root.
    pub root: N,
    /// The operand tags of the rule, in their order there, and what they are bound to.
    pub tags: Vec<(&'a str, N)>,
}

impl<N: Copy> Bindings<'_, N> {
    /// What a tag is bound to.
    pub fn tag(&self, name: &str) -> Option<N> {
        self.tags.iter().find(|(tag, _)| *tag == name).map(|(_, node)| *node)
    }
}

#[cfg(test)]
mod tests;
