//! The ODS model: what `Op`, `Dialect`, `EnumInfo` and `Pass` records declare, as plain data.
//!
//! The model knows nothing of TableGen any more, but for the places of its parts, and nothing yet of Rust.

mod constraint;
mod dialect;
mod enumeration;
mod format;
mod operation;
mod parse_format;
mod pass;
mod read_operation;
mod traits;

pub use constraint::{AttributeKind, Constraint};
pub use dialect::Dialect;
pub use enumeration::{Enumeration, EnumerationCase};
pub use format::{Element, Format, Reference};
pub use operation::{Argument, Arity, Attribute, Operand, Operation, Region, Successor};
pub use pass::{Pass, PassOption};
pub use traits::{EffectKind, Trait};

use crate::{error::Result, records::Records};

/// All that the records of one file declare.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Dialects, in the order of their definition.
    pub dialects: Vec<Dialect>,
    /// Operations, in the order of their definition.
    pub operations: Vec<Operation>,
    /// Enumerations, in the order of their definition.
    pub enumerations: Vec<Enumeration>,
    /// Passes, in the order of their definition.
    pub passes: Vec<Pass>,
}

impl Model {
    /// Reads the model.
    pub fn read(records: &Records) -> Result<Self> {
        Ok(Self {
            dialects: each(records, "Dialect", Dialect::read)?,
            operations: each(records, "Op", Operation::read)?,
            enumerations: each(records, "EnumInfo", Enumeration::read)?,
            passes: each(records, "PassBase", Pass::read)?,
        })
    }

    /// The same with the operations of one dialect only.
    pub fn of_dialect(mut self, name: &str) -> Self {
        self.dialects.retain(|dialect| dialect.name == name);
        self.operations.retain(|operation| operation.dialect == name);
        self
    }

    /// The same with some of the operations only.
    pub fn with_operations(mut self, wanted: impl Fn(&Operation) -> bool) -> Self {
        self.operations.retain(wanted);
        self
    }
}

fn each<T>(records: &Records, class: &str, read: fn(&Records, tblgen::Record<'_>) -> Result<T>) -> Result<Vec<T>> {
    records.derived(class).into_iter().map(|record| read(records, record)).collect()
}

#[cfg(test)]
mod tests;
