//! Checks of definitions on their own: names, types, binding order, before anything is instantiated.

mod binding;
mod checker;
mod components;
mod constants;
mod declarations;
mod defaults;
mod diagnostics;
mod expressions;
mod extents;
mod foreign;
mod invocations;
mod lists;
mod lowering;
mod module;
pub mod names;
mod operators;
mod subgraphs;
mod subscripts;
mod symbols;
#[cfg(test)]
mod tests;
mod types;

use crate::library::Library;
use diagnostics as say;
use names::Names;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::OperatorKind;
use std::collections::HashMap;
use std::sync::Arc;

pub use symbols::SymbolKind;

/// What the checks of a model have found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong.
    pub diagnostics: Diagnostics,
    /// What the names of its own modules stand for, by the path of the module.
    pub names: HashMap<String, Arc<Names>>,
}

/// Checks every definition of the model's own modules.
pub fn check(library: &Library) -> Checked {
    let mut checked = Checked::default();
    for (path, module) in library.modules.iter().filter(|(path, _)| !library.is_standard(path)) {
        let found = module::check(library, path, module);
        checked.diagnostics.extend(found.diagnostics);
        checked.names.insert(path.clone(), Arc::new(found.names));
    }
    if let Some(main) = library.modules.get("main")
        && !main.incomplete
        && !main.operators.iter().any(|operator| operator.kind == OperatorKind::Graph)
    {
        let file = library.main_file().unwrap_or(FileId(0));
        checked.diagnostics.push(say::no_graph(Span { file, start: 0, end: 0 }, main.operators.len()));
    }
    checked
}

/// What the names of one module stand for, be it the model's own or of the standard library.
pub fn names(library: &Library, path: &str) -> Names {
    library.modules.get(path).map(|module| module::check(library, path, module).names).unwrap_or_default()
}
