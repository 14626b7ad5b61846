//! The syntax of SkriptND: from text to the syntax tree, and back to text by the formatter.

mod advice;
pub mod ast;
pub mod build;
mod builder;
mod calls;
mod components;
mod declarations;
mod diagnostics;
mod errors;
mod excerpt;
mod expressions;
pub mod format;
mod grammar;
mod lexical;
mod lists;
mod modules;
pub mod names;
mod operands;
mod operators;
mod outline;
mod plain;
pub mod spelling;
mod strings;
#[cfg(test)]
mod tests;
pub mod walk;

use ast::{Module, Operators};
use builder::Builder;
use grammar::{Grammar, Rule};
use lexical::Obstacle;
pub use outline::outline;
use pest::Parser;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{FileId, Span};

/// Parses one module. The tree holds what could be understood.
pub fn parse(file: FileId, text: &str) -> (Module, Diagnostics) {
    let mut found = Diagnostics::default();
    let empty = Module { imports: Vec::new(), operators: Operators::default(), incomplete: true };
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
            let (module, others) = parse_text(file, text, start as usize);
            others.iter().filter(|other| other.span.end < start).for_each(|other| found.push(other.clone()));
            found.push(diagnostic);
            return (module, found);
        }
    }
    parse_text(file, text, text.len())
}

/// Reads a text up to a place.
fn parse_text(file: FileId, text: &str, end: usize) -> (Module, Diagnostics) {
    let (text, unread) = text.split_at(end);
    let mut builder = Builder::new(file, text);
    let (mut imports, mut definitions) = (Vec::new(), Vec::new());
    match Grammar::parse(Rule::module, text) {
        Ok(mut pairs) => {
            if let Some(pair) = pairs.next() {
                (imports, definitions) = builder.module(pair, unread);
                let names = definitions.iter().map(|operator| operator.name.text.clone()).collect();
                calls::resolve(&mut definitions, &names);
            }
        }
        Err(_) => _ = builder.report_syntax(Rule::module, 0),
    }
    let operators = definitions.into_iter().collect();
    let module = Module { imports, operators, incomplete: builder.incomplete };
    (module, builder.diagnostics)
}
