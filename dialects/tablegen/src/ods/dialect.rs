//! Dialects.

use tblgen::Record;

use super::{constraint::Constraint, read_operation::is_word};
use crate::{
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

/// An attribute that operations of other dialects may carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscardableAttribute {
    /// The name without the dialect.
    pub name: String,
    /// What it must fulfil, or the C++ class that stores it.
    pub constraint: Option<Constraint>,
}

/// A `Dialect` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The name of the definition.
    pub definition: String,
    /// The prefix of its operations.
    pub name: String,
    /// The C++ namespace.
    pub namespace: String,
    /// One line about it.
    pub summary: Option<String>,
    /// Markdown about it.
    pub description: Option<String>,
    /// The C++ classes of dialects that are loaded with it.
    pub dependent_dialects: Vec<String>,
    /// Attributes that operations of other dialects may carry.
    pub discardable_attributes: Vec<DiscardableAttribute>,
    /// Whether `hasConstantMaterializer` is set.
    pub has_constant_materializer: bool,
    /// Whether attributes of operations are verified by the dialect.
    pub verifies_operation_attributes: bool,
    /// Whether attributes of the arguments of regions are verified by the dialect.
    pub verifies_region_argument_attributes: bool,
    /// Whether attributes of the results of regions are verified by the dialect.
    pub verifies_region_result_attributes: bool,
    /// Whether interfaces are looked up in the dialect where an operation has none.
    pub has_interface_fallback: bool,
    /// Whether there are canonicalization patterns of the whole dialect.
    pub has_canonicalizer: bool,
    /// Whether types and attributes are parsed and printed by their mnemonics.
    pub parses_by_mnemonic: bool,
    /// Where it is defined.
    pub place: Place,
}

const DIALECT: Class = Class {
    name: "Dialect",
    // Dialects of this project can always be extended, and say themselves how their attributes are stored.
    cpp: &["extraClassDeclaration", "hasNonDefaultDestructor", "isExtensible", "usePropertiesForAttributes"],
    derived: &[],
};

impl Dialect {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let definition = records::name(record).to_string();
        let name = fields
            .text("name")
            .ok_or_else(|| Error::at(records, record, format!("dialect '{definition}' needs a name")))?;
        if !is_word(&name) || name.starts_with(|c: char| c.is_ascii_digit()) {
            let message = format!("'{name}' is no name of a dialect");
            return Err(fields.error("name", message).help("write one word of letters, digits, '_' and '$'"));
        }
        let by_mnemonic = ["useDefaultAttributePrinterParser", "useDefaultTypePrinterParser"];
        let dialect = Self {
            definition,
            name,
            namespace: fields.text("cppNamespace").unwrap_or_default(),
            summary: fields.text("summary"),
            description: fields.text("description"),
            dependent_dialects: fields.texts("dependentDialects"),
            discardable_attributes: discardable(&fields)?,
            has_constant_materializer: fields.flag("hasConstantMaterializer"),
            verifies_operation_attributes: fields.flag("hasOperationAttrVerify"),
            verifies_region_argument_attributes: fields.flag("hasRegionArgAttrVerify"),
            verifies_region_result_attributes: fields.flag("hasRegionResultAttrVerify"),
            has_interface_fallback: fields.flag("hasOperationInterfaceFallback"),
            has_canonicalizer: fields.flag("hasCanonicalizer"),
            parses_by_mnemonic: by_mnemonic.map(|field| fields.flag(field)).contains(&true),
            place: fields.place(),
        };
        fields.finish(&DIALECT)?;
        Ok(dialect)
    }
}

fn discardable(fields: &Fields<'_>) -> Result<Vec<DiscardableAttribute>> {
    let dag = fields.marked("discardableAttrs", "ins")?;
    let mut attributes = Vec::new();
    for (index, argument) in dag.arguments().enumerate() {
        let error = |message| fields.argument_error("discardableAttrs", index, dag.len(), message);
        let Some(name) = argument.name else { return Err(error("a discardable attribute needs a name")) };
        let constraint = match argument.value.and_then(records::as_record) {
            Some(record) => Some(Constraint::read(fields.records, record)?),
            None => None,
        };
        attributes.push(DiscardableAttribute { name: name.into(), constraint });
    }
    Ok(attributes)
}
