//! Whole numbers in few bits: what the language has in 64, models for ONNX have in the bits that they need, as far as it is
//! known which these are.

use crate::element::ElementType;

/// A value of 64 bits as one of fewer, less a zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Few {
    /// The value in few bits.
    pub name: String,
    /// Its type.
    pub element: ElementType,
    /// What is subtracted from it, of its type.
    pub zero: Option<String>,
}

/// Sums of products of bytes that a node could requantize as it computes them.
#[derive(Debug, Clone)]
pub struct Sums {
    /// The operator that does so.
    pub operator: &'static str,
    /// The operands, each less its zero.
    pub factors: [Few; 2],
    /// What is added, in 32 bits.
    pub bias: Option<String>,
    /// Of the operator.
    pub attributes: Vec<crate::proto::AttributeProto>,
}

/// The type whose least and greatest value these are.
pub fn element_of(least: i64, most: i64) -> Option<ElementType> {
    let types = [ElementType::Uint8, ElementType::Int8, ElementType::Uint16, ElementType::Int16];
    types.into_iter().find(|element| limits(*element) == Some((least, most)))
}

/// The least and the greatest value of a type of whole numbers that few bits hold.
pub fn limits(element: ElementType) -> Option<(i64, i64)> {
    let (bits, is_signed) = element.integers().filter(|(bits, _)| *bits <= 32)?;
    Some(if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
}
