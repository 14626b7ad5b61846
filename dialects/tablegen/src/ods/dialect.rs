//! Dialects.

use tblgen::Record;

use crate::{
    error::{Error, Result},
    records::{self, Records},
};

/// A `Dialect` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The name of the definition.
    pub definition: String,
    /// The prefix of its operations.
    pub name: String,
    /// One line about it.
    pub summary: Option<String>,
    /// Markdown about it.
    pub description: Option<String>,
    /// Whether `hasConstantMaterializer` is set.
    pub has_constant_materializer: bool,
}

impl Dialect {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let definition = records::name(record).to_string();
        let name = records::text(record, "name")
            .ok_or_else(|| Error::at(records, record, format!("dialect '{definition}' needs a name")))?;
        Ok(Self {
            definition,
            name,
            summary: records::text(record, "summary"),
            description: records::text(record, "description"),
            has_constant_materializer: records::flag(record, "hasConstantMaterializer"),
        })
    }
}
