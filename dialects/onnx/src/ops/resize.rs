//! Images of another size.

use super::resample::{Axis, Coordinates, Kernel, Rounding};
use super::{Results, one};
mod open;

use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::{Node, shortest};
use crate::translate::Translator;
use crate::value::{Known, Tensor, made};

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Resize" | "Upsample" => one(resize(t, node)),
        _ => None,
    }
}

/// What becomes of one dimension.
#[derive(Debug, Clone)]
struct Resized {
    axis: usize,
    /// The new extent.
    size: Extent,
    /// The new extent by the old one, before it is rounded; none where it follows from the extents.
    scale: Option<f64>,
    /// The part of the dimension that is seen, by `tf_crop_and_resize`.
    region: (f64, f64),
}

/// How all dimensions are resized.
#[derive(Debug)]
struct Method {
    kernel: Kernel,
    coordinates: Coordinates,
    excludes_outside: bool,
    extrapolation: f64,
}

fn resize(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let method = method(node)?;
    let dimensions: Vec<Resized> =
        dimensions(node, &tensor)?.into_iter().filter(|resized| changes(resized, &tensor, &method)).collect();
    let (repeated, dimensions): (Vec<_>, Vec<_>) =
        dimensions.into_iter().partition(|resized| repetitions(resized, &tensor, &method).is_some());
    let real = t.as_real(&tensor);
    let real = upsampled(t, real, &repeated, &method)?;
    let is_open = |resized: &Resized| resized.size.known().is_none() || tensor.shape[resized.axis].known().is_none();
    // Tables run faster than the standard library's resizing, which computes positions again for each element.
    let result = match dimensions.iter().any(is_open) {
        true => open::resized(t, &real, &method, &dimensions)?,
        false => by_tables(t, &real, &method, &dimensions)?,
    };
    let result =
        if matches!(method.kernel, Kernel::Nearest(_)) { result } else { t.saturated(&result, tensor.element)? };
    t.cast(&result, tensor.element)
}

/// Elements that stand for one of an extent that only a run knows, where it is found out how positions lie.
const SAMPLE: i64 = 8;

/// How often each element of a dimension is repeated, where all are as often and nothing else becomes of it.
fn repetitions(resized: &Resized, tensor: &Tensor, method: &Method) -> Option<i64> {
    if !matches!(method.kernel, Kernel::Nearest(_)) {
        return None;
    }
    let extent = tensor.shape[resized.axis].known();
    let is_even = matches!(method.coordinates, Coordinates::Asymmetric | Coordinates::HalfPixel);
    let times = match (extent, resized.size.known()) {
        (Some(extent), Some(size)) if extent > 0 && size % extent == 0 => size / extent,
        // Of the others the extent tells where positions lie.
        (None, _) if is_even => resized.scale.filter(|scale| scale.fract() == 0.0)? as i64,
        _ => return None,
    };
    let axis = axis(resized, extent.unwrap_or(SAMPLE), extent.unwrap_or(SAMPLE) * times, method);
    made(&[axis.size]).ok()?;
    let table = axis.table(method.kernel);
    let is_own = |(at, position): (i64, &i64)| *position == at / times;
    let is_repeated = times > 1 && (0..).zip(&table.positions).all(is_own) && !table.is_outside.contains(&true);
    is_repeated.then_some(times)
}

/// A tensor whose elements along some dimensions are repeated.
fn upsampled(t: &mut Translator<'_>, tensor: Tensor, repeated: &[Resized], method: &Method) -> Result<Tensor, String> {
    if repeated.is_empty() {
        return Ok(tensor);
    }
    let mut shape = tensor.shape.clone();
    repeated.iter().for_each(|resized| shape[resized.axis] = resized.size.clone());
    let factors = repeated.iter().filter_map(|resized| repetitions(resized, &tensor, method));
    let call = t.call("image.nearest_upsample").ints("axes", repeated.iter().map(|resized| resized.axis as i64));
    Ok(call.ints("factor", factors).on(&tensor).gives(tensor.element, shape))
}

/// A dimension of so many elements, and how many become of them.
fn axis(resized: &Resized, extent: i64, size: i64, method: &Method) -> Axis {
    Axis {
        extent,
        size,
        scale: resized.scale.unwrap_or(size as f64 / extent as f64),
        region: resized.region,
        coordinates: method.coordinates,
        excludes_outside: method.excludes_outside,
    }
}

fn changes(resized: &Resized, tensor: &Tensor, method: &Method) -> bool {
    let is_seen_whole = method.coordinates != Coordinates::Region || resized.region == (0.0, 1.0);
    resized.size != tensor.shape[resized.axis] || resized.scale.is_some_and(|scale| scale != 1.0) || !is_seen_whole
}

fn method(node: &Node<'_>) -> Result<Method, String> {
    let mode = node.string_or("mode", "nearest")?;
    // Before version 11 there was neither a choice of coordinates nor of rounding.
    let is_old = node.version < 11;
    let named = node.string_or("coordinate_transformation_mode", if is_old { "asymmetric" } else { "half_pixel" })?;
    let coordinates = Coordinates::of(&named).ok_or_else(|| {
        format!("its `coordinate_transformation_mode` is `{named}`, which is none of those of the specification")
    })?;
    let antialiased = node.flag("antialias", false)?;
    let kernel = match mode.as_str() {
        "nearest" => {
            let named = node.string_or("nearest_mode", if is_old { "floor" } else { "round_prefer_floor" })?;
            Kernel::Nearest(Rounding::of(&named).ok_or_else(|| format!("its `nearest_mode` is `{named}`"))?)
        }
        "linear" | "bilinear" => Kernel::Linear { antialiased },
        "cubic" => Kernel::Cubic { antialiased, parameter: node.float_or("cubic_coeff_a", -0.75)? },
        other => return Err(format!("its `mode` is `{other}`, where nearest, linear or cubic are expected")),
    };
    let excludes_outside = node.flag("exclude_outside", false)?;
    Ok(Method { kernel, coordinates, excludes_outside, extrapolation: node.float_or("extrapolation_value", 0.0)? })
}

/// The dimensions and their new extents, from scales or sizes.
fn dimensions(node: &Node<'_>, tensor: &Tensor) -> Result<Vec<Resized>, String> {
    let axes: Vec<usize> = match node.ints("axes")? {
        Some(axes) => axes.into_iter().map(|axis| tensor.axis(axis)).collect::<Result<_, _>>()?,
        None => (0..tensor.rank()).collect(),
    };
    let regions = regions(node, axes.len())?;
    let resized = match scales(node)? {
        Some(scales) => by_scales(tensor, &axes, &scales)?,
        None => by_sizes(node, tensor, &axes)?,
    };
    Ok(resized.into_iter().zip(regions).map(|(resized, region)| Resized { region, ..resized }).collect())
}

/// The parts of the dimensions: all begins, then all ends.
fn regions(node: &Node<'_>, count: usize) -> Result<Vec<(f64, f64)>, String> {
    if node.version < 11 || node.string_or("coordinate_transformation_mode", "half_pixel")? != "tf_crop_and_resize" {
        return Ok(vec![(0.0, 1.0); count]);
    }
    let limits = node.known_reals(1)?;
    if limits.len() != 2 * count {
        return Err(format!("its `roi` has {} numbers, where {} are expected", limits.len(), 2 * count));
    }
    Ok((0..count).map(|at| (limits[at], limits[count + at])).collect())
}

/// The scales, where there are any: an attribute before version 9, an operand since.
fn scales(node: &Node<'_>) -> Result<Option<Vec<f64>>, String> {
    if let Some(scales) = node.floats("scales")? {
        return Ok(Some(scales));
    }
    let at = if node.version < 11 { 1 } else { 2 };
    match node.optional(at) {
        Some(scales) if scales.shape.first().and_then(Extent::known) == Some(0) => Ok(None),
        Some(_) => node.known_reals(at).map(Some),
        None => Ok(None),
    }
}

fn by_scales(tensor: &Tensor, axes: &[usize], scales: &[f64]) -> Result<Vec<Resized>, String> {
    if scales.len() != axes.len() {
        return Err(format!("its scales are {}, where {} are expected", scales.len(), axes.len()));
    }
    let resized = |(axis, scale): (&usize, &f64)| {
        let scale = f64::from(*scale as f32);
        let size = scaled(&tensor.shape[*axis], scale)?;
        Ok(Resized { axis: *axis, size, scale: Some(scale), region: (0.0, 1.0) })
    };
    axes.iter().zip(scales).map(resized).collect()
}

/// An extent times a scale, rounded down.
fn scaled(extent: &Extent, scale: f64) -> Result<Extent, String> {
    if !(scale > 0.0 && scale < 1e9) {
        return Err(format!("one of its scales is {}, where a positive number is expected", shortest(scale as f32)));
    }
    if let Some(known) = extent.known() {
        return Ok(Extent::from((known as f64 * scale).floor() as i64));
    }
    // Of an open extent the product is an expression, where the scale is a fraction.
    let (numerator, denominator) = fraction(scale).ok_or_else(|| {
        format!("it scales an extent that only a run knows by {scale}: import the model with fixed extents")
    })?;
    extent.mul(&numerator.into()).div(&denominator.into()).ok_or_else(|| "one of its scales is 0".to_owned())
}

/// Numerator and denominator, where that is a power of 2.
fn fraction(scale: f64) -> Option<(i64, i64)> {
    let denominator = [1i64, 2, 4, 8, 16, 32, 64].into_iter().find(|by| (scale * *by as f64).fract() == 0.0)?;
    Some(((scale * denominator as f64) as i64, denominator))
}

fn by_sizes(node: &Node<'_>, tensor: &Tensor, axes: &[usize]) -> Result<Vec<Resized>, String> {
    let sizes = node.known_ints(if node.version < 11 { 1 } else { 3 })?;
    if sizes.len() != axes.len() {
        return Err(format!("its sizes are {}, where {} are expected", sizes.len(), axes.len()));
    }
    let policy = node.string_or("keep_aspect_ratio_policy", "stretch")?;
    if policy == "stretch" {
        let resized = |(axis, size): (&usize, &Extent)| Resized {
            axis: *axis,
            size: size.clone(),
            scale: None,
            region: (0.0, 1.0),
        };
        return Ok(axes.iter().zip(&sizes).map(resized).collect());
    }
    let ratio = |(axis, size): (&usize, &Extent)| Some(size.known()? as f64 / tensor.shape[*axis].known()? as f64);
    let ratios: Option<Vec<f64>> = axes.iter().zip(&sizes).map(ratio).collect();
    let ratios = ratios.ok_or("it keeps the ratio of extents that only a run knows: import it with fixed extents")?;
    let scale = match policy.as_str() {
        "not_larger" => ratios.into_iter().fold(f64::INFINITY, f64::min),
        "not_smaller" => ratios.into_iter().fold(0.0, f64::max),
        other => return Err(format!("its `keep_aspect_ratio_policy` is `{other}`")),
    };
    let resized = |axis: &usize| {
        let size = (tensor.shape[*axis].known().unwrap_or(0) as f64 * scale + 0.5).floor();
        Resized { axis: *axis, size: Extent::from(size as i64), scale: Some(scale), region: (0.0, 1.0) }
    };
    Ok(axes.iter().map(resized).collect())
}

/// One dimension after the other, by tables of positions and weights.
fn by_tables(
    t: &mut Translator<'_>,
    tensor: &Tensor,
    method: &Method,
    dimensions: &[Resized],
) -> Result<Tensor, String> {
    let mut result = tensor.clone();
    let known = |extent: &Extent| extent.known().unwrap_or(0);
    // First what makes fewer elements; of what makes more, the last dimension, along which elements are picked one by one.
    let mut ordered: Vec<&Resized> = dimensions.iter().collect();
    ordered.sort_by_key(|resized| {
        (known(&resized.size) > known(&tensor.shape[resized.axis]), std::cmp::Reverse(resized.axis))
    });
    for resized in ordered {
        let (extent, size) = (known(&tensor.shape[resized.axis]), known(&resized.size));
        if extent < 1 {
            return Err("it resizes a dimension without elements".into());
        }
        let axis = axis(resized, extent, size, method);
        result = t.resampled(&result, resized.axis, &axis, method.kernel, method.extrapolation)?;
    }
    Ok(result)
}

impl Translator<'_> {
    /// Reals as whole numbers that a type has, where it is one of whole numbers.
    fn saturated(&mut self, tensor: &Tensor, element: ElementType) -> Result<Tensor, String> {
        let Some((bits, is_signed)) = element.integers() else { return Ok(tensor.clone()) };
        let (least, most) = match is_signed {
            true => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1) - 1.0),
            false => (0.0, 2f64.powi(bits as i32) - 1.0),
        };
        let whole = self.unary("onnx.round", tensor);
        let raised = self.binary("math.max", &whole, &Tensor::real(least))?;
        self.binary("math.min", &raised, &Tensor::real(most))
    }

    /// One dimension by a table of positions and weights.
    fn resampled(
        &mut self,
        tensor: &Tensor,
        at: usize,
        axis: &Axis,
        kernel: Kernel,
        extrapolation: f64,
    ) -> Result<Tensor, String> {
        made(&[axis.size, axis.width(kernel)])?;
        let table = axis.table(kernel);
        let rows = axis.size as usize;
        let mut shape = tensor.shape.clone();
        shape[at] = Extent::from(axis.size);
        let positions = Known::Ints(table.positions.into_iter().map(Extent::from).collect());
        if table.width == 1 && table.weights.iter().all(|weight| *weight == 1.0) {
            let index = Tensor::known(ElementType::Int64, vec![rows], positions);
            let call = self.call("layout.gather").int("axis", at as i64);
            return Ok(call.on(tensor).on(&index).gives(tensor.element, shape));
        }
        let index = Tensor::known(ElementType::Int64, vec![rows, table.width], positions);
        let weight = Tensor::known(ElementType::Float, vec![rows, table.width], Known::Reals(table.weights));
        let call = self.call("onnx.resample").int("axis", at as i64);
        let result = call.on(tensor).on(&index).on(&weight).gives(tensor.element, shape);
        if extrapolation == 0.0 || !table.is_outside.contains(&true) {
            return Ok(result);
        }
        let outside = table.is_outside.iter().map(|outside| if *outside { extrapolation } else { 0.0 }).collect();
        let mut extents = vec![rows];
        extents.extend(vec![1; tensor.rank() - at - 1]);
        self.binary("math.add", &result, &Tensor::known(ElementType::Float, extents, Known::Reals(outside)))
    }
}
