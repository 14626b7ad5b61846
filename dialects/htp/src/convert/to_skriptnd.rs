//! `convert-htp-to-skriptnd`: the meaning of the tensor processor's ops, in SkriptND operators.

use super::builder::{replace, static_dims};
use super::transposes;
use crate::apply::plan::{CONCAT_OP, SLICE_OP};
use crate::apply::{Elements, Graph};
use crate::dialect::{NAMESPACE, operation_name};
use crate::engine::{IrGraph, remove_dead};
use crate::generated::operations::{
    ConstOp, Conv2dOp, Conv2dReluOp, ElementWiseAddOp, FullyConnectedOp, FullyConnectedReluOp, PoolMax2dOp, ReluOp,
    ReshapeOp, ShapeOp, SoftmaxOp, TransposeOp,
};
use skriptnd_dialect::generated::layout::{ConcatOpBuilder, ReshapeOpBuilder, SliceOpBuilder, TransposeOpBuilder};
use skriptnd_dialect::generated::math::AddOpBuilder;
use skriptnd_dialect::generated::nn::{
    ConvOpBuilder, LinearOpBuilder, MaxPoolOpBuilder, ReluOpBuilder, SoftmaxOpBuilder,
};
use skriptnd_mlir::diagnostics::{Failure, Severity};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, emit, walk};

/// Converts all nodes inside a container; one whose meaning is not known is an error.
pub fn convert(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    for op in walk(container) {
        let is_node = op.full_name().split('.').next() == Some(NAMESPACE);
        if is_node && ShapeOp::new(op).is_none() && ConstOp::new(op).is_none() {
            replace(op, |to| node(op, to).map(Some)).map_err(|failure| at(op, &failure))?;
        }
    }
    // Shapes and constants were parameters of what is gone now.
    remove_dead(container)?;
    let rest = walk(container).into_iter().find(|op| op.full_name().split('.').next() == Some(NAMESPACE));
    match rest {
        Some(op) => Err(at(op, &"is used where it is no parameter of an op".into())),
        None => Ok(()),
    }
}

/// Reports a failure at the op that it is about.
fn at(op: OperationRef<'_, '_>, failure: &Failure) -> Failure {
    emit(op.location(), Severity::Error, &format!("'{}' op {failure}", op.full_name()));
    Failure::reported()
}

type Made<'c, 'a> = Result<Value<'c, 'a>, Failure>;

fn node<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Made<'c, 'a> {
    let [ty] = op.result_types()[..] else { return Err("expected one result".into()) };
    if !op.full_name().starts_with("htp.q.") {
        return Err("belongs to a package whose ops have no known meaning".into());
    }
    if let Some(conv) = Conv2dOp::new(op) {
        let parameters = [conv.stride()?, conv.pad_amount()?, conv.dilation()?, conv.groups()?];
        convolution(to, [conv.input()?, conv.filter()?, conv.bias()?], parameters, ty)
    } else if let Some(conv) = Conv2dReluOp::new(op) {
        let parameters = [conv.stride()?, conv.pad_amount()?, conv.dilation()?, conv.groups()?];
        relu(to, convolution(to, [conv.input()?, conv.filter()?, conv.bias()?], parameters, ty)?, ty)
    } else if let Some(pool) = PoolMax2dOp::new(op) {
        pooling(to, pool.input()?, [pool.size()?, pool.pad_amount()?, pool.stride()?], ty)
    } else if let Some(linear) = FullyConnectedOp::new(op) {
        fully_connected(to, [linear.input()?, linear.filter()?, linear.bias()?], ty)
    } else if let Some(linear) = FullyConnectedReluOp::new(op) {
        relu(to, fully_connected(to, [linear.input()?, linear.filter()?, linear.bias()?], ty)?, ty)
    } else if let Some(rectified) = ReluOp::new(op) {
        relu(to, rectified.input()?, ty)
    } else if let Some(sum) = ElementWiseAddOp::new(op) {
        AddOpBuilder::new(to).x(sum.lhs()?).y(sum.rhs()?).z_type(ty).build()?.z()
    } else if let Some(exponentials) = SoftmaxOp::new(op) {
        softmax(to, exponentials.input()?, exponentials.beta()?, ty)
    } else if let Some(reshaped) = ReshapeOp::new(op) {
        reshape(to, reshaped.input()?, ty)
    } else if let Some(transposed) = TransposeOp::new(op) {
        let (input, permutation) = transposes::transpose(transposed).ok_or("expected a constant permutation")?;
        let permutation: Vec<i64> = permutation.iter().map(|axis| *axis as i64).collect();
        let transposed = TransposeOpBuilder::new(to).input(input).axis(0).perm(&permutation);
        transposed.output_type(ty).build()?.output()
    } else {
        made_by_splits(op, to, ty)
    }
}

fn fully_connected<'c: 'a, 'a>(
    to: &Builder<'c, 'a>,
    [input, filter, bias]: [Value<'c, 'a>; 3],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let linear = LinearOpBuilder::new(to).input(input).filter(filter).bias(unless_zero(bias));
    linear.output_type(ty).build()?.output()
}

fn relu<'c: 'a, 'a>(to: &Builder<'c, 'a>, input: Value<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    ReluOpBuilder::new(to).x(input).y_type(ty).build()?.y()
}

/// What splits make: parts of tensors, and tensors of parts.
fn made_by_splits<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let is = |name: &str| op.full_name() == operation_name(name);
    match op.operands().collect::<Vec<_>>()[..] {
        [input, start, size] if is(SLICE_OP) => slice(to, input, [start, size], ty),
        [axis, ref parts @ ..] if is(CONCAT_OP) && !parts.is_empty() => {
            let [axis] = ints(axis)?;
            ConcatOpBuilder::new(to).inputs(parts.iter().copied()).axis(axis).output_type(ty).build()?.output()
        }
        ref operands => Err(Failure::new(format!("has no known meaning with {} operands", operands.len()))),
    }
}

/// A part of a tensor, begin and extents given as shapes.
fn slice<'c: 'a, 'a>(
    to: &Builder<'c, 'a>,
    input: Value<'c, 'a>,
    [start, size]: [Value<'c, 'a>; 2],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let (start, size) = (shape(start)?, shape(size)?);
    let axes: Vec<i64> = (0..start.len() as i64).collect();
    let end: Vec<i64> = start.iter().zip(&size).map(|(start, size)| start.saturating_add(*size)).collect();
    let slice = SliceOpBuilder::new(to).input(input).axes(&axes).begin(&start).end(&end);
    slice.stride(&vec![1; axes.len()]).output_type(ty).build()?.output()
}

/// The extents of a `$Shape` operand.
fn shape(value: Value<'_, '_>) -> Result<Vec<i64>, Failure> {
    let is_shape = value.defining_operation().is_some_and(|op| ShapeOp::new(op).is_some());
    let dims = static_dims(value.r#type()).filter(|_| is_shape).ok_or("expected a shape as a parameter")?;
    Ok(dims.into_iter().map(|extent| i64::try_from(extent).unwrap_or(i64::MAX)).collect())
}

/// A bias; none where it is one of zeros.
fn unless_zero<'c, 'a>(bias: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let zeros = match IrGraph::default().constant(bias) {
        Some(Elements::Reals(elements)) => elements.iter().all(|e| *e == 0.0),
        Some(Elements::Ints(elements)) => elements.iter().all(|e| *e == 0),
        None => false,
    };
    (!zeros).then_some(bias)
}

/// Height and width of a `$Shape` operand `[1, height, width, 1]`.
fn steps(value: Value<'_, '_>) -> Result<[i64; 2], Failure> {
    let is_shape = value.defining_operation().is_some_and(|op| ShapeOp::new(op).is_some());
    let dims = static_dims(value.r#type()).filter(|_| is_shape).and_then(|dims| <[u64; 4]>::try_from(dims).ok());
    let [_, height, width, _] = dims.ok_or("expected a shape [1, height, width, 1] as a parameter")?;
    Ok([height, width].map(|extent| i64::try_from(extent).unwrap_or(i64::MAX)))
}

fn ints<const N: usize>(value: Value<'_, '_>) -> Result<[i64; N], Failure> {
    let found = match IrGraph::default().constant(value) {
        Some(Elements::Ints(values)) => <[i64; N]>::try_from(values).ok(),
        _ => None,
    };
    found.ok_or_else(|| Failure::new(format!("expected a constant of {N} integers as a parameter")))
}

/// Before height and width, then behind them.
fn padding(value: Value<'_, '_>) -> Result<[i64; 4], Failure> {
    let [top, bottom, left, right] = ints(value)?;
    Ok([top, left, bottom, right])
}

fn convolution<'c: 'a, 'a>(
    to: &Builder<'c, 'a>,
    [input, filter, bias]: [Value<'c, 'a>; 3],
    [stride, pad_amount, dilation, groups]: [Value<'c, 'a>; 4],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let [groups] = ints(groups)?;
    let conv = ConvOpBuilder::new(to)
        .input(input)
        .filter(filter)
        .bias(unless_zero(bias))
        .stride(&steps(stride)?)
        .dilation(&steps(dilation)?)
        .padding(&padding(pad_amount)?)
        .padding_align("UPPER")
        .ceil_mode(false)
        .groups(groups)
        .data_format("NXC")
        .filter_format("XCN");
    conv.output_type(ty).build()?.output()
}

fn pooling<'c: 'a, 'a>(
    to: &Builder<'c, 'a>,
    input: Value<'c, 'a>,
    [size, pad_amount, stride]: [Value<'c, 'a>; 3],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let pool = MaxPoolOpBuilder::new(to)
        .input(input)
        .axes(&[1, 2])
        .size(&steps(size)?)
        .stride(&steps(stride)?)
        .dilation(&[1, 1])
        .padding(&padding(pad_amount)?)
        .padding_align("UPPER")
        .ceil_mode(false);
    pool.output_type(ty).build()?.output()
}

fn softmax<'c: 'a, 'a>(to: &Builder<'c, 'a>, input: Value<'c, 'a>, beta: Value<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    if IrGraph::default().constant(beta) != Some(Elements::Reals(vec![1.0])) {
        return Err("expected the constant 1.0 as beta".into());
    }
    let last = static_dims(ty).map_or(0, |dims| dims.len() as i64) - 1;
    SoftmaxOpBuilder::new(to).input(input).axes(&[last]).output_type(ty).build()?.output()
}

fn reshape<'c: 'a, 'a>(to: &Builder<'c, 'a>, input: Value<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let dims = static_dims(ty).ok_or("expected a result of static shape")?;
    let rank = static_dims(input.r#type()).map_or(0, |dims| dims.len() as i64);
    let shape: Vec<i64> = dims.iter().map(|extent| i64::try_from(*extent).unwrap_or(i64::MAX)).collect();
    let reshaped = ReshapeOpBuilder::new(to).input(input).axis(0).rank(rank).shape(&shape);
    reshaped.output_type(ty).build()?.output()
}
