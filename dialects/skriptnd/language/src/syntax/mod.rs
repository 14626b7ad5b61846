//! From text to the syntax tree.

pub mod ast;
mod builder;
mod calls;
mod components;
mod declarations;
pub(crate) mod diagnostics;
mod errors;
mod expressions;
mod grammar;
mod lexical;
mod lists;
mod modules;
mod operands;
mod operators;
pub mod spelling;
mod strings;
#[cfg(test)]
mod tests;

use crate::diagnostics::Diagnostics;
use ast::{FileId, Module, Span};
use builder::Builder;
use grammar::{Grammar, Rule};
use lexical::Obstacle;
use pest::Parser;

/// Parses one module. The tree holds what could be understood.
pub fn parse(file: FileId, text: &str) -> (Module, Diagnostics) {
    let mut found = Diagnostics::default();
    let empty = Module { imports: Vec::new(), operators: Vec::new(), incomplete: true };
    if u32::try_from(text.len()).is_err() {
        found.push(diagnostics::file_too_large(Span { file, start: 0, end: 0 }, text.len()));
        return (empty, found);
    }
    match lexical::scan(file, text) {
        None => {}
        Some(Obstacle::Nesting(diagnostic)) => {
            found.push(diagnostic);
            return (empty, found);
        }
        Some(Obstacle::OpenString(start, diagnostic)) => {
            // What comes before the string is worth reading; what its absence breaks is not worth telling.
            let (mut module, others) = parse_text(file, &text[..start as usize]);
            module.incomplete = true;
            others.iter().filter(|other| other.span.end < start).for_each(|other| found.push(other.clone()));
            found.push(diagnostic);
            return (module, found);
        }
    }
    parse_text(file, text)
}

fn parse_text(file: FileId, text: &str) -> (Module, Diagnostics) {
    let mut builder = Builder::new(file, text);
    let mut module = Module { imports: Vec::new(), operators: Vec::new(), incomplete: false };
    match Grammar::parse(Rule::module, text) {
        Ok(mut pairs) => {
            if let Some(pair) = pairs.next() {
                module = builder.module(pair);
                calls::resolve(&mut module);
            }
        }
        Err(_) => builder.report_syntax(Rule::module, 0),
    }
    module.incomplete = builder.error_count() > 0;
    (module, builder.diagnostics)
}
