//! What operators compute with: types, and values of them.

use skriptnd_runtime::ElementType;

/// Concrete element types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarType {
    /// `real`: float32 at run time.
    Real,
    /// `int`: 64 bits at run time.
    Int,
    /// `bool`
    Bool,
    /// `str`
    Str,
}

impl ScalarType {
    /// How the language writes the type.
    pub fn keyword(self) -> &'static str {
        match self {
            ScalarType::Real => "real",
            ScalarType::Int => "int",
            ScalarType::Bool => "bool",
            ScalarType::Str => "str",
        }
    }

    /// What its items are in a tensor. There are no tensors of strings: they count as anything.
    pub fn element_type(self) -> ElementType {
        match self {
            ScalarType::Real => ElementType::F32,
            ScalarType::Int => ElementType::I64,
            ScalarType::Bool | ScalarType::Str => ElementType::Bool,
        }
    }
}

impl From<ElementType> for ScalarType {
    fn from(element: ElementType) -> ScalarType {
        match element {
            ElementType::F32 => ScalarType::Real,
            ElementType::I64 => ScalarType::Int,
            ElementType::Bool => ScalarType::Bool,
        }
    }
}

/// A value of a type that operators compute with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    /// `int`
    Int(i64),
    /// `real`
    Real(f64),
    /// `bool`
    Bool(bool),
}
