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

/// The kinds of values that native functions return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Attribute,
    Operation,
    Type,
    Types,
    Value,
    Values,
}

impl Kind {
    /// The kind of a type of the PDL dialect.
    pub fn of(r#type: Type<'_>) -> Option<Self> {
        Some(match r#type.to_string().as_str() {
            "!pdl.attribute" => Self::Attribute,
            "!pdl.operation" => Self::Operation,
            "!pdl.type" => Self::Type,
            "!pdl.range<type>" => Self::Types,
            "!pdl.value" => Self::Value,
            "!pdl.range<value>" => Self::Values,
            _ => return None,
        })
    }

    /// Whether a value is of this kind.
    pub fn admits(self, value: &PdlValue<'_, '_>) -> bool {
        matches!(
            (self, value),
            (Self::Attribute, PdlValue::Attribute(_))
                | (Self::Operation, PdlValue::Operation(_))
                | (Self::Type, PdlValue::Type(_))
                | (Self::Types, PdlValue::Types(_))
                | (Self::Value, PdlValue::Value(_))
                | (Self::Values, PdlValue::Values(_))
        )
    }
}
