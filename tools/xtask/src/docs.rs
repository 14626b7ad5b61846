//! What is generated into the sources and checked in: declarations of operators, and documentation.

use crate::{root, steps};
use anyhow::{Context, Result};

/// Writes the declarations of the standard operators, the pages about dialects and passes, and the tables of operators
/// and of diagnostics; false if that fails.
///
/// # Errors
/// Where cargo can't be started.
pub fn run() -> Result<bool> {
    let write = |package, executable| {
        // What is written needs no MLIR.
        let arguments = ["run", "--quiet", "--package", package, "--no-default-features", "--bin", executable];
        steps::cargo(&root(), &arguments).status().context("cargo did not start").map(|status| status.success())
    };
    // Declarations first: the rest may be built from them.
    Ok(write("skriptnd-generate", "skriptnd-generate")?
        && write("skriptnd-conformance", "operator-table")?
        && write("skriptnd-conformance", "diagnostic-table")?)
}
