//! The formula of what an operation computes, in SkriptND: the early text's `reference`.
//!
//! A record may have whole operators, the blocks of one operator, or only its formula; what is not said follows from the
//! operands and results. This crate carries the text: whoever knows SkriptND checks and computes it.

use crate::{
    error::{Error, Place},
    records::Records,
};

/// The reference of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// The name of the operator.
    pub operator: String,
    /// What stands before and behind the text of the record in the module.
    pub(super) around: (String, String),
    /// The text of the record.
    pub(super) text: String,
    /// Where the field is set.
    pub(super) place: Place,
}

impl Formula {
    /// The text of the record.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole module.
    pub fn module(&self) -> String {
        format!("{}{}{}", self.around.0, self.text, self.around.1)
    }

    /// An error at a byte of the module.
    pub fn error(&self, records: &Records, offset: usize, message: &str) -> Error {
        let offset = offset.saturating_sub(self.around.0.len()).min(self.text.len());
        let place = records.place_in_string(&self.place, &self.text, offset);
        place.unwrap_or_else(|| self.place.clone()).error(format!("reference: {message}"))
    }
}
