//! What a code means, and its invalid and mended example in `test/codes.txt`.
//!
//! An example is a model, blocks of an operator, or statements of a graph with a few inputs; what is missing around it
//! is added when it is tried. A graph without inputs is run, too. What no small model reaches has no example.

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
    example: Option<Example>,
}

/// An invalid example and what becomes of it.
#[derive(Debug)]
struct Example {
    wrong: String,
    right: String,
}

/// Reads the file: `code NAME`, `wrong`, a text with four blanks before each line, `right`, another one.
pub(super) fn read(text: &str) -> Result<BTreeMap<Code, Explanation>, String> {
    let mut explanations: BTreeMap<Code, Explanation> =
        Code::all().map(|code| (code, Explanation { code, example: None })).collect();
    for entry in text.split("\ncode ").skip(1) {
        let name = entry.lines().next().unwrap_or_default().trim();
        let known = name.parse().ok().and_then(|code: Code| explanations.get_mut(&code));
        let explanation = known.ok_or_else(|| format!("no message has the code `{name}`"))?;
        let examples = entry.split_once("\nwrong\n").and_then(|(_, examples)| examples.split_once("\nright\n"));
        let (wrong, right) = examples.ok_or_else(|| format!("`{name}`: expected `wrong` and `right`"))?;
        let example = Example { wrong: unindented(wrong), right: unindented(right) };
        if explanation.example.replace(example).is_some() {
            return Err(format!("`{name}` has two examples"));
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
        let head = format!("\n## `{}`\n\n{}\n", self.code, self.code.meaning());
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
