//! What a written text says when it is read again: whether it is a model, and what it requires of extents by itself.

use super::Exported;
use crate::generated::operations::AssertOp;
use crate::import_model;
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Context, Module, OperationRef, attributes, operations_named};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::Severity;

/// A requirement of extents that only a run knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requirement {
    pub condition: String,
    pub message: String,
    pub values: Vec<String>,
}

impl FileProvider for Exported {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let path = path.join(".");
        if path == "main" {
            return Some(Ok(("main.sknd".into(), self.main.clone())));
        }
        let (_, text) = self.modules.iter().find(|(known, _)| *known == path)?;
        Some(Ok((format!("{}.sknd", path.replace('.', "/")), text.clone())))
    }
}

impl Exported {
    /// What the text is in the dialect.
    pub(super) fn imported<'c>(&self, context: &'c Context) -> Result<Module<'c>, Failure> {
        let model = CheckedModel::load(self);
        let options = ComposeOptions { graph: Some(self.graph.clone()), ..ComposeOptions::default() };
        let (graph, found) = model.compose(&options);
        let Some(graph) = graph else {
            let mut errors = model.diagnostics.iter().chain(found.iter());
            let first = errors.find(|diagnostic| diagnostic.severity == Severity::Error);
            let first = first.map_or("it has no such graph", |diagnostic| diagnostic.message.as_str());
            return Err(format!("has no form in the language that means the same: {first}").into());
        };
        import_model(context, &model.definitions, &graph)
    }
}

/// What is required of extents in a module, each once.
pub(super) fn requirements<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<Vec<Requirement>, Failure> {
    let mut found = Vec::new();
    for required in operations_named(module, AssertOp::NAME).into_iter().filter_map(AssertOp::new) {
        let values = required.values()?.into_iter().filter_map(attributes::as_string).map(str::to_owned).collect();
        let own = Requirement { condition: required.condition()?.into(), message: required.message()?.into(), values };
        if !found.contains(&own) {
            found.push(own);
        }
    }
    Ok(found)
}
