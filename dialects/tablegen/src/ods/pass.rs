//! Passes and their options.

use tblgen::Record;

use crate::{
    error::{Error, Place, Result},
    fields::{Class, Fields},
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
    /// C++ that is added to the declaration of the option, such as the words of an enumeration.
    pub flags: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// A `Statistic` of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassStatistic {
    /// The name in code.
    pub member: String,
    /// The name that is shown.
    pub name: String,
    /// One line about it.
    pub description: String,
    /// Where it is declared.
    pub place: Place,
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
    /// What the pass counts.
    pub statistics: Vec<PassStatistic>,
    /// The interface whose operations it runs on, for `InterfacePass`.
    pub interface: Option<String>,
    /// Where it is defined.
    pub place: Place,
}

const PASS: Class = Class { name: "PassBase", cpp: &["constructor"], derived: &[] };
const OPTION: Class = Class { name: "Option", cpp: &[], derived: &[] };

impl Pass {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let definition = fields.name().to_string();
        let error = |message: String| Error::at(records, record, message);
        let argument =
            fields.text("argument").ok_or_else(|| error(format!("pass '{definition}' needs an argument")))?;
        let base = fields.text("baseClass").unwrap_or_default();
        let (class, target) = base.split_once('<').unwrap_or((&base, ""));
        let target = target.strip_suffix('>').unwrap_or(target).trim();
        let of_interface = class.trim().ends_with("InterfacePass");
        let mut errors = Vec::new();
        let mut options = Vec::new();
        for option in fields.definitions("options")? {
            PassOption::read(records, option).map_or_else(|error| errors.push(error), |option| options.push(option));
        }
        let statistics = fields.definitions("statistics")?;
        let pass = Self {
            operation: if of_interface { String::new() } else { operation_name(target) },
            interface: of_interface.then(|| target.to_string()),
            summary: fields.text("summary").unwrap_or_default(),
            description: fields.text("description").unwrap_or_default(),
            dependent_dialects: fields.texts("dependentDialects").iter().map(|class| dialect_name(class)).collect(),
            options,
            statistics: statistics.into_iter().map(|statistic| PassStatistic::read(records, statistic)).collect(),
            place: fields.place(),
            argument,
            definition,
        };
        errors.extend(fields.finish(&PASS).err());
        Error::collect(errors).map(|()| pass)
    }
}

impl PassStatistic {
    fn read(records: &Records, record: Record<'_>) -> Self {
        let text = |field| records::text(record, field).unwrap_or_default();
        let place = Place::of(records, record);
        Self { member: text("cppName"), name: text("name"), description: text("description"), place }
    }
}

impl PassOption {
    fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        // How C++ names it: every option has that, and there is nothing to warn of.
        fields.note("cppName");
        let name = fields.text("argument").ok_or_else(|| fields.place().error("a pass option needs a name"))?;
        let option = Self {
            kind: fields.text("type").unwrap_or_default().trim().trim_start_matches(':').to_string(),
            default: fields.text("defaultValue").unwrap_or_default(),
            description: fields.text("description").unwrap_or_default(),
            is_list: record.subclass_of("ListOption"),
            flags: fields.text("additionalOptFlags"),
            place: fields.place(),
            name,
        };
        fields.finish(&OPTION)?;
        Ok(option)
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
