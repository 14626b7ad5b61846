//! Whole numbers that stand for reals, and products of them.

use super::{Call, Results};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::few::element_of;
use crate::export::scope::Scope;
use crate::proto::AttributeProto;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::ScalarType;

/// Scales as the operators of ONNX take them: one, or one for each index of a dimension.
pub struct Scales {
    pub name: String,
    pub axis: Option<i64>,
}

/// Scales that are aligned with the last dimensions of a tensor of this rank; none where they belong to several dimensions.
pub fn scales(scope: &mut Scope, (name, ty): (&str, &TensorType), rank: usize) -> Option<Scales> {
    let extents: Vec<Option<i64>> = ty.shape.iter().map(|extent| extent.as_known()).collect();
    let own: Vec<usize> = (0..extents.len()).filter(|at| extents[*at] != Some(1)).collect();
    match *own {
        [] => Some(Scales {
            name: if extents.is_empty() { name.to_owned() } else { scope.nodes.scalar(name) },
            axis: None,
        }),
        [at] => {
            let name = vector(scope, name, extents.len());
            Some(Scales { name, axis: i64::try_from(rank + at - extents.len()).ok() })
        }
        _ => None,
    }
}

/// A tensor of one dimension of several elements as a vector.
fn vector(scope: &mut Scope, name: &str, rank: usize) -> String {
    let known = scope.nodes.known(name).map(|constant| Constant { shape: vec![constant.count()], ..constant.clone() });
    match (scope.vectors.get(name), known) {
        _ if rank == 1 => name.to_owned(),
        (Some(vector), _) => vector.clone(),
        (None, Some(constant)) => scope.nodes.constant(&constant),
        (None, None) => {
            let all = scope.nodes.ints(&[-1]);
            scope.nodes.add("Reshape", &[name, &all], Vec::new())
        }
    }
}

/// Zeros as operators of ONNX take them, in the type of what they belong to.
fn zeros(scope: &mut Scope, (name, ty): (&str, &TensorType), scales: &Scales, element: ElementType) -> Option<String> {
    let is_one = ty.shape.iter().all(|extent| extent.as_known() == Some(1));
    let narrow = match scope.few_as(name, Some(element)) {
        Some((narrow, _)) => narrow,
        None => scope.nodes.cast(name, element),
    };
    match scales.axis {
        None if !is_one => None,
        None if ty.shape.is_empty() => Some(narrow),
        None => Some(scope.nodes.scalar(&narrow)),
        Some(_) if is_one => {
            let one = scope.nodes.ints(&[1]);
            let flat = scope.nodes.add("Reshape", &[&narrow, &one], Vec::new());
            let shape = scope.nodes.add("Shape", &[&scales.name], Vec::new());
            Some(scope.nodes.add("Expand", &[&flat, &shape], Vec::new()))
        }
        Some(_) => Some(vector(scope, &narrow, ty.shape.len())),
    }
}

/// Operands of a node that has a scale and perhaps a zero; none where these do not fit.
fn scaled(scope: &mut Scope, call: &Call<'_>, x: String, rank: usize, element: ElementType) -> Option<Operands> {
    let (scale, scale_type) = call.input(1)?;
    let scales = scales(scope, (scale, scale_type), rank)?;
    let is_none = |name: &str| scope.nodes.known(name).is_some_and(|constant| constant.ints().all(|zero| zero == 0));
    let zero = call.input(2).filter(|(name, _)| !is_none(name));
    let zeros = match (zero, volume(scale_type)) {
        (Some(zero), _) => Some(zeros(scope, zero, &scales, element)?),
        // ONNX Runtime computes in whole numbers where zeros are told.
        (None, Some(count)) => none(scope, scales.axis.map(|_| count), element),
        (None, None) => None,
    };
    let attributes = scales.axis.map(|axis| attr::int("axis", axis)).into_iter().collect();
    let has_zero = zeros.is_some();
    Some(Operands { names: [x, scales.name].into_iter().chain(zeros).collect(), attributes, has_zero })
}

fn volume(ty: &TensorType) -> Option<usize> {
    ty.shape
        .iter()
        .map(|extent| usize::try_from(extent.as_known()?).ok())
        .try_fold(1, |product, it| Some(product * it?))
}

/// So many zeros of a type, or a single one.
fn none(scope: &mut Scope, count: Option<usize>, element: ElementType) -> Option<String> {
    let shape: Vec<usize> = count.into_iter().collect();
    let zeros = Constant { shape, ..Constant::of_ints(&vec![0; count.unwrap_or(1)]) };
    Some(scope.nodes.constant(&zeros.converted(element).ok()?))
}

struct Operands {
    names: Vec<String>,
    attributes: Vec<AttributeProto>,
    has_zero: bool,
}

/// The type that `least` and `most` of a call say.
pub fn element(call: &Call<'_>) -> Option<ElementType> {
    element_of(call.int("least")?, call.int("most")?)
}

/// `onnx.quantize`
pub fn quantize(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some(element)) = (call.input(0), element(call)) else { return Ok(None) };
    let Some(operands) = scaled(scope, call, x.to_owned(), ty.shape.len(), element) else { return Ok(None) };
    let Operands { names, mut attributes, has_zero } = operands;
    if !has_zero && element != ElementType::Uint8 {
        attributes.push(attr::int("output_dtype", i64::from(element.number())));
    }
    let few = scope.nodes.several(("", "QuantizeLinear"), names, 1, attributes).swap_remove(0);
    Ok(Some(vec![scope.widened(&few, element)]))
}

/// `onnx.dequantize`
pub fn dequantize(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    // Vectors that are added to sums have the bits of these.
    let is_bias = ty.shape.len() == 1 && call.input(2).is_none() && scope.few(x).is_none();
    let found = scope.few_as(x, is_bias.then_some(ElementType::Int32));
    let Some((few, element)) = found else { return plain(scope, call) };
    let Some(operands) = scaled(scope, call, few, ty.shape.len(), element) else { return Ok(None) };
    let result = scope.nodes.several(("", "DequantizeLinear"), operands.names, 1, operands.attributes).swap_remove(0);
    Ok(Some(vec![result]))
}

/// `quant.zero_point_linear_quantize`: there and back.
pub fn simulated(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some(zeros), Some(scales)) = (call.input(0), call.ints("zero_point"), call.reals("scale"))
    else {
        return Ok(None);
    };
    let Some(bits) = call.int("bits").filter(|bits| [8, 16].contains(bits)) else { return Ok(None) };
    let most = if call.holds("signed") { (1 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
    let least = if call.holds("signed") { -most - 1 } else { 0 };
    // The type has one value more than those that are as far from 0 to both sides.
    let is_symmetric = call.holds("signed") && call.holds("symmetric");
    let fits = zeros.iter().all(|zero| least <= *zero && *zero <= most);
    let is_possible = fits && !is_symmetric && !scales.iter().any(|scale| meets_halves(*scale));
    let Some(element) = element_of(least, most).filter(|_| is_possible) else { return Ok(None) };
    let Some((scale, zero)) = parameters(scope, (&scales, &zeros), element) else { return Ok(None) };
    let axis = call.axis("channel_axis", ty.shape.len()).filter(|_| scales.len().max(zeros.len()) > 1);
    let attributes: Vec<AttributeProto> = axis.map(|axis| attr::int("axis", axis)).into_iter().collect();
    let few = scope.nodes.add("QuantizeLinear", &[x, &scale, &zero], attributes.clone());
    Ok(Some(vec![scope.nodes.add("DequantizeLinear", &[&few, &scale, &zero], attributes)]))
}

/// Whether quotients by a scale may well be halves, which ONNX rounds to the even number: those by numbers of few bits are,
/// such as by 0.5.
fn meets_halves(scale: f64) -> bool {
    (scale as f32).to_bits().trailing_zeros() >= 12
}

/// Scales and zeros as constants: one, or one for each channel.
fn parameters(scope: &mut Scope, (scales, zeros): (&[f64], &[i64]), element: ElementType) -> Option<(String, String)> {
    let count = scales.len().max(zeros.len());
    let shape = if count == 1 { Vec::new() } else { vec![count] };
    let of_all = |length: usize| length == 1 || length == count;
    if !of_all(scales.len()) || !of_all(zeros.len()) {
        return None;
    }
    let scales: Vec<f32> = (0..count).map(|at| scales[at % scales.len()] as f32).collect();
    let zeros: Vec<i64> = (0..count).map(|at| zeros[at % zeros.len()]).collect();
    let zeros = Constant { shape: shape.clone(), ..Constant::of_ints(&zeros) }.converted(element).ok()?;
    Some((scope.nodes.constant(&Constant::of_reals(shape, &scales)), scope.nodes.constant(&zeros)))
}

/// The reals of integers of which it is not known in how many bits they are.
fn plain(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, _)), Some((scale, _))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let nodes = &mut scope.nodes;
    let centered = call.input(2).map(|(zero, _)| nodes.add("Sub", &[x, zero], Vec::new()));
    let real = nodes.cast(centered.as_deref().unwrap_or(x), attr::element_of(ScalarType::Real));
    Ok(Some(vec![nodes.add("Mul", &[&real, scale], Vec::new())]))
}

/// `onnx.wrap`: a conversion wraps around, too.
pub fn wrap(scope: &mut Scope, call: &Call<'_>) -> Results {
    let element = match (call.int("bits"), call.holds("signed")) {
        (Some(8), true) => ElementType::Int8,
        (Some(8), false) => ElementType::Uint8,
        (Some(16), true) => ElementType::Int16,
        (Some(16), false) => ElementType::Uint16,
        (Some(32), true) => ElementType::Int32,
        _ => return Ok(None),
    };
    let Some((x, _)) = call.input(0) else { return Ok(None) };
    if scope.few(x).is_some_and(|few| few.zero.is_none() && few.element == element) {
        return Ok(Some(vec![x.to_owned()]));
    }
    let few = scope.nodes.cast(x, element);
    Ok(Some(vec![scope.widened(&few, element)]))
}
