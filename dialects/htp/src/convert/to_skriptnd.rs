//! `convert-htp-to-skriptnd`: the meaning of the tensor processor's ops, in SkriptND operators.

mod activations;
mod encodings;
mod integers;
mod moves;
mod normalization;
mod windows;

use super::builder::static_dims;
use super::counterparts::of_op;
use super::reshaped::{of_rank, reshape};
use super::{by_table, transposes};
use crate::apply::plan::OUT_OP;
use crate::apply::{Elements, Graph};
use crate::dialect::encoding::{of_language, output_def};
use crate::dialect::{NAMESPACE, operation_name};
use crate::engine::{IrGraph, identity, remove_dead};
use crate::generated::Place;
use crate::generated::operations::{
    CastOp, ConcatOp, ConstOp, DequantizeOp, FullyConnectedOp, FullyConnectedReluOp, HardSwishOp, LayerNormOp,
    QuantizeOp, RequantizeOp, ReshapeOp, ShapeOp, SliceShapeOp, SoftmaxOp, TopKOp, TransposeOp,
};
use crate::grammar::model::DType;
use crate::placement::is_conversion;
use crate::registered::Variant;
use encodings::Quantizations;
use skriptnd_dialect::generated::algo::TopKOpBuilder;
use skriptnd_dialect::generated::layout::{
    CastOpBuilder as LayoutCastOpBuilder, ConcatOpBuilder, SliceOpBuilder, TransposeOpBuilder,
};
use skriptnd_dialect::generated::nn::{LinearOpBuilder, ReluOpBuilder, SoftmaxOpBuilder};
use skriptnd_dialect::generated::operations::ConstantOpBuilder;
use skriptnd_hexagon::generated::dialect_attributes::WholeAttr;
use skriptnd_mlir::diagnostics::{Failure, Severity};
use skriptnd_mlir::ir::{Builder, Location, OperationRef, Type, Value, attributes, emit, types, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_runtime::{Storage, TensorData};

/// Converts all nodes inside a container; one whose meaning is not known is an error.
pub fn convert(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    let quantizations = Quantizations::of(container);
    for op in walk(container) {
        if is_node(op) && ShapeOp::new(op).is_none() && ConstOp::new(op).is_none() {
            replace(op, &quantizations).map_err(|failure| at(op, &failure))?;
        }
    }
    // Shapes and constants were parameters of what is gone now, or are tensors like any other.
    remove_dead(container)?;
    for op in walk(container) {
        if let Some(constant) = ConstOp::new(op) {
            let value = tensor_constant(constant).map_err(|failure| at(op, &failure))?;
            with_rewriter(op, |rewriter| rewriter.replace(op, &[value]))?;
        } else if is_node(op) {
            return Err(at(op, &"is used where it is no parameter of an op".into()));
        }
    }
    Ok(())
}

fn is_node(op: OperationRef<'_, '_>) -> bool {
    op.full_name().split('.').next() == Some(NAMESPACE)
}

/// Reports a failure at the op that it is about.
fn at(op: OperationRef<'_, '_>, failure: &Failure) -> Failure {
    emit(op.location(), Severity::Error, &format!("'{}' op {failure}", op.full_name()));
    Failure::reported()
}

/// Puts operators in place of an op. Where its result is quantized, they compute what it stands for.
fn replace(op: OperationRef<'_, '_>, quantizations: &Quantizations) -> Result<(), Failure> {
    let to = Builder::before(op)?;
    let to = if is_in_vtcm(op)? { to.located(noted_whole(to.location())) } else { to };
    if let Some(search) = TopKOp::new(op) {
        let values = greatest(search, &to)?;
        return with_rewriter(op, |rewriter| rewriter.replace(op, &values));
    }
    let [ty] = op.result_types()[..] else { return Err("expected one result".into()) };
    quantizations.check(op)?;
    let real = of_language(ty);
    let value = node(op, &to, real)?;
    let value = quantizations.quantized(op, value, &to)?;
    if value.r#type() != real {
        return Err(Failure::new(format!("expected conversion to {real}, found {}", value.r#type())));
    }
    with_rewriter(op, |rewriter| rewriter.replace(op, &[value]))
}

/// Whether what an op reads shall be in VTCM while it is computed: it is a slice that a rule has made, or the function that was taken for it wants so.
fn is_in_vtcm(op: OperationRef<'_, '_>) -> Result<bool, Failure> {
    let taken = Variant::taken(op)?;
    let is_there = |variant: Variant| variant.tensors.iter().skip(1).any(|format| format.place == Place::Tcm);
    Ok(!identity(op).history.is_empty() || taken.is_some_and(is_there))
}

/// A place with the note of this; without the dialect of it, nobody would read that.
fn noted_whole(place: Location<'_>) -> Location<'_> {
    WholeAttr::get(place.context()).map_or(place, |note| Location::noted(note.attribute(), place))
}

type Made<'c, 'a> = Result<Value<'c, 'a>, Failure>;

fn node<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    if op.full_name() == operation_name(OUT_OP) {
        return output_of(op);
    }
    let Some(name) = op.full_name().strip_prefix("htp.q.") else {
        return Err("belongs to a package whose ops have no known meaning".into());
    };
    if let Some((made, is_rectified)) = windows::window(op, to, ty) {
        return made.and_then(|value| if is_rectified { relu(to, value, ty) } else { Ok(value) });
    }
    if let Some(linear) = FullyConnectedOp::new(op) {
        fully_connected(to, [linear.input()?, linear.filter()?, linear.bias()?], ty)
    } else if let Some(linear) = FullyConnectedReluOp::new(op) {
        relu(to, fully_connected(to, [linear.input()?, linear.filter()?, linear.bias()?], ty)?, ty)
    } else if let Some(exponentials) = SoftmaxOp::new(op) {
        softmax(to, exponentials.input()?, exponentials.beta()?, ty)
    } else if let Some(reshaped) = ReshapeOp::new(op) {
        reshape(to, reshaped.input()?, ty)
    } else if let Some(transposed) = TransposeOp::new(op) {
        let (input, permutation) = transposes::transpose(transposed).ok_or("expected a constant permutation")?;
        let permutation: Vec<i64> = permutation.iter().map(|axis| *axis as i64).collect();
        let transposed = TransposeOpBuilder::new(to).input(input).axis(0).perm(&permutation);
        transposed.output_type(ty).build()?.output()
    } else if let Some(part) = SliceShapeOp::new(op) {
        slice(to, part.input()?, [part.start()?, part.size()?], ty)
    } else if let Some(concat) = ConcatOp::new(op) {
        let [axis] = ints(concat.axis()?)?;
        ConcatOpBuilder::new(to).inputs(concat.inputs()).axis(axis).output_type(ty).build()?.output()
    } else if let Some(made) = moves::moved(op, to, ty) {
        made
    } else if let Some(normalized) = LayerNormOp::new(op) {
        normalization::layer_norm(normalized, to, ty)
    } else if let Some(activation) = HardSwishOp::new(op) {
        activations::hard_swish(activation, to, ty)
    } else if is_cast(op) || is_conversion(op) {
        cast(op.operand(0)?, to, ty)
    } else if let Some(line) = of_op(name) {
        by_table::to_skriptnd(line, op, ty, to)
    } else {
        Err(Failure::new(format!("has no known meaning with {} operands", op.operand_count())))
    }
}

/// The largest or smallest elements, and their indices.
fn greatest<'c: 'a, 'a>(search: TopKOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let (input, found) = (search.input()?, search.values()?.r#type());
    let (values, indices) = (of_language(found), of_language(search.indices()?.r#type()));
    let is_plain = values == found || output_def(found).is_some_and(|def| def.encoding.dtype() == DType::Int32);
    if types::element(input.r#type()) != types::element(values) || !is_plain {
        return Err("has no known meaning on numbers that the language has not".into());
    }
    let ([k], [largest]) = (ints(search.k()?)?, ints(search.largest()?)?);
    let last = static_dims(values).map_or(0, |dims| dims.len() as i64) - 1;
    let node = TopKOpBuilder::new(to).input(input).k(k).axis(last).largest(largest != 0).sorted(true);
    let made = node.values_type(values).indices_type(indices).build()?;
    Ok(vec![made.values()?, made.indices()?])
}

/// Whether an op gives its operand another type; quantization is added for all ops.
fn is_cast(op: OperationRef<'_, '_>) -> bool {
    QuantizeOp::new(op).is_some()
        || DequantizeOp::new(op).is_some()
        || RequantizeOp::new(op).is_some()
        || CastOp::new(op).is_some()
}

/// All real numbers are one type of the language, and all integers.
fn cast<'c: 'a, 'a>(input: Value<'c, 'a>, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let (from, context) = (of_language(input.r#type()), to.context());
    if from == ty {
        return Ok(input);
    }
    let is_number = |ty: Type<'c>| {
        let element = types::element(ty);
        element == types::f32(context) || types::is_integer(element, 64)
    };
    if !is_number(from) || !is_number(ty) || static_dims(from) != static_dims(ty) {
        return Err(Failure::new(format!("has no known meaning from {} to {ty}", input.r#type())));
    }
    LayoutCastOpBuilder::new(to).x(input).r(types::element(ty)).y_type(ty).build()?.y()
}

/// One output of a node; the index is the last extent of a shape.
fn output_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Made<'c, 'a> {
    let [node, index] = op.operands().collect::<Vec<_>>()[..] else { return Err("expected two operands".into()) };
    let index = shape(index)?.last().and_then(|index| usize::try_from(*index).ok());
    let node = node.defining_operation().ok_or("expected a node with several results")?;
    node.result(index.ok_or("expected the number of an output as the last extent of a shape")?)
}

fn fully_connected<'c: 'a, 'a>(
    to: &Builder<'c, 'a>,
    [input, filter, bias]: [Value<'c, 'a>; 3],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let linear = LinearOpBuilder::new(to).input(input).filter(filter).bias(vector_unless_zero(bias, to)?);
    linear.output_type(ty).build()?.output()
}

/// A number with the elements of a type.
fn scalar<'c: 'a, 'a>(value: f64, to: &Builder<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let element = types::element(ty);
    let scalar = super::builder::tensor(element, &[])?;
    let value = attributes::typed_real(to.context(), element, value);
    let value =
        value.and_then(|value| attributes::elements(scalar, &[value])).ok_or("expected a result of real numbers")?;
    ConstantOpBuilder::new(to).value(value).output_type(scalar).build()?.output()
}

fn relu<'c: 'a, 'a>(to: &Builder<'c, 'a>, input: Value<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    ReluOpBuilder::new(to).x(input).y_type(ty).build()?.y()
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
fn vector_unless_zero<'c: 'a, 'a>(bias: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Failure> {
    let zeros = match IrGraph::default().constant(bias) {
        Some(Elements::Reals(elements)) => elements.iter().all(|e| *e == 0.0),
        Some(Elements::Ints(elements)) => elements.iter().all(|e| *e == 0),
        None => false,
    };
    (!zeros).then(|| of_rank(bias, 1, to)).transpose()
}

/// The elements of a constant of integers.
fn integers(value: Value<'_, '_>) -> Option<Vec<i64>> {
    match IrGraph::default().constant(value) {
        Some(Elements::Ints(values)) => Some(values),
        _ => None,
    }
}

fn ints<const N: usize>(value: Value<'_, '_>) -> Result<[i64; N], Failure> {
    let found = integers(value).and_then(|values| <[i64; N]>::try_from(values).ok());
    found.ok_or_else(|| Failure::new(format!("expected a constant of {N} integers as a parameter")))
}

fn softmax<'c: 'a, 'a>(to: &Builder<'c, 'a>, input: Value<'c, 'a>, beta: Value<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    if IrGraph::default().constant(beta) != Some(Elements::Reals(vec![1.0])) {
        return Err("expected the constant 1.0 as beta".into());
    }
    let last = static_dims(ty).map_or(0, |dims| dims.len() as i64) - 1;
    SoftmaxOpBuilder::new(to).input(input).axes(&[last]).output_type(ty).build()?.output()
}

/// Numbers as elements of a type hold them.
fn held(mut numbers: Vec<f64>, ty: Type<'_>) -> Result<Vec<f64>, Failure> {
    if output_def(ty).is_some_and(|def| def.encoding.dtype() == DType::Float16) {
        let mut halves = TensorData::F32(numbers.iter().map(|number| *number as f32).collect());
        Storage::F16.round(&mut halves).map_err(Failure::new)?;
        if let TensorData::F32(halves) = halves {
            numbers = halves.into_iter().map(f64::from).collect();
        }
    }
    Ok(numbers)
}

/// A constant that is a tensor of an operator.
fn tensor_constant<'c: 'a, 'a>(op: ConstOp<'c, 'a>) -> Made<'c, 'a> {
    let operation = op.operation();
    let (context, ty) = (operation.context(), of_language(op.output()?.r#type()));
    let element = types::element(ty);
    let elements: Option<Vec<_>> = match IrGraph::default().constant(op.output()?) {
        Some(Elements::Reals(all)) => {
            let all = held(all, op.output()?.r#type())?;
            all.iter().map(|value| attributes::typed_real(context, element, *value)).collect()
        }
        Some(Elements::Ints(all)) => all.iter().map(|value| attributes::typed_integer(element, *value)).collect(),
        None => None,
    };
    let value = elements.and_then(|elements| attributes::elements(ty, &elements));
    let value = value.ok_or("has elements that are not of its type")?;
    ConstantOpBuilder::new(&Builder::before(operation)?).value(value).output_type(ty).build()?.output()
}
