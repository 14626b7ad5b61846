//! Enumerations.

use tblgen::Record;

use crate::{
    error::{Error, Result},
    records::{self, Records},
};

/// A case of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumerationCase {
    /// The name in code.
    pub symbol: String,
    /// The value.
    pub value: i64,
    /// The name in text.
    pub text: String,
}

/// An `EnumInfo` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    /// The name of the definition.
    pub definition: String,
    /// The name of the Rust type.
    pub name: String,
    /// One line about it.
    pub summary: Option<String>,
    /// The cases in order.
    pub cases: Vec<EnumerationCase>,
    /// The number of bits that a value is stored in.
    pub width: u32,
    /// Whether values are sets of cases.
    pub is_bits: bool,
    /// What stands between the cases of a set.
    pub separator: String,
}

impl Enumeration {
    /// Reads the record.
    pub fn read(records: &Records, record: Record<'_>) -> Result<Self> {
        let definition = records::name(record).to_string();
        let error = |message: String| Error::at(records, record, message);
        let name =
            records::text(record, "className").ok_or_else(|| error("an enumeration needs a class name".into()))?;
        let cases = record
            .list_of_defs_value("enumerants")
            .map_err(|_| error(format!("enumeration '{name}' needs a list of cases")))?
            .into_iter()
            .map(|case| {
                let value = case.int_value("value");
                let value = value.map_err(|_| Error::at(records, case, "an enumeration case needs a value"))?;
                let symbol = records::text(case, "symbol").unwrap_or_default();
                Ok(EnumerationCase { text: records::text(case, "str").unwrap_or(symbol.clone()), symbol, value })
            })
            .collect::<Result<Vec<_>>>()?;
        if let Some(case) = duplicate(&cases) {
            return Err(error(format!("enumeration '{name}' has the case '{case}' twice")));
        }
        Ok(Self {
            definition,
            name,
            summary: records::text(record, "summary"),
            cases,
            width: record.int_value("bitwidth").ok().and_then(|width| u32::try_from(width).ok()).unwrap_or(32),
            is_bits: record.subclass_of("BitEnumBase"),
            separator: records::text(record, "separator").unwrap_or_else(|| "|".into()),
        })
    }
}

fn duplicate(cases: &[EnumerationCase]) -> Option<&str> {
    cases
        .iter()
        .enumerate()
        .find(|(index, case)| cases[..*index].iter().any(|earlier| earlier.symbol == case.symbol))
        .map(|(_, case)| case.symbol.as_str())
}
