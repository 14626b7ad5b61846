//! What external functions are given.

use super::{Elements, OutputDef, Scalar};

/// An argument of an external function.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A node: its output definition, and the elements of a constant.
    Node(OutputDef, Option<Elements>),
    /// A scalar.
    Scalar(Scalar),
}

impl Argument {
    /// The extents of a node.
    pub fn dims(&self) -> Option<&[u64]> {
        match self {
            Argument::Node(output, _) => Some(&output.dims),
            Argument::Scalar(_) => None,
        }
    }

    /// A whole number that is not below 0.
    pub fn extent(&self) -> Option<u64> {
        match self {
            Argument::Scalar(Scalar::Int(value)) => u64::try_from(*value).ok(),
            Argument::Scalar(Scalar::Size(value)) => Some(*value),
            _ => None,
        }
    }
}
