//! What PDL patterns and native functions give each other.

use crate::ir::{Attribute, OperationRef, Type, Value};

/// An argument or a result of a native function.
#[derive(Clone, Debug)]
pub enum PdlValue<'c, 'a> {
    /// `!pdl.operation`
    Operation(OperationRef<'c, 'a>),
    /// `!pdl.value`
    Value(Value<'c, 'a>),
    /// `!pdl.type`
    Type(Type<'c>),
    /// `!pdl.attribute`
    Attribute(Attribute<'c>),
    /// `!pdl.range<value>`
    Values(Vec<Value<'c, 'a>>),
    /// `!pdl.range<type>`
    Types(Vec<Type<'c>>),
    /// An optional operation, value, type or attribute that is not there.
    Absent,
}
