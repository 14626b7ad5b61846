//! Documentation that is made from the code.

use crate::{root, steps};
use anyhow::{Context, Result};

/// Writes the tables of operators and of diagnostics; false if that fails.
///
/// # Errors
/// Where cargo can't be started.
pub fn run() -> Result<bool> {
    let write = |table| {
        let arguments = ["run", "--quiet", "--package", "skriptnd-conformance", "--bin", table];
        steps::cargo(&root(), &arguments).status().context("cargo did not start").map(|status| status.success())
    };
    Ok(write("operator-table")? && write("diagnostic-table")?)
}
