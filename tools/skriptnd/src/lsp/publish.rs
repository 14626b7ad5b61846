//! Diagnostics for editors.

use super::convert::{location, range, uri};
use super::documents::Documents;
use lsp_types::{
    Diagnostic as Published, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    Uri,
};
use skriptnd_ide::Snapshot;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, Severity};
use std::collections::BTreeMap;
use std::path::Path;

/// The diagnostics of a model by file; files without any have an empty list. `graph_expected`: the model is one to be
/// run, not a library.
pub fn by_file(
    documents: &Documents,
    snapshot: &Snapshot,
    graph_expected: bool,
) -> BTreeMap<String, (Uri, Vec<Published>)> {
    let mut lists = BTreeMap::new();
    let library = &snapshot.definitions;
    for path in library.modules.keys().filter(|path| !library.is_standard(path)) {
        if let Some(uri) = library.file_of(path).and_then(|file| uri(documents, snapshot, file)) {
            lists.insert(uri.as_str().to_owned(), (uri, Vec::new()));
        }
    }
    let shown = snapshot.diagnostics.iter().filter(|found| graph_expected || found.code != Code::NoGraph);
    for diagnostic in shown {
        let place = own_place(snapshot, diagnostic);
        let Some(uri) = uri(documents, snapshot, place.file) else { continue };
        let published = publish(documents, snapshot, diagnostic, place);
        lists.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, Vec::new())).1.push(published);
    }
    lists
}

/// Whether a file is to be run rather than imported.
pub fn expects_graph(main: &Path) -> bool {
    main.file_name().is_some_and(|name| name == "main.sknd")
}

/// The place in the model's own files: of what is found in the standard library that is an invocation.
fn own_place(snapshot: &Snapshot, diagnostic: &Diagnostic) -> Span {
    let library = &snapshot.definitions;
    let own = |span: &Span| library.path_of(span.file).is_none_or(|path| !library.is_standard(path));
    let frames = diagnostic.chain.iter().map(|frame| frame.span);
    std::iter::once(diagnostic.span).chain(frames).find(own).unwrap_or(diagnostic.span)
}

fn publish(documents: &Documents, snapshot: &Snapshot, diagnostic: &Diagnostic, place: Span) -> Published {
    let mut message = diagnostic.message.clone();
    for note in &diagnostic.notes {
        message.push_str(&format!("\n{note}"));
    }
    if let Some(help) = &diagnostic.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    Published {
        range: range(snapshot, place),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        // Editors show it faded.
        tags: diagnostic.code.name().starts_with("unused-").then(|| vec![DiagnosticTag::UNNECESSARY]),
        code: Some(NumberOrString::String(diagnostic.code.to_string())),
        source: Some("skriptnd".to_owned()),
        message,
        related_information: related(documents, snapshot, diagnostic, place),
        ..Published::default()
    }
}

fn related(
    documents: &Documents,
    snapshot: &Snapshot,
    diagnostic: &Diagnostic,
    place: Span,
) -> Option<Vec<DiagnosticRelatedInformation>> {
    let found = (diagnostic.span != place).then(|| (diagnostic.span, diagnostic.label.clone()));
    let chain = diagnostic.chain.iter().map(|frame| (frame.span, format!("in {} invoked here", frame.operator)));
    let places = found.into_iter().chain(diagnostic.related.iter().cloned()).chain(chain);
    let list: Vec<_> = places
        .filter_map(|(span, label)| {
            let location: Location = location(documents, snapshot, span)?;
            let message = if label.is_empty() { "here".to_owned() } else { label };
            Some(DiagnosticRelatedInformation { location, message })
        })
        .collect();
    (!list.is_empty()).then_some(list)
}
