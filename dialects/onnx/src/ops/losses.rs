//! Losses of classes.

use super::reductions::Along;
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "NegativeLogLikelihoodLoss" => one(likelihood(t, node)),
        "SoftmaxCrossEntropyLoss" => Some(cross_entropy(t, node)),
        _ => None,
    }
}

fn likelihood(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let logarithms = node.input(0)?.clone();
    loss(t, node, &logarithms)
}

fn cross_entropy(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let scores = node.input(0)?.clone();
    let logarithms = super::norms::log_softmax_along(t, &scores, vec![1])?;
    Ok(vec![loss(t, node, &logarithms)?, logarithms])
}

/// The negative logarithms of the wanted classes, weighed.
fn loss(t: &mut Translator<'_>, node: &Node<'_>, logarithms: &Tensor) -> Result<Tensor, String> {
    let ignored = node.int("ignore_index")?;
    let target = node.input(1)?.clone();
    if logarithms.rank() < 2 || target.rank() + 1 != logarithms.rank() {
        return Err("its classes are expected to have one dimension less than its operand, which has 2 at least".into());
    }
    let target = t.as_int(&target);
    let skipped = ignored.map(|ignored| t.compared("math.eq", &target, &Tensor::int(ignored))).transpose()?;
    let known = match &skipped {
        Some(skipped) => t.select(skipped, &Tensor::int(0), &target)?,
        None => target,
    };
    let weights = weights(t, node, &known, skipped.as_ref(), logarithms.element)?;
    let mut shape = known.shape.clone();
    shape.insert(1, Extent::from(1));
    let lifted = t.unsqueezed(&known, &[1], shape.clone());
    let call = t.call("onnx.gather_elements").int("axis", 1).on(logarithms).on(&lifted);
    let wanted = call.gives(logarithms.element, shape);
    let wanted = t.call("layout.squeeze").ints("axes", [1]).on(&wanted).gives(wanted.element, known.shape.clone());
    let mut losses = t.unary("math.neg", &wanted);
    if let Some(weights) = &weights {
        losses = t.binary("math.mul", &losses, weights)?;
    }
    reduced(t, node, &losses, weights.as_ref())
}

/// What each element weighs; none where all weigh the same.
fn weights(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    target: &Tensor,
    skipped: Option<&Tensor>,
    element: ElementType,
) -> Result<Option<Tensor>, String> {
    let given = node.optional(2).cloned().map(|weights| {
        let call = t.call("layout.gather").int("axis", 0).on(&weights).on(target);
        call.gives(weights.element, target.shape.clone())
    });
    let Some(skipped) = skipped else { return Ok(given) };
    let weights = given.unwrap_or_else(|| Tensor::real(1.0));
    let weights = t.select(skipped, &Tensor::real(0.0), &weights)?;
    Ok(Some(Tensor { element, ..weights }))
}

fn reduced(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    losses: &Tensor,
    weights: Option<&Tensor>,
) -> Result<Tensor, String> {
    let along = Along { axes: (0..losses.rank()).collect(), are_kept: false };
    match (node.string_or("reduction", "mean")?.as_str(), weights) {
        ("none", _) => Ok(losses.clone()),
        ("sum", _) => Ok(t.reduced("math.sum_reduce", losses, &along)),
        ("mean", None) => Ok(t.reduced("math.mean_reduce", losses, &along)),
        ("mean", Some(weights)) => {
            let sum = t.reduced("math.sum_reduce", losses, &along);
            let all = t.reduced("math.sum_reduce", weights, &along);
            t.binary("math.div", &sum, &all)
        }
        (other, _) => Err(format!("its `reduction` is `{other}`, where `none`, `sum` or `mean` is expected")),
    }
}
