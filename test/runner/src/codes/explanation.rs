//! `test/codes.txt`: for each code its meaning, an invalid and a mended example.
//!
//! An example is a model, blocks of an operator, or statements of a graph with a few inputs; what is missing around it
//! is added when it is tried.

use super::quoted;
use crate::model::Model;
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::diagnostics::{Diagnostics, Severity};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use std::collections::BTreeMap;

/// What a code means.
#[derive(Debug, Default)]
pub struct Explanation {
    code: String,
    meaning: String,
    wrong: String,
    right: String,
}

/// Reads the file: `code NAME`, lines of text, `wrong`, a text with four blanks before each line, `right`, another one.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, Explanation>, String> {
    let mut explanations = BTreeMap::new();
    for entry in text.split("\ncode ").skip(1) {
        let (code, rest) = entry.split_once('\n').unwrap_or((entry, ""));
        let parts = rest.split_once("\nwrong\n").and_then(|(meaning, rest)| {
            let (wrong, right) = rest.split_once("\nright\n")?;
            Some([meaning.trim().to_owned(), example(wrong), example(right)])
        });
        let [meaning, wrong, right] = parts.ok_or_else(|| format!("`{code}`: expected `wrong` and `right`"))?;
        let explanation = Explanation { code: code.trim().to_owned(), meaning, wrong, right };
        if explanations.insert(explanation.code.clone(), explanation).is_some() {
            return Err(format!("`{code}` is explained twice"));
        }
    }
    Ok(explanations)
}

fn example(text: &str) -> String {
    text.trim_matches('\n').lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

impl Explanation {
    /// Its part of the documentation.
    pub(super) fn section(&self) -> Result<String, String> {
        let found = diagnose(&self.wrong);
        let message = found.iter().find(|diagnostic| diagnostic.code == self.code);
        let message = message.ok_or_else(|| format!("`{}`: its invalid example doesn't give it", self.code))?;
        let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
        Ok(format!(
            "\n## `{}`\n\n{}\n\n{}\n{}\nMended:\n\n{}",
            self.code,
            self.meaning,
            indented(&self.wrong),
            quoted(message),
            indented(&self.right)
        ))
    }

    /// Whether the invalid example gives the code and no other error, and the mended one neither.
    ///
    /// # Errors
    /// Where not.
    pub fn check(&self) -> Result<(), String> {
        let (wrong, right) = (diagnose(&self.wrong), diagnose(&self.right));
        let others = wrong.iter().filter(|d| d.code != self.code && d.severity == Severity::Error);
        let others = others.chain(right.iter().filter(|d| d.code == self.code || d.severity == Severity::Error));
        let others: Vec<String> =
            others.map(|d| format!("`{}`: unexpected {}: {}", self.code, d.code, d.message)).collect();
        if !others.is_empty() {
            return Err(others.join("\n"));
        }
        self.section().map(drop)
    }
}

fn diagnose(example: &str) -> Diagnostics {
    let model = CheckedModel::load(&Model::of_text("main.sknd", model(example)));
    let mut found = model.diagnostics.clone();
    found.extend(model.compose(&ComposeOptions::default()).1);
    if !found.has_errors() {
        found.extend(model.lint());
    }
    found
}

/// The model that an example is a part of.
fn model(example: &str) -> String {
    let line = |word: &str| example.lines().any(|line| line.starts_with(word));
    let used = Library::standard_modules().filter(|module| example.contains(&format!("{module}.")));
    let imports: String = used.map(|module| format!("import {module}; ")).collect();
    if line("import ") || line("from ") || line("graph ") {
        return if line("import ") || line("from ") { example.to_owned() } else { format!("{imports}{example}") };
    }
    const GRAPH: &str = "\ngraph G { @output { y: real[]; } @compose { y = 0.0; } }";
    if line("operator ") || line("public ") {
        return format!("{imports}{example}{GRAPH}");
    }
    if line("@") {
        return format!("{imports}operator f {{\n{example}\n}}{GRAPH}");
    }
    let rest = if line("y =") { "" } else { "y = math.neg(x);" };
    format!(
        "{imports}{}graph G {{ @attrib {{ k: int = 2; }} @input {{ x: real[2, 3]; n: int[4]; c: bool[]; \
         xs: real[2, 3]..(2); }} @output {{ y: real; }} @variable {{ w: real[4, 3]; }} @compose {{\n{example}\n{rest}\n}} }}",
        if imports.contains("math;") { "" } else { "import math; " }
    )
}
