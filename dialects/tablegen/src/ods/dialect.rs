//! Dialects.

use tblgen::Record;

use super::{lexer::is_word, operation::Attribute, read_arguments};
use crate::{
    cpp,
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

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
    /// The names of dialects that are loaded with it.
    pub dependent_dialects: Vec<String>,
    /// Attributes that operations of any dialect may carry; their names are without that of the dialect.
    pub discardable_attributes: Vec<Attribute>,
    /// Whether `hasConstantMaterializer` is set.
    pub has_constant_materializer: bool,
    /// Whether attributes of operations are verified by the dialect.
    pub verifies_operation_attributes: bool,
    /// Whether attributes of the arguments of regions are verified by the dialect.
    pub verifies_region_argument_attributes: bool,
    /// Whether attributes of the results of regions are verified by the dialect.
    pub verifies_region_result_attributes: bool,
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
    /// An error for each dialect that has the name of an earlier one.
    pub(super) fn named_twice(dialects: &[Self]) -> Vec<Error> {
        let twice = dialects.iter().enumerate().filter_map(|(index, dialect)| {
            let earlier = dialects[..index].iter().find(|earlier| earlier.name == dialect.name)?;
            let message = format!("'{}' is dialect '{}' as well", earlier.definition, dialect.name);
            Some(dialect.place.error(message).help("declare a dialect once, and name others otherwise"))
        });
        twice.collect()
    }

    /// The name, which assembly must take for one.
    pub(super) fn name_of(fields: &Fields<'_>) -> Result<String> {
        let name = fields.required_text("name", "dialect")?;
        if !is_word(&name) || name.starts_with(|c: char| c.is_ascii_digit()) {
            let message = format!("'{name}' is no name of a dialect");
            return Err(fields.error("name", message).help("write one word of letters, digits, '_' and '$'"));
        }
        Ok(name)
    }

    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let definition = records::name(record).to_string();
        let name = Self::name_of(&fields)?;
        if fields.flag("hasOperationInterfaceFallback") {
            let message = "interfaces that a dialect finds for its operations at run time have no counterpart in Rust";
            let help = "declare the interface with each operation that has it";
            return Err(fields.error("hasOperationInterfaceFallback", message).help(help));
        }
        let dependent_dialects = dependent_dialects(&fields)?;
        if dependent_dialects.contains(&name) {
            return Err(fields.error("dependentDialects", format!("dialect '{name}' depends on itself")));
        }
        let by_mnemonic = ["useDefaultAttributePrinterParser", "useDefaultTypePrinterParser"];
        let dialect = Self {
            definition,
            name,
            namespace: fields.text("cppNamespace").unwrap_or_default(),
            summary: fields.text("summary"),
            description: fields.text("description"),
            dependent_dialects,
            discardable_attributes: read_arguments::discardable(&fields)?,
            has_constant_materializer: fields.flag("hasConstantMaterializer"),
            verifies_operation_attributes: fields.flag("hasOperationAttrVerify"),
            verifies_region_argument_attributes: fields.flag("hasRegionArgAttrVerify"),
            verifies_region_result_attributes: fields.flag("hasRegionResultAttrVerify"),
            has_canonicalizer: fields.flag("hasCanonicalizer"),
            parses_by_mnemonic: by_mnemonic.map(|field| fields.flag(field)).contains(&true),
            place: fields.place(),
        };
        fields.finish(&DIALECT)?;
        Ok(dialect)
    }
}

/// The names of the `dependentDialects` of a record, which are C++ classes, `::mlir::linalg::LinalgDialect`, or names, `linalg`.
pub(super) fn dependent_dialects(fields: &Fields<'_>) -> Result<Vec<String>> {
    let field = "dependentDialects";
    let (mut names, mut errors) = (Vec::new(), Vec::new());
    let texts = fields.texts(field);
    // `["tensor::TensorDialect, scf::SCFDialect"]` is two template arguments where C++ uses it, and upstream writes that.
    for class in texts.iter().flat_map(|text| text.split(',')).map(str::trim) {
        let name = name_of_class(fields.records, class);
        match is_word(&name) {
            true => names.push(name),
            false => errors.push(fields.error(field, format!("'{class}' names no dialect"))),
        }
    }
    Error::collect(errors).map(|()| names)
}

/// That of a dialect which is defined, if one has this class; else what MLIR's own are called, mostly after their namespace.
fn name_of_class(records: &Records, class: &str) -> String {
    // A name, which may be that of a namespace that C++ need not say: `llvm`.
    if !class.contains("::") && !class.ends_with("Dialect") {
        return class.to_string();
    }
    let class = cpp::normalized(class);
    let defined = records.derived("Dialect").into_iter().find(|record| {
        let namespace = cpp::normalized(&records::text(*record, "cppNamespace").unwrap_or_default());
        let name = records::name(*record).replace('_', "");
        class == if namespace.is_empty() { name } else { format!("{namespace}::{name}") }
    });
    if let Some(name) = defined.and_then(|record| records::text(record, "name")) {
        return name;
    }
    let name = class.rsplit_once("::").map_or_else(|| class.trim_end_matches("Dialect"), |(namespace, _)| namespace);
    name.rsplit("::").next().unwrap_or(name).to_lowercase()
}
