//! Tests of the parser: what a text means, and what is said of texts that mean nothing.

mod errors;
mod expressions;
mod limits;
mod models;

use super::ast::{Expr, Module};
use super::parse;
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::place;

/// Parses a text and gives its errors as `LINE:COLUMN message`.
fn parse_text(text: &str) -> (Module, Vec<String>) {
    let mut sources = SourceMap::default();
    let file = sources.add("t", text);
    let (module, diagnostics) = parse(file, text);
    let describe =
        |d: &skriptnd_source::diagnostics::Diagnostic| format!("{} {}", &place(d.span, &sources)[2..], d.message);
    (module, diagnostics.iter().map(describe).collect())
}

/// Parses a text without errors.
fn parse_valid(text: &str) -> Module {
    let (module, errors) = parse_text(text);
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    module
}

/// The expression in `@using { v = TEXT; }`.
fn expression(text: &str) -> Expr {
    let module = parse_valid(&format!("operator o {{ @using {{ v = {text}; }} }}"));
    module.operators[0].usings[0].value.clone()
}
