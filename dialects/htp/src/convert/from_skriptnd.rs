//! `convert-skriptnd-to-htp`: operators that the tensor processor has become its ops.

mod combined;
mod formats;
mod layer_norms;
mod moves;
mod over_images;
mod pools;
mod searches;
mod windows;

use super::builder::{Nodes, constant, replace, static_dims};
use super::by_table::{self, are_static};
use super::counterparts::ElementKinds;
use super::images::TO_CHANNELS_FIRST;
use super::kept::Kept;
use super::{quantized, transposes, weights};
use crate::dialect::NAMESPACE;
use crate::generated::operations as htp;
use skriptnd_dialect::call::operator_path;
use skriptnd_dialect::decompose;
use skriptnd_dialect::generated::algo::TopKOp;
use skriptnd_dialect::generated::discardable::LengthsAttribute;
use skriptnd_dialect::generated::math::{ClampOp, MomentsOp};
use skriptnd_dialect::generated::nn::{LinearOp, ReluOp, SoftmaxOp};
use skriptnd_dialect::generated::operations::ConstantOp;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types, walk};
use std::collections::BTreeMap;

/// The operators that stay, by name and reason: how many there are.
pub type Stayed = BTreeMap<(String, String), usize>;

/// Converts what is inside a container; returns what stays.
pub fn convert(container: OperationRef<'_, '_>) -> Result<Stayed, Failure> {
    let mut stayed = Stayed::new();
    take_apart(container)?;
    layer_norms::find(container)?;
    for op in walk(container).into_iter().skip(1) {
        let Some(path) = operator_path(op.full_name()) else { continue };
        match replace(op, |to| operator(op, path, to)) {
            Ok(()) => {}
            Err(Kept::Because(reason)) => *stayed.entry((path.to_owned(), reason)).or_default() += 1,
            Err(Kept::Failed(failure)) => return Err(failure),
        }
    }
    constants(container)?;
    quantized::fold(container)?;
    transposes::cancel(container)?;
    Ok(stayed)
}

/// Operators that the processor has no op for, and whose compositions are of those that it has.
const COMPOSED: [&str; 12] = [
    "image.area_downsample",
    "layout.batch_to_space",
    "layout.space_to_batch",
    "math.lp_reduce",
    "nn.batch_norm",
    "nn.l1_norm",
    "nn.l2_norm",
    "nn.local_response_norm",
    "nn.lp_pool",
    "nn.mean_variance_norm",
    "nn.rms_pool",
    "nn.softmax",
];

/// Replaces operators by their compositions where they have no op, or none for their attributes.
fn take_apart(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    for op in walk(container) {
        let Some(path) = operator_path(op.full_name()).filter(|path| COMPOSED.contains(path)) else { continue };
        let has_op = match SoftmaxOp::new(op) {
            Some(softmax) => softmax.axes().is_none_or(|axes| axes.len() == 1),
            None => by_table::fits(op, path),
        };
        if !has_op && are_static(op, ElementKinds::Numbers) {
            decompose(op)?;
        }
    }
    Ok(())
}

/// What the processor's ops make of an operator: a value for each of its results.
type Converted<'c, 'a> = Result<Vec<Value<'c, 'a>>, Kept>;

fn operator<'c: 'a, 'a>(op: OperationRef<'c, 'a>, path: &str, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    of_known_packs(op)?;
    if let Some(made) = windows::convolved(op, to).or_else(|| pools::pooled(op, to)) {
        return made.map(|value| vec![value]);
    }
    if let Some(made) = moves::moved(op, to) {
        return made;
    }
    if let Some(clamp) = ClampOp::new(op).filter(|clamp| has_scalar_limits(*clamp)) {
        return by_table::to_htp(clamp.operation(), path, to).map(|value| vec![value]);
    }
    if let Some(made) = combined::combined(op, path, to) {
        return made;
    }
    if let Some(search) = TopKOp::new(op) {
        return searches::greatest(search, to);
    }
    if let Some(reals) = weights::dequantized(op, to)? {
        return Ok(vec![reals]);
    }
    let made = if let Some(linear) = LinearOp::new(op) {
        fully_connected(linear, to)
    } else if let Some(softmax) = SoftmaxOp::new(op) {
        exponentials(softmax, to)
    } else if let Some(relu) = ReluOp::new(op).filter(|relu| relu.max_attribute().is_some()) {
        capped(relu, to)
    } else if let Some(moments) = MomentsOp::new(op) {
        return mean_and_variance(moments, to);
    } else if let Some(quantize) = quantized::quantization(op) {
        quantized::quantize(quantize, to)
    } else {
        by_table::to_htp(op, path, to)
    };
    made.map(|value| vec![value])
}

/// Operands that are small uniform constants become ops that hold their elements, so that rules see them.
fn constants(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    for op in walk(container) {
        let is_node = op.full_name().split('.').next() == Some(NAMESPACE);
        for (index, operand) in op.operands().enumerate().filter(|_| is_node).collect::<Vec<_>>() {
            let is_constant = operand.defining_operation().is_some_and(|op| ConstantOp::new(op).is_some());
            if is_constant && let Some(made) = constant(operand, &Builder::before(op)?)? {
                op.set_operand(index, made)?;
            }
        }
    }
    Ok(())
}

/// The reason why an operator stays of whose packs only a run knows how many items they have.
fn of_known_packs(op: OperationRef<'_, '_>) -> Result<(), Kept> {
    let lengths = op.get(LengthsAttribute::NAME).and_then(attributes::as_strings).unwrap_or_default();
    match lengths.iter().all(|length| length.is_empty()) {
        true => Ok(()),
        false => Err(Kept::because("only a run knows how long its packs are")),
    }
}

/// The reason why an operator stays whose tensors are of other types.
fn of_floats(op: OperationRef<'_, '_>) -> Result<(), Kept> {
    match are_static(op, ElementKinds::Floats) {
        true => Ok(()),
        false => Err(Kept::because("its tensors are not all of static shape and 32-bit floats")),
    }
}

/// The processor's ops always have a bias: zeros where the operator has none.
fn bias<'c: 'a, 'a>(given: Option<Value<'c, 'a>>, count: u64, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    match given {
        Some(bias) => Ok(bias),
        None => to.reals(&vec![0.0; usize::try_from(count).unwrap_or_default()], &[count]),
    }
}

fn fully_connected<'c: 'a, 'a>(linear: LinearOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    let result = linear.output()?.r#type();
    of_floats(linear.operation())?;
    let dims = static_dims(result).and_then(|dims| <[u64; 2]>::try_from(dims).ok());
    let [_, count] = dims.ok_or_else(|| Kept::because("its result is no matrix"))?;
    let node = htp::FullyConnectedOpBuilder::new(to)
        .input(linear.input()?)
        .filter(linear.filter()?)
        .bias(bias(linear.bias(), count, to)?)
        .output_type(result);
    Ok(node.build()?.output()?)
}

/// The op works along the last dimension.
fn exponentials<'c: 'a, 'a>(softmax: SoftmaxOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_floats(softmax.operation())?;
    let input = softmax.input()?;
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let [axis] = softmax.axes().unwrap_or_default()[..] else {
        return Err(Kept::because("it goes along several dimensions, or none"));
    };
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    let axis = usize::try_from(axis).ok().filter(|axis| *axis < rank);
    let axis = axis.ok_or_else(|| Kept::because("it has no such dimension"))?;
    let node = htp::SoftmaxOpBuilder::new(to).beta(to.reals(&[1.0], &[1, 1, 1, 1])?);
    if axis + 1 == rank {
        return Ok(node.input(input).output_type(softmax.output()?.r#type()).build()?.output()?);
    }
    let is_image = rank == 4 && axis == 1;
    let mut order: Vec<usize> = (0..rank).filter(|at| *at != axis).collect();
    order.push(axis);
    let input = if is_image { to.last(input)? } else { to.transpose(input, &order)? };
    let output = node.input(input).output_type(input.r#type()).build()?.output()?;
    let back: Vec<usize> = (0..rank).map(|at| order.iter().position(|from| *from == at).unwrap_or(at)).collect();
    Ok(to.transpose(output, if is_image { &TO_CHANNELS_FIRST } else { &back })?)
}

/// Values between 0 and a limit.
fn capped<'c: 'a, 'a>(relu: ReluOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_floats(relu.operation())?;
    let (input, most) = (relu.x()?, relu.operation().get_real("max"));
    let (None, Some(most)) = (relu.alpha_attribute(), most) else {
        return Err(Kept::because("it has a slope below zero beside its limit"));
    };
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let limit = |value: f64| to.reals(&[value], &vec![1; rank]);
    let input = if rank == 4 { to.last(input)? } else { input };
    let node = htp::ReluMinMaxOpBuilder::new(to).input(input).min(limit(0.0)?).max(limit(most)?);
    let output = node.output_type(input.r#type()).build()?.output()?;
    Ok(if rank == 4 { to.transpose(output, &TO_CHANNELS_FIRST)? } else { output })
}

/// Whether one op limits values: its limits are tensors of one element. A scalar is no image.
fn has_scalar_limits(clamp: ClampOp<'_, '_>) -> bool {
    let is_aligned = clamp.operation().attributes().any(|(name, _)| name.ends_with("_align"));
    let of_one = |value: Result<Value<'_, '_>, Failure>| {
        value.is_ok_and(|value| static_dims(value.r#type()).is_some_and(|dims| dims.iter().product::<u64>() == 1))
    };
    !is_aligned && of_one(clamp.a()) && of_one(clamp.b())
}

/// Mean and variance, as the operator's composition computes them.
fn mean_and_variance<'c: 'a, 'a>(moments: MomentsOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    of_floats(moments.operation())?;
    let input = moments.input()?;
    let axes = moments.axes().ok_or_else(|| Kept::because("its `axes` are not given"))?;
    let dims = static_dims(input.r#type()).unwrap_or_default();
    let rank = dims.len() as i64;
    let is_gone = |axis: usize| axes.iter().any(|gone| gone.rem_euclid(rank.max(1)) == axis as i64);
    let kept: Vec<u64> =
        dims.iter().enumerate().map(|(axis, extent)| if is_gone(axis) { 1 } else { *extent }).collect();
    let squeezed = moments.mean()?.r#type();
    let gone = to.ints(&axes, &[axes.len() as u64])?;
    let mean_of = |value: Value<'c, 'a>, dims: &[u64]| {
        let ty = super::builder::tensor(types::element(input.r#type()), dims)?;
        let node = htp::ReduceMeanOpBuilder::new(to).input(value).axes(gone).squeeze(to.ints(&[0], &[1])?);
        node.output_type(ty).build()?.output()
    };
    let mean = mean_of(input, &kept)?;
    let centered = htp::ElementWiseSubtractOpBuilder::new(to).lhs(input).rhs(mean);
    let centered = centered.output_type(input.r#type()).build()?.output()?;
    let square = htp::ElementWiseMultiplyOpBuilder::new(to).lhs(centered).rhs(centered);
    let variance = mean_of(square.output_type(input.r#type()).build()?.output()?, &kept)?;
    let result = static_dims(squeezed).unwrap_or_default();
    let shaped = |value| if result == kept { Ok(value) } else { to.reshaped(value, &result) };
    Ok(vec![shaped(mean)?, shaped(variance)?])
}
