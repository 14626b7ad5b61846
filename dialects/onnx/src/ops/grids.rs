//! Which results are rounded: reals of 16 bits are computed with 32, and each node rounds what it gives.

use super::casts::Rounding;
use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Tensor, Value};

/// Operators whose results are elements of their operands, in order; or reals that each type has; or rounded already.
const EXACT: [&str; 54] = [
    "Abs",
    "BitCast",
    "Cast",
    "CastLike",
    "Ceil",
    "CenterCropPad",
    "Clip",
    "Compress",
    "Concat",
    "ConcatFromSequence",
    "ConstantOfShape",
    "DepthToSpace",
    "Expand",
    "EyeLike",
    "Flatten",
    "Floor",
    "Gather",
    "GatherElements",
    "GatherND",
    "GlobalMaxPool",
    "Hardmax",
    "Identity",
    "Max",
    "MaxPool",
    "MaxUnpool",
    "Min",
    "Neg",
    "OneHot",
    "Pad",
    "ReduceMax",
    "ReduceMin",
    "Relu",
    "Reshape",
    "ReverseSequence",
    "Round",
    "Scatter",
    "ScatterElements",
    "ScatterND",
    "SequenceAt",
    "Sign",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "TensorScatter",
    "ThresholdedRelu",
    "Tile",
    "TopK",
    "Transpose",
    "Trilu",
    "Unique",
    "Unsqueeze",
    "Upsample",
    "Where",
];

/// Whether a node's results are numbers of the type of its operands whatever those are.
fn is_exact(node: &Node<'_>) -> bool {
    let adds = node.string_or("reduction", "none").is_ok_and(|way| matches!(way.as_str(), "add" | "mul"));
    let blends =
        node.proto.op_type == "Upsample" && node.string_or("mode", "nearest").is_ok_and(|mode| mode != "nearest");
    EXACT.binary_search(&node.proto.op_type.as_str()).is_ok() && !adds && !blends
}

impl Translator<'_> {
    /// The results of a node as their types have them.
    pub(crate) fn on_grids(&mut self, node: &Node<'_>, results: Vec<Value>) -> Vec<Value> {
        if is_exact(node) {
            return results;
        }
        let rounded = |value: Value| match value {
            Value::Tensor(tensor) if self.is_computed(node, &tensor) => {
                Value::Tensor(self.rounded(tensor, &Rounding::default()))
            }
            value => value,
        };
        results.into_iter().map(rounded).collect()
    }

    /// Whether a result is computed with more bits than its type has, by the node itself.
    fn is_computed(&self, node: &Node<'_>, tensor: &Tensor) -> bool {
        let is_operand =
            || node.inputs.iter().flatten().flat_map(Value::tensors).any(|given| given.text == tensor.text);
        let is_half = matches!(tensor.element, ElementType::Float16 | ElementType::Bfloat16);
        is_half && tensor.known.is_none() && !is_operand()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_sorted() {
        assert!(EXACT.is_sorted());
    }
}
