//! `docs/diagnostics.md`: the codes of diagnostics, each with a message of the conformance cases.

use crate::{File, find};
use skriptnd_language::diagnostics::{Diagnostic, Severity};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Diagnostics

Written by `cargo xtask docs` from `test/conformance`; do not edit.

`skriptnd check --json MODEL` gives each diagnostic its code. Codes stay the same when messages get better. An example of each:

| code | message | help |
|---|---|---|
";

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The table of codes in the documentation.
pub fn table_path() -> PathBuf {
    root().join("docs/diagnostics.md")
}

/// The table, from the diagnostics of all conformance cases; the shortest message of each code is its example.
///
/// # Errors
/// Where a file can't be read or understood.
pub fn table() -> Result<String, String> {
    let mut examples: BTreeMap<&'static str, Diagnostic> = BTreeMap::new();
    for path in find(&root().join("test/conformance")) {
        for diagnostic in File::read(&path)?.diagnostics().iter() {
            let known = examples.entry(diagnostic.code).or_insert_with(|| diagnostic.clone());
            if rank(diagnostic) < rank(known) {
                *known = diagnostic.clone();
            }
        }
    }
    Ok(HEAD.to_owned() + &examples.values().map(row).collect::<String>())
}

/// A short message with help makes the best example.
fn rank(diagnostic: &Diagnostic) -> (bool, usize, &str, Option<&str>) {
    (diagnostic.help.is_none(), diagnostic.message.len(), &diagnostic.message, diagnostic.help.as_deref())
}

fn row(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let help = diagnostic.help.as_deref().map(cell).unwrap_or_default();
    format!("| `{}` | {severity}: {} | {help} |\n", diagnostic.code, cell(&diagnostic.message))
}
