//! Tests of the operators that come with the compiler: settings with results that an independent oracle computed (written
//! by the scripts in `test/operators`), and the documentation's table of operators, which says how well each is tested.

mod archive;
mod settings;
mod table;

use crate::model::Model;
pub use settings::{Setting, Settings};
use skriptnd_language::library::Library;
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

/// The modules that come with the compiler: the standard library, and what importers write beside it.
pub fn library() -> Library {
    let imports: String = Library::standard_modules().map(|name| format!("import {name};\n")).collect();
    Library::load(&Model::of_text("main.sknd", imports)).0
}

/// The settings of all operators, sorted by module and operator.
///
/// # Errors
/// Where a file can't be read or understood.
pub fn all() -> Result<Vec<Settings>, String> {
    crate::find(&folder()).iter().map(|path| Settings::load(path)).collect()
}
