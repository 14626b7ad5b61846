//! Documentation that is made from the code.

use crate::{root, steps};
use anyhow::{Context, Result};

/// Writes the table of operators; false if that fails.
///
/// # Errors
/// Where cargo can't be started.
pub fn run() -> Result<bool> {
    let arguments = ["run", "--quiet", "--package", "skriptnd-conformance", "--bin", "operator-table"];
    Ok(steps::cargo(&root(), &arguments).status().context("cargo did not start")?.success())
}
