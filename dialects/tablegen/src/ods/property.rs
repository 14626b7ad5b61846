//! Properties: data of an operation that are stored beside its attributes.

use tblgen::Record;

use super::constraint::Constraint;
use crate::{
    error::{Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

/// The Rust type behind a property, by the C++ type that stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyKind {
    /// `bool`.
    Bool,
    /// `bool`, written by its presence.
    Unit,
    /// A signed integer of this width.
    Integer(u8),
    /// A string.
    String,
    /// Several signed integers of this width.
    Integers(u8),
    /// Anything else.
    Other,
}

/// A declared property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The name in the declaration.
    pub name: String,
    /// What it must fulfil.
    pub constraint: Constraint,
    /// What Rust sees.
    pub kind: PropertyKind,
    /// The definition without what gives it a default value.
    pub base: String,
    /// The C++ type that stores it.
    pub storage: String,
    /// The C++ type that its getter returns.
    pub interface: String,
    /// The C++ expression of the value that stands for an absent one.
    pub default: Option<String>,
    /// The C++ expression of the stored value that stands for an absent one, where it differs.
    pub storage_default: Option<String>,
    /// Whether its text can be told from its absence.
    pub has_optional_parser: bool,
    /// The name of the enumeration that it holds.
    pub enumeration: Option<String>,
    /// The C++ that converts, compares and writes it, by field; only what differs from the class `Property`.
    pub code: Vec<(String, String)>,
    /// Markdown about it.
    pub description: Option<String>,
    /// What `Arg<..., "...">` says about it.
    pub summary: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

const PROPERTY: Class = Class { name: "Property", cpp: &["odsDeprecated"], derived: &["interfaceType"] };

/// Fields with C++ that says how a property is stored, converted and written.
const CODE: [&str; 9] = [
    "convertFromStorage",
    "assignToStorage",
    "convertToAttribute",
    "convertFromAttribute",
    "hashProperty",
    "parser",
    "printer",
    "writeToMlirBytecode",
    "readFromMlirBytecode",
];

impl Property {
    /// Reads the record of a property that is declared as `name` at `place`.
    pub fn read(
        records: &Records,
        record: Record<'_>,
        name: String,
        summary: Option<String>,
        place: Place,
    ) -> Result<Self> {
        let mut base = record;
        while let Some(inner) = records::definition(base, "baseProperty") {
            base = inner;
        }
        let fields = Fields::new(records, record);
        fields.note("baseProperty");
        let storage = fields.text("storageType").unwrap_or_default();
        let class = records.class("Property");
        let code = CODE.iter().filter_map(|field| {
            let text = fields.text(field)?;
            let inherited = class.and_then(|class| records::text(class, field));
            (inherited.as_ref() != Some(&text)).then(|| (field.to_string(), text))
        });
        let property = Self {
            name,
            constraint: Constraint::of(&fields)?,
            kind: PropertyKind::of(base, &storage),
            base: if base.anonymous() { String::new() } else { records::name(base).to_string() },
            interface: fields.text("interfaceType").unwrap_or_else(|| storage.clone()),
            default: fields.text("defaultValue"),
            storage_default: fields.text("storageTypeValueOverride"),
            has_optional_parser: fields.text("optionalParser").is_some(),
            enumeration: fields.definition("enum").map(|found| records::name(found).to_string()),
            code: code.collect(),
            description: fields.text("description"),
            storage,
            summary,
            place,
        };
        fields.finish(&PROPERTY)?;
        Ok(property)
    }
}

impl PropertyKind {
    fn of(base: Record<'_>, storage: &str) -> Self {
        let is_unit = ["UnitProp", "UnitProperty"].contains(&records::name(base)) || base.subclass_of("_cls_UnitProp");
        let integer = |text: &str| text.strip_prefix("int")?.strip_suffix("_t")?.parse().ok();
        let item = |text: &str| text.split_once("SmallVector<").and_then(|(_, rest)| integer(rest.strip_suffix('>')?));
        match storage.trim() {
            "bool" if is_unit => Self::Unit,
            "bool" => Self::Bool,
            "std::string" | "::std::string" => Self::String,
            other => match (integer(other), item(other)) {
                (Some(width), _) => Self::Integer(width),
                (None, Some(width)) => Self::Integers(width),
                (None, None) => Self::Other,
            },
        }
    }
}
