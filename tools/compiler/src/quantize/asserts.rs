//! What the model requires of extents that only a run knows, and the operators of the written text do not require by themselves.

use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::Graph;
use skriptnd_language::compose::{ComposeOptions, Definitions};
use skriptnd_language::model::CheckedModel;
use skriptnd_language::written::Writer;
use skriptnd_source::diagnostics::Severity;
use skriptnd_source::{FileProvider, Span};
use skriptnd_syntax::build::Expression;

/// A text in the place of the main module, with the other modules of a model.
struct Texts<'t> {
    main: &'t str,
    definitions: &'t Definitions,
}

impl FileProvider for Texts<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let path = path.join(".");
        if path == "main" {
            return Some(Ok(("main.sknd".into(), self.main.to_owned())));
        }
        let file = self.definitions.file_of(&path).filter(|_| !self.definitions.is_standard(&path))?;
        let file = self.definitions.sources.file(file)?;
        Some(Ok((file.name.clone(), file.text.to_string())))
    }
}

/// What a text has to require.
#[derive(Default)]
pub(super) struct Asserts {
    /// Conditions with messages.
    pub written: Vec<(Expression, String)>,
    /// The places of those that can't be written.
    pub left_out: Vec<Span>,
}

/// What of the requirements of a graph its text, in which they do not stand, lacks.
///
/// # Errors
/// Where the text is no model, with the first message.
pub(super) fn missing(
    (definitions, graph): (&Definitions, &Graph),
    writer: &Writer<'_>,
    main: &str,
) -> Result<Asserts, String> {
    let model = CheckedModel::load(&Texts { main, definitions });
    let options = ComposeOptions { graph: Some(graph.name.clone()), ..ComposeOptions::default() };
    let (composed, found) = model.compose(&options);
    let Some(composed) = composed else {
        let mut errors = model.diagnostics.iter().chain(found.iter());
        let first = errors.find(|diagnostic| diagnostic.severity == Severity::Error);
        return Err(first.map_or_else(|| "it has no such graph".into(), |diagnostic| diagnostic.message.clone()));
    };
    let is_required =
        |condition: &SymExpr| composed.runtime_asserts.iter().any(|assertion| assertion.condition == *condition);
    let mut asserts = Asserts::default();
    for assertion in graph.runtime_asserts.iter().filter(|assertion| !is_required(&assertion.condition)) {
        match writer.assertion(assertion) {
            Some(written) if asserts.written.contains(&written) => {}
            Some(written) => asserts.written.push(written),
            None => asserts.left_out.push(assertion.violation.span),
        }
    }
    Ok(asserts)
}
