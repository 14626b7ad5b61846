//! Properties: data of an operation that are stored beside its attributes.

use tblgen::Record;

use super::{
    constraint::Constraint,
    default::{DefaultValue, has_bare_comma},
    property_kind::PropertyKind,
};
use crate::{
    error::{Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

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
    /// The attribute that stands for an absent one, as MLIR writes it, where the C++ is understood.
    pub default_text: Option<String>,
    /// Whether its text can be told from its absence.
    pub has_optional_parser: bool,
    /// The word before the brackets in which its text stands, where it does.
    pub mnemonic: Option<String>,
    /// The C++ that parses and prints it, by field, where it is no property of upstream's.
    pub assembly: Vec<(&'static str, String)>,
    /// The C++ that makes it of an attribute.
    pub conversion: String,
    /// Markdown about it.
    pub description: Option<String>,
    /// What `Arg<..., "...">` says about it.
    pub summary: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

const PROPERTY: Class = Class {
    name: "Property",
    // An attribute stores it, which MLIR hashes and writes.
    cpp: &["odsDeprecated", "hashProperty", "writeToMlirBytecode", "readFromMlirBytecode"],
    derived: &["interfaceType"],
};

/// Fields with C++ that says how a property is stored; those of wrappers follow from what they wrap.
const STORAGE: [&str; 4] = ["convertFromStorage", "assignToStorage", "convertToAttribute", "convertFromAttribute"];
/// Fields with C++ that says how a property is written.
const ASSEMBLY: [&str; 3] = ["parser", "optionalParser", "printer"];
/// What has readers of its own here, or is said by the fields that do.
const READ_ELSEWHERE: [&str; 3] = ["baseProperty", "storageTypeValueOverride", "enum"];

impl Property {
    /// Reads the record of a property that is declared as `name` at `place`.
    pub fn read(
        records: &Records,
        record: Record<'_>,
        name: String,
        summary: Option<String>,
        place: Place,
    ) -> Result<Self> {
        let chain: Vec<_> =
            std::iter::successors(Some(record), |outer| records::definition(*outer, "baseProperty")).collect();
        let base = chain.last().copied().unwrap_or(record);
        let fields = Fields::new(records, record);
        STORAGE.iter().chain(&ASSEMBLY).chain(&READ_ELSEWHERE).for_each(|field| fields.note(field));
        let is_own = |field: &str| chain.iter().any(|record| is_own(records, *record, field));
        let storage = fields.required_text("storageType", "property")?;
        let kind = match STORAGE.iter().any(|field| is_own(field)) {
            true => PropertyKind::Other,
            false => PropertyKind::read(records, record, base, &storage),
        };
        let has_own_text = kind == PropertyKind::Other || ASSEMBLY.iter().any(|field| is_own(field));
        let written = |field: &&'static str| Some((*field, records::text(record, field)?));
        let default = fields.text("defaultValue");
        let property = Self {
            constraint: Constraint::of(&fields)?,
            base: if base.anonymous() { String::new() } else { records::name(base).to_string() },
            interface: fields.text("interfaceType").unwrap_or_else(|| storage.clone()),
            default_text: default.as_deref().and_then(|value| kind.attribute_of(records, value)),
            default,
            has_optional_parser: records::text(record, "optionalParser").is_some(),
            mnemonic: base.has_field("mnemonic").then(|| records::text(base, "mnemonic")).flatten(),
            assembly: ASSEMBLY.iter().filter(|_| has_own_text).filter_map(written).collect(),
            conversion: records::text(record, "convertFromAttribute").unwrap_or_default(),
            description: fields.text("description"),
            kind,
            name,
            storage,
            summary,
            place,
        };
        property.check_default(records)?;
        fields.finish(&PROPERTY)?;
        Ok(property)
    }

    /// Refuses a default value that is none of the property.
    fn check_default(&self, records: &Records) -> Result<()> {
        let Some(value) = &self.default else { return Ok(()) };
        let text = self.default_text.as_deref();
        let default = DefaultValue { name: &self.name, value, text, is_property: true, place: &self.place };
        if self.kind.refuses(records, value) || self.kind != PropertyKind::Other && has_bare_comma(value) {
            return Err(default.refusal(if self.base.is_empty() { &self.storage } else { &self.base }));
        }
        default.check(records, self.kind == PropertyKind::Unit, &self.constraint)
    }
}

/// Whether a field was given its value outside of the files that all dialects share.
fn is_own(records: &Records, record: Record<'_>, field: &str) -> bool {
    let value = record.value(field);
    records::text(record, field).is_some() && value.is_ok_and(|value| !records.is_common(&Place::of(records, value)))
}
