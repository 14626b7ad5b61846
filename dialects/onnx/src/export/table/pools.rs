//! Pools: windows along dimensions that are brought behind two others.

use super::call::is_empty;
use super::windows::Windows;
use super::{Call, Results};
use crate::export::attributes as attr;
use crate::export::scope::{Scope, Why};
use crate::proto::AttributeProto;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::value::ScalarType;

/// Dimensions along which ONNX Runtime's pools have windows, at most.
const MOST_DIMENSIONS: usize = 3;

/// `nn.max_pool`, `nn.avg_pool` and `nn.sum_pool`
pub fn pool(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| ty.dtype == ScalarType::Real && !is_empty(ty)) else {
        return Ok(None);
    };
    let rank = ty.shape.len();
    let (Some(axes), Some(size)) = (call.axes("axes", rank), call.expressions("size")) else { return Ok(None) };
    let axes: Vec<usize> = axes.iter().filter_map(|axis| usize::try_from(*axis).ok()).collect();
    let extents: Vec<&Extent> = axes.iter().map(|axis| &ty.shape[*axis]).collect();
    let Some(windows) = Windows::of(call, size, &extents) else { return Ok(None) };
    let Some(size) = windows.known_size().filter(|size| size.len() <= MOST_DIMENSIONS) else { return Ok(None) };
    let others: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let order: Vec<usize> = others.iter().copied().chain(axes).collect();
    let moved = scope.nodes.transpose(x, &order);
    let shape = |ty: &[Extent]| order.iter().map(|from| ty[*from].clone()).collect::<Vec<_>>();
    // Channels must have elements there.
    let is_merged = others.len() != 2 || ty.shape[others[1]].as_known().is_none();
    let given = match is_merged {
        true => match merged(scope, &moved, &shape(&ty.shape), others.len())? {
            Some(merged) => merged,
            None => return Ok(None),
        },
        false => moved,
    };
    let mut result = pooled(scope, call, &windows, (&given, &size))?;
    if is_merged {
        let shape = scope.shape(&shape(&call.outputs[0].shape))?;
        result = scope.nodes.add("Reshape", &[&result, &shape], vec![attr::int("allowzero", 1)]);
    }
    let mut back = vec![0; rank];
    order.iter().enumerate().for_each(|(at, from)| back[*from] = at);
    Ok(Some(vec![scope.nodes.transpose(&result, &back)]))
}

/// The first dimensions as those of one batch with one channel; none where their number of elements has no expression.
fn merged(scope: &mut Scope, x: &str, shape: &[Extent], count: usize) -> Result<Option<String>, Why> {
    let volume = shape[..count].iter().try_fold(SymExpr::Const(1), |volume, extent| volume.times(&extent.value));
    let Some(volume) = volume else { return Ok(None) };
    let rest = shape[count..].iter().map(|extent| extent.value.clone());
    let shape: Vec<SymExpr> = [volume, SymExpr::Const(1)].into_iter().chain(rest).collect();
    let shape = scope.vector(&shape)?;
    Ok(Some(scope.nodes.add("Reshape", &[x, &shape], vec![attr::int("allowzero", 1)])))
}

/// The windows of a tensor of batch, channels and the dimensions along which windows slide.
fn pooled(scope: &mut Scope, call: &Call<'_>, windows: &Windows, (x, size): (&str, &[i64])) -> Result<String, Why> {
    // Windows that are all padding are others there.
    let fits = |padding: &[i64]| padding.iter().enumerate().all(|(at, padding)| *padding < size[at % size.len()]);
    let is_largest = call.call.operator.ends_with("max_pool");
    let padded = windows.padded(scope, x, if is_largest { f64::NEG_INFINITY } else { 0.0 }, &fits)?;
    let attributes = |more| {
        let own = [attr::ints("kernel_shape", size)].into_iter().chain(windows.attributes(&padded.padding));
        own.chain(more).collect::<Vec<_>>()
    };
    if is_largest {
        let largest = scope.nodes.add("MaxPool", &[&padded.name], attributes(None));
        return Ok(if padded.is_whole { largest } else { infinite(scope, &largest) });
    }
    let ignores_border = call.call.operator.ends_with("avg_pool") && call.holds("ignore_border");
    let counts = |counts: bool| Some(attr::int("count_include_pad", i64::from(counts)));
    let mean = scope.nodes.add("AveragePool", &[&padded.name], attributes(counts(!ignores_border)));
    if call.call.operator.ends_with("sum_pool") {
        let volume = scope.nodes.real(size.iter().product::<i64>() as f64);
        return Ok(scope.nodes.add("Mul", &[&mean, &volume], Vec::new()));
    }
    match ignores_border && !padded.is_whole {
        true => inside(scope, (windows, x), &mean, attributes(counts(true))),
        false => Ok(mean),
    }
}

/// Of windows that hold nothing, ONNX Runtime gives the least number.
fn infinite(scope: &mut Scope, largest: &str) -> String {
    let nodes = &mut scope.nodes;
    let (least, none) = (nodes.real(f64::from(f32::MIN)), nodes.real(f64::NEG_INFINITY));
    let is_least = nodes.add("Equal", &[largest, &least], Vec::new());
    nodes.add("Where", &[&is_least, &none, largest], Vec::new())
}

/// Means of what of windows lies inside, where a node of its own added what lies outside.
fn inside(
    scope: &mut Scope,
    (windows, x): (&Windows, &str),
    mean: &str,
    attributes: Vec<AttributeProto>,
) -> Result<String, Why> {
    let nodes = &mut scope.nodes;
    let one = nodes.real(1.0);
    let extents = nodes.add("Shape", &[x], vec![attr::int("start", 2)]);
    let units = nodes.ints(&[1, 1]);
    let shape = nodes.add("Concat", &[&units, &extents], vec![attr::int("axis", 0)]);
    let ones = nodes.add("Expand", &[&one, &shape], Vec::new());
    let ones = windows.pad(scope, &ones, 0.0)?;
    let part = scope.nodes.add("AveragePool", &[&ones], attributes);
    Ok(scope.nodes.add("Div", &[mean, &part], Vec::new()))
}
