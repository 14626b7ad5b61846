//! A model as questions are asked about it.

use crate::lint::lint;
use skriptnd_language::compose::graph::Graph;
use skriptnd_language::compose::{ComposeOptions, Definitions};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_language::sema::{self, names::Names};
use skriptnd_source::diagnostics::{Code, Diagnostics};
use skriptnd_source::{FileId, FileProvider, SourceMap};
use skriptnd_syntax::ast::Module;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A model at one moment.
pub struct Snapshot {
    /// The modules of the model, and what composition makes of them.
    pub definitions: Definitions,
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// The graphs of the model with which nothing is wrong, the entry first.
    pub(crate) graphs: Vec<Graph>,
    /// The texts that the graphs are made of.
    pub(crate) composed: Option<SourceMap>,
    /// What names stand for, by the path of the module, as far as it has been asked.
    names: RefCell<HashMap<String, Arc<Names>>>,
}

impl Snapshot {
    /// Reads and checks a model, and composes its graphs. What is wrong is told of the entry only: what others lack,
    /// such as extents, their invocations may give.
    pub fn checked(files: &dyn FileProvider) -> Snapshot {
        let model = CheckedModel::load(files);
        let (entry, found) = model.compose(&ComposeOptions::default());
        let others = model.graphs().skip(1).filter_map(|name| {
            model.compose(&ComposeOptions { graph: Some(name.to_owned()), ..ComposeOptions::default() }).0
        });
        let others: Vec<Graph> = others.collect();
        let unused = if entry.is_some() { lint(&model) } else { Diagnostics::default() };
        let CheckedModel { definitions, mut diagnostics, names } = model;
        diagnostics.extend(unused);
        // Which values its attributes get is not the text's matter.
        for diagnostic in found.iter().filter(|diagnostic| diagnostic.code != Code::MissingAttribute) {
            diagnostics.push(diagnostic.clone());
        }
        let graphs: Vec<Graph> = entry.into_iter().chain(others).collect();
        let composed = (!graphs.is_empty()).then(|| definitions.sources.clone());
        Snapshot { definitions, diagnostics, graphs, composed, names: names.into() }
    }

    /// Only reads a model: enough for questions about names.
    pub fn read(files: &dyn FileProvider) -> Snapshot {
        let (library, diagnostics) = Library::load(files);
        Snapshot {
            definitions: library.into(),
            diagnostics,
            graphs: Vec::new(),
            composed: None,
            names: RefCell::default(),
        }
    }

    /// Whether it has been composed, now or earlier: only then are types and values known.
    pub fn is_composed(&self) -> bool {
        self.composed.is_some()
    }

    /// Takes over what an earlier state of the model had been composed to, so that types are known while somebody types.
    pub fn with_graph_of(mut self, earlier: Snapshot) -> Snapshot {
        if self.graphs.is_empty() {
            self.graphs = earlier.graphs;
            self.composed = earlier.composed;
        }
        self
    }

    /// The module in this file, and its path.
    pub fn module(&self, file: FileId) -> Option<(&str, &Arc<Module>)> {
        let path = self.definitions.path_of(file)?;
        self.definitions.modules.get_key_value(path).map(|(path, module)| (path.as_str(), module))
    }

    /// The names in a file.
    pub fn names(&self, file: FileId) -> Option<Arc<Names>> {
        let path = self.definitions.path_of(file)?;
        let mut known = self.names.borrow_mut();
        let names = known.entry(path.to_owned()).or_insert_with(|| Arc::new(sema::names(&self.definitions, path)));
        Some(names.clone())
    }

    pub(crate) fn text(&self, file: FileId) -> &str {
        self.definitions.sources.file(file).map_or("", |source| &source.text)
    }
}
