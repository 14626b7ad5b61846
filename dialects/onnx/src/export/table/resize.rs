//! Images of another size.

use super::call::is_empty;
use super::{Call, Results};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::resized::{Along, Resized};
use crate::export::scope::{Scope, Why};
use crate::ops::resample::{Axis, Coordinates, Kernel};
use crate::proto::AttributeProto;
use skriptnd_language::compose::extent::{Extent, SymExpr, SymOp};
use skriptnd_language::compose::graph::TensorType;

/// Whether ONNX Runtime resizes these dimensions of a tensor of a rank by weights of several elements.
fn is_taken(rank: usize, axes: &[i64], is_cubic: bool) -> bool {
    let within = |first: usize, end: usize| axes.iter().all(|axis| (first as i64..end as i64).contains(axis));
    match rank {
        2 => true,
        3 => !is_cubic,
        4 => within(2, 4) || (!is_cubic && within(1, 3)),
        5 => !is_cubic && within(2, 5),
        _ => false,
    }
}

/// Writes a resizing, together with one of other dimensions before it where both are of one kind.
fn written(scope: &mut Scope, resized: Resized) -> Result<Option<String>, Why> {
    let rank = resized.shape.len();
    let is_cubic = resized.method.iter().any(|(_, value)| value == "cubic");
    let is_same = |before: &&Resized| before.method == resized.method && before.parameter == resized.parameter;
    let both = scope.resized.get(&resized.x).filter(is_same).and_then(|before| {
        let along = before.along.with(&resized.along).filter(|along| is_taken(rank, &along.axes(), is_cubic))?;
        Some(Resized { along, ..before.clone() })
    });
    let resized = both.unwrap_or(resized);
    if !is_taken(rank, &resized.along.axes(), is_cubic) {
        return Ok(None);
    }
    let mut attributes: Vec<AttributeProto> =
        resized.method.iter().map(|(name, value)| attr::text(name, value)).collect();
    if is_cubic {
        attributes.push(attr::float("cubic_coeff_a", resized.parameter));
    }
    let none = String::new;
    let inputs = match &resized.along {
        Along::Sizes(sizes) => {
            let mut shape = resized.shape.clone();
            sizes.iter().for_each(|(axis, size)| shape[*axis as usize] = size.clone());
            vec![resized.x.clone(), none(), none(), scope.vector(&shape)?]
        }
        Along::Scales(scales) => vec![resized.x.clone(), none(), all_scales(scope, scales, rank)],
    };
    let result = scope.nodes.several(("", "Resize"), inputs, 1, attributes).swap_remove(0);
    scope.resized.insert(result.clone(), resized);
    Ok(Some(result))
}

/// The scales of all dimensions, of which the others stay.
fn all_scales(scope: &mut Scope, scales: &[(i64, f32)], rank: usize) -> String {
    let mut all = vec![1.0; rank];
    scales.iter().for_each(|(axis, scale)| all[*axis as usize] = *scale);
    scope.nodes.constant(&Constant::of_reals(vec![rank], &all))
}

fn values(shape: &[Extent]) -> Vec<SymExpr> {
    shape.iter().map(|extent| extent.value.clone()).collect()
}

/// `image.linear_resize`, `image.cubic_resize`, and `image.resize` and `image.rescale` by these.
pub fn resize(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| !is_empty(ty)) else { return Ok(None) };
    let mode = match (&*call.call.operator, call.text("mode")) {
        ("image.linear_resize", _) | (_, Some("LINEAR")) => "linear",
        ("image.cubic_resize", _) | (_, Some("CUBIC")) => "cubic",
        _ => return Ok(None),
    };
    let coordinates = match call.text("coordinate_transform") {
        Some("SYMMETRIC") => "half_pixel",
        Some("ASYMMETRIC") => "asymmetric",
        Some("ALIGNED") => "align_corners",
        _ => return Ok(None),
    };
    let Some(axes) = call.axes("axes", ty.shape.len()).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    let size = |axis: &i64| (*axis, call.outputs[0].shape[*axis as usize].value.clone());
    let resized = Resized {
        x: x.to_owned(),
        shape: values(&ty.shape),
        method: vec![("mode", mode.to_owned()), ("coordinate_transformation_mode", coordinates.to_owned())],
        parameter: call.real("coeff_a").or(call.real("cubic_coeff_a")).unwrap_or(-0.75),
        along: Along::Sizes(axes.iter().map(size).collect()),
    };
    Ok(written(scope, resized)?.map(|result| vec![result]))
}

/// `onnx.linear_rescale` where that is by a scale that is known, or between the ends.
pub fn linear_rescale(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| !is_empty(ty)) else { return Ok(None) };
    let (Some(axis), Some(center)) = (call.int("axis"), call.real("center")) else { return Ok(None) };
    let (Some(multiply), Some(divide)) = (call.expression("multiply"), call.expression("divide")) else {
        return Ok(None);
    };
    let (old, new) = (&ty.shape[axis as usize], &call.outputs[0].shape[axis as usize]);
    let (coordinates, along) = match scale(old, new, (&multiply, &divide)) {
        _ if center == 0.0 && is_between_ends(old, new, (&multiply, &divide)) => {
            ("align_corners", Along::Sizes(vec![(axis, new.value.clone())]))
        }
        Some(scale) => (if center == 0.5 { "half_pixel" } else { "asymmetric" }, Along::Scales(vec![(axis, scale)])),
        None => return Ok(None),
    };
    let method = vec![("mode", "linear".to_owned()), ("coordinate_transformation_mode", coordinates.to_owned())];
    let resized = Resized { x: x.to_owned(), shape: values(&ty.shape), method, parameter: 0.0, along };
    Ok(written(scope, resized)?.map(|result| vec![result]))
}

/// By how much a dimension is scaled, where its new extent is that much, rounded down.
fn scale(old: &Extent, new: &Extent, (multiply, divide): (&SymExpr, &SymExpr)) -> Option<f32> {
    let (down, up) = (multiply.as_known()?, divide.as_known()?);
    let scaled = SymExpr::apply(SymOp::FloorDiv, vec![old.value.times(divide)?, multiply.clone()])?;
    (down > 0 && up > 0 && scaled == new.value).then_some((up as f64 / down as f64) as f32)
}

/// Whether positions are multiplied by `(old - 1) / (new - 1)`.
fn is_between_ends(old: &Extent, new: &Extent, (multiply, divide): (&SymExpr, &SymExpr)) -> bool {
    let one = SymExpr::Const(1);
    let less = |extent: &Extent| extent.value.minus(&one);
    let Some((old, new)) = less(old).zip(less(new)) else { return false };
    let limited = |value: SymExpr| SymExpr::apply(SymOp::Max, vec![value, one.clone()]);
    // The ratio may be of multiples of both.
    (1..=64).any(|factor| {
        let scaled = |value: &SymExpr| value.times(&SymExpr::Const(factor));
        scaled(&old).as_ref() == Some(multiply) && scaled(&new).and_then(limited).as_ref() == Some(divide)
    })
}

/// `onnx.resample` where the table is that of a resizing.
pub fn resample(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((index, _)), Some((weight, _))) = (call.input(0), call.input(1), call.input(2)) else {
        return Ok(None);
    };
    let Some(axis) = call.int("axis") else { return Ok(None) };
    let sizes = ty.shape[axis as usize].as_known().zip(call.outputs[0].shape[axis as usize].as_known());
    let (Some((extent, size)), Some(index), Some(weight)) = (sizes, scope.table(index), scope.table(weight)) else {
        return Ok(None);
    };
    let table = (index.ints().collect::<Vec<_>>(), weight.reals().collect::<Vec<_>>());
    let Some((method, parameter)) = method_of(extent, size, &table) else { return Ok(None) };
    let along = Along::Sizes(vec![(axis, SymExpr::Const(size))]);
    let resized = Resized { x: x.to_owned(), shape: values(&ty.shape), method, parameter, along };
    Ok(written(scope, resized)?.map(|result| vec![result]))
}

/// Ways to resize that ONNX has.
const METHODS: [(&str, Coordinates); 3] = [
    ("half_pixel", Coordinates::HalfPixel),
    ("align_corners", Coordinates::AlignCorners),
    ("asymmetric", Coordinates::Asymmetric),
];

type Method = (Vec<(&'static str, String)>, f64);

/// How a dimension is resized by a table of positions and weights.
fn method_of(extent: i64, size: i64, table: &(Vec<i64>, Vec<f64>)) -> Option<Method> {
    let kernels = [
        ("linear", Kernel::Linear { antialiased: false }, 0.0),
        ("cubic", Kernel::Cubic { antialiased: false, parameter: -0.75 }, -0.75),
        ("cubic", Kernel::Cubic { antialiased: false, parameter: -0.5 }, -0.5),
    ];
    for (mode, kernel, parameter) in kernels {
        for (name, coordinates) in METHODS {
            let (scale, region) = (size as f64 / extent as f64, (0.0, 1.0));
            let axis = Axis { extent, size, scale, region, coordinates, excludes_outside: false };
            let own = axis.table(kernel);
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-5;
            if own.positions == table.0 && own.weights.iter().zip(&table.1).all(is_near) {
                let method = vec![("mode", mode.to_owned()), ("coordinate_transformation_mode", name.to_owned())];
                return Some((method, parameter));
            }
        }
    }
    None
}

/// Whether each element becomes a whole number of them, and how many.
fn factor(old: &Extent, new: &Extent) -> Option<i64> {
    (1..=64).find(|factor| old.value.times(&SymExpr::Const(*factor)).as_ref() == Some(&new.value))
}

/// `image.nearest_resize`, and `image.resize` and `image.rescale` by it: by an index for each new element where extents are
/// known, else where each element becomes a number of them.
pub fn nearest(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| !is_empty(ty)) else { return Ok(None) };
    let Some(axes) = call.axes("axes", ty.shape.len()).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    let pairs = axes.iter().map(|axis| (&ty.shape[*axis as usize], &call.outputs[0].shape[*axis as usize]));
    let factors = pairs.map(|(old, new)| factor(old, new)).collect::<Option<Vec<_>>>();
    // Each is in the middle of its part, or at its begin.
    let is_plain = match call.text("coordinate_transform") {
        Some("SYMMETRIC") => call.text("rounding_method").is_some_and(|method| method.starts_with("ROUND")),
        Some("ASYMMETRIC") => call.text("rounding_method") == Some("FLOOR"),
        _ => false,
    };
    if let Some(factors) = factors.filter(|_| is_plain) {
        return Ok(Some(vec![repeated(scope, (x, ty), &axes, &factors)]));
    }
    by_index(scope, call, (x, ty), &axes)
}

/// Each element several times: its own part of a dimension is nearest to none but it.
fn repeated(scope: &mut Scope, (x, ty): (&str, &TensorType), axes: &[i64], factors: &[i64]) -> String {
    let method = [("mode", "nearest"), ("coordinate_transformation_mode", "asymmetric"), ("nearest_mode", "floor")];
    let attributes = method.iter().map(|(name, value)| attr::text(name, value)).collect();
    let scales: Vec<(i64, f32)> = axes.iter().zip(factors).map(|(axis, factor)| (*axis, *factor as f32)).collect();
    let inputs = vec![x.to_owned(), String::new(), all_scales(scope, &scales, ty.shape.len())];
    scope.nodes.several(("", "Resize"), inputs, 1, attributes).swap_remove(0)
}

/// By positions as the formula computes them, in reals of 32 bits.
fn by_index(scope: &mut Scope, call: &Call<'_>, (x, ty): (&str, &TensorType), axes: &[i64]) -> Results {
    let mut tables = Vec::new();
    for axis in axes {
        let known = |ty: &TensorType| ty.shape[*axis as usize].as_known();
        let Some((old, new)) = known(ty).zip(known(&call.outputs[0])) else { return Ok(None) };
        let Some(positions) = positions(call, old, new) else { return Ok(None) };
        tables.push((*axis, positions));
    }
    let mut result = x.to_owned();
    for (axis, positions) in tables {
        let index = scope.nodes.ints(&positions);
        result = scope.nodes.add("Gather", &[&result, &index], vec![attr::int("axis", axis)]);
    }
    Ok(Some(vec![result]))
}

fn positions(call: &Call<'_>, old: i64, new: i64) -> Option<Vec<i64>> {
    let (center, extent, divisor) = match call.text("coordinate_transform")? {
        "SYMMETRIC" => (0.5f32, old, new),
        "ASYMMETRIC" => (0.0, old, new),
        "ALIGNED" => (0.0, if new == 1 { 0 } else { old - 1 }, (new - 1).max(1)),
        _ => return None,
    };
    let rounding: fn(f32) -> f32 = match call.text("rounding_method")? {
        "FLOOR" => |r| r.floor(),
        "CEIL" => |r| r.ceil(),
        "ROUND_PREFER_FLOOR" => |r| (r - 0.5).ceil(),
        _ => |r| (r + 0.5).floor(),
    };
    let position = |at: i64| (at as f32 + center) * extent as f32 / divisor as f32 - center;
    Some((0..new).map(|at| (rounding(position(at)) as i64).max(0).min(old - 1)).collect())
}

/// `image.resize` and `image.rescale`
pub fn by_mode(scope: &mut Scope, call: &Call<'_>) -> Results {
    match call.text("mode") {
        Some("NEAREST") => nearest(scope, call),
        _ => resize(scope, call),
    }
}

/// `image.nearest_upsample`
pub fn upsample(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| !is_empty(ty)) else { return Ok(None) };
    let (Some(axes), Some(factors)) = (call.axes("axes", ty.shape.len()), call.ints("factor")) else { return Ok(None) };
    if axes.is_empty() || factors.len() != axes.len() {
        return Ok(None);
    }
    Ok(Some(vec![repeated(scope, (x, ty), &axes, &factors)]))
}

/// `onnx.nearest_rescale` where each element becomes a whole number of them.
pub fn nearest_rescale(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0).filter(|(_, ty)| !is_empty(ty)) else { return Ok(None) };
    let (Some(axis), Some(center), Some(rounding)) = (call.int("axis"), call.real("center"), call.text("rounding"))
    else {
        return Ok(None);
    };
    let ratio = call.int("multiply").zip(call.int("divide"));
    let Some((_, divide)) = ratio.filter(|(multiply, _)| *multiply == 1) else { return Ok(None) };
    let is_own = factor(&ty.shape[axis as usize], &call.outputs[0].shape[axis as usize]) == Some(divide);
    let is_plain = (center == 0.0 && rounding == "FLOOR") || (center == 0.5 && rounding.starts_with("ROUND"));
    if !is_own || !is_plain {
        return Ok(None);
    }
    Ok(Some(vec![repeated(scope, (x, ty), &[axis], &[divide])]))
}

/// `layout.cast` of integers in few bits to reals.
pub fn cast(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, _)) = call.input(0) else { return Ok(None) };
    let is_real = attr::element_of(call.outputs[0].dtype) == ElementType::Float;
    let few = scope.few(x).filter(|few| few.zero.is_none() && is_real).cloned();
    Ok(few.map(|few| vec![scope.nodes.cast(&few.name, ElementType::Float)]))
}
