//! The formula of what an operation computes, in SkriptND: the early text's `reference`.
//!
//! A record may have whole operators, the blocks of one operator, or only its formula; what is not said follows from the
//! operands and results. This crate carries the text: whoever knows SkriptND checks and computes it.

use crate::{
    error::{Diagnostic, Error, Place, Result},
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
    /// The same in words.
    pub(super) whereabouts: String,
}

impl Formula {
    /// The text of the record.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Lets `check` read the module, which finds messages with the bytes that they are about.
    ///
    /// # Errors
    /// What is wrong, each at its place.
    pub fn check(&self, records: &Records, check: &dyn Fn(&str) -> Vec<(usize, String)>) -> Result<()> {
        let wrong = check(&self.module()).into_iter();
        Error::collect(wrong.map(|(offset, message)| self.error(records, offset, &message)))
    }

    /// A warning where nobody checks it.
    pub(crate) fn unchecked(&self) -> Diagnostic {
        let message =
            "'reference' is not checked: give the build script what knows its language, with 'with_languages'";
        Diagnostic::warning(self.place.clone(), message)
    }

    /// The whole module.
    pub fn module(&self) -> String {
        format!("{}{}{}", self.around.0, self.text, self.around.1)
    }

    /// An error at a byte of the module.
    fn error(&self, records: &Records, offset: usize, message: &str) -> Error {
        let offset = offset.saturating_sub(self.around.0.len()).min(self.text.len());
        let place = records.place_in_string(&self.place, &self.text, offset);
        place
            .unwrap_or_else(|| self.place.clone())
            .error(format!("reference: {message}"))
            .note(self.whereabouts.clone())
    }
}
