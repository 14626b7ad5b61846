//! Tests of the standard library's operators: settings with results that an independent oracle computed (written by the
//! scripts in `test/operators`), and the documentation's table of operators, which says how well each is tested.

mod archive;
mod settings;
mod table;

pub use settings::{Setting, Settings};
use std::path::{Path, PathBuf};
pub use table::table;

/// The folder of the settings.
pub fn folder() -> PathBuf {
    root().join("test/operators")
}

/// The table of operators in the documentation.
pub fn table_path() -> PathBuf {
    root().join("docs/operators.md")
}

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The settings of all operators, sorted by module and operator.
///
/// # Errors
/// Where a file can't be read or understood.
pub fn all() -> Result<Vec<Settings>, String> {
    crate::find(&folder()).iter().map(|path| Settings::load(path)).collect()
}
