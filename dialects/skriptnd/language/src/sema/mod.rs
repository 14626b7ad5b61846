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
mod operators;
mod subgraphs;
mod subscripts;
mod symbols;
#[cfg(test)]
mod tests;
mod types;

use crate::library::Library;
use checker::Checker;
use diagnostics as say;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::{Module, Operator, OperatorKind};
use std::collections::HashMap;
use subgraphs::Subgraphs;

pub use symbols::SymbolKind;

/// Checks every definition of the model's own modules.
pub fn check(library: &Library) -> Diagnostics {
    let mut found = Diagnostics::default();
    for (name, module) in &library.modules {
        if !library.is_standard(name) {
            found.extend(check_module(library, module));
        }
    }
    if let Some(main) = library.modules.get("main")
        && !main.incomplete
        && !main.operators.iter().any(|operator| operator.kind == OperatorKind::Graph)
    {
        let file = library.main_file().unwrap_or(FileId(0));
        found.push(say::no_graph(Span { file, start: 0, end: 0 }, main.operators.len()));
    }
    found
}

/// Checks every definition of one module: sub-graphs before what invokes them, for they may use its names.
fn check_module(library: &Library, module: &Module) -> Diagnostics {
    let mut found = Diagnostics::default();
    let mut seen: HashMap<&str, &Operator> = HashMap::new();
    let mut subgraphs = Subgraphs::check(library, module);
    for operator in &module.operators {
        if let Some(first) = seen.insert(&operator.name.text, operator) {
            found.push(say::duplicate_operator(operator.name.span, &operator.name.text, first.name.span));
        }
        found.extend(match subgraphs.take(operator) {
            Some(diagnostics) => diagnostics,
            None => {
                let mut checker = Checker::new(library, module, operator, &subgraphs);
                checker.definition();
                checker.finish()
            }
        });
    }
    found
}
