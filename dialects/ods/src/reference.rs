//! What formats refer to, and where types come from.

use skriptnd_mlir::ir::{Context, Type};

/// What an element of a format refers to: the index of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// An operand.
    Operand(usize),
    /// A result.
    Result(usize),
    /// An attribute.
    Attribute(usize),
    /// A region.
    Region(usize),
    /// A successor.
    Successor(usize),
    /// All operands.
    Operands,
    /// All results.
    Results,
}

/// How the type of an operand or a result is found when its operation is parsed.
#[derive(Debug)]
pub enum TypeSource {
    /// The text has it.
    Text,
    /// It is always this one.
    Built(&'static str),
    /// Rust code builds it of nothing.
    Made(for<'c> fn(&'c Context) -> Type<'c>),
    /// It is that of another operand or result, or of the value of an attribute.
    Same(Reference),
    /// As many times the element type of another operand or result as that has elements.
    ElementsOf(Reference),
    /// It is made of the type of another operand or result, or of an attribute's value.
    Transformed(Reference, for<'c> fn(Type<'c>) -> Type<'c>),
    /// The operation infers all types of its results.
    Inferred,
}
