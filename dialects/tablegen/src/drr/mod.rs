//! The DRR model: rewrite patterns as `Pattern` and `Pat` records declare them, and their translation to PDL.

mod emit;
mod made;
mod model;
mod natives;
mod read;
mod read_results;
mod results;
mod source;

pub use model::{
    AttributeMatch, AttributeTest, ExtraConstraint, NativeCall, OperandMatch, Pattern, Reference, ResultArgument,
    ResultNode, ResultOperation, SourceOperation, TypeSource,
};
pub use natives::{Native, NativeKind, ParameterKind};

use std::path::{Path, PathBuf};

use crate::{
    error::{Error, Result},
    paths::search_path,
    records::Records,
};

/// Patterns in PDL, and the native functions that they call.
#[derive(Debug, Clone, Default)]
pub struct PdlModule {
    /// The text of a module of `pdl.pattern` operations.
    pub text: String,
    /// The native functions, each once.
    pub natives: Vec<Native>,
    /// The names of the patterns, in order.
    pub patterns: Vec<String>,
}

/// Translates all patterns of the records.
pub fn translate(records: &Records) -> Result<PdlModule> {
    let library = model::Library::read(records)?;
    let patterns = read::patterns(records, &library)?;
    emit::module(&library, patterns)
}

/// The PDL text of all patterns of the records.
pub fn to_pdl(records: &Records) -> Result<String> {
    Ok(translate(records)?.text)
}

/// The PDL text of the patterns in a file.
pub fn drr_to_pdl(path: &Path, include_directories: &[PathBuf]) -> Result<String> {
    to_pdl(&Records::from_file(path, &search_path(path, include_directories))?)
}

/// The PDL text of the patterns in a text, which diagnostics call `name`; includes are searched relative to `name`.
pub fn drr_text_to_pdl(text: &str, name: &str, include_directories: &[PathBuf]) -> Result<String> {
    to_pdl(&Records::from_text(text, name, &search_path(Path::new(name), include_directories))?)
}

/// An error in the pattern at a record.
fn pattern_error(records: &Records, record: tblgen::Record<'_>, message: impl AsRef<str>) -> Error {
    Error::at(records, record, format!("pattern: {}", message.as_ref()))
}

#[cfg(test)]
mod tests;
