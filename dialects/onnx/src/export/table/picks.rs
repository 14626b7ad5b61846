//! Elements that indices tell, and what has no formula.

use super::{Call, Results};
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::scope::Scope;

/// `layout.gather`
pub fn gather(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((index, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.add("Gather", &[x, index], vec![attr::int("axis", axis)])]))
}

/// `layout.gather_nd`
pub fn gather_nd(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, _)), Some((index, ty))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let depth = ty.shape.last().and_then(|extent| extent.as_known());
    let Some(batch) = call.int("batch_dims").filter(|_| depth.is_some_and(|depth| depth > 0)) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.add("GatherND", &[x, index], vec![attr::int("batch_dims", batch)])]))
}

/// `layout.scatter`
pub fn scatter(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((index, _)), Some((updates, _))) = (call.input(0), call.input(1), call.input(2)) else {
        return Ok(None);
    };
    let Some(axis) = call.axis("axis", ty.shape.len()) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.add("ScatterElements", &[x, index, updates], vec![attr::int("axis", axis)])]))
}

/// `layout.scatter_nd`
pub fn scatter_nd(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, _)), Some((index, ty)), Some((updates, _))) = (call.input(0), call.input(1), call.input(2)) else {
        return Ok(None);
    };
    let depth = ty.shape.last().and_then(|extent| extent.as_known());
    if call.int("batch_dims") != Some(0) || depth.is_none_or(|depth| depth == 0) {
        return Ok(None);
    }
    Ok(Some(vec![scope.nodes.add("ScatterND", &[x, index, updates], Vec::new())]))
}

/// `onnx.gather_elements`
pub fn gather_elements(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((index, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.add("GatherElements", &[x, index], vec![attr::int("axis", axis)])]))
}

/// `onnx.scatter_elements_add`, `onnx.scatter_nd_add` and others, whose names tell how updates are combined.
pub fn combined(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((index, index_type)), Some((updates, _))) = (call.input(0), call.input(1), call.input(2))
    else {
        return Ok(None);
    };
    let (operator, reduction) = call.call.operator.rsplit_once('_').unwrap_or_default();
    let reduction = if operator == "onnx.scatter" { "none" } else { reduction };
    let reduction = attr::text("reduction", reduction);
    if ty.dtype == skriptnd_language::compose::value::ScalarType::Bool {
        return Ok(None);
    }
    if call.call.operator.starts_with("onnx.scatter_elements") {
        let Some(axis) = call.axis("axis", ty.shape.len()) else { return Ok(None) };
        let attributes = vec![attr::int("axis", axis), reduction];
        return Ok(Some(vec![scope.nodes.add("ScatterElements", &[x, index, updates], attributes)]));
    }
    let depth = index_type.shape.last().and_then(|extent| extent.as_known());
    if depth.is_none_or(|depth| depth == 0) {
        return Ok(None);
    }
    Ok(Some(vec![scope.nodes.add("ScatterND", &[x, index, updates], vec![reduction])]))
}

/// `image.max_roi_pool` of images.
pub fn max_roi_pool(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, _)), Some((regions, _)), Some((index, _))) = (call.input(0), call.input(1), call.input(2)) else {
        return Ok(None);
    };
    let Some(size) = call.ints("output_size").filter(|size| size.len() == 2) else { return Ok(None) };
    let nodes = &mut scope.nodes;
    let index = nodes.cast(index, ElementType::Float);
    let index = nodes.unsqueeze(&index, &[1]);
    let regions = nodes.add("Concat", &[&index, regions], vec![attr::int("axis", 1)]);
    let attributes = vec![attr::ints("pooled_shape", &size), attr::float("spatial_scale", 1.0)];
    Ok(Some(vec![nodes.add("MaxRoiPool", &[x, &regions], attributes)]))
}

/// `image.grid_sample` of images by linear interpolation.
pub fn grid_sample(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((grid, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let padding = match call.text("padding") {
        Some("ZEROS") => "zeros",
        Some("REPLICATE") => "border",
        _ => return Ok(None),
    };
    if call.text("mode") != Some("LINEAR") || ty.shape.len() != 4 {
        return Ok(None);
    }
    let mode = [attr::text("mode", "linear"), attr::text("padding_mode", padding)];
    let attributes = mode.into_iter().chain([attr::int("align_corners", i64::from(call.holds("aligned")))]);
    Ok(Some(vec![scope.nodes.add("GridSample", &[x, grid], attributes.collect())]))
}

/// `layout.nonzero`
pub fn nonzero(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, _)) = call.input(0).filter(|(_, ty)| !ty.shape.is_empty()) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.add("NonZero", &[x], Vec::new())]))
}

/// `algo.top_k`; those that stay in the order of the input are sorted by their indices once more.
pub fn top_k(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()) else { return Ok(None) };
    let at = usize::try_from(axis).unwrap_or(0);
    let count = scope.vector(std::slice::from_ref(&call.outputs[0].shape[at].value))?;
    let nodes = &mut scope.nodes;
    let order =
        |largest: bool| vec![attr::int("axis", axis), attr::int("largest", i64::from(largest)), attr::int("sorted", 1)];
    let inputs = vec![x.to_owned(), count.clone()];
    let found = nodes.several(("", "TopK"), inputs, 2, order(call.holds("largest")));
    if call.holds("sorted") {
        return Ok(Some(found));
    }
    let inputs = vec![found[1].clone(), count];
    let indices = nodes.several(("", "TopK"), inputs, 2, order(false)).swap_remove(0);
    let values = nodes.add("GatherElements", &[x, &indices], vec![attr::int("axis", axis)]);
    Ok(Some(vec![values, indices]))
}

/// `algo.nonmax_suppress`
pub fn nonmax_suppress(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((boxes, _)), Some((scores, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let (Some(limit), Some(overlap)) = (call.value("max_outputs_per_class"), call.real("iou_threshold")) else {
        return Ok(None);
    };
    let whole = skriptnd_language::compose::value::ScalarType::Int;
    let limit = scope.scalar(limit, whole)?;
    let nodes = &mut scope.nodes;
    let one = nodes.ints(&[1]);
    let limit = nodes.add("Reshape", &[&limit, &one], Vec::new());
    let overlap = nodes.real(overlap);
    let overlap = nodes.add("Reshape", &[&overlap, &one], Vec::new());
    let mut inputs = vec![boxes.to_owned(), scores.to_owned(), limit, overlap];
    if let Some(threshold) = call.real("score_threshold") {
        let threshold = nodes.real(threshold);
        inputs.push(nodes.add("Reshape", &[&threshold, &one], Vec::new()));
    }
    let form = vec![attr::int("center_point_box", i64::from(call.text("box_format") == Some("CENTER")))];
    Ok(Some(nodes.several(("", "NonMaxSuppression"), inputs, 1, form)))
}

/// `rand.uniform` and others, which give other numbers in each run. Those that follow from a seed are none of ONNX.
pub fn random(scope: &mut Scope, call: &Call<'_>) -> Results {
    if call.value("seed").is_some() {
        return Err("the numbers that follow from its seed are others there".to_owned());
    }
    let shape = scope.shape(&call.outputs[0].shape)?;
    let nodes = &mut scope.nodes;
    let zero = nodes.real(0.0);
    let like = nodes.add("Expand", &[&zero, &shape], Vec::new());
    let real = |name: &str| call.real(name).unwrap_or(0.0);
    // Without a deviation, ONNX Runtime does not end.
    if &*call.call.operator == "rand.normal" && real("std") == 0.0 {
        let mean = nodes.real(real("mean"));
        return Ok(Some(vec![nodes.add("Expand", &[&mean, &shape], Vec::new())]));
    }
    Ok(Some(vec![match &*call.call.operator {
        "rand.normal" => {
            let attributes = vec![attr::float("mean", real("mean")), attr::float("scale", real("std"))];
            nodes.add("RandomNormalLike", &[&like], attributes)
        }
        "rand.bernoulli" => {
            let numbers = nodes.add("RandomUniformLike", &[&like], Vec::new());
            let probability = nodes.real(real("prob"));
            nodes.add("Less", &[&numbers, &probability], Vec::new())
        }
        _ if call.outputs[0].dtype == skriptnd_language::compose::value::ScalarType::Real => {
            let attributes = vec![attr::float("low", real("min")), attr::float("high", real("max"))];
            nodes.add("RandomUniformLike", &[&like], attributes)
        }
        _ => {
            let (Some(least), Some(most)) = (call.int("min"), call.int("max")) else { return Ok(None) };
            let attributes = vec![attr::float("low", least as f64), attr::float("high", most as f64)];
            let numbers = nodes.add("RandomUniformLike", &[&like], attributes);
            let whole = nodes.add("Floor", &[&numbers], Vec::new());
            nodes.cast(&whole, ElementType::Int64)
        }
    }]))
}
