//! Reader of rule files: C++ text in which `DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement)` stands.
//!
//! `reader` runs the preprocessor and finds registrations; `syntax` parses each to a tree of [terms](term); the room
//! [`check`](crate::check) makes typed rules ([`model`]) of the terms.

mod conditional;
mod constants;
pub(crate) mod diagnostics;
mod directives;
mod lexer;
mod macros;
pub mod model;
mod operators;
mod outputs;
pub mod passes;
mod reader;
mod registration;

mod swallowed;
mod syntax;
pub mod term;
pub mod vocabulary;
pub mod write;

pub use diagnostics::at_term;
pub use outputs::root_outputs;
pub use reader::{RuleFile, read};
pub use registration::{ExternalFunction, MOST_COSTS, OpRegistration, ParameterKind, TensorProperties, cost_rank};
use std::path::{Path, PathBuf};
pub(crate) use swallowed::swallowed;

/// The macros that register a rule; the first is the published one.
pub const RULE_MACROS: [&str; 4] =
    ["DEF_PACKAGE_OPTIMIZATION", "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "DEF_OPTIM", "DEF_OPT"];

/// Macros that are known from the start in `sdk` mode: a file's name and text.
pub const PRELUDE: (&str, &str) = ("prelude.h", include_str!("prelude.h"));

/// How much of what public rule files do is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The published grammar; its restrictions are errors.
    #[default]
    Strict,
    /// With the extensions of public rule files; restrictions are warnings.
    Sdk,
}

impl std::str::FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "strict" => Ok(Mode::Strict),
            "sdk" => Ok(Mode::Sdk),
            _ => Err(format!("expected mode `strict` or `sdk`, found `{text}`")),
        }
    }
}

/// Where `#include "path"` finds its files.
pub trait IncludeProvider {
    /// Name and text of the file that the file `from` includes by `path`; `None` if there is none.
    fn include(&self, from: &str, path: &str) -> Option<Result<(String, String), String>>;
}

/// The text of a file; comments of C++ files may be in any encoding. U+FFFD stands where it is not UTF-8, which rules
/// may not hold.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Finds files beside the including one, then in the given directories.
#[derive(Debug, Clone, Default)]
pub struct Directories(pub Vec<PathBuf>);

impl IncludeProvider for Directories {
    fn include(&self, from: &str, path: &str) -> Option<Result<(String, String), String>> {
        let beside = Path::new(from).parent().map(Path::to_path_buf);
        let candidates = beside.iter().chain(&self.0).map(|directory| directory.join(path));
        let file = candidates.into_iter().find(|file| file.is_file())?;
        let name = file.display().to_string();
        Some(read_text(&file).map(|text| (name, text)))
    }
}

#[cfg(test)]
mod tests;
