//! Types of scalars, and scalars that are known.

use std::fmt;

/// The type of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// A floating-point number of IEEE 754 with so many bits.
    Real(u32),
    /// The upper half of an f32.
    BFloat,
    /// An integer with so many bits.
    Integer(u32),
    /// An index.
    Index,
}

impl Element {
    /// Whether it is a floating-point number.
    pub fn is_real(self) -> bool {
        matches!(self, Element::Real(_) | Element::BFloat)
    }

    /// Bytes in memory.
    pub fn bytes(self) -> i64 {
        match self {
            Element::Real(bits) | Element::Integer(bits) => i64::from(bits.div_ceil(8)),
            Element::BFloat => 2,
            Element::Index => 8,
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Real(bits) => write!(f, "f{bits}"),
            Element::BFloat => write!(f, "bf16"),
            Element::Integer(bits) => write!(f, "i{bits}"),
            Element::Index => write!(f, "index"),
        }
    }
}

/// What a factor of a product is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// An integer with a sign and so many bits.
    Signed(u32),
    /// An integer without a sign and so many bits.
    Unsigned(u32),
    /// A floating-point number of IEEE 754 with so many bits.
    Real(u32),
    /// The upper half of an f32.
    BFloat,
}

impl Number {
    /// What elements of a type are; none for indices.
    pub fn of(element: Element, is_unsigned: bool) -> Option<Number> {
        match element {
            Element::Integer(bits) if is_unsigned => Some(Number::Unsigned(bits)),
            Element::Integer(bits) => Some(Number::Signed(bits)),
            Element::Real(bits) => Some(Number::Real(bits)),
            Element::BFloat => Some(Number::BFloat),
            Element::Index => None,
        }
    }

    /// Whether the other has all its values as integers.
    pub fn widens_to(self, other: Number) -> bool {
        match (self, other) {
            (Number::Signed(bits), Number::Signed(wide)) | (Number::Unsigned(bits), Number::Unsigned(wide)) => {
                bits <= wide
            }
            (Number::Unsigned(bits), Number::Signed(wide)) => bits < wide,
            _ => self == other,
        }
    }

    /// Its type.
    pub fn element(self) -> Element {
        match self {
            Number::Signed(bits) | Number::Unsigned(bits) => Element::Integer(bits),
            Number::Real(bits) => Element::Real(bits),
            Number::BFloat => Element::BFloat,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Signed(bits) => write!(f, "s{bits}"),
            Number::Unsigned(bits) => write!(f, "u{bits}"),
            Number::Real(_) | Number::BFloat => write!(f, "{}", self.element()),
        }
    }
}

/// A scalar that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its type.
    pub element: Element,
    /// The bits of a floating-point number as an f64, which has all that shorter ones have; an integer in two's complement.
    bits: u64,
}

/// What a constant is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Literal {
    /// A floating-point number.
    Real(f64),
    /// An integer.
    Integer(i64),
}

impl Constant {
    /// A floating-point number, or an integer, of a type that has it.
    pub fn new(element: Element, literal: Literal) -> Self {
        let bits = match literal {
            Literal::Real(value) => value.to_bits(),
            Literal::Integer(value) => u64::from_ne_bytes(value.to_ne_bytes()),
        };
        Constant { element, bits }
    }

    /// Its value.
    pub fn literal(self) -> Literal {
        match self.element.is_real() {
            true => Literal::Real(f64::from_bits(self.bits)),
            false => Literal::Integer(i64::from_ne_bytes(self.bits.to_ne_bytes())),
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.literal() {
            Literal::Real(value) => write!(f, "{value} : {}", self.element),
            Literal::Integer(value) => write!(f, "{value} : {}", self.element),
        }
    }
}
