//! Pools: windows along dimensions that are brought behind two others.

use super::products::is_empty;
use super::windows::Windows;
use super::{Call, Results};
use crate::export::attributes as attr;
use crate::export::scope::Scope;
use skriptnd_language::compose::extent::Extent;
use skriptnd_language::compose::value::ScalarType;

/// `nn.max_pool`, `nn.avg_pool` and `nn.sum_pool`
pub fn pool(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| ty.dtype == ScalarType::Real && !is_empty(ty)) else {
        return Ok(None);
    };
    let rank = ty.shape.len();
    let (Some(axes), Some(size)) = (call.axes("axes", rank), call.ints("size")) else { return Ok(None) };
    let axes: Vec<usize> = axes.iter().filter_map(|axis| usize::try_from(*axis).ok()).collect();
    let extents: Vec<&Extent> = axes.iter().map(|axis| &ty.shape[*axis]).collect();
    let Some(windows) = Windows::of(call, size, &extents) else { return Ok(None) };
    let others: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let count = axes.len();
    let span = |at: usize| (windows.size[at] - 1) * windows.dilation[at] + 1;
    // Windows that are all padding are others there.
    let fits = (0..2 * count).all(|at| windows.padding[at] < span(at % count));
    if others.len() != 2 || !fits {
        return Ok(None);
    }
    let order: Vec<usize> = others.into_iter().chain(axes).collect();
    let mut back = vec![0; rank];
    order.iter().enumerate().for_each(|(at, from)| back[*from] = at);
    let mut attributes = vec![
        attr::ints("kernel_shape", &windows.size),
        attr::ints("strides", &windows.stride),
        attr::ints("dilations", &windows.dilation),
        attr::ints("pads", &windows.padding),
    ];
    let nodes = &mut scope.nodes;
    let x = nodes.transpose(x, &order);
    let result = match &*call.call.operator {
        "nn.max_pool" => nodes.add("MaxPool", &[&x], attributes),
        "nn.avg_pool" => {
            attributes.push(attr::int("count_include_pad", i64::from(!call.holds("ignore_border"))));
            nodes.add("AveragePool", &[&x], attributes)
        }
        _ => {
            attributes.push(attr::int("count_include_pad", 1));
            let mean = nodes.add("AveragePool", &[&x], attributes);
            let volume = nodes.real(windows.size.iter().product::<i64>() as f64);
            nodes.add("Mul", &[&mean, &volume], Vec::new())
        }
    };
    Ok(Some(vec![nodes.transpose(&result, &back)]))
}
