//! Extents that only a run knows.

use super::super::resample::{Coordinates, Kernel};
use super::{Method, Resized, fraction};
use crate::extent::Extent;
use crate::translate::Translator;
use crate::value::Tensor;

/// Resizes by what follows from the extents of the run, or by fractions.
pub(super) fn resized(
    t: &mut Translator<'_>,
    tensor: &Tensor,
    method: &Method,
    dimensions: &[Resized],
) -> Result<Tensor, String> {
    let is_standard = is_by_ratio(method, dimensions, tensor);
    if is_standard && matches!(method.kernel, Kernel::Nearest(_)) {
        return Ok(standard(t, tensor, method, &dimensions.iter().collect::<Vec<_>>()));
    }
    // First what makes fewer elements, rows before those along them, among which elements are picked one by one.
    let mut ordered: Vec<&Resized> = dimensions.iter().collect();
    ordered.sort_by_key(|resized| match resized.scale {
        Some(..=1.0) => (false, resized.axis),
        _ => (true, usize::MAX - resized.axis),
    });
    let mut result = tensor.clone();
    for resized in ordered {
        result = match is_standard {
            true => standard(t, &result, method, &[resized]),
            false => by_fraction(t, &result, method, resized)?,
        };
    }
    Ok(result)
}

/// One dimension by a scale that is a fraction.
fn by_fraction(t: &mut Translator<'_>, tensor: &Tensor, method: &Method, resized: &Resized) -> Result<Tensor, String> {
    let place = Place::of(method, resized, &tensor.shape[resized.axis]);
    let call = match method.kernel {
        Kernel::Nearest(rounding) => Some(t.call("onnx.nearest_rescale").word("rounding", rounding.word())),
        Kernel::Linear { antialiased: false } => Some(t.call("onnx.linear_rescale")),
        _ => None,
    };
    match (call, place, method.excludes_outside) {
        (Some(call), Some(place), false) => {
            let mut shape = tensor.shape.clone();
            shape[resized.axis] = resized.size.clone();
            let call = call.int("axis", resized.axis as i64).attribute("size", resized.size.expression());
            let call = call.attribute("multiply", place.multiply.expression());
            let call = call.attribute("divide", place.divide.expression()).real("center", place.center);
            Ok(call.on(tensor).gives(tensor.element, shape))
        }
        _ => Err("it resizes extents that only a run knows in a way that needs them: import it with fixed ones".into()),
    }
}

/// New position i lies at (i + center) * multiply / divide - center.
struct Place {
    multiply: Extent,
    divide: Extent,
    center: f64,
}

impl Place {
    fn of(method: &Method, resized: &Resized, extent: &Extent) -> Option<Place> {
        let (numerator, denominator) = fraction(resized.scale?)?;
        let (multiply, divide) = (Extent::from(denominator), Extent::from(numerator));
        let one = Extent::from(1);
        match method.coordinates {
            Coordinates::HalfPixel | Coordinates::PytorchHalfPixel => Some(Place { multiply, divide, center: 0.5 }),
            Coordinates::Asymmetric => Some(Place { multiply, divide, center: 0.0 }),
            Coordinates::AlignCorners => Some(Place {
                divide: extent.mul(&divide).sub(&multiply).greater(&one),
                multiply: extent.sub(&one).mul(&multiply),
                center: 0.0,
            }),
            _ => None,
        }
    }
}

/// Whether the standard library's resizing is the same: elements lie by the ratio of the extents.
fn is_by_ratio(method: &Method, dimensions: &[Resized], tensor: &Tensor) -> bool {
    let has_kernel = match method.kernel {
        Kernel::Nearest(_) => true,
        Kernel::Linear { antialiased } | Kernel::Cubic { antialiased, .. } => !antialiased,
    };
    let is_ratio = |resized: &Resized| match (resized.scale, resized.size.known(), tensor.shape[resized.axis].known()) {
        (Some(scale), Some(size), Some(extent)) => size as f64 == extent as f64 * scale,
        (Some(scale), ..) => scale.fract() == 0.0,
        (None, ..) => true,
    };
    let has_coordinates = match method.coordinates {
        Coordinates::PytorchHalfPixel => dimensions.iter().all(|resized| resized.size.known() != Some(1)),
        Coordinates::Region => false,
        _ => true,
    };
    has_kernel && has_coordinates && !method.excludes_outside && dimensions.iter().all(is_ratio)
}

/// The standard library's resizing.
fn standard(t: &mut Translator<'_>, tensor: &Tensor, method: &Method, dimensions: &[&Resized]) -> Tensor {
    let mut shape = tensor.shape.clone();
    dimensions.iter().for_each(|resized| shape[resized.axis] = resized.size.clone());
    let sizes: Vec<Extent> = dimensions.iter().map(|resized| resized.size.clone()).collect();
    let name = match method.kernel {
        Kernel::Nearest(_) => "image.nearest_resize",
        Kernel::Linear { .. } => "image.linear_resize",
        Kernel::Cubic { .. } => "image.cubic_resize",
    };
    let axes = dimensions.iter().map(|resized| resized.axis as i64);
    let call = t.call(name).ints("axes", axes).extents("size", &sizes);
    let call = match method.coordinates {
        Coordinates::Asymmetric => call.word("coordinate_transform", "ASYMMETRIC"),
        Coordinates::AlignCorners => call.word("coordinate_transform", "ALIGNED"),
        _ => call,
    };
    let call = match method.kernel {
        Kernel::Nearest(rounding) => call.word("rounding_method", rounding.word()),
        Kernel::Cubic { parameter, .. } => call.real("coeff_a", parameter),
        Kernel::Linear { .. } => call,
    };
    call.on(tensor).gives(tensor.element, shape)
}
