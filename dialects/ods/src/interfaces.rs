//! What objects of all interfaces have in common: they tell what they stand for.

use skriptnd_mlir::ir::{Attribute, OperationRef, Type};

/// What interfaces of operations extend.
pub trait OperationInterface<'c: 'a, 'a> {
    /// The operation.
    fn operation(&self) -> OperationRef<'c, 'a>;
}

/// What interfaces of attributes extend.
pub trait AttributeInterface<'c> {
    /// The attribute.
    fn attribute(&self) -> Attribute<'c>;
}

/// What interfaces of types extend.
pub trait TypeInterface<'c> {
    /// The type.
    fn r#type(&self) -> Type<'c>;
}
