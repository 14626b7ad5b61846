//! Operators along sequences: products so far, reversals, caches, boxes that are left.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;
use skriptnd_syntax::build::Element;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "CumProd" => cumulated_product(t, node),
        "ReverseSequence" => reverse_sequence(t, node),
        "TensorScatter" => tensor_scatter(t, node),
        "NonMaxSuppression" => nonmax_suppression(t, node),
        "CenterCropPad" => center_crop_pad(t, node),
        "EyeLike" => eye_like(t, node),
        _ => return None,
    };
    one(result)
}

fn cumulated_product(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axis = tensor.axis(*node.fixed_ints(1)?.first().ok_or("its axis is missing")?)?;
    let call = t.call("onnx.cumprod").int("axis", axis as i64);
    let call = if node.flag("exclusive", false)? { call.flag("exclusive", true) } else { call };
    let call = if node.flag("reverse", false)? { call.flag("reverse", true) } else { call };
    let result = call.on(&tensor).gives(tensor.element, tensor.shape.clone());
    Ok(t.wrapped(result))
}

fn reverse_sequence(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, lengths) = (node.input(0)?.clone(), node.input(1)?.clone());
    let (time, batch) = (tensor.axis(node.int_or("time_axis", 0)?)?, tensor.axis(node.int_or("batch_axis", 1)?)?);
    if time == batch || time > 1 || batch > 1 {
        return Err(format!("its axes of time and batch are {time} and {batch}, where 0 and 1 are expected"));
    }
    let perm: Vec<usize> = [time, batch].into_iter().chain(2..tensor.rank()).collect();
    let moved = t.transposed(&tensor, &perm);
    let reversed = t.call("onnx.reverse_sequence").on(&moved).on(&lengths).gives(tensor.element, moved.shape.clone());
    Ok(t.transposed(&reversed, &perm))
}

fn tensor_scatter(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (cache, update) = (node.input(0)?.clone(), node.input(1)?.clone());
    let axis = cache.axis(node.int_or("axis", -2)?)?;
    if axis == 0 || cache.rank() != update.rank() {
        return Err("its axis is expected to lie behind the batch, and its operands to have as many dimensions".into());
    }
    let begin = match node.optional(2).cloned() {
        Some(begin) => begin,
        None => t.filled(&Tensor::int(0), vec![cache.shape[0].clone()])?,
    };
    let is_circular = match node.string_or("mode", "linear")?.as_str() {
        "linear" => false,
        "circular" => true,
        other => return Err(format!("its `mode` is `{other}`, where linear or circular is expected")),
    };
    let call = t.call("onnx.tensor_scatter").int("axis", axis as i64).flag("circular", is_circular);
    Ok(call.on(&cache).on(&update).on(&begin).gives(cache.element, cache.shape.clone()))
}

fn nonmax_suppression(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (boxes, scores) = (node.input(0)?.clone(), node.input(1)?.clone());
    if boxes.rank() != 3 || scores.rank() != 3 {
        return Err("its boxes and scores are expected to have 3 dimensions".into());
    }
    let number = |at: usize| -> Result<Option<f64>, String> {
        match node.optional(at) {
            Some(_) => Ok(node.known_reals(at)?.first().copied()),
            None => Ok(None),
        }
    };
    // Without a number of boxes there are none.
    let most = Extent::from(number(2)?.unwrap_or(0.0).clamp(0.0, 1e9) as i64);
    let most = most.lesser(&boxes.shape[1]);
    let call = t.call("algo.nonmax_suppress").attribute("max_outputs_per_class", most.expression());
    let call = call.real("iou_threshold", number(3)?.unwrap_or(0.0));
    let call = match number(4)? {
        Some(threshold) => call.real("score_threshold", threshold),
        None => call,
    };
    let call = if node.flag("center_point_box", false)? { call.word("box_format", "CENTER") } else { call };
    let bound = scores.shape[0].mul(&scores.shape[1]).mul(&most);
    Ok(call.on(&boxes).on(&scores).gives_found(ElementType::Int64, 0, &bound, |found| vec![found, 3.into()]))
}

fn center_crop_pad(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let wanted = node.known_ints(1)?;
    let axes: Vec<usize> = match node.ints("axes")? {
        Some(axes) => axes.into_iter().map(|axis| tensor.axis(axis)).collect::<Result<_, _>>()?,
        None => (0..tensor.rank()).collect(),
    };
    if wanted.len() != axes.len() {
        return Err(format!("its shape has {} extents, where {} are expected", wanted.len(), axes.len()));
    }
    let zero = Extent::from(0);
    let half = |extent: Extent| extent.div(&2.into()).unwrap_or_default();
    let (mut parts, mut padding) = (Vec::new(), Vec::new());
    let mut shape = tensor.shape.clone();
    for (axis, wanted) in axes.iter().zip(&wanted) {
        // What an extent is more is cut, what it is less is padded; of the rest that half of it leaves, behind.
        let there = &tensor.shape[*axis];
        let kept = there.lesser(wanted);
        let begin = half(there.sub(&kept));
        parts.push(super::slices::Part { axis: *axis, begin, step: 1, extent: kept.clone() });
        let missing = wanted.sub(&kept);
        let before = half(missing.clone());
        padding.push((*axis, before.clone(), missing.sub(&before)));
        shape[*axis] = wanted.clone();
    }
    let cut = t.sliced(&tensor, &parts);
    padding.retain(|(_, before, behind)| *before != zero || *behind != zero);
    Ok(if padding.is_empty() { cut } else { padded(t, &cut, &padding, shape) })
}

/// Zeros before and behind dimensions.
pub(super) fn padded(
    t: &mut Translator<'_>,
    tensor: &Tensor,
    padding: &[(usize, Extent, Extent)],
    shape: Vec<Extent>,
) -> Tensor {
    let before = padding.iter().map(|(_, before, _)| before.clone());
    let behind = padding.iter().map(|(_, _, behind)| behind.clone());
    let amounts: Vec<Extent> = before.chain(behind).collect();
    let call = t.call("layout.pad").ints("axes", padding.iter().map(|(axis, ..)| *axis as i64));
    call.extents("padding", &amounts).on(tensor).gives(tensor.element, shape)
}

fn eye_like(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let like = node.input(0)?.clone();
    if like.rank() != 2 {
        return Err(format!("its operand has {} dimensions, where 2 are expected", like.rank()));
    }
    let element = node.element("dtype")?.unwrap_or(like.element);
    let made = if element.is_real() { (element, Element::Real) } else { (ElementType::Int64, Element::Int) };
    let call = t.call("onnx.eye").dtype(made.1).extents("shape", &like.shape).int("diagonal", node.int_or("k", 0)?);
    let eye = call.gives(made.0, like.shape.clone());
    t.cast(&eye, element)
}
