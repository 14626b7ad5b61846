//! Passes and their options.

use tblgen::Record;

use crate::{
    error::{Error, Place, Result},
    records::{self, Records},
};

/// An `Option` or `ListOption` of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassOption {
    /// The name on the command line.
    pub name: String,
    /// The C++ type: `std::string`, `bool`, `unsigned`, `int64_t`.
    pub kind: String,
    /// The value when it is not given, as the .td file writes it.
    pub default: String,
    /// One line about it.
    pub description: String,
    /// Whether it takes several values.
    pub is_list: bool,
}

/// A `Pass` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The name of the definition.
    pub definition: String,
    /// The name on the command line.
    pub argument: String,
    /// The operation that it runs on; empty for any.
    pub operation: String,
    /// One line about it.
    pub summary: String,
    /// Markdown about it.
    pub description: String,
    /// Dialects whose operations it makes, by name.
    pub dependent_dialects: Vec<String>,
    /// The options that the pass can be given.
    pub options: Vec<PassOption>,
    /// Where it is defined.
    pub place: Place,
}

impl Pass {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let definition = records::name(record).to_string();
        let error = |message: String| Error::at(records, record, message);
        let argument =
            records::text(record, "argument").ok_or_else(|| error(format!("pass '{definition}' needs an argument")))?;
        let base = records::text(record, "baseClass").unwrap_or_default();
        let operation = base.split_once('<').map(|(_, rest)| rest.trim_end_matches('>').trim()).unwrap_or_default();
        let options = record
            .list_of_defs_value("options")
            .map_err(|_| error(format!("pass '{argument}' needs a list of options")))?
            .into_iter()
            .map(|option| PassOption::read(records, option))
            .collect::<Result<Vec<_>>>()?;
        let dialects = record.list_of_strings_value("dependentDialects").unwrap_or_default();
        Ok(Self {
            operation: operation_name(operation),
            summary: records::text(record, "summary").unwrap_or_default(),
            description: records::text(record, "description").unwrap_or_default(),
            dependent_dialects: dialects.into_iter().map(dialect_name).collect(),
            options,
            place: Place::of(records, record),
            argument,
            definition,
        })
    }
}

impl PassOption {
    fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let name = records::text(record, "argument")
            .ok_or_else(|| Error::at(records, record, "a pass option needs a name"))?;
        let kind = records::text(record, "type").unwrap_or_default();
        let known = ["std::string", "bool", "unsigned", "int64_t", "int"];
        if !known.contains(&kind.trim_start_matches(':')) {
            let message = format!("option '{name}' has the type '{kind}'; known are {}", known.join(", "));
            return Err(Error::at(records, record, message));
        }
        Ok(Self {
            name,
            kind: kind.trim_start_matches(':').to_string(),
            default: records::text(record, "defaultValue").unwrap_or_default(),
            description: records::text(record, "description").unwrap_or_default(),
            is_list: record.subclass_of("ListOption"),
        })
    }
}

/// `::mlir::ModuleOp` to `builtin.module`, `func::FuncOp` to `func.func`; anything else stays.
fn operation_name(class: &str) -> String {
    match class.trim_start_matches("::").trim_start_matches("mlir::") {
        "ModuleOp" => "builtin.module".into(),
        "func::FuncOp" => "func.func".into(),
        other => other.into(),
    }
}

/// `linalg::LinalgDialect`, `::mlir::linalg::LinalgDialect` and `linalg` to `linalg`.
fn dialect_name(class: &str) -> String {
    let parts: Vec<&str> = class.split("::").filter(|part| !part.is_empty() && *part != "mlir").collect();
    parts.first().copied().unwrap_or_default().to_string()
}
