//! Passes.

use tblgen::Record;

use super::{PassOption, dialect::dependent_dialects, operation_class::operation_of_class};
use crate::{
    cpp,
    error::{Error, Place, Result},
    fields::{Class, Fields},
    records::{self, Records},
};

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
#[derive(Debug, Clone, PartialEq)]
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

impl Pass {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let fields = Fields::new(records, record);
        let definition = fields.name().to_string();
        fields.check_named("a pass")?;
        let error = |message: String| Error::at(records, record, message);
        let argument =
            fields.text("argument").ok_or_else(|| error(format!("pass '{definition}' needs an argument")))?;
        if let Some(odd) = argument.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))) {
            return Err(fields.error("argument", format!("'{odd}' cannot stand in the argument of a pass")));
        }
        let base = fields.text("baseClass").unwrap_or_default();
        let (class, target) = base.split_once('<').unwrap_or((&base, ""));
        let target = target.strip_suffix('>').unwrap_or(target).trim();
        let of_interface = class.trim().ends_with("InterfacePass");
        let mut errors = Vec::new();
        let mut options = Vec::new();
        for option in fields.definitions("options")? {
            match PassOption::read(records, option) {
                Ok(option) if options.iter().any(|other: &PassOption| other.name == option.name) => {
                    let message = format!("pass '{argument}' has two options '{}'", option.name);
                    errors.push(option.place.error(message).note(fields.whereabouts("options")));
                }
                Ok(option) => options.push(option),
                Err(error) => errors.push(error),
            }
        }
        let operation = operation_of_class(records, target, "");
        if let (None, false) = (&operation, of_interface) {
            let message = format!("pass '{argument}' runs on '{target}', of which no operation is known");
            let help = "include the file that defines the operation, or write its name, such as \"func.func\"";
            errors.push(fields.error("baseClass", message).help(help));
        }
        let operation = operation.unwrap_or_default();
        let statistics = fields.definitions("statistics")?;
        let pass = Self {
            operation: if of_interface { String::new() } else { operation },
            interface: of_interface.then(|| cpp::normalized(target)),
            summary: fields.text("summary").unwrap_or_default(),
            description: fields.text("description").unwrap_or_default(),
            dependent_dialects: dependent_dialects(&fields)?,
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
        let place = records.place_of(record);
        Self { member: text("cppName"), name: text("name"), description: text("description"), place }
    }
}
