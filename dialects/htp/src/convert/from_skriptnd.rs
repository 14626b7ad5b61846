//! `convert-skriptnd-to-htp`: operators that the tensor processor has become its ops.

use super::builder::{Builder, replace, static_dims, tensor};
use super::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST, TO_FILTER, Window, pair};
use super::transposes;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{OperationExt, OperationLike, OperationRef, Type, Value, ValueLike, types, walk};

/// Converts what is inside a container; returns the number of operators converted.
pub fn convert(container: OperationRef<'_, '_>) -> Result<usize, Failure> {
    let mut converted = 0;
    for op in walk(container) {
        let done = match op.full_name() {
            "skriptnd.nn.conv" => replace(op, |to| convolution(op, to))?,
            "skriptnd.nn.max_pool" => replace(op, |to| pooling(op, to))?,
            "skriptnd.nn.relu" => replace(op, |to| relu(op, to))?,
            "skriptnd.nn.linear" => replace(op, |to| linear(op, to))?,
            "skriptnd.nn.softmax" => replace(op, |to| softmax(op, to))?,
            "skriptnd.math.add" => replace(op, |to| add(op, to))?,
            "skriptnd.layout.flatten" | "skriptnd.layout.reshape" => replace(op, |to| reshape(op, to))?,
            "skriptnd.layout.transpose" => replace(op, |to| transpose(op, to))?,
            _ => false,
        };
        converted += usize::from(done);
    }
    transposes::cancel(container)?;
    Ok(converted)
}

type Converted<'c, 'a> = Result<Option<Value<'c, 'a>>, Failure>;

/// The values of the declared inputs; an optional one may have none.
fn inputs<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Option<Value<'c, 'a>>> {
    let operands: Vec<Value> = op.operands().collect();
    match op.get_integers("operandSegmentSizes") {
        None => operands.into_iter().map(Some).collect(),
        Some(sizes) => {
            let mut rest = operands.into_iter();
            sizes.iter().map(|size| if *size == 1 { rest.next() } else { None }).collect()
        }
    }
}

/// Static extents of the operands and the result, which must all be tensors of 32-bit floats.
fn static_floats(op: OperationRef<'_, '_>) -> bool {
    let fits = |ty: &Type| static_dims(*ty).is_some() && types::element(*ty).to_string() == "f32";
    op.operand_types().iter().chain(&op.result_types()).all(fits)
}

fn channels_first_window(op: OperationRef<'_, '_>, input: &[u64], size: [i64; 2]) -> Option<Window> {
    let pair_of = |name: &str| <[i64; 2]>::try_from(op.get_integers(name)?).ok();
    let padding = match op.get_integers("padding") {
        Some(padding) => Some(<[i64; 4]>::try_from(padding).ok()?),
        None => None,
    };
    let upper = op.get_string("padding_align") == Some("UPPER");
    let window = Window::new(pair(input)?, size, pair_of("stride")?, pair_of("dilation")?, padding, upper)?;
    let result = static_dims(op.result_types().first().copied()?)?;
    (pair(result.get(2..)?) == Some(window.output(pair(input)?))).then_some(window)
}

fn convolution<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input), Some(filter), bias] = inputs(op)[..] else { return Ok(None) };
    let format = |name: &str| op.get_string(name) == Some("NCX");
    let (Some(dims), Some(filter_dims)) = (static_dims(input.r#type()), static_dims(filter.r#type())) else {
        return Ok(None);
    };
    let ([batch, channels, spatial @ ..], [count, _, size @ ..]) = (&dims[..], &filter_dims[..]) else {
        return Ok(None);
    };
    if !format("data_format") || !format("filter_format") || !static_floats(op) {
        return Ok(None);
    }
    let window = pair(size).and_then(|size| channels_first_window(op, spatial, size));
    let (Some(window), Some(groups)) = (window, op.get_integer("groups")) else { return Ok(None) };
    let groups = if groups == 0 { i64::try_from(*channels).unwrap_or(i64::MAX) } else { groups };
    let [height, width] = window.output(pair(spatial).unwrap_or_default()).map(|extent| extent as u64);
    let ty = tensor(types::element(input.r#type()), &[*batch, height, width, *count])?;
    let bias = match bias {
        Some(bias) => bias,
        None => to.reals(&vec![0.0; usize::try_from(*count).unwrap_or_default()], &[*count])?,
    };
    let operands = [
        to.transpose(input, &TO_CHANNELS_LAST)?,
        to.transpose(filter, &TO_FILTER)?,
        bias,
        steps(to, window.stride)?,
        to.ints(&window.pad_amount(), &[2, 2])?,
        steps(to, window.dilation)?,
        to.ints(&[groups], &[1])?,
    ];
    let output = to.node("q::Conv2d", &operands, ty)?;
    Ok(Some(to.transpose(output, &TO_CHANNELS_FIRST)?))
}

fn pooling<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input)] = inputs(op)[..] else { return Ok(None) };
    let Some(dims) = static_dims(input.r#type()) else { return Ok(None) };
    let [batch, channels, spatial @ ..] = &dims[..] else { return Ok(None) };
    let axes = op.get_integers("axes").unwrap_or_default();
    let size = op.get_integers("size").and_then(|size| <[i64; 2]>::try_from(size).ok());
    let window = size.and_then(|size| channels_first_window(op, spatial, size));
    let Some(window) = window.filter(|w| axes == [2, 3] && w.dilation == [1, 1] && static_floats(op)) else {
        return Ok(None);
    };
    let [height, width] = window.output(pair(spatial).unwrap_or_default()).map(|extent| extent as u64);
    let ty = tensor(types::element(input.r#type()), &[*batch, height, width, *channels])?;
    let operands = [
        to.transpose(input, &TO_CHANNELS_LAST)?,
        steps(to, window.size)?,
        to.ints(&window.pad_amount(), &[2, 2])?,
        steps(to, window.stride)?,
    ];
    let output = to.node("q::PoolMax2d", &operands, ty)?;
    Ok(Some(to.transpose(output, &TO_CHANNELS_FIRST)?))
}

/// Extents over height and width as the shape `[1, height, width, 1]`, so that rules read them by `DIM_HEIGHT`.
fn steps<'c: 'a, 'a>(to: &Builder<'_, 'c, 'a>, extents: [i64; 2]) -> Result<Value<'c, 'a>, Failure> {
    let [height, width] = extents.map(|extent| extent.unsigned_abs());
    to.shape(&[1, height, width, 1])
}

/// Elementwise ops on images have the channels last as well, so that the transposes around them cancel.
fn elementwise<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    to: &Builder<'_, 'c, 'a>,
    name: &str,
    operands: &[Value<'c, 'a>],
) -> Converted<'c, 'a> {
    let result = op.result_types()[0];
    if types::rank(result) != Some(4) {
        return Ok(Some(to.node(name, operands, result)?));
    }
    let operands = operands.iter().map(|o| to.transpose(*o, &TO_CHANNELS_LAST)).collect::<Result<Vec<_>, _>>()?;
    let ty = operands[0].r#type();
    let output = to.node(name, &operands, ty)?;
    Ok(Some(to.transpose(output, &TO_CHANNELS_FIRST)?))
}

fn relu<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input)] = inputs(op)[..] else { return Ok(None) };
    let plain = op.get("alpha").is_none() && op.get("max").is_none();
    if plain && static_floats(op) { elementwise(op, to, "q::Relu", &[input]) } else { Ok(None) }
}

fn add<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(x), Some(y)] = inputs(op)[..] else { return Ok(None) };
    let same = x.r#type() == y.r#type() && op.result_types() == [x.r#type()];
    if same && static_floats(op) { elementwise(op, to, "q::ElementWiseAdd", &[x, y]) } else { Ok(None) }
}

fn linear<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input), Some(filter), bias] = inputs(op)[..] else { return Ok(None) };
    let result = op.result_types()[0];
    let Some([_, count]) = static_dims(result).and_then(|dims| <[u64; 2]>::try_from(dims).ok()) else {
        return Ok(None);
    };
    if !static_floats(op) {
        return Ok(None);
    }
    let bias = match bias {
        Some(bias) => bias,
        None => to.reals(&vec![0.0; usize::try_from(count).unwrap_or_default()], &[count])?,
    };
    Ok(Some(to.node("q::FullyConnected", &[input, filter, bias], result)?))
}

/// The op works along the last dimension; on images that is the channels'.
fn softmax<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input)] = inputs(op)[..] else { return Ok(None) };
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let axes = op.get_integers("axes").unwrap_or_default();
    let fits = matches!((rank, &axes[..]), (2 | 4, [1])) && static_floats(op);
    if !fits {
        return Ok(None);
    }
    let beta = to.reals(&[1.0], &[1, 1, 1, 1])?;
    let result = op.result_types()[0];
    if rank == 2 {
        return Ok(Some(to.node("q::Softmax", &[input, beta], result)?));
    }
    let input = to.transpose(input, &TO_CHANNELS_LAST)?;
    let output = to.node("q::Softmax", &[input, beta], input.r#type())?;
    Ok(Some(to.transpose(output, &TO_CHANNELS_FIRST)?))
}

fn reshape<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input)] = inputs(op)[..] else { return Ok(None) };
    let result = op.result_types()[0];
    match static_dims(result) {
        Some(dims) if static_floats(op) => {
            let shape = to.shape(&dims)?;
            Ok(Some(to.node("q::Reshape", &[input, shape], result)?))
        }
        _ => Ok(None),
    }
}

fn transpose<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'_, 'c, 'a>) -> Converted<'c, 'a> {
    let [Some(input)] = inputs(op)[..] else { return Ok(None) };
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let permutation: Option<Vec<usize>> = op
        .get_integers("perm")
        .unwrap_or_default()
        .into_iter()
        .map(|axis| {
            let axis = if axis < 0 { axis + rank as i64 } else { axis };
            usize::try_from(axis).ok()
        })
        .collect();
    match permutation {
        Some(permutation) if permutation.len() == rank && static_floats(op) => {
            Ok(Some(to.transpose(input, &permutation)?))
        }
        _ => Ok(None),
    }
}
