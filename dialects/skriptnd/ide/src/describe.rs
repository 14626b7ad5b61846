//! Definitions and declarations as texts for a person.

use crate::snapshot::Snapshot;
use skriptnd_language::library::Library;
use skriptnd_language::sema::SymbolKind;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Operator, OperatorKind, Param};

/// What stands at a place, on one line.
pub fn excerpt(library: &Library, span: Span) -> String {
    let text = library.sources.file(span.file).map_or("", |source| &source.text);
    let text = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The declarations of an operator, in the language itself.
pub fn declarations(library: &Library, path: &str, operator: &Operator) -> String {
    let keyword = match operator.kind {
        OperatorKind::Operator => "operator",
        OperatorKind::Graph => "graph",
    };
    let name = path.strip_prefix("main.").unwrap_or(path);
    let mut text = format!("{keyword} {name} {{\n");
    let dtypes: Vec<String> = operator.dtypes.iter().map(|dtype| excerpt(library, dtype.span)).collect();
    block(&mut text, "dtype", dtypes.iter().map(|line| (line.as_str(), "")));
    let lists = [
        ("attrib", &operator.attributes),
        ("input", &operator.inputs),
        ("output", &operator.outputs),
        ("variable", &operator.variables),
    ];
    for (name, params) in lists {
        let lines: Vec<String> = params.iter().map(|param| excerpt(library, param.span)).collect();
        let documentation = params.iter().map(|param| param.documentation.as_str());
        block(&mut text, name, lines.iter().map(String::as_str).zip(documentation));
    }
    text.push('}');
    text
}

impl Snapshot {
    /// What stands at a place, on one line.
    pub(super) fn excerpt(&self, span: Span) -> String {
        excerpt(&self.definitions, span)
    }

    /// A declared parameter and what it is.
    pub(super) fn declared(&self, kind: SymbolKind, declaration: Span) -> String {
        let excerpt = self.excerpt(declaration);
        match kind {
            SymbolKind::Attribute => format!("@attrib {{ {excerpt}; }}"),
            SymbolKind::Input => format!("@input {{ {excerpt}; }}"),
            SymbolKind::Output => format!("@output {{ {excerpt}; }}"),
            SymbolKind::Constant => format!("@constant {{ {excerpt}; }}"),
            SymbolKind::Variable => format!("@variable {{ {excerpt}; }}"),
            SymbolKind::Dtype => format!("@dtype {{ {excerpt}; }}"),
            SymbolKind::Using => format!("@using {{ {excerpt}; }}"),
            _ => excerpt,
        }
    }

    /// `name: type = default`
    pub(super) fn parameter(&self, param: &Param) -> String {
        self.excerpt(param.span)
    }

    /// What comes behind the name of a parameter: its type and default.
    pub(super) fn parameter_detail(&self, param: &Param) -> String {
        let whole = self.excerpt(param.span);
        whole.strip_prefix(&*param.name.text).unwrap_or(&whole).trim_start_matches([':', ' ']).to_owned()
    }
}

fn block<'t>(text: &mut String, name: &str, lines: impl Iterator<Item = (&'t str, &'t str)>) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    text.push_str(&format!("    @{name} {{\n"));
    for (line, documentation) in lines {
        text.push_str(&format!("        {line};"));
        if !documentation.is_empty() {
            text.push_str(&format!(" # {documentation}"));
        }
        text.push('\n');
    }
    text.push_str("    }\n");
}
