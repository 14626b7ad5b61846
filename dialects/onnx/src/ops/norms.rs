//! Normalizations.

use super::reductions::Along;
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "LayerNormalization" => Some(layer_norm(t, node, 1e-5)),
        "RMSNormalization" => one(rms_norm(t, node)),
        // ONNX Runtime has it in the default domain.
        "SimplifiedLayerNormalization" => Some(simplified_layer_norm(t, node)),
        "BatchNormalization" => Some(batch_norm(t, node)),
        "InstanceNormalization" => one(instance_norm(t, node)),
        "GroupNormalization" => one(group_norm(t, node)),
        "MeanVarianceNormalization" => one(mean_variance_norm(t, node)),
        "Softmax" => one(softmax(t, node)),
        "LogSoftmax" => one(log_softmax(t, node)),
        "Hardmax" => one(hardmax(t, node)),
        "LRN" => one(local_response_norm(t, node)),
        "LpNormalization" => one(lp_norm(t, node)),
        _ => None,
    }
}

/// What is normalized, with its mean and the reciprocal of its deviation.
struct Normalized {
    result: Tensor,
    mean: Tensor,
    inverse: Tensor,
}

fn normalized(t: &mut Translator<'_>, tensor: &Tensor, axes: &[usize], epsilon: f64) -> Result<Normalized, String> {
    let mut shape = tensor.shape.clone();
    axes.iter().for_each(|axis| shape[*axis] = Extent::from(1));
    let call = t.call("math.moments").ints("axes", axes.iter().map(|axis| *axis as i64));
    let moments = call.on(tensor).gives_all(vec![(tensor.element, shape.clone()), (tensor.element, shape)]);
    let [mean, variance] = moments.try_into().map_err(|_| "moments are two")?;
    let centered = t.binary("math.sub", tensor, &mean)?;
    let shifted = t.binary("math.add", &variance, &Tensor::real(epsilon))?;
    let inverse = t.unary("math.rsqrt", &shifted);
    let result = t.binary("math.mul", &centered, &inverse)?;
    Ok(Normalized { result, mean, inverse })
}

/// A normalized tensor with a scale and a bias.
pub(super) fn scaled(
    t: &mut Translator<'_>,
    tensor: Tensor,
    scale: Option<&Tensor>,
    bias: Option<&Tensor>,
) -> Result<Tensor, String> {
    let scaled = match scale {
        Some(scale) if scale.uniform() == Some(1.0) && !t.is_parameter(scale) => tensor,
        Some(scale) => t.binary("math.mul", &tensor, scale)?,
        None => tensor,
    };
    match bias {
        Some(bias) if bias.uniform() == Some(0.0) && !t.is_parameter(bias) => Ok(scaled),
        Some(bias) => t.binary("math.add", &scaled, bias),
        None => Ok(scaled),
    }
}

/// The normalized tensor, its mean, and the reciprocal of its deviation.
pub(super) fn layer_norm(t: &mut Translator<'_>, node: &Node<'_>, epsilon: f64) -> Results {
    let tensor = node.input(0)?.clone();
    let first = tensor.axis(node.int_or("axis", -1)?)?;
    let axes: Vec<usize> = (first..tensor.rank()).collect();
    let normalized = normalized(t, &tensor, &axes, node.float_or("epsilon", epsilon)?)?;
    let result = scaled(t, normalized.result, node.optional(1), node.optional(2))?;
    Ok(vec![result, normalized.mean, normalized.inverse])
}

fn rms_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (result, _) = rms_normalized(t, node, &tensor, 1e-5)?;
    scaled(t, result, node.optional(1), None)
}

/// A tensor by the root of its mean square, with a scale, and the reciprocal of that root.
pub(super) fn simplified_layer_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let (result, inverse) = rms_normalized(t, node, &tensor, 1e-5)?;
    Ok(vec![scaled(t, result, node.optional(1), None)?, inverse])
}

/// A tensor by the root of its mean square, and the reciprocal of that.
pub(super) fn rms_normalized(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    tensor: &Tensor,
    epsilon: f64,
) -> Result<(Tensor, Tensor), String> {
    let first = tensor.axis(node.int_or("axis", -1)?)?;
    let along = Along { axes: (first..tensor.rank()).collect(), are_kept: true };
    let squares = t.unary("math.sqr", tensor);
    let mean = t.reduced("math.mean_reduce", &squares, &along);
    let shifted = t.binary("math.add", &mean, &Tensor::real(node.float_or("epsilon", epsilon)?))?;
    let inverse = t.unary("math.rsqrt", &shifted);
    Ok((t.binary("math.mul", tensor, &inverse)?, inverse))
}

fn batch_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    if node.flag("training_mode", false)? {
        return training_batch_norm(t, node);
    }
    if node.gives(1) {
        return Err("statistics of training are not computed before version 14: export the model for inference".into());
    }
    let tensor = node.input(0)?.clone();
    let (scale, bias) = (node.input(1)?.clone(), node.input(2)?.clone());
    let (mean, variance) = (node.input(3)?.clone(), node.input(4)?.clone());
    let call = t.call("nn.batch_norm").real("epsilon", node.float_or("epsilon", 1e-5)?);
    let call = call.on(&tensor).on(&mean).on(&variance).on(&bias).on(&scale);
    Ok(vec![call.gives(tensor.element, tensor.shape.clone())])
}

/// Normalizes by what the batch itself has, and lets the statistics follow that.
fn training_batch_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let channels = tensor.shape.get(1).cloned().ok_or("its operand has no channels")?;
    let axes: Vec<usize> = (0..tensor.rank()).filter(|axis| *axis != 1).collect();
    let mut kept = vec![Extent::from(1); tensor.rank()];
    kept[1] = channels.clone();
    let call = t.call("math.moments").ints("axes", axes.iter().map(|axis| *axis as i64));
    let moments = call.on(&tensor).gives_all(vec![(tensor.element, kept.clone()), (tensor.element, kept)]);
    let mut results = Vec::new();
    let momentum = node.float_or("momentum", 0.9)?;
    let mut current = Vec::new();
    for (moment, at) in moments.iter().zip([3, 4]) {
        let moment = t.reshaped(moment, vec![channels.clone()])?;
        let running = node.input(at)?.clone();
        let old = t.binary("math.mul", &running, &Tensor::real(momentum))?;
        let new = t.binary("math.mul", &moment, &Tensor::real(1.0 - momentum))?;
        results.push(t.binary("math.add", &old, &new)?);
        current.push(moment);
    }
    let (scale, bias) = (node.input(1)?.clone(), node.input(2)?.clone());
    let call = t.call("nn.batch_norm").real("epsilon", node.float_or("epsilon", 1e-5)?);
    let call = call.on(&tensor).on(&current[0]).on(&current[1]).on(&bias).on(&scale);
    results.insert(0, call.gives(tensor.element, tensor.shape.clone()));
    Ok(results)
}

fn instance_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, scale, bias) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
    let call = t.call("nn.mean_variance_norm").real("epsilon", node.float_or("epsilon", 1e-5)?);
    Ok(call.on(&tensor).on(&bias).on(&scale).gives(tensor.element, tensor.shape.clone()))
}

fn group_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, scale, bias) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
    let groups = Extent::from(node.int("num_groups")?.ok_or("its `num_groups` is missing")?);
    let [batch, channels, ..] = &tensor.shape[..] else { return Err("its operand has no channels".into()) };
    let each = channels.div(&groups).ok_or("its `num_groups` is 0")?;
    let grouped = t.reshaped(&tensor, vec![batch.clone(), groups.clone(), each.mul(&volume(&tensor.shape[2..]))])?;
    let normalized = normalized(t, &grouped, &[2], node.float_or("epsilon", 1e-5)?)?;
    // Version 18 had a scale for each group, later ones for each channel.
    let behind = vec![Extent::from(1); tensor.rank() - 2];
    if node.version < 21 {
        let scale = t.reshaped(&scale, vec![groups.clone(), 1.into()])?;
        let bias = t.reshaped(&bias, vec![groups, 1.into()])?;
        let result = scaled(t, normalized.result, Some(&scale), Some(&bias))?;
        return t.reshaped(&result, tensor.shape.clone());
    }
    let result = t.reshaped(&normalized.result, tensor.shape.clone())?;
    let per_channel = [vec![channels.clone()], behind].concat();
    let scale = t.reshaped(&scale, per_channel.clone())?;
    let bias = t.reshaped(&bias, per_channel)?;
    scaled(t, result, Some(&scale), Some(&bias))
}

fn mean_variance_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axes = node.ints("axes")?.unwrap_or_else(|| vec![0, 2, 3]);
    let axes: Vec<usize> = axes.into_iter().map(|axis| tensor.axis(axis)).collect::<Result<_, _>>()?;
    // The function body of the operator adds 1e-9 to the deviation.
    Ok(normalized(t, &tensor, &axes, 1e-9)?.result)
}

/// The dimensions of a softmax: one since version 13, all from `axis` on before.
fn softmax_axes(node: &Node<'_>, tensor: &Tensor) -> Result<Vec<usize>, String> {
    let is_old = node.version < 13;
    let axis = tensor.axis(node.int_or("axis", if is_old { 1 } else { -1 })?)?;
    Ok(if is_old { (axis..tensor.rank()).collect() } else { vec![axis] })
}

pub(super) fn softmax(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axes = softmax_axes(node, &tensor)?;
    let call = t.call("nn.softmax").ints("axes", axes.iter().map(|axis| *axis as i64));
    Ok(call.on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn log_softmax(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axes = softmax_axes(node, &tensor)?;
    log_softmax_along(t, &tensor, axes)
}

/// The logarithms of a softmax along dimensions.
pub(super) fn log_softmax_along(t: &mut Translator<'_>, tensor: &Tensor, axes: Vec<usize>) -> Result<Tensor, String> {
    let along = Along { axes, are_kept: true };
    let most = t.reduced("math.max_reduce", tensor, &along);
    let less = t.binary("math.sub", tensor, &most)?;
    let powers = t.unary("math.exp", &less);
    let sum = t.reduced("math.sum_reduce", &powers, &along);
    let logarithm = t.unary("math.log", &sum);
    t.binary("math.sub", &less, &logarithm)
}

fn hardmax(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let axes = softmax_axes(node, &tensor)?;
    // Those of version 13 search along one dimension; older ones along all from `axis` on, as one.
    let first = *axes.first().ok_or("its operand has no dimensions")?;
    let flat = [
        &tensor.shape[..first],
        &[volume(&tensor.shape[first..first + axes.len()])],
        &tensor.shape[first + axes.len()..],
    ]
    .concat();
    let flattened = t.reshaped(&tensor, flat.clone())?;
    let mut found = flat.clone();
    found[first] = Extent::from(1);
    let call = t.call("math.argmax").int("axis", first as i64);
    let index = call.on(&flattened).gives(ElementType::Int64, found);
    let call = t.call("onnx.one_at").int("axis", first as i64);
    let result = call.on(&flattened).on(&index).gives(tensor.element, flat);
    t.reshaped(&result, tensor.shape.clone())
}

fn local_response_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let size = node.int("size")?.ok_or("its `size` is missing")?;
    let call = t.call("nn.local_response_norm").ints("axes", [1]).ints("size", [size]);
    let call = call.real("alpha", node.float_or("alpha", 1e-4)?).real("beta", node.float_or("beta", 0.75)?);
    Ok(call.real("bias", node.float_or("bias", 1.0)?).on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn lp_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let along = Along { axes: vec![tensor.axis(node.int_or("axis", -1)?)?], are_kept: true };
    let length = match node.int_or("p", 2)? {
        1 => {
            let absolute = t.unary("math.abs", &tensor);
            t.reduced("math.sum_reduce", &absolute, &along)
        }
        _ => {
            let squares = t.unary("math.sqr", &tensor);
            let sum = t.reduced("math.sum_reduce", &squares, &along);
            t.unary("math.sqrt", &sum)
        }
    };
    // What has no length stays 0.
    let is_zero = t.compared("math.eq", &length, &Tensor::real(0.0))?;
    let divisor = t.select(&is_zero, &Tensor::real(1.0), &length)?;
    t.binary("math.div", &tensor, &divisor)
}
