//! `convert-htp-to-skriptnd`: the meaning of the tensor processor's ops, in SkriptND operators.

use super::builder::{Builder, replace, static_dims};
use super::transposes;
use crate::apply::{Elements, Graph};
use crate::dialect::{self, NAMESPACE};
use crate::engine::{IrGraph, remove_dead};
use skriptnd_mlir::diagnostics::{Failure, Severity, emit};
use skriptnd_mlir::ir::{
    OperationExt, OperationLike, OperationRef, Type, Value, ValueExt, ValueLike, attributes, walk,
};

/// Converts all nodes inside a container; one whose meaning is not known is an error.
pub fn convert(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    for op in walk(container) {
        let is_node = op.full_name().split('.').next() == Some(NAMESPACE);
        if is_node && op.full_name() != dialect::SHAPE && op.full_name() != dialect::CONST {
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

fn node<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Made<'c, 'a> {
    let inputs: Vec<Value> = op.operands().collect();
    let [ty] = op.result_types()[..] else { return Err("expected one result".into()) };
    let name = op.full_name().strip_prefix("htp.q.").ok_or("belongs to a package whose ops have no known meaning")?;
    // A fused activation: `Conv2d.relu` is `Relu` of `Conv2d`.
    let (base, activation) = name.split_once('.').unwrap_or((name, ""));
    let value = match (base, &inputs[..]) {
        ("Conv2d", [input, filter, bias, stride, padding, dilation, groups]) => {
            convolution(to, [*input, *filter, *bias], [*stride, *padding, *dilation, *groups], ty)?
        }
        ("PoolMax2d", [input, size, padding, stride]) => pooling(to, *input, [*size, *padding, *stride], ty)?,
        ("FullyConnected", [input, filter, bias]) => {
            let (inputs, segments) = with_bias([*input, *filter, *bias]);
            to.operator("nn.linear", &inputs, Some(&segments), &[], ty)?
        }
        ("Relu", [input]) => to.operator("nn.relu", &[*input], None, &[], ty)?,
        ("ElementWiseAdd", [x, y]) => to.operator("math.add", &[*x, *y], None, &[], ty)?,
        ("Softmax", [input, beta]) => softmax(to, *input, *beta, ty)?,
        ("Reshape", [input, _]) => reshape(to, *input, ty)?,
        ("Transpose", [..]) => {
            let (input, permutation) = transposes::transpose(op).ok_or("expected a constant permutation")?;
            let permutation: Vec<i64> = permutation.iter().map(|axis| *axis as i64).collect();
            let context = to.context();
            let attributes =
                [("axis", attributes::integer(context, 0)), ("perm", attributes::integers(context, &permutation))];
            to.operator("layout.transpose", &[input], None, &attributes, ty)?
        }
        _ => return Err(Failure::new(format!("has no known meaning with {} operands", inputs.len()))),
    };
    match activation {
        "" => Ok(value),
        "relu" => to.operator("nn.relu", &[value], None, &[], ty),
        _ => Err(Failure::new(format!("has an activation `{activation}` of no known meaning"))),
    }
}

/// Inputs of an operator whose last input is an optional bias: one of zeros is left out.
fn with_bias<'c, 'a>(values: [Value<'c, 'a>; 3]) -> (Vec<Value<'c, 'a>>, [i32; 3]) {
    let zeros = match IrGraph::default().constant(values[2]) {
        Some(Elements::Reals(elements)) => elements.iter().all(|e| *e == 0.0),
        Some(Elements::Ints(elements)) => elements.iter().all(|e| *e == 0),
        None => false,
    };
    if zeros { (values[..2].to_vec(), [1, 1, 0]) } else { (values.to_vec(), [1, 1, 1]) }
}

/// Height and width of a `$Shape` operand `[1, height, width, 1]`.
fn steps(value: Value<'_, '_>) -> Result<[i64; 2], Failure> {
    let is_shape = value.defining_operation().is_some_and(|op| op.full_name() == dialect::SHAPE);
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
    to: &Builder<'_, 'c, 'a>,
    inputs: [Value<'c, 'a>; 3],
    [stride, pad_amount, dilation, groups]: [Value<'c, 'a>; 4],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let context = to.context();
    let [groups] = ints(groups)?;
    let attributes = [
        ("ceil_mode", attributes::boolean(context, false)),
        ("data_format", attributes::string(context, "NXC")),
        ("dilation", attributes::integers(context, &steps(dilation)?)),
        ("filter_format", attributes::string(context, "XCN")),
        ("groups", attributes::integer(context, groups)),
        ("padding", attributes::integers(context, &padding(pad_amount)?)),
        ("padding_align", attributes::string(context, "UPPER")),
        ("stride", attributes::integers(context, &steps(stride)?)),
    ];
    let (inputs, segments) = with_bias(inputs);
    to.operator("nn.conv", &inputs, Some(&segments), &attributes, ty)
}

fn pooling<'c: 'a, 'a>(
    to: &Builder<'_, 'c, 'a>,
    input: Value<'c, 'a>,
    [size, pad_amount, stride]: [Value<'c, 'a>; 3],
    ty: Type<'c>,
) -> Made<'c, 'a> {
    let context = to.context();
    let attributes = [
        ("axes", attributes::integers(context, &[1, 2])),
        ("ceil_mode", attributes::boolean(context, false)),
        ("dilation", attributes::integers(context, &[1, 1])),
        ("padding", attributes::integers(context, &padding(pad_amount)?)),
        ("padding_align", attributes::string(context, "UPPER")),
        ("size", attributes::integers(context, &steps(size)?)),
        ("stride", attributes::integers(context, &steps(stride)?)),
    ];
    to.operator("nn.max_pool", &[input], None, &attributes, ty)
}

fn softmax<'c: 'a, 'a>(
    to: &Builder<'_, 'c, 'a>,
    input: Value<'c, 'a>,
    beta: Value<'c, 'a>,
    ty: Type<'c>,
) -> Made<'c, 'a> {
    if IrGraph::default().constant(beta) != Some(Elements::Reals(vec![1.0])) {
        return Err("expected the constant 1.0 as beta".into());
    }
    let last = static_dims(ty).map_or(0, |dims| dims.len() as i64) - 1;
    let axes = attributes::integers(to.context(), &[last]);
    to.operator("nn.softmax", &[input], None, &[("axes", axes)], ty)
}

fn reshape<'c: 'a, 'a>(to: &Builder<'_, 'c, 'a>, input: Value<'c, 'a>, ty: Type<'c>) -> Made<'c, 'a> {
    let context = to.context();
    let dims = static_dims(ty).ok_or("expected a result of static shape")?;
    let rank = static_dims(input.r#type()).map_or(0, |dims| dims.len() as i64);
    let shape: Vec<i64> = dims.iter().map(|extent| i64::try_from(*extent).unwrap_or(i64::MAX)).collect();
    let attributes = [
        ("axis", attributes::integer(context, 0)),
        ("rank", attributes::integer(context, rank)),
        ("shape", attributes::integers(context, &shape)),
    ];
    to.operator("layout.reshape", &[input], None, &attributes, ty)
}
