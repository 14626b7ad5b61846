//! What is computed while translating: shapes and what is made of them, so that reshapes, slices and conditions are known.
//! Whole numbers may depend on extents of the run.

mod array;
mod moves;
mod numbers;

use crate::constant::Constant;
use crate::element::ElementType;
use crate::node::Node;
use crate::value::{Known, MOST_KNOWN, Tensor, Value};
use array::Array;
use moves::{concat, constant_of_shape, expand, gather, nonzero, range, reshaped, slice, split, transpose};
use numbers::{arithmetic, cast, compare, logic, map_bools, reduce, select, unary};
use std::sync::Arc;

/// The results of a node, where they are known without a run.
pub fn fold(node: &Node<'_>) -> Option<Vec<Value>> {
    if !matches!(node.proto.domain.as_str(), "" | "ai.onnx") || is_of_great(node) {
        return None;
    }
    let folded = match node.proto.op_type.as_str() {
        "Constant" => constant(node)?,
        "Shape" => shape(node)?,
        "Split" => return split(node),
        "Size" => Tensor { shape: Vec::new(), ..Tensor::of_extents(vec![node.optional(0)?.volume()]) },
        _ => {
            let known = |value: &Option<Value>| match value {
                Some(Value::Tensor(tensor)) => tensor.known.is_some(),
                Some(_) => false,
                None => true,
            };
            let is_small = |value: &Option<Value>| match value {
                Some(Value::Tensor(tensor)) => tensor.volume().known().is_some_and(|count| count <= MOST_KNOWN as i64),
                _ => true,
            };
            if node.inputs.is_empty() || !node.inputs.iter().all(|input| known(input) && is_small(input)) {
                return None;
            }
            evaluate(node)?
        }
    };
    Some(vec![Value::Tensor(folded)])
}

/// Operators that what is greater matters to.
const ORDERED: [&str; 12] = [
    "Cast",
    "CastLike",
    "Div",
    "Mod",
    "Min",
    "Max",
    "Less",
    "LessOrEqual",
    "Greater",
    "GreaterOrEqual",
    "ReduceMax",
    "ReduceMin",
];

/// Whether what a node gives depends on numbers from 2^63 on: what is computed here is less.
fn is_of_great(node: &Node<'_>) -> bool {
    let is_great = |tensor: &Tensor| {
        tensor.element == ElementType::Uint64
            && tensor.ints().is_some_and(|values| values.iter().any(|value| value.known().is_some_and(|it| it < 0)))
    };
    ORDERED.contains(&node.proto.op_type.as_str())
        && node.inputs.iter().flatten().flat_map(Value::tensors).any(is_great)
}

fn constant(node: &Node<'_>) -> Option<Tensor> {
    if let Some(mut constant) = node.tensor("value").ok()? {
        if constant.name.is_empty() {
            node.proto.output.first()?.clone_into(&mut constant.name);
        }
        return Some(Tensor::stored(Arc::new(constant)));
    }
    if let Some(value) = node.int("value_int").ok()? {
        return Some(Tensor { shape: Vec::new(), ..Tensor::of_extents(vec![value.into()]) });
    }
    if let Some(values) = node.ints("value_ints").ok()? {
        return Some(Tensor::stored(Arc::new(Constant::of_ints(&values))));
    }
    if let Some(value) = node.float("value_float").ok()? {
        return Some(Tensor::known(ElementType::Float, Vec::new(), Known::Reals(vec![value])));
    }
    let values = node.floats("value_floats").ok()??;
    Some(Tensor::known(ElementType::Float, vec![values.len()], Known::Reals(values)))
}

fn shape(node: &Node<'_>) -> Option<Tensor> {
    let tensor = node.optional(0)?;
    let rank = tensor.rank() as i64;
    let place = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
    let start = place(node.int_or("start", 0).ok()?);
    let end = place(node.int_or("end", rank).ok()?);
    Some(Tensor::of_extents(tensor.shape.get(start..end).unwrap_or_default().to_vec()))
}

fn evaluate(node: &Node<'_>) -> Option<Tensor> {
    let operand = |at: usize| node.optional(at).and_then(Array::of);
    let result = match node.proto.op_type.as_str() {
        "Identity" => operand(0)?,
        "Cast" => cast(&operand(0)?, node.element("to").ok()??)?,
        "CastLike" => cast(&operand(0)?, node.optional(1)?.element)?,
        "Reshape" | "Squeeze" | "Unsqueeze" | "Flatten" => reshaped(node, operand(0)?)?,
        "Gather" => gather(node, &operand(0)?, &operand(1)?)?,
        "Slice" => slice(node, &operand(0)?)?,
        "Concat" => concat(node)?,
        "Range" => range(&operand(0)?, &operand(1)?, &operand(2)?)?,
        "ConstantOfShape" => constant_of_shape(node)?,
        "Expand" => expand(&operand(0)?, &node.optional(1)?.ints()?)?,
        "Transpose" => transpose(node, &operand(0)?)?,
        "NonZero" => nonzero(&operand(0)?)?,
        "ReduceProd" | "ReduceSum" | "ReduceMax" | "ReduceMin" => reduce(node, &operand(0)?)?,
        "Where" => select(&operand(0)?, &operand(1)?, &operand(2)?)?,
        "Not" => map_bools(&operand(0)?, |value| !value)?,
        "Neg" | "Abs" | "Floor" | "Ceil" | "Round" | "Reciprocal" | "Sqrt" => unary(&node.proto.op_type, &operand(0)?)?,
        "Add" | "Sub" | "Mul" | "Div" | "Mod" | "Min" | "Max" | "Pow" => {
            let first = operand(0)?;
            (1..node.inputs.len()).try_fold(first, |result, at| arithmetic(node, &result, &operand(at)?))?
        }
        "Equal" | "Less" | "LessOrEqual" | "Greater" | "GreaterOrEqual" => {
            compare(&node.proto.op_type, &operand(0)?, &operand(1)?)?
        }
        "And" | "Or" | "Xor" => logic(&node.proto.op_type, &operand(0)?, &operand(1)?)?,
        _ => return None,
    };
    Some(result.tensor()).filter(|tensor| tensor.volume().known().is_some_and(|count| count <= MOST_KNOWN as i64))
}
