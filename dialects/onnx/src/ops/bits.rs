//! `BitCast`: the same bits as elements of another type.

use crate::element::{ElementType, Grid};
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn cast(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let element = node.element("to")?.ok_or("its attribute `to` is missing")?;
    if tensor.element.bits() != element.bits() {
        return Err(format!(
            "elements of type {} have {} bits, those of type {} have {}",
            tensor.element.name(),
            tensor.element.bits(),
            element.name(),
            element.bits()
        ));
    }
    if tensor.element == element {
        return Ok(tensor);
    }
    let whole = word(t, &tensor)?;
    of_word(t, &whole, element)
}

/// The bits of each element as a whole number.
fn word(t: &mut Translator<'_>, tensor: &Tensor) -> Result<Tensor, String> {
    if !tensor.element.is_real() {
        return t.cast(tensor, ElementType::Int64);
    }
    if tensor.element == ElementType::Double {
        return Ok(t.call("onnx.bits_of_double").on(tensor).gives(ElementType::Int64, tensor.shape.clone()));
    }
    let Grid { mantissa, least, .. } = layout(tensor.element)?;
    let call = t.call("onnx.bits_of_float").int("mantissa", mantissa).int("least", least);
    let call = call.int("bits", tensor.element.bits() as i64);
    Ok(call.on(tensor).gives(ElementType::Int64, tensor.shape.clone()))
}

fn of_word(t: &mut Translator<'_>, word: &Tensor, element: ElementType) -> Result<Tensor, String> {
    if !element.is_real() {
        let word = Tensor { element: ElementType::Int64, ..word.clone() };
        return t.cast(&word, element);
    }
    if element == ElementType::Double {
        return Ok(t.call("onnx.double_of_bits").on(word).gives(element, word.shape.clone()));
    }
    let Grid { mantissa, least, .. } = layout(element)?;
    let call = t.call("onnx.float_of_bits").int("mantissa", mantissa).int("least", least);
    Ok(call.int("bits", element.bits() as i64).on(word).gives(element, word.shape.clone()))
}

/// How the bits of reals lie, where infinities have the greatest exponent.
fn layout(element: ElementType) -> Result<Grid, String> {
    let single = Grid { mantissa: 23, least: -126, most: f32::MAX.into(), is_infinite: true };
    let grid = if element == ElementType::Float { Some(single) } else { element.grid() };
    grid.filter(|grid| grid.is_infinite)
        .ok_or_else(|| format!("bits of elements of type {} are not taken apart", element.name()))
}
