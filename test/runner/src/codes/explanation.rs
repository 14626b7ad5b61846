//! `test/codes.txt`: for each code its meaning, an invalid and a mended example.
//!
//! An example is a model, blocks of an operator, or statements of a graph with a few inputs; what is missing around it
//! is added when it is tried. A graph without inputs is run, too. What no small model reaches has a meaning only.

use super::quoted;
use crate::model::Model;
use skriptnd_ide::lint;
use skriptnd_interpret::{Limits, Variables};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::graph::Tensor;
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics, Severity};
use std::collections::BTreeMap;

/// What a code means.
#[derive(Debug)]
pub struct Explanation {
    code: Code,
    meaning: String,
    example: Option<Example>,
}

/// An invalid example and what becomes of it.
#[derive(Debug)]
struct Example {
    wrong: String,
    right: String,
}

/// Reads the file: `code NAME`, lines of text, `wrong`, a text with four blanks before each line, `right`, another one.
/// The examples may be missing, both of them.
pub(super) fn read(text: &str) -> Result<BTreeMap<Code, Explanation>, String> {
    let mut explanations = BTreeMap::new();
    for entry in text.split("\ncode ").skip(1) {
        let (code, rest) = entry.split_once('\n').unwrap_or((entry, ""));
        let (meaning, examples) = match rest.split_once("\nwrong\n") {
            Some((meaning, examples)) => (meaning, Some(examples)),
            None => (rest, None),
        };
        let example = examples.map(|text| {
            let (wrong, right) = text.split_once("\nright\n").ok_or_else(|| format!("`{code}`: expected `right`"))?;
            Ok::<_, String>(Example { wrong: unindented(wrong), right: unindented(right) })
        });
        let meaning = meaning.trim().to_owned();
        if meaning.is_empty() || meaning.lines().any(|line| line == "wrong" || line == "right") {
            return Err(format!("`{code}`: expected its meaning, then `wrong` and `right`"));
        }
        let code: Code = code.trim().parse().map_err(|_| format!("no message has the code `{}`", code.trim()))?;
        let explanation = Explanation { code, meaning, example: example.transpose()? };
        if explanations.insert(code, explanation).is_some() {
            return Err(format!("`{code}` is explained twice"));
        }
    }
    Ok(explanations)
}

fn unindented(text: &str) -> String {
    text.trim_matches('\n').lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

impl Explanation {
    /// Its part of the documentation. `message` stands in it where there is no example.
    pub(super) fn section(&self, message: Option<&Diagnostic>) -> Result<String, String> {
        let head = format!("\n## `{}`\n\n{}\n", self.code, self.meaning);
        let Some(Example { wrong, right }) = &self.example else {
            return Ok(head + &message.map(|message| format!("\n{}", quoted(message))).unwrap_or_default());
        };
        let found = diagnose(wrong);
        let message = found.iter().find(|diagnostic| diagnostic.code == self.code);
        let message = message.ok_or_else(|| format!("`{}`: its invalid example doesn't give it", self.code))?;
        let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
        Ok(format!("{head}\n{}\n{}\nMended:\n\n{}", indented(wrong), quoted(message), indented(right)))
    }

    /// Whether the invalid example gives the code and no other error, and the mended one neither.
    ///
    /// # Errors
    /// Where not.
    pub fn check(&self) -> Result<(), String> {
        let Some(Example { wrong, right }) = &self.example else { return Ok(()) };
        let (wrong, right) = (diagnose(wrong), diagnose(right));
        let others = wrong.iter().filter(|d| d.code != self.code && d.severity == Severity::Error);
        let others = others.chain(right.iter().filter(|d| d.code == self.code || d.severity == Severity::Error));
        let others: Vec<String> =
            others.map(|d| format!("`{}`: unexpected {}: {}", self.code, d.code, d.message)).collect();
        if !others.is_empty() {
            return Err(others.join("\n"));
        }
        self.section(None).map(drop)
    }
}

/// Examples have no files of variables.
struct NoFiles;

impl Variables for NoFiles {
    fn read(&self, _: &str, declared: &Tensor) -> Result<skriptnd_runtime::Tensor, String> {
        Err(format!("the example has no file for {}", declared.name))
    }
}

fn diagnose(example: &str) -> Diagnostics {
    let model = CheckedModel::load(&Model::of_text("main.sknd", model(example)));
    let mut found = model.diagnostics.clone();
    let (graph, composed) = model.compose(&ComposeOptions::default());
    found.extend(composed);
    if let Some(graph) = graph.filter(|graph| graph.inputs.is_empty())
        && let Err(faults) =
            skriptnd_interpret::run(&model.definitions, &graph, Vec::new(), &NoFiles, &Limits::default())
    {
        found.extend(faults);
    }
    if !found.has_errors() {
        found.extend(lint(&model));
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
