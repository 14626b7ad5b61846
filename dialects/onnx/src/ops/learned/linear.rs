//! Linear models.

use super::{above, both, combined, greatest, labels, rows, transformation, transformed};
use crate::node::Node;
use crate::ops::Results;
use crate::translate::Translator;
use crate::value::Tensor;

fn scores(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let rows = rows(t, node)?;
    let weights = node.floats("coefficients")?.ok_or("its `coefficients` are missing")?;
    combined(t, &rows, &weights, &node.floats("intercepts")?.unwrap_or_default())
}

pub(super) fn regressor(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let scores = scores(t, node)?;
    transformed(t, &transformation(node)?, &scores)
}

pub(super) fn classifier(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let scores = scores(t, node)?;
    let labels = labels(node, "classlabels_ints")?;
    let transformation = transformation(node)?;
    if scores.shape[1].known() != Some(1) {
        let result = transformed(t, &transformation, &scores)?;
        return Ok(vec![greatest(t, &scores, &labels), result]);
    }
    let pair = match labels[..] {
        [] => [0, 1],
        [only] => [0, only],
        [below, above, ..] => [below, above],
    };
    let label = above(t, &scores, 0.0, pair)?;
    if labels.len() != 2 {
        return Ok(vec![label, transformed(t, &transformation, &scores)?]);
    }
    let scores = both(t, &scores, false)?;
    Ok(vec![label, transformed(t, &transformation, &scores)?])
}
