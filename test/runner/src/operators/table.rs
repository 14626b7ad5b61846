//! `docs/operators.md`: the standard library's operators, from the library's text and the tests.

use super::settings::Settings;
use crate::refusals::{COMPILED, Refusals};
use skriptnd_ide::{declarations, excerpt};
use skriptnd_language::library::Library;
use skriptnd_syntax::ast::{Assertion, Module, Operator, OperatorKind, Param, TypeSpec, Using};
use std::collections::BTreeSet;

const HEAD: &str = "\
# Operators of the standard library

Written by `cargo xtask docs` from `dialects/skriptnd/language/stdlib` and `test/operators`; do not edit.

Each module has a table of its operators, then what each of them takes and gives, in the language itself: generic types,
attributes with their defaults, inputs and outputs with their shapes. An extent with the same name is the same everywhere;
`s..(d)` stands for `d` extents. Where shapes need expressions, *where* lists them. What *must hold* is checked when a graph is
composed, or in the run where extents are known only there; the message of an error has the values.

An operator is computed by its formula (`@lower`), by other operators (`@compose`), or, where the language has no formula for it,
by the runtime (intrinsic). *Settings* are invocations whose results are compared with those of an independent oracle; behind `+`
are those that must be refused. Their file shows how the operator is used. *Native* and *Hexagon* say how many of those whose
results are compared are right in code for this machine and for Hexagon; `test/runner/refusals` has the others.

The last module, `onnx`, comes with the compiler but is no part of the specification: imported models use it where the others
have no such operator.
";

const COLUMNS: &str = "
| operator | meaning | computed by | settings | native | Hexagon |
|---|---|---|---|---|---|
";

/// The text for these settings.
///
/// # Errors
/// Where the list of what a backend does not do right can't be read.
pub fn table(settings: &[Settings]) -> Result<String, String> {
    let library = super::library();
    let refusals = COMPILED.into_iter().map(Refusals::of).collect::<Result<Vec<_>, _>>()?;
    let mut text = String::from(HEAD);
    for (module, tree) in library.modules.iter().filter(|(module, _)| library.is_standard(module)) {
        // Names that begin with `_` are the module's own.
        let public = tree.operators.iter().filter(|operator| !operator.name.text.starts_with('_'));
        let entries: Vec<_> =
            public.map(|operator| Entry::new(&library, module, operator, settings, &refusals)).collect();
        text.push_str(&format!("\n## {module}\n{COLUMNS}"));
        text.extend(entries.iter().map(Entry::row));
        text.extend(entries.iter().map(Entry::section));
    }
    Ok(text)
}

/// An operator in the documentation.
struct Entry<'a> {
    library: &'a Library,
    /// With its module, as in `layout.concat`.
    path: String,
    operator: &'a Operator,
    settings: Option<&'a Settings>,
    /// Of each compiled backend.
    refusals: &'a [Refusals],
}

impl<'a> Entry<'a> {
    fn new(
        library: &'a Library,
        module: &str,
        operator: &'a Operator,
        settings: &'a [Settings],
        refusals: &'a [Refusals],
    ) -> Self {
        let path = format!("{module}.{}", operator.name.text);
        let settings = settings.iter().find(|settings| settings.operator == path);
        Entry { library, path, operator, settings, refusals }
    }

    /// The operator's line in the module's table.
    fn row(&self) -> String {
        let name = &self.operator.name.text;
        let anchor = self.path.replace('.', "");
        let meaning = first_sentence(&self.operator.documentation).replace('|', "\\|");
        let (computed, tested) = (self.computed_by(), self.tested());
        let right: Vec<String> = self.refusals.iter().map(|refusals| self.right(refusals)).collect();
        let right = right.join(" | ");
        format!("| [`{name}`](#{anchor}) | {meaning} | {computed} | {tested} | {right} |\n")
    }

    /// How many of the valid settings a backend computes right.
    fn right(&self, refusals: &Refusals) -> String {
        let valid = self.settings.into_iter().flat_map(|settings| &settings.graphs).filter(|graph| graph.is_valid());
        let names: Vec<String> = valid.map(|graph| format!("operators/{}::{}", self.path, graph.name)).collect();
        let wrong = names.iter().filter(|name| refusals.lists(name)).count();
        if wrong == 0 { "all".to_owned() } else { format!("{} of {}", names.len() - wrong, names.len()) }
    }

    /// All that is to be told.
    fn section(&self) -> String {
        let mut text = format!("\n### {}\n\n{}\n\n", self.path, on_one_line(&self.operator.documentation));
        text.push_str(&format!("```\n{}\n```\n", declarations(self.library, &self.path, self.operator)));
        text.push_str(&list("Where", &self.shape_expressions()));
        text.push_str(&list("Must hold", &self.requirements()));
        text
    }

    fn computed_by(&self) -> &'static str {
        match (self.operator.lowerings.is_empty(), &self.operator.components) {
            (false, _) => "formula",
            (true, Some(_)) => "operators",
            (true, None) => "intrinsic",
        }
    }

    /// How many settings there are, as a link to them.
    fn tested(&self) -> String {
        let Some(settings) = self.settings else { return "0".to_owned() };
        let valid = settings.valid();
        let refused = match settings.graphs.len() - valid {
            0 => String::new(),
            refused => format!(" + {refused}"),
        };
        let dynamic = if has_dynamic(settings) { ", with dynamic extents" } else { "" };
        format!("[{valid}{refused}](../test/operators/{}.sknd){dynamic}", self.path.replace('.', "/"))
    }

    /// The helper symbols that the shapes of outputs and variables need, in their order.
    fn shape_expressions(&self) -> Vec<String> {
        let ports = self.operator.outputs.iter().chain(&self.operator.variables);
        let mut needed: BTreeSet<String> = ports.flat_map(|param| words(&excerpt(self.library, param.span))).collect();
        let mut kept: Vec<&Using> = Vec::new();
        for using in self.operator.usings.iter().rev() {
            let whole = excerpt(self.library, using.span);
            let (target, value) = whole.split_once(" = ").unwrap_or((&whole, ""));
            if words(target).iter().any(|name| needed.contains(name)) {
                needed.extend(words(value));
                kept.push(using);
            }
        }
        kept.iter().rev().map(|using| code(&excerpt(self.library, using.span))).collect()
    }

    /// What the operator asserts, in its messages' words.
    fn requirements(&self) -> Vec<String> {
        let say = |assertion: &Assertion| {
            let condition = code(&excerpt(self.library, assertion.condition.span));
            match &assertion.message {
                Some(message) => format!("{condition}: {}", quoted(&excerpt(self.library, message.span))),
                None => condition,
            }
        };
        self.operator.asserts.iter().map(say).collect()
    }
}

fn list(head: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    format!("\n{head}:\n\n{}", items.iter().map(|item| format!("- {item}\n")).collect::<String>())
}

/// Source text in Markdown, which may have back-ticks itself.
fn code(source: &str) -> String {
    if source.contains('`') { format!("`` {source} ``") } else { format!("`{source}`") }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn first_sentence(documentation: &str) -> String {
    let text = on_one_line(documentation);
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].to_owned()
}

/// What stands in a literal that may consist of several strings.
fn quoted(literal: &str) -> String {
    literal.split('"').skip(1).step_by(2).collect()
}

/// The names in a piece of source text.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether some graph leaves extents of its inputs to the run.
fn has_dynamic(settings: &Settings) -> bool {
    settings.graphs.iter().any(|setting| {
        let (library, _) = Library::load(&setting.file.model);
        library.modules.get("main").is_some_and(|module| graphs_inputs(module).any(|input| is_dynamic(&input.spec)))
    })
}

fn graphs_inputs(module: &Module) -> impl Iterator<Item = &Param> {
    module.operators.iter().filter(|operator| operator.kind == OperatorKind::Graph).flat_map(|graph| &graph.inputs)
}

fn is_dynamic(spec: &TypeSpec) -> bool {
    spec.shape.iter().flatten().any(|extent| extent.bound.is_some() || extent.extent.is_none())
}
