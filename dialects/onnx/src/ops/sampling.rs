//! Elements between those of images: at positions that data tell.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor, made};

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "GridSample" => grid_sample(t, node),
        "AffineGrid" => affine_grid(t, node),
        "RoiAlign" => roi_align(t, node),
        "MaxRoiPool" => max_roi_pool(t, node),
        "DeformConv" => deform_conv(t, node),
        _ => return None,
    };
    one(result)
}

fn grid_sample(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, grid) = (node.input(0)?.clone(), node.input(1)?.clone());
    if tensor.rank() < 3 || grid.rank() != tensor.rank() {
        return Err("its operand and its grid are expected to have as many dimensions, 3 at least".into());
    }
    let padding = match node.string_or("padding_mode", "zeros")?.as_str() {
        "zeros" => "ZEROS",
        "border" => "REPLICATE",
        "reflection" => "REFLECT",
        other => return Err(format!("its `padding_mode` is `{other}`")),
    };
    let aligned = node.flag("align_corners", false)?;
    let shape = [&tensor.shape[..2], &grid.shape[1..grid.rank() - 1]].concat();
    let mode = node.string_or("mode", "linear")?;
    let call = match mode.as_str() {
        "nearest" => t.call("onnx.grid_sample_nearest"),
        "linear" | "bilinear" => t.call("image.grid_sample").word("mode", "LINEAR"),
        "cubic" | "bicubic" => t.call("image.grid_sample").word("mode", "CUBIC"),
        other => return Err(format!("its `mode` is `{other}`")),
    };
    let call = call.word("padding", padding).flag("aligned", aligned);
    Ok(call.on(&tensor).on(&grid).gives(tensor.element, shape))
}

/// Positions of a grid between -1 and 1, and a 1 behind each, times the transposed transformation.
fn affine_grid(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let theta = node.input(0)?.clone();
    let size = node.fixed_ints(1)?;
    let extents = size.get(2..).filter(|extents| !extents.is_empty()).ok_or("its size has no spatial dimensions")?;
    let count = extents.len();
    if theta.rank() != 3 {
        return Err(format!("its `theta` has {} dimensions, where 3 are expected", theta.rank()));
    }
    let aligned = node.flag("align_corners", false)?;
    let place = |extent: i64, at: i64| match (aligned, extent) {
        (true, 1) => 0.0,
        (true, _) => 2.0 * at as f64 / (extent - 1) as f64 - 1.0,
        (false, _) => (2.0 * at as f64 + 1.0) / extent as f64 - 1.0,
    };
    let volume = made(extents)? as i64;
    let mut base = Vec::new();
    for mut flat in 0..volume {
        // The last dimension comes first in a position.
        for extent in extents.iter().rev() {
            base.push(place(*extent, flat % extent));
            flat /= extent;
        }
        base.push(1.0);
    }
    let base = Tensor::known(ElementType::Float, vec![1, volume as usize, count + 1], Known::Reals(base));
    let flat = vec![theta.shape[0].clone(), volume.into(), count_of(count)];
    let call = t.call("linalg.matmul").flag("transB", true);
    let product = call.on(&base).on(&theta).gives(theta.element, flat);
    let inner: Vec<Extent> = extents.iter().map(|extent| Extent::from(*extent)).collect();
    t.reshaped(&product, [vec![theta.shape[0].clone()], inner, vec![count_of(count)]].concat())
}

fn count_of(count: usize) -> Extent {
    Extent::from(count as i64)
}

fn roi_align(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, rois, batch) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
    if tensor.rank() != 4 || rois.rank() != 2 || batch.rank() != 1 {
        return Err("its operands are expected to have 4, 2 and 1 dimensions".into());
    }
    let (height, width) = (node.int_or("output_height", 1)?, node.int_or("output_width", 1)?);
    let samples = node.int_or("sampling_ratio", 0)?;
    let default = if node.version < 16 { "output_half_pixel" } else { "half_pixel" };
    let is_half = node.string_or("coordinate_transformation_mode", default)? == "half_pixel";
    let name = match node.string_or("mode", "avg")?.as_str() {
        "avg" => "onnx.roi_align",
        "max" => "onnx.roi_align_max",
        other => return Err(format!("its `mode` is `{other}`")),
    };
    // Without a number of samples there are as many as a bin has elements: those of regions as large as the image at most.
    let most = |extent: &Extent, bins: i64| match samples {
        1.. => Ok(Extent::from(samples)),
        _ => extent.div_up(&bins.into()).map(|most| most.add(&1.into())).ok_or("its output has no extent".to_owned()),
    };
    let most = [most(&tensor.shape[2], height)?, most(&tensor.shape[3], width)?];
    let call = t.call(name).ints("size", [height, width]).extents("most", &most);
    let call = call.int("samples", samples.max(0)).flag("half_pixel", is_half);
    let call = call.real("scale", node.float_or("spatial_scale", 1.0)?);
    let shape = vec![rois.shape[0].clone(), tensor.shape[1].clone(), height.into(), width.into()];
    Ok(call.on(&tensor).on(&rois).on(&batch).gives(tensor.element, shape))
}

fn max_roi_pool(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, rois) = (node.input(0)?.clone(), node.input(1)?.clone());
    let size = node.ints("pooled_shape")?.ok_or("its `pooled_shape` is missing")?;
    if tensor.rank() != 4 || size.len() != 2 || rois.rank() != 2 {
        return Err(
            "its operand is expected to have 4 dimensions, its regions 2, and its `pooled_shape` 2 extents".into()
        );
    }
    let count = rois.shape[0].clone();
    let part =
        |begin: i64, extent: i64| super::slices::Part { axis: 1, begin: begin.into(), step: 1, extent: extent.into() };
    let first = t.sliced(&rois, &[part(0, 1)]);
    let first = t.reshaped(&first, vec![count.clone()])?;
    let batch = t.as_int(&first);
    let corners = t.sliced(&rois, &[part(1, 4)]);
    let scale = node.float_or("spatial_scale", 1.0)?;
    let corners = if scale == 1.0 { corners } else { t.binary("math.mul", &corners, &Tensor::real(scale))? };
    let shape = vec![count, tensor.shape[1].clone(), size[0].into(), size[1].into()];
    let call = t.call("image.max_roi_pool").ints("output_size", size);
    Ok(call.on(&tensor).on(&corners).on(&batch).gives(tensor.element, shape))
}

/// A convolution over elements at positions that are moved: they are gathered as columns, which matrices are multiplied by.
fn deform_conv(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(1)?.clone());
    if tensor.rank() != 4 || filter.rank() != 4 || node.input(2)?.rank() != 4 {
        return Err("its operands are expected to have 4 dimensions".into());
    }
    let (columns, places) = deformed_columns(t, node, &tensor, &filter.shape[2..])?;
    let (batch, groups) = (tensor.shape[0].clone(), node.int_or("group", 1)?);
    let depth = volume(&filter.shape[1..]);
    let outer = filter.shape[0].div(&groups.into()).ok_or("its `group` is 0")?;
    let count = places[0].mul(&places[1]);
    let columns = t.reshaped(&columns, vec![batch.clone(), groups.into(), depth.clone(), count.clone()])?;
    let matrix = t.reshaped(&filter, vec![1.into(), groups.into(), outer.clone(), depth])?;
    let shape = vec![batch.clone(), groups.into(), outer, count];
    let product = t.call("linalg.matmul").on(&matrix).on(&columns).gives(tensor.element, shape);
    let result = t.reshaped(&product, [&[batch, filter.shape[0].clone()], &places[..]].concat())?;
    match node.optional(3).cloned() {
        Some(bias) => {
            let bias = t.reshaped(&bias, vec![filter.shape[0].clone(), 1.into(), 1.into()])?;
            t.binary("math.add", &result, &bias)
        }
        None => Ok(result),
    }
}

/// The elements that each window sees, and the extents of the windows' places.
fn deformed_columns(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    tensor: &Tensor,
    kernel: &[Extent],
) -> Result<(Tensor, Vec<Extent>), String> {
    let window = super::products::Window::of(node, tensor, kernel)?;
    let places = window.results(tensor, kernel)?;
    let parts = node.int_or("offset_group", 1)?;
    let batch = tensor.shape[0].clone();
    let moved = [&[batch.clone(), parts.into()], kernel, &[2.into()], &places[..]].concat();
    let offset = t.reshaped(&node.input(2)?.clone(), moved)?;
    let weighted = [&[batch.clone(), parts.into()], kernel, &places[..]].concat();
    let mask = match node.optional(4).cloned() {
        Some(mask) => t.reshaped(&mask, weighted)?,
        None => t.filled(&Tensor::real(1.0), weighted)?,
    };
    let columns = [&tensor.shape[..2], kernel, &places[..]].concat();
    let call = t.call("onnx.deform_columns").ints("stride", window.stride).ints("dilation", window.dilation);
    let call = call.extents("before", &window.padding[..2]);
    let columns = call.on(tensor).on(&offset).on(&mask).gives(tensor.element, columns);
    Ok((columns, places))
}
