//! The DRR model: rewrite patterns as `Pattern` and `Pat` records declare them, and their translation to PDL.

mod again;
mod bindings;
mod call;
mod circles;
mod emit;
mod index;
mod inner;
mod legend;
mod library;
mod made;
mod made_attributes;
mod made_types;
mod model;
mod native_calls;
mod natives;
mod overlap;
mod parts;
mod pdl;
mod place;
mod read;
mod read_results;
mod read_source;
mod results;
mod source;
mod source_attributes;
mod source_constraints;
mod source_natives;
mod take;
mod taken;
mod uses;

pub use legend::lines as legend;
pub use model::{
    AttributeMatch, AttributeTest, ExtraConstraint, LocationSource, NativeCall, NativeFunction, NativeMatch,
    NativeOutput, OperandMatch, Pattern, Placeholder, Reference, ResultArgument, ResultNode, ResultOperation,
    SourceOperation, Tail, Target, TypeSource,
};
pub use natives::{Native, NativeKind, ParameterKind, Place as NativePlace, ReturnKind};
pub use parts::{Part, Side};

use std::path::{Path, PathBuf};

use tblgen::Record;

use crate::{
    error::{Diagnostic, Result},
    ods::{Constraint, Operation},
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
    /// The patterns, in order.
    pub rules: Vec<Rule>,
    /// What is probably not meant: patterns that never apply, and such that are told apart by their order alone.
    pub warnings: Vec<Diagnostic>,
}

/// A pattern of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Its benefit.
    pub benefit: i64,
    /// Its line in the .td file, if known.
    pub line: Option<usize>,
}

/// Translates all patterns of the records.
pub fn translate(records: &Records) -> Result<PdlModule> {
    let library = library::Library::new(records);
    let (patterns, errors) = read::patterns(records, &library);
    emit::module(&library, patterns, errors)
}

/// All constraints of the records that have a name and are understood, as patterns call them.
pub fn constraints(records: &Records) -> Vec<Native> {
    let of = |record: Record<'_>| {
        let constraint =
            Constraint::read(records, record).ok().filter(|constraint| !constraint.definition.is_empty())?;
        let is_type = record.subclass_of("TypeConstraint");
        let about = match () {
            () if is_type => ParameterKind::Values(None),
            () if record.subclass_of("AttrConstraint") => ParameterKind::Attribute,
            () if record.subclass_of("PropConstraint") => return None,
            // What others are about is known where they are used.
            () if records.place_of(record).position().is_some_and(|(file, ..)| records.is_upstream(file)) => {
                ParameterKind::Value
            }
            () => return None,
        };
        let kind = NativeKind::predicate(&constraint, vec![about], is_type).ok()?;
        Some(Native { name: constraint.definition, kind, text: constraint.predicate.text().to_string() })
    };
    records.derived("Constraint").into_iter().filter_map(of).collect()
}

/// The patterns of the records as data, and the operations that they name, by their index.
pub fn patterns(records: &Records) -> Result<(Vec<Pattern>, Vec<Operation>)> {
    let library = library::Library::new(records);
    let (patterns, errors) = read::patterns(records, &library);
    crate::Error::collect(errors)?;
    Ok((patterns, library.operations()))
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

#[cfg(test)]
mod tests;
