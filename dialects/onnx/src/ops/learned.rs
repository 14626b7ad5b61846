//! Operators of `ai.onnx.ml`: what is not a network.

mod features;
mod linear;
mod support;
mod trees;

use super::{Results, one};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;
use std::sync::Arc;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "LinearRegressor" => one(linear::regressor(t, node)),
        "LinearClassifier" => Some(linear::classifier(t, node)),
        "SVMRegressor" => one(support::regressor(t, node)),
        "SVMClassifier" => Some(support::classifier(t, node)),
        "TreeEnsemble" | "TreeEnsembleRegressor" => one(trees::regressor(t, node)),
        "TreeEnsembleClassifier" => Some(trees::classifier(t, node)),
        // A map of labels to scores is given as the scores, in the order of the labels.
        "ZipMap" => one(node.input(0).cloned()),
        _ => features::translate(t, node),
    }
}

/// A tensor of reals.
fn reals(values: &[f64], shape: Vec<usize>) -> Tensor {
    let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
    let constant = Constant { name: String::new(), element: ElementType::Float, shape, bytes: bytes.into() };
    Tensor::stored(Arc::new(constant))
}

/// Whole numbers along one dimension.
fn ints(values: &[i64]) -> Tensor {
    Tensor::stored(Arc::new(Constant::of_ints(values)))
}

/// The rows of an operand as reals; a vector is one row.
fn rows(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let real = t.as_real(&tensor);
    let real = Tensor { element: ElementType::Float, ..real };
    match real.rank() {
        1 => t.reshaped(&real, vec![1.into(), real.shape[0].clone()]),
        2 => Ok(real),
        rank => Err(format!("its operand has {rank} dimensions, where 1 or 2 are expected")),
    }
}

/// Scores as the node's `post_transform` changes them.
fn transformed(t: &mut Translator<'_>, name: &str, scores: &Tensor) -> Result<Tensor, String> {
    match name {
        "NONE" => Ok(scores.clone()),
        "LOGISTIC" => Ok(t.unary("nn.sigmoid", scores)),
        "SOFTMAX" => Ok(t.call("nn.softmax").ints("axes", [1]).on(scores).gives(scores.element, scores.shape.clone())),
        "SOFTMAX_ZERO" => Ok(t.unary("onnx.softmax_zero", scores)),
        "PROBIT" => Ok(t.unary("onnx.probit", scores)),
        other => Err(format!("its `post_transform` is `{other}`")),
    }
}

/// Which transformation a node has.
fn transformation(node: &Node<'_>) -> Result<String, String> {
    node.string_or("post_transform", "NONE")
}

/// The labels of a node's classes.
fn labels(node: &Node<'_>, name: &str) -> Result<Vec<i64>, String> {
    match (node.ints(name)?, node.strings("classlabels_strings")?) {
        (Some(labels), _) if !labels.is_empty() => Ok(labels),
        (_, Some(words)) if !words.is_empty() => {
            Err("its labels are strings: number them when the model is exported".into())
        }
        _ => Ok(Vec::new()),
    }
}

/// The labels of the greatest scores; without labels their indices.
fn greatest(t: &mut Translator<'_>, scores: &Tensor, labels: &[i64]) -> Tensor {
    let rows = scores.shape[0].clone();
    let call = t.call("math.argmax").int("axis", 1).on(scores);
    let index = call.gives(ElementType::Int64, vec![rows.clone(), 1.into()]);
    let index = t.call("layout.squeeze").ints("axes", [1]).on(&index).gives(ElementType::Int64, vec![rows.clone()]);
    if labels.iter().enumerate().all(|(at, label)| at as i64 == *label) {
        return index;
    }
    let table = ints(labels);
    t.call("layout.gather").int("axis", 0).on(&table).on(&index).gives(ElementType::Int64, vec![rows])
}

/// One of two labels for the only score of each row.
fn above(t: &mut Translator<'_>, score: &Tensor, limit: f64, [below, above]: [i64; 2]) -> Result<Tensor, String> {
    let is_above = t.compared("math.gt", score, &Tensor::real(limit))?;
    let label = t.select(&is_above, &Tensor::int(above), &Tensor::int(below))?;
    let label = Tensor { element: ElementType::Int64, ..label };
    t.reshaped(&label, vec![score.shape[0].clone()])
}

/// Columns for both classes from the one that there is: what is missing to 1, or the negative.
fn both(t: &mut Translator<'_>, score: &Tensor, is_share: bool) -> Result<Tensor, String> {
    let other = match is_share {
        true => t.binary("math.sub", &Tensor::real(1.0), score)?,
        false => t.unary("math.neg", score),
    };
    let other = Tensor { shape: score.shape.clone(), ..other };
    t.concatenated(&[&other, score], 1)
}

/// The product of rows with weights `[targets, features]`, and what is added for each target.
fn combined(t: &mut Translator<'_>, rows: &Tensor, weights: &[f64], added: &[f64]) -> Result<Tensor, String> {
    let features = rows.shape[1].known().filter(|count| *count > 0).ok_or("its number of features must be known")?;
    let targets = weights.len() / features as usize;
    if targets * features as usize != weights.len() || targets == 0 {
        return Err(format!("its {} coefficients are no multiple of its {features} features", weights.len()));
    }
    let matrix = reals(weights, vec![targets, features as usize]);
    let bias = match added.len() {
        0 => None,
        1 => Some(reals(&vec![added[0]; targets], vec![targets])),
        count if count == targets => Some(reals(added, vec![targets])),
        count => return Err(format!("it has {count} intercepts for {targets} targets")),
    };
    let shape = vec![rows.shape[0].clone(), Extent::from(targets as i64)];
    Ok(t.call("nn.linear").on(rows).on(&matrix).on_any(bias.as_ref()).gives(ElementType::Float, shape))
}
