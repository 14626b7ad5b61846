//! Convolutions, whose operands are brought to the order that ONNX has: batch, channels, spatial dimensions.

use super::products::is_empty;
use super::windows::{Windows, aligned};
use super::{Call, Results};
use crate::export::attributes as attr;
use crate::export::scope::Scope;
use crate::proto::AttributeProto;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;

/// Where each dimension of a tensor in ONNX's order comes from.
fn order(format: &str, rank: usize) -> Option<Vec<usize>> {
    Some(match format {
        "NCX" => (0..rank).collect(),
        "NXC" => [0, rank - 1].into_iter().chain(1..rank - 1).collect(),
        "XCN" => [rank - 1, rank - 2].into_iter().chain(0..rank - 2).collect(),
        "CXN" => [rank - 1, 0].into_iter().chain(1..rank - 1).collect(),
        _ => return None,
    })
}

/// The permutation that undoes another one.
fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, from)| inverse[*from] = at);
    inverse
}

/// Operands in ONNX's order.
struct Operands {
    x: String,
    filter: String,
    /// Types of both.
    shapes: [Vec<Extent>; 2],
    back: Vec<usize>,
}

fn operands(scope: &mut Scope, call: &Call<'_>) -> Option<Operands> {
    let ((x, x_type), (filter, filter_type)) = (call.input(0)?, call.input(1)?);
    let rank = x_type.shape.len();
    let is_possible = x_type.dtype == ScalarType::Real && rank > 2 && !is_empty(x_type) && !is_empty(filter_type);
    let orders =
        is_possible.then(|| Some((order(call.text("data_format")?, rank)?, order(call.text("filter_format")?, rank)?)));
    let (data, weights) = orders??;
    let shape = |ty: &TensorType, order: &[usize]| order.iter().map(|from| ty.shape[*from].clone()).collect();
    Some(Operands {
        x: scope.nodes.transpose(x, &data),
        filter: scope.nodes.transpose(filter, &weights),
        shapes: [shape(x_type, &data), shape(filter_type, &weights)],
        back: inverse(&data),
    })
}

/// The number of groups; none where it is that of channels, of which only a run knows how many there are.
fn groups(call: &Call<'_>, channels: &Extent) -> Option<i64> {
    match call.int("groups")? {
        0 => channels.as_known(),
        groups => Some(groups),
    }
}

fn attributes(windows: &Windows, groups: i64) -> Vec<AttributeProto> {
    vec![
        attr::ints("kernel_shape", &windows.size),
        attr::ints("strides", &windows.stride),
        attr::ints("dilations", &windows.dilation),
        attr::ints("pads", &windows.padding),
        attr::int("group", groups),
    ]
}

fn known(extents: &[Extent]) -> Option<Vec<i64>> {
    extents.iter().map(Extent::as_known).collect()
}

/// `nn.conv`
pub fn conv(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some(Operands { x, filter, shapes: [data, weights], back }) = operands(scope, call) else { return Ok(None) };
    let extents: Vec<&Extent> = data[2..].iter().collect();
    let windows = known(&weights[2..]).and_then(|size| Windows::of(call, size, &extents));
    let (Some(windows), Some(groups)) = (windows, groups(call, &data[1])) else { return Ok(None) };
    let inputs: Vec<&str> = [&*x, &*filter].into_iter().chain(call.input(2).map(|(bias, _)| bias)).collect();
    let result = scope.nodes.add("Conv", &inputs, attributes(&windows, groups));
    Ok(Some(vec![scope.nodes.transpose(&result, &back)]))
}

/// `nn.deconv`
pub fn deconv(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some(Operands { x, filter, shapes: [data, weights], back }) = operands(scope, call) else { return Ok(None) };
    let Some((windows, more)) = spread(call, &data[2..], &weights[2..]) else { return Ok(None) };
    let Some(groups) = groups(call, &data[1]) else { return Ok(None) };
    let inputs: Vec<&str> = [&*x, &*filter].into_iter().chain(call.input(2).map(|(bias, _)| bias)).collect();
    let mut attributes = attributes(&windows, groups);
    attributes.push(attr::ints("output_padding", &more));
    let result = scope.nodes.add("ConvTranspose", &inputs, attributes);
    Ok(Some(vec![scope.nodes.transpose(&result, &back)]))
}

/// The windows of a transposed convolution, and what its result has more than they reach.
fn spread(call: &Call<'_>, data: &[Extent], filter: &[Extent]) -> Option<(Windows, Vec<i64>)> {
    let (size, stride, dilation) = (known(filter)?, call.ints("stride")?, call.ints("dilation")?);
    let count = size.len();
    let span: Vec<i64> = (0..count).map(|at| (size[at] - 1) * dilation[at] + 1).collect();
    let padding = match call.value("padding") {
        Some(_) => call.ints("padding")?,
        None => aligned(call, &(0..count).map(|at| span[at] - stride[at]).collect::<Vec<_>>()),
    };
    let more = match call.value("output_size") {
        None => vec![0; count],
        Some(_) => {
            let (wanted, extents) = (call.ints("output_size")?, known(data)?);
            let reached = |at: usize| (extents[at] - 1) * stride[at] + span[at] - padding[at] - padding[count + at];
            (0..count).map(|at| wanted[at] - reached(at)).collect()
        }
    };
    let fits = |(at, more): (usize, &i64)| (0..stride[at].max(dilation[at])).contains(more);
    let is_possible = padding.iter().all(|padding| *padding >= 0) && more.iter().enumerate().all(fits);
    is_possible.then_some((Windows { size, stride, dilation, padding }, more))
}
