//! Products of bytes, summed in 32 bits.

use super::call::is_empty;
use super::quantized::{element, scales};
use super::windows::{Windows, groups};
use super::{Call, Results};
use crate::element::ElementType;
use crate::export::attributes as attr;
use crate::export::few::{Few, Sums};
use crate::export::scope::Scope;
use skriptnd_language::compose::value::ScalarType;

/// Products of this many bytes are summed in 32 bits without leaving them.
const MOST_TERMS: i64 = 1 << 15;

/// `math.sub` of a zero from bytes.
pub fn centered(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((zero, zero_type))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let is_plain = call.value("lhs_align").is_none() && call.value("rhs_align").is_none();
    if ty.dtype != ScalarType::Int || !is_plain || !zero_type.shape.is_empty() {
        return Ok(None);
    }
    let Some(few) = scope.few(x).filter(|few| few.zero.is_none() && is_byte(few)).cloned() else { return Ok(None) };
    let Some((own, _)) = scope.few_as(zero, Some(few.element)) else { return Ok(None) };
    let difference = scope.nodes.add("Sub", &[x, zero], Vec::new());
    scope.note_few(&difference, Few { zero: Some(own), ..few });
    Ok(Some(vec![difference]))
}

fn is_byte(few: &Few) -> bool {
    matches!(few.element, ElementType::Int8 | ElementType::Uint8)
}

/// Two operands that are bytes, with their types, less a zero that is one as well.
fn bytes(scope: &mut Scope, call: &Call<'_>) -> Option<[Few; 2]> {
    let mut found = Vec::new();
    for at in 0..2 {
        let (name, ty) = call.input(at)?;
        if ty.dtype != ScalarType::Int || is_empty(ty) {
            return None;
        }
        found.push(scope.few(name).filter(|few| is_byte(few))?.clone());
    }
    found.try_into().ok()
}

/// Two factors of one type: without instructions for them, ONNX Runtime adds up products of signed and unsigned bytes in 16 bits,
/// which they may leave.
fn of_one_type(scope: &mut Scope, [a, b]: [Few; 2]) -> [Few; 2] {
    if a.element == b.element {
        return [a, b];
    }
    let zero = zero_of(scope, &b);
    let name = shifted(scope, &b.name, a.element);
    let zero = shifted(scope, &zero, a.element);
    let b = Few { name, element: a.element, zero: Some(zero) };
    [a, b]
}

/// Bytes as those of the other sign that lie as far from the least one.
fn shifted(scope: &mut Scope, name: &str, element: ElementType) -> String {
    let distance = if element == ElementType::Uint8 { 128 } else { -128 };
    let nodes = &mut scope.nodes;
    if let Some(known) = nodes.known(name).filter(|constant| constant.shape.is_empty()) {
        let value = known.ints().next().unwrap_or(0) + distance;
        return scalar(scope, value, element);
    }
    let wide = nodes.cast(name, ElementType::Int32);
    let distance = nodes.int32(distance);
    let sum = nodes.add("Add", &[&wide, &distance], Vec::new());
    nodes.cast(&sum, element)
}

/// The operands of a product of bytes, with their zeros.
fn operands(scope: &mut Scope, factors: &[Few; 2]) -> Vec<String> {
    let zeros = factors.clone().map(|few| zero_of(scope, &few));
    factors.iter().map(|few| few.name.clone()).chain(zeros).collect()
}

fn zero_of(scope: &mut Scope, few: &Few) -> String {
    few.zero.clone().unwrap_or_else(|| scalar(scope, 0, few.element))
}

fn scalar(scope: &mut Scope, value: i64, element: ElementType) -> String {
    let wide = scope.nodes.int(value);
    scope.few_as(&wide, Some(element)).map_or(wide, |(name, _)| name)
}

/// Sums in 32 bits, with what is added to them, as integers of 64.
fn summed(scope: &mut Scope, sums: Sums, result: String, shape: &[i64]) -> Vec<String> {
    let mut result = result;
    if let Some(bias) = &sums.bias {
        let bias = scope.nodes.unsqueeze(bias, shape);
        result = scope.nodes.add("Add", &[&result, &bias], Vec::new());
    }
    let wide = scope.widened(&result, ElementType::Int32);
    scope.sums.insert(wide.clone(), sums);
    vec![wide]
}

/// The bias of a product in 32 bits; an error where there is one in more.
fn bias(scope: &mut Scope, call: &Call<'_>) -> Result<Option<String>, ()> {
    match call.input(2) {
        None => Ok(None),
        Some((name, _)) => scope.few_as(name, Some(ElementType::Int32)).map(|(name, _)| Some(name)).ok_or(()),
    }
}

/// `nn.conv` of bytes in the order of ONNX.
pub fn conv(scope: &mut Scope, call: &Call<'_>) -> Results {
    let is_plain = call.text("data_format") == Some("NCX") && call.text("filter_format") == Some("NCX");
    let (Some((_, data)), Some((_, weights))) = (call.input(0), call.input(1)) else { return Ok(None) };
    let size: Option<Vec<i64>> = weights.shape.iter().map(|extent| extent.as_known()).collect();
    let Some(size) = size.filter(|size| is_plain && size.len() > 2 && few_terms(&size[1..])) else { return Ok(None) };
    let (Some(factors), Ok(bias)) = (bytes(scope, call), bias(scope, call)) else { return Ok(None) };
    let extents: Vec<_> = data.shape[2..].iter().collect();
    let spatial = weights.shape[2..].iter().map(|extent| extent.value.clone()).collect();
    let Some(windows) = Windows::of(call, spatial, &extents) else { return Ok(None) };
    let (Some(padding), Some(groups)) = (windows.own_padding(), groups(call, &data.shape[1])) else {
        return Ok(None);
    };
    let mut attributes = windows.attributes(&padding);
    attributes.extend([attr::int("group", groups), attr::ints("kernel_shape", &size[2..])]);
    let own =
        if factors[0].element == ElementType::Int8 { of_one_type(scope, factors.clone()) } else { factors.clone() };
    let inputs = operands(scope, &own);
    let result = scope.nodes.several(("", "ConvInteger"), inputs, 1, attributes.clone()).swap_remove(0);
    let behind: Vec<i64> = (1..=size.len() as i64 - 2).collect();
    let sums = Sums { operator: "QLinearConv", factors, bias, attributes };
    Ok(Some(summed(scope, sums, result, &behind)))
}

fn few_terms(extents: &[i64]) -> bool {
    extents.iter().copied().try_fold(1i64, i64::checked_mul).is_some_and(|terms| terms <= MOST_TERMS)
}

/// `linalg.matmul` of bytes.
pub fn matmul(scope: &mut Scope, call: &Call<'_>) -> Results {
    let terms = call.input(0).and_then(|(_, ty)| ty.shape.last()?.as_known());
    let is_plain = !call.holds("transA") && !call.holds("transB") && call.input(2).is_none();
    if !is_plain || !terms.is_some_and(|terms| few_terms(&[terms])) {
        return Ok(None);
    }
    let Some(factors) = bytes(scope, call) else { return Ok(None) };
    let factors = of_one_type(scope, factors);
    let inputs = operands(scope, &factors);
    let result = scope.nodes.several(("", "MatMulInteger"), inputs, 1, Vec::new()).swap_remove(0);
    let sums = Sums { operator: "QLinearMatMul", factors, bias: None, attributes: Vec::new() };
    Ok(Some(summed(scope, sums, result, &[])))
}

/// `onnx.requantize`: by the node that computes the sums, or by reals.
pub fn requantize(scope: &mut Scope, call: &Call<'_>) -> Results {
    let (Some((x, ty)), Some((factor, factor_type)), Some(element)) = (call.input(0), call.input(1), element(call))
    else {
        return Ok(None);
    };
    let zero = match call.input(2) {
        None => Some(scalar(scope, 0, element)),
        Some((name, ty)) if ty.shape.is_empty() => scope.few_as(name, Some(element)).map(|(name, _)| name),
        Some(_) => None,
    };
    let rank = ty.shape.len();
    let Some((zero, scales)) = zero.zip(scales(scope, (factor, factor_type), rank)) else { return Ok(None) };
    let one = scope.nodes.real(1.0);
    let own = scope.sums.get(x).cloned().filter(|sums| {
        let axis = if sums.operator == "QLinearConv" { 1 } else { rank as i64 - 1 };
        is_byte_type(element) && scales.axis.is_none_or(|own| own == axis)
    });
    let few = match own {
        Some(sums) => {
            let [a, b] = of_one_type(scope, sums.factors.clone());
            let [zero_a, zero_b] = [&a, &b].map(|few| zero_of(scope, few));
            let inputs = vec![a.name, one.clone(), zero_a, b.name, scales.name, zero_b, one, zero];
            let inputs = inputs.into_iter().chain(sums.bias).collect();
            scope.nodes.several(("", sums.operator), inputs, 1, sums.attributes).swap_remove(0)
        }
        None => {
            let sums = scope.few(x).filter(|few| few.zero.is_none()).map_or(x, |few| &few.name).to_owned();
            let real = scope.nodes.cast(&sums, ElementType::Float);
            let product = scope.nodes.add("Mul", &[&real, factor], Vec::new());
            scope.nodes.add("QuantizeLinear", &[&product, &one, &zero], Vec::new())
        }
    };
    Ok(Some(vec![scope.widened(&few, element)]))
}

fn is_byte_type(element: ElementType) -> bool {
    matches!(element, ElementType::Int8 | ElementType::Uint8)
}
