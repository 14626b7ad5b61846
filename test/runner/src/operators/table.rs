//! `docs/operators.md`: the standard library's operators, a line for each, from the library's text and the tests.

use super::settings::Settings;
use skriptnd_language::library::Library;
use skriptnd_language::syntax::ast::{Module, Operator, OperatorKind, Param, Span, TypeSpec};

const HEAD: &str = "\
# Operators of the standard library

Written by `cargo xtask docs` from `dialects/skriptnd/language/stdlib` and `test/operators`; do not edit.

Settings are invocations of the operator whose results are compared with those of an independent oracle; behind `+` are those
that must be refused. Their file shows how the operator is used. An operator is computed by its formula (`@lower`), by other
operators (`@compose`), or, where the language has no formula for it, by the runtime (intrinsic). Dynamic extents are tested
where a setting leaves extents to the run.
";

const COLUMNS: &str = "
| operator | meaning | attributes | computed by | settings | dynamic extents |
|---|---|---|---|---|---|
";

/// The table for these settings.
pub fn table(settings: &[Settings]) -> String {
    let library = Library::standard();
    let mut text = String::from(HEAD);
    for (name, module) in &library.modules {
        text.push_str(&format!("\n## {name}\n{COLUMNS}"));
        // Names that begin with `_` are the module's own.
        for operator in module.operators.iter().filter(|operator| !operator.name.text.starts_with('_')) {
            text.push_str(&row(&library, name, operator, settings));
        }
    }
    text
}

fn row(library: &Library, module: &str, operator: &Operator, settings: &[Settings]) -> String {
    let source = Source { library };
    let path = format!("{module}.{}", operator.name.text);
    let settings = settings.iter().find(|settings| settings.operator == path);
    let attributes: Vec<String> = operator.attributes.iter().map(|param| source.code(param.span)).collect();
    let cells = [
        source.signature(operator),
        first_sentence(&operator.documentation),
        attributes.join("<br>"),
        computed_by(operator).to_owned(),
        settings.map_or_else(|| "0".to_owned(), tested),
        if settings.is_some_and(has_dynamic) { "tested" } else { "" }.to_owned(),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// How many settings there are, as a link to them.
fn tested(settings: &Settings) -> String {
    let valid = settings.valid();
    let refused = match settings.graphs.len() - valid {
        0 => String::new(),
        refused => format!(" + {refused}"),
    };
    format!("[{valid}{refused}](../test/operators/{}.sknd)", settings.operator.replace('.', "/"))
}

fn computed_by(operator: &Operator) -> &'static str {
    match (operator.lowerings.is_empty(), &operator.components) {
        (false, _) => "formula",
        (true, Some(_)) => "operators",
        (true, None) => "intrinsic",
    }
}

fn first_sentence(documentation: &str) -> String {
    let text = documentation.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    escaped(&text[..end])
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Texts of definitions.
struct Source<'a> {
    library: &'a Library,
}

impl Source<'_> {
    fn text(&self, span: Span) -> String {
        let file = self.library.sources.file(span.file);
        let text = file.and_then(|file| file.text.get(span.start as usize..span.end as usize)).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn code(&self, span: Span) -> String {
        format!("`{}`", escaped(&self.text(span)))
    }

    /// `name<T: num>(inputs) -> outputs`
    fn signature(&self, operator: &Operator) -> String {
        let mut text = operator.name.text.to_string();
        let dtypes: Vec<String> = operator.dtypes.iter().map(|dtype| self.text(dtype.span)).collect();
        if !dtypes.is_empty() {
            text.push_str(&format!("<{}>", dtypes.join(", ")));
        }
        text.push_str(&format!("({}) -> {}", self.ports(&operator.inputs), self.ports(&operator.outputs)));
        format!("`{}`", escaped(&text))
    }

    fn ports(&self, params: &[Param]) -> String {
        params.iter().map(|param| self.text(param.span)).collect::<Vec<_>>().join(", ")
    }
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
