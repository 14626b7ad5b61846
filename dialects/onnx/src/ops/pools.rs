//! Windows: pooling.

use super::products::Window;
use super::reductions::Along;
use super::{Results, one};
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "MaxPool" => return Some(max_pool(t, node)),
        "AveragePool" => average_pool(t, node),
        "LpPool" => lp_pool(t, node),
        "GlobalAveragePool" => global(t, node, "math.mean_reduce"),
        "GlobalMaxPool" => global(t, node, "math.max_reduce"),
        "GlobalLpPool" => global_lp(t, node),
        _ => return None,
    };
    one(result)
}

fn kernel(node: &Node<'_>) -> Result<Vec<Extent>, String> {
    let kernel = node.ints("kernel_shape")?.ok_or("its `kernel_shape` is missing")?;
    Ok(kernel.into_iter().map(Extent::from).collect())
}

/// A pool of the standard library with its window, and the shape that it gives.
fn pool<'t, 'm>(
    t: &'t mut Translator<'m>,
    node: &Node<'_>,
    name: &str,
    tensor: &Tensor,
) -> Result<(crate::translate::call::Call<'t, 'm>, Vec<Extent>), String> {
    let size = kernel(node)?;
    let window = Window::of(node, tensor, &size)?;
    let shape = [&tensor.shape[..2], &window.results(tensor, &size)?].concat();
    let call = t.call(name).extents("size", &size);
    Ok((window.attributes(call), shape))
}

pub(super) fn max_pool(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let real = t.as_real(&tensor);
    let (call, shape) = pool(t, node, "nn.max_pool", &tensor)?;
    let greatest = call.on(&real).gives(real.element, shape);
    let result = t.cast(&greatest, tensor.element)?;
    if !node.gives(1) {
        return Ok(vec![result]);
    }
    let size = kernel(node)?;
    let places = t.places_of_greatest(node, &real, &greatest, &size)?;
    Ok(vec![result, places])
}

pub(super) fn average_pool(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let counts_padding = node.flag("count_include_pad", false)?;
    let pads_itself = node.string_or("auto_pad", "NOTSET")? != "NOTSET";
    if counts_padding && !pads_itself && node.flag("ceil_mode", false)? {
        return rounded_average_pool(t, node, &tensor);
    }
    let (call, shape) = pool(t, node, "nn.avg_pool", &tensor)?;
    Ok(call.flag("ignore_border", !counts_padding).on(&tensor).gives(tensor.element, shape))
}

/// Means of windows of which the last ones may end outside: padding counts, what lies behind it does not.
fn rounded_average_pool(t: &mut Translator<'_>, node: &Node<'_>, tensor: &Tensor) -> Result<Tensor, String> {
    let size = kernel(node)?;
    let window = Window::of(node, tensor, &size)?;
    let shape = [&tensor.shape[..2], &window.results(tensor, &size)?].concat();
    let count = size.len();
    let declared = node.ints("pads")?.unwrap_or_else(|| vec![0; 2 * count]);
    let axes = 0..count;
    let padded = axes.clone().map(|at| (at + 2, declared[at].into(), declared[at + count].into())).collect::<Vec<_>>();
    let mut whole = tensor.shape.clone();
    padded.iter().for_each(|(axis, before, behind): &(usize, Extent, Extent)| {
        whole[*axis] = whole[*axis].add(before).add(behind);
    });
    let tensor = super::runs::padded(t, tensor, &padded, whole);
    let behind = axes.map(|at| window.padding[at + count].sub(&declared[at + count].into()));
    let padding = vec![Extent::from(0); count].into_iter().chain(behind).collect();
    let window = Window { padding, ..window };
    let call = window.attributes(t.call("nn.avg_pool").extents("size", &size));
    Ok(call.on(&tensor).gives(tensor.element, shape))
}

fn lp_pool(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let p = node.int_or("p", 2)?;
    let (call, shape) = pool(t, node, "nn.lp_pool", &tensor)?;
    Ok(call.real("p", p as f64).on(&tensor).gives(tensor.element, shape))
}

fn of_all(tensor: &Tensor) -> Along {
    Along { axes: (2..tensor.rank()).collect(), are_kept: true }
}

pub(super) fn global(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    Ok(t.reduced(name, &tensor, &of_all(&tensor)))
}

fn global_lp(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let p = node.int_or("p", 2)?;
    let axes = of_all(&tensor).axes;
    let mut shape = tensor.shape.clone();
    axes.iter().for_each(|axis| shape[*axis] = Extent::from(1));
    let call = t.call("math.lp_reduce").ints("axes", axes.iter().map(|axis| *axis as i64)).real("p", p as f64);
    Ok(call.on(&tensor).gives(tensor.element, shape))
}
