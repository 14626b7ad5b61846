//! `docs/diagnostics.md`: what the codes of diagnostics mean, each with an invalid and a mended example from
//! `test/codes.txt`, or with a message of the conformance cases. `skriptnd check --explain CODE` prints a part of it.

mod explanation;

use crate::{File, find};
use explanation::Explanation;
use skriptnd_source::diagnostics::{Diagnostic, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Diagnostics

Written by `cargo xtask docs` from `test/codes.txt` and `test/conformance`; do not edit.

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
    let messages = messages()?;
    let explanations = explanations()?;
    let mut codes: BTreeSet<&str> = messages.keys().copied().collect();
    codes.extend(explanations.keys().map(String::as_str));
    let mut text = HEAD.to_owned();
    for code in &codes {
        text.push_str(&match (explanations.get(*code), messages.get(code)) {
            (Some(explanation), message) => explanation.section(message)?,
            (None, message) => format!("\n## `{code}`\n\n{}", message.map(quoted).unwrap_or_default()),
        });
    }
    let others: Vec<String> = used()?.into_iter().filter(|code| !codes.contains(&**code)).collect();
    let others: String = others.iter().map(|code| format!("\n- `{code}`")).collect();
    if !others.is_empty() {
        text.push_str(&format!(
            "\n## Others\n\nWhat the checks before catch, limits, and faults of a run:\n{others}\n"
        ));
    }
    Ok(text)
}

/// The explanations by code.
///
/// # Errors
/// Where the file can't be read or understood.
pub fn explanations() -> Result<BTreeMap<String, Explanation>, String> {
    let path = root().join("test/codes.txt");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    explanation::read(&text)
}

/// Of the diagnostics of all conformance cases, the best example of each code.
fn messages() -> Result<BTreeMap<&'static str, Diagnostic>, String> {
    let mut examples: BTreeMap<&'static str, Diagnostic> = BTreeMap::new();
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

/// The codes that stand in the sources of the front end and the interpreter.
fn used() -> Result<BTreeSet<String>, String> {
    let mut codes = BTreeSet::new();
    let rooms = ["syntax", "language", "interpret", "ide"];
    let mut folders = rooms.map(|room| root().join("dialects/skriptnd").join(room).join("src")).to_vec();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains("diagnostics") {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                codes.extend(text.split("Diagnostic::").skip(1).filter_map(code));
            }
        }
    }
    Ok(codes)
}

/// The code at the beginning of the arguments of a constructor, in kebab case.
fn code(call: &str) -> Option<String> {
    let arguments = call.strip_prefix("error(").or_else(|| call.strip_prefix("warning("))?;
    let code = arguments.trim_start().strip_prefix('"')?.split('"').next()?;
    (code.contains('-') || code == "syntax" || code == "recursion").then(|| code.to_owned())
}
