//! `convert-skriptnd-to-htp`: operators that the tensor processor has become its ops.

use super::builder::{Nodes, replace, static_dims, tensor};
use super::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST, TO_FILTER, Window, pair};
use super::transposes;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::layout::{FlattenOp, ReshapeOp, TransposeOp};
use skriptnd_dialect::generated::math::AddOp;
use skriptnd_dialect::generated::nn::{ConvOp, LinearOp, MaxPoolOp, ReluOp, SoftmaxOp};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, types, walk};

/// Converts what is inside a container; returns the number of operators converted.
pub fn convert(container: OperationRef<'_, '_>) -> Result<usize, Failure> {
    let mut converted = 0;
    for op in walk(container).into_iter().skip(1) {
        converted += usize::from(replace(op, |to| operator(op, to))?);
    }
    transposes::cancel(container)?;
    Ok(converted)
}

type Converted<'c, 'a> = Result<Option<Value<'c, 'a>>, Failure>;

/// What the processor's ops make of an operator; none where it has no counterpart.
fn operator<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    if let Some(conv) = ConvOp::new(op) {
        convolution(conv, to)
    } else if let Some(pool) = MaxPoolOp::new(op) {
        pooling(pool, to)
    } else if let Some(relu) = ReluOp::new(op) {
        rectified(relu, to)
    } else if let Some(linear) = LinearOp::new(op) {
        fully_connected(linear, to)
    } else if let Some(softmax) = SoftmaxOp::new(op) {
        exponentials(softmax, to)
    } else if let Some(add) = AddOp::new(op) {
        sum(add, to)
    } else if let Some(flatten) = FlattenOp::new(op) {
        reshape(op, flatten.input()?, to)
    } else if let Some(reshaped) = ReshapeOp::new(op) {
        reshape(op, reshaped.input()?, to)
    } else if let Some(transposed) = TransposeOp::new(op) {
        transpose(transposed, to)
    } else {
        Ok(None)
    }
}

/// Static extents of the operands and the result, which must all be tensors of 32-bit floats.
fn static_floats(op: OperationRef<'_, '_>) -> bool {
    let fits = |ty: &Type| static_dims(*ty).is_some() && types::element(*ty).to_string() == "f32";
    op.operand_types().iter().chain(&op.result_types()).all(fits)
}

/// What the attributes of a convolution or a pooling say of its windows.
struct WindowAttributes<'c> {
    stride: Option<Vec<i64>>,
    dilation: Option<Vec<i64>>,
    padding: Option<Vec<i64>>,
    padding_align: Option<&'c str>,
}

impl WindowAttributes<'_> {
    /// The window, where it goes over height and width of images whose channels stand before them.
    fn window(self, op: OperationRef<'_, '_>, input: &[u64], size: [i64; 2]) -> Option<Window> {
        let two = |extents: Option<Vec<i64>>| <[i64; 2]>::try_from(extents?).ok();
        let padding = match self.padding {
            Some(padding) => Some(<[i64; 4]>::try_from(padding).ok()?),
            None => None,
        };
        let upper = self.padding_align == Some("UPPER");
        let window = Window::new(pair(input)?, size, two(self.stride)?, two(self.dilation)?, padding, upper)?;
        let result = static_dims(op.result_types().first().copied()?)?;
        (pair(result.get(2..)?) == Some(window.output(pair(input)?))).then_some(window)
    }
}

fn convolution<'c: 'a, 'a>(conv: ConvOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let (input, filter) = (conv.input()?, conv.filter()?);
    let (Some(dims), Some(filter_dims)) = (static_dims(input.r#type()), static_dims(filter.r#type())) else {
        return Ok(None);
    };
    let ([batch, channels, spatial @ ..], [count, _, size @ ..]) = (&dims[..], &filter_dims[..]) else {
        return Ok(None);
    };
    let channels_first = conv.data_format()? == "NCX" && conv.filter_format()? == "NCX";
    if !channels_first || !static_floats(conv.operation()) {
        return Ok(None);
    }
    let attributes = WindowAttributes {
        stride: conv.stride(),
        dilation: conv.dilation(),
        padding: conv.padding(),
        padding_align: conv.padding_align().ok(),
    };
    let window = pair(size).and_then(|size| attributes.window(conv.operation(), spatial, size));
    let (Some(window), Ok(groups)) = (window, conv.groups()) else { return Ok(None) };
    let groups = if groups == 0 { i64::try_from(*channels).unwrap_or(i64::MAX) } else { groups };
    let [height, width] = window.output(pair(spatial).unwrap_or_default()).map(|extent| extent as u64);
    let ty = tensor(types::element(input.r#type()), &[*batch, height, width, *count])?;
    let node = htp::Conv2dOpBuilder::new(to)
        .input(to.transpose(input, &TO_CHANNELS_LAST)?)
        .filter(to.transpose(filter, &TO_FILTER)?)
        .bias(bias(conv.bias(), *count, to)?)
        .stride(steps(to, window.stride)?)
        .pad_amount(to.ints(&window.pad_amount(), &[2, 2])?)
        .dilation(steps(to, window.dilation)?)
        .groups(to.ints(&[groups], &[1])?)
        .output_type(ty);
    Ok(Some(to.transpose(node.build()?.output()?, &TO_CHANNELS_FIRST)?))
}

/// The processor's ops always have a bias: zeros where the operator has none.
fn bias<'c: 'a, 'a>(given: Option<Value<'c, 'a>>, count: u64, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    match given {
        Some(bias) => Ok(bias),
        None => to.reals(&vec![0.0; usize::try_from(count).unwrap_or_default()], &[count]),
    }
}

fn pooling<'c: 'a, 'a>(pool: MaxPoolOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let (op, input) = (pool.operation(), pool.input()?);
    let Some(dims) = static_dims(input.r#type()) else { return Ok(None) };
    let [batch, channels, spatial @ ..] = &dims[..] else { return Ok(None) };
    let attributes = WindowAttributes {
        stride: pool.stride(),
        dilation: pool.dilation(),
        padding: pool.padding(),
        padding_align: pool.padding_align().ok(),
    };
    let size = pool.size().ok().and_then(|size| <[i64; 2]>::try_from(size).ok());
    let window = size.and_then(|size| attributes.window(op, spatial, size));
    let over_images = pool.axes().unwrap_or_default() == [2, 3];
    let Some(window) = window.filter(|w| over_images && w.dilation == [1, 1] && static_floats(op)) else {
        return Ok(None);
    };
    let [height, width] = window.output(pair(spatial).unwrap_or_default()).map(|extent| extent as u64);
    let ty = tensor(types::element(input.r#type()), &[*batch, height, width, *channels])?;
    let node = htp::PoolMax2dOpBuilder::new(to)
        .input(to.transpose(input, &TO_CHANNELS_LAST)?)
        .size(steps(to, window.size)?)
        .pad_amount(to.ints(&window.pad_amount(), &[2, 2])?)
        .stride(steps(to, window.stride)?)
        .output_type(ty);
    Ok(Some(to.transpose(node.build()?.output()?, &TO_CHANNELS_FIRST)?))
}

/// Extents over height and width as the shape `[1, height, width, 1]`, so that rules read them by `DIM_HEIGHT`.
fn steps<'c: 'a, 'a>(to: &Builder<'c, 'a>, extents: [i64; 2]) -> Result<Value<'c, 'a>, Failure> {
    let [height, width] = extents.map(|extent| extent.unsigned_abs());
    to.shape(&[1, height, width, 1])
}

/// Elementwise ops on images have the channels last as well, so that the transposes around them cancel.
fn elementwise<'c: 'a, 'a, const N: usize>(
    operands: [Value<'c, 'a>; N],
    result: Type<'c>,
    to: &Builder<'c, 'a>,
    make: impl FnOnce([Value<'c, 'a>; N], Type<'c>) -> Result<Value<'c, 'a>, Failure>,
) -> Converted<'c, 'a> {
    if types::rank(result) != Some(4) {
        return make(operands, result).map(Some);
    }
    let mut last = operands;
    for (last, operand) in last.iter_mut().zip(operands) {
        *last = to.transpose(operand, &TO_CHANNELS_LAST)?;
    }
    let output = make(last, last[0].r#type())?;
    Ok(Some(to.transpose(output, &TO_CHANNELS_FIRST)?))
}

fn rectified<'c: 'a, 'a>(relu: ReluOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let plain = relu.alpha_attribute().is_none() && relu.max_attribute().is_none();
    if !plain || !static_floats(relu.operation()) {
        return Ok(None);
    }
    elementwise([relu.x()?], relu.y()?.r#type(), to, |[input], ty| {
        htp::ReluOpBuilder::new(to).input(input).output_type(ty).build()?.output()
    })
}

fn sum<'c: 'a, 'a>(add: AddOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let (x, y, result) = (add.x()?, add.y()?, add.z()?.r#type());
    if x.r#type() != y.r#type() || result != x.r#type() || !static_floats(add.operation()) {
        return Ok(None);
    }
    elementwise([x, y], result, to, |[lhs, rhs], ty| {
        htp::ElementWiseAddOpBuilder::new(to).lhs(lhs).rhs(rhs).output_type(ty).build()?.output()
    })
}

fn fully_connected<'c: 'a, 'a>(linear: LinearOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let result = linear.output()?.r#type();
    let Some([_, count]) = static_dims(result).and_then(|dims| <[u64; 2]>::try_from(dims).ok()) else {
        return Ok(None);
    };
    if !static_floats(linear.operation()) {
        return Ok(None);
    }
    let node = htp::FullyConnectedOpBuilder::new(to)
        .input(linear.input()?)
        .filter(linear.filter()?)
        .bias(bias(linear.bias(), count, to)?)
        .output_type(result);
    Ok(Some(node.build()?.output()?))
}

/// The op works along the last dimension; on images that is the channels'.
fn exponentials<'c: 'a, 'a>(softmax: SoftmaxOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let input = softmax.input()?;
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let axes = softmax.axes().unwrap_or_default();
    let fits = matches!((rank, &axes[..]), (2 | 4, [1])) && static_floats(softmax.operation());
    if !fits {
        return Ok(None);
    }
    let beta = to.reals(&[1.0], &[1, 1, 1, 1])?;
    let node = htp::SoftmaxOpBuilder::new(to).beta(beta);
    if rank == 2 {
        return Ok(Some(node.input(input).output_type(softmax.output()?.r#type()).build()?.output()?));
    }
    let input = to.transpose(input, &TO_CHANNELS_LAST)?;
    let output = node.input(input).output_type(input.r#type()).build()?.output()?;
    Ok(Some(to.transpose(output, &TO_CHANNELS_FIRST)?))
}

/// Whatever leaves all elements in their order.
fn reshape<'c: 'a, 'a>(op: OperationRef<'c, 'a>, input: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let result = op.result_types()[0];
    match static_dims(result) {
        Some(dims) if static_floats(op) => {
            let shape = to.shape(&dims)?;
            let node = htp::ReshapeOpBuilder::new(to).input(input).shape(shape).output_type(result);
            Ok(Some(node.build()?.output()?))
        }
        _ => Ok(None),
    }
}

fn transpose<'c: 'a, 'a>(transposed: TransposeOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let input = transposed.input()?;
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let absolute = |axis: i64| usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok();
    let permutation: Option<Vec<usize>> = transposed.perm().unwrap_or_default().into_iter().map(absolute).collect();
    match permutation {
        Some(permutation) if permutation.len() == rank && static_floats(transposed.operation()) => {
            Ok(Some(to.transpose(input, &permutation)?))
        }
        _ => Ok(None),
    }
}
