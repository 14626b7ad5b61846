//! What C++ expressions stand for.

use super::integer::Integer;

/// What a C++ expression stands for, as far as the choice of the Rust helper needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An `mlir::Type`.
    Type,
    /// An `mlir::Attribute`; the class that it was last cast to.
    Attribute(&'static str),
    /// An `mlir::Value`.
    Value,
    /// Several values.
    Values,
    /// An `mlir::Operation`.
    Operation,
    /// An `mlir::Region`.
    Region,
    /// An integer of a type.
    Integer(Integer),
    /// An `APInt`: the bits of an integer attribute, as Rust reads them with a sign.
    Bits,
    /// A `double`.
    Real,
    /// A `float`, which Rust carries as an `f64`.
    Float,
    /// A truth value.
    Boolean,
    /// A string.
    Text,
    /// A list of things of one kind.
    List(Box<Kind>),
    /// Something of a kind that need not be there: a pointer that may be null.
    Maybe(Box<Kind>),
    /// The uses of a value.
    Uses,
}

impl Kind {
    /// An `int64_t`.
    pub const LONG: Self = Self::Integer(Integer::Long);
    /// An `unsigned`.
    pub const UNSIGNED: Self = Self::Integer(Integer::Unsigned);
    /// A `size_t`.
    pub const SIZE: Self = Self::Integer(Integer::UnsignedLong);

    /// Whether it is a floating point number.
    pub fn is_real(&self) -> bool {
        matches!(self, Self::Real | Self::Float)
    }

    /// Whether it is an integer of any type.
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Bits)
    }
}

/// Rust text with its kind.
pub type Typed = (String, Kind);

/// `elementType` to `element_type`; `RankedTensorType` to `ranked_tensor_type`; `DenseI64ArrayAttr` to
/// `dense_i64_array_attr`.
pub fn snake_case(name: &str) -> String {
    let characters: Vec<char> = name.trim_start_matches('$').chars().collect();
    let mut result = String::new();
    for (index, c) in characters.iter().enumerate() {
        let after_lower = index > 0 && !characters[index - 1].is_uppercase();
        let before_lower = index > 0 && characters.get(index + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_lower || before_lower) && !result.ends_with('_') {
            result.push('_');
        }
        result.extend(c.to_lowercase());
    }
    result
}
