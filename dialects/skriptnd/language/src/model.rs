//! The way from a model's texts to its graphs that every tool takes.

use crate::compose::graph::Graph;
use crate::compose::{ComposeOptions, Definitions, Integers, compose, further_errors};
use crate::library::Library;
use crate::sema::{self, names::Names};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::OperatorKind;
use std::collections::HashMap;
use std::sync::Arc;

/// A model whose definitions have been checked.
#[derive(Debug, Clone)]
pub struct CheckedModel {
    /// The modules of the model, and what composition makes of them.
    pub definitions: Definitions,
    /// What is wrong with their definitions.
    pub diagnostics: Diagnostics,
    /// What the names of its own modules stand for, by the path of the module.
    pub names: HashMap<String, Arc<Names>>,
}

impl CheckedModel {
    /// Reads a model and checks its definitions. What could be parsed is checked even where other parts could not.
    pub fn load(files: &dyn FileProvider) -> CheckedModel {
        let (library, mut diagnostics) = Library::load(files);
        let checked = sema::check(&library);
        diagnostics.extend(checked.diagnostics);
        CheckedModel { definitions: library.into(), diagnostics, names: checked.names }
    }

    /// The same model, of which graphs are composed that compute with what `@quantize` gives tensors (section 2.14).
    pub fn executing_quantization(&self) -> CheckedModel {
        CheckedModel { definitions: self.definitions.executing_quantization(), ..self.clone() }
    }

    /// The same model, of which graphs are composed that compute with the integers that stand for reals, where tensors are
    /// quantized.
    pub fn computing_integers(&self, integers: Integers) -> CheckedModel {
        CheckedModel { definitions: self.definitions.computing_integers(integers), ..self.clone() }
    }

    /// Composes a graph of `main`: there is one if neither the definitions nor the composition have errors. Further
    /// diagnostics are given, beside those of the definitions: where these have errors, all that don't depend on them.
    pub fn compose(&self, options: &ComposeOptions) -> (Option<Graph>, Diagnostics) {
        if self.diagnostics.has_errors() {
            return (None, further_errors(&self.definitions, options, &self.diagnostics));
        }
        let (graph, found) = compose(&self.definitions, options);
        (graph.filter(|_| !found.has_errors()), found)
    }

    /// The names of the graphs of `main`, the entry first.
    pub fn graphs(&self) -> impl Iterator<Item = &str> {
        let operators = self.definitions.modules.get("main").into_iter().flat_map(|main| main.operators.iter());
        operators.filter(|operator| operator.kind == OperatorKind::Graph).map(|graph| &*graph.name.text)
    }
}
