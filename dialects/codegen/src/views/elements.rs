//! Scalars of kernels, which are data, as types and values of the IR.

use crate::nest::element::{Constant, Element, Literal};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Context, Type, Value, attributes, types};

/// The scalar type of the IR as data; none for types that kernels don't have: signed integers, formats of 8 bits.
pub fn of(r#type: Type<'_>) -> Option<Element> {
    let known = match types::width(r#type) {
        _ if r#type.is_index() => return Some(Element::Index),
        Some(bits) if r#type.is_integer() => vec![Element::Integer(bits)],
        Some(16) => vec![Element::Real(16), Element::BFloat],
        Some(bits) => vec![Element::Real(bits)],
        None => Vec::new(),
    };
    known.into_iter().find(|element| type_of(r#type.context(), *element) == Some(r#type))
}

/// The type of the IR; none for floating-point numbers of a width that IEEE 754 does not have.
fn type_of(context: &Context, element: Element) -> Option<Type<'_>> {
    Some(match element {
        Element::Real(16) => types::f16(context),
        Element::Real(32) => types::f32(context),
        Element::Real(64) => types::f64(context),
        Element::Real(_) => return None,
        Element::BFloat => types::bf16(context),
        Element::Integer(bits) => types::integer(context, bits),
        Element::Index => types::index(context),
    })
}

/// The type of the IR that was read as such an element.
///
/// # Errors
/// For floating-point numbers of a width that IEEE 754 does not have.
pub fn r#type(context: &Context, element: Element) -> Result<Type<'_>, Failure> {
    type_of(context, element).ok_or_else(|| Failure::new(format!("no type {element}")))
}

/// A constant of the IR as data.
pub fn constant(value: Attribute<'_>) -> Option<Constant> {
    let element = of(value.r#type())?;
    let literal = match element.is_real() {
        true => Literal::Real(attributes::as_real(value)?),
        false => Literal::Integer(attributes::as_integer(value)?),
    };
    Some(Constant::new(element, literal))
}

/// A constant as a value.
///
/// # Errors
/// As [`type`](r#type()).
pub fn value<'c: 'a, 'a>(builder: &Builder<'c, 'a>, constant: Constant) -> Result<Value<'c, 'a>, Failure> {
    literal(builder, r#type(builder.context(), constant.element)?, constant.literal())
}

/// A number of a type.
///
/// # Errors
/// Where the type has no such numbers.
pub fn literal<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#type: Type<'c>,
    literal: Literal,
) -> Result<Value<'c, 'a>, Failure> {
    match literal {
        Literal::Real(value) => builder.real(r#type, value),
        Literal::Integer(value) => builder.integer(r#type, value),
    }
}
