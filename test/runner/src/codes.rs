//! `docs/diagnostics.md`: what the codes of diagnostics mean, each with an invalid and a mended example from
//! `test/codes.txt`, or with a message of the conformance cases. `skriptnd check --explain CODE` prints a part of it.

mod explanation;

use crate::{File, find};
use explanation::Explanation;
use skriptnd_source::diagnostics::{Code, Diagnostic, Severity};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Diagnostics

Written by `cargo xtask docs` from the declaration of codes, `test/codes.txt` and `test/conformance`; do not edit.

`skriptnd check --json MODEL` gives each diagnostic its code, `skriptnd check --explain CODE` says what stands here. Codes
stay the same when messages get better.
";

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The description of codes in the documentation.
pub fn table_path() -> PathBuf {
    root().join("docs/diagnostics.md")
}

/// The description of all codes, in their order.
///
/// # Errors
/// Where a file can't be read or understood.
pub fn table() -> Result<String, String> {
    let (messages, explanations) = (messages()?, explanations()?);
    let mut text = HEAD.to_owned();
    for (code, explanation) in &explanations {
        text.push_str(&explanation.section(messages.get(code))?);
    }
    Ok(text)
}

/// The explanations of all codes, in their order.
///
/// # Errors
/// Where the file can't be read or understood.
pub fn explanations() -> Result<BTreeMap<Code, Explanation>, String> {
    let path = root().join("test/codes.txt");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    explanation::read(&text)
}

/// Of the diagnostics of all conformance cases, the best example of each code.
fn messages() -> Result<BTreeMap<Code, Diagnostic>, String> {
    let mut examples: BTreeMap<Code, Diagnostic> = BTreeMap::new();
    for path in find(&root().join("test/conformance")) {
        for diagnostic in File::read(&path)?.diagnostics().iter() {
            let known = examples.entry(diagnostic.code).or_insert_with(|| diagnostic.clone());
            if rank(diagnostic) < rank(known) {
                *known = diagnostic.clone();
            }
        }
    }
    Ok(examples)
}

/// A short message with help makes the best example.
fn rank(diagnostic: &Diagnostic) -> (bool, usize, &str, Option<&str>) {
    (diagnostic.help.is_none(), diagnostic.message.len(), &diagnostic.message, diagnostic.help.as_deref())
}

/// A message as a quotation.
fn quoted(diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = format!("> {severity}: {}", diagnostic.message.replace('\n', " "));
    let help = diagnostic.help.iter().map(|help| format!("> help: {}", help.replace('\n', " ")));
    // Two blanks end a line.
    [message].into_iter().chain(help).collect::<Vec<_>>().join("  \n") + "\n"
}
