//! The modules of a model and the standard library, by path.

use crate::diagnostics::Diagnostics;
use crate::source::{FileProvider, SourceMap};
use crate::syntax::ast::{Module, Operator};
use indexmap::IndexMap;
use std::sync::Arc;

/// All modules that a model reaches through imports, parsed.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// Their texts.
    pub sources: SourceMap,
    /// By module path (`main`, `nn`, `lib.ops`); `main` first.
    pub modules: IndexMap<String, Arc<Module>>,
}

impl Library {
    /// Reads `main` and, transitively, what it imports: first from the model, then from the standard library.
    pub fn load(_files: &dyn FileProvider) -> (Library, Diagnostics) {
        (Library::default(), Diagnostics::default())
    }

    /// The standard library alone: what a dialect without a model knows.
    pub fn standard() -> Library {
        Library::default()
    }

    /// The definition with a full path such as `nn.conv`.
    pub fn operator(&self, path: &str) -> Option<&Operator> {
        let (module, name) = path.rsplit_once('.')?;
        self.modules.get(module)?.operators.iter().find(|o| &*o.name.text == name)
    }
}
