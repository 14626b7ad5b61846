//! Constraints on operands, results, attributes, regions and successors.

use tblgen::Record;

use crate::{
    error::Result,
    fields::Fields,
    predicate::Predicate,
    records::{self, Records},
};

/// A predicate with its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// The name of the definition; empty if it has none.
    pub definition: String,
    /// What a message says must hold.
    pub summary: String,
    /// What must hold.
    pub predicate: Predicate,
}

impl Constraint {
    /// Reads a `Constraint` record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        Self::of(&Fields::new(records, record))
    }

    /// What a record of which more is read says as a constraint.
    pub(crate) fn of(fields: &Fields<'_>) -> Result<Self> {
        let predicate = match fields.definition("predicate") {
            Some(predicate) => Predicate::read(fields.records, predicate, fields.record)?,
            None => Predicate::always(),
        };
        let definition = if fields.record.anonymous() { String::new() } else { fields.name().to_string() };
        let summary = fields.text("summary");
        Ok(Self { summary: summary.unwrap_or_else(|| format!("'{definition}'")), definition, predicate })
    }
}

/// The Rust type behind an attribute, by the C++ class that stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    /// `bool`.
    Bool,
    /// `i64`.
    Integer,
    /// `f64`.
    Float,
    /// A string.
    String,
    /// A type.
    Type,
    /// Presence only.
    Unit,
    /// Several `i64`; the width that the attribute stores.
    Integers(u8),
    /// Several `f64`; the width that the attribute stores.
    Floats(u8),
    /// Several `bool`.
    Bools,
    /// Several attributes.
    Array,
    /// A reference to a symbol.
    Symbol,
    /// Anything else.
    Other,
}

impl AttributeKind {
    /// The kind that the record's `storageType` names.
    pub fn read(record: Record<'_>) -> Self {
        Self::of_class(&records::text(record, "storageType").unwrap_or_default())
    }

    /// The kind of a C++ class.
    pub fn of_class(class: &str) -> Self {
        match class.trim().trim_start_matches("::mlir::").trim_start_matches("mlir::") {
            "BoolAttr" => Self::Bool,
            "IntegerAttr" => Self::Integer,
            "FloatAttr" => Self::Float,
            "StringAttr" => Self::String,
            "TypeAttr" => Self::Type,
            "UnitAttr" => Self::Unit,
            "DenseBoolArrayAttr" => Self::Bools,
            "DenseI8ArrayAttr" => Self::Integers(8),
            "DenseI16ArrayAttr" => Self::Integers(16),
            "DenseI32ArrayAttr" => Self::Integers(32),
            "DenseI64ArrayAttr" => Self::Integers(64),
            "DenseF32ArrayAttr" => Self::Floats(32),
            "DenseF64ArrayAttr" => Self::Floats(64),
            "ArrayAttr" => Self::Array,
            "FlatSymbolRefAttr" | "SymbolRefAttr" => Self::Symbol,
            _ => Self::Other,
        }
    }
}
