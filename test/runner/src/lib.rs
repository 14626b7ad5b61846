//! Conformance cases: models whose comments say what they compute, or what is wrong with them. README.md beside this
//! crate describes the comments. [`operators`] tests the standard library in the same way, with data from elsewhere.

pub mod backend;
mod case;
pub mod codes;
mod directive;
pub mod document;
pub mod hostile;
mod literal;
mod marker;
mod model;
pub mod operators;
mod outcome;
#[cfg(feature = "compiled")]
pub mod pool;
pub mod refusals;
pub mod suite;
mod tolerance;
mod verdict;

pub use case::{Case, Expectation, ExpectedError, File};
pub use literal::tensor as parse_tensor;
pub use outcome::difference;
pub use tolerance::Tolerance;
pub use verdict::{Class, Problem};

use std::path::{Path, PathBuf};

/// All case files below a folder, in order of their names: every `.sknd` file, and every folder with a `main.sknd`.
pub fn find(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            match path.join("main.sknd").is_file() {
                true => found.push(path),
                false => found.extend(find(&path)),
            }
        } else if path.extension().is_some_and(|extension| extension == "sknd") {
            found.push(path);
        }
    }
    found.sort();
    found
}
