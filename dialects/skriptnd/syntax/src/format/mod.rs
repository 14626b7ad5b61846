//! The formatter: one style for all sources, in the specification's spelling, every comment in its place. What it makes
//! has the same meaning: the trees of both texts are compared before anything is returned.

mod comments;
mod components;
mod definitions;
mod expressions;
mod layout;
mod literals;
mod measure;
mod pieces;
mod printer;
mod same;
mod statements;
#[cfg(test)]
mod tests;
mod types;

use printer::Printer;
use same::Same;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};
use skriptnd_source::{FileId, Span};

/// Formats the text of a module. If it has syntax errors, or if the formatter's own result would differ from it in more
/// than its looks, that is said instead.
pub fn format(file: FileId, text: &str) -> Result<String, Diagnostics> {
    let (module, diagnostics) = crate::parse(file, text);
    if module.incomplete || diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut printer = Printer::new(text);
    printer.module(&module);
    if let Some(place) = printer.lost_at() {
        return Err(refusal(Span { file, start: place as u32, end: place as u32 }, "it lost its way here"));
    }
    let formatted = in_line_ends_of(text, layout::lay_out(&printer.pieces));
    let (again, errors) = crate::parse(file, &formatted);
    let start = Span { file, start: 0, end: 0 };
    if errors.has_errors() || !module.same(&again) {
        return Err(refusal(start, "its result would mean something else"));
    }
    if comments::of(text).ne(comments::of(&formatted)) {
        return Err(refusal(start, "it would lose or move a comment"));
    }
    Ok(formatted)
}

/// Texts with carriage returns keep them.
fn in_line_ends_of(text: &str, formatted: String) -> String {
    let first = text.find('\n').map(|at| &text[..at]);
    if first.is_some_and(|line| line.ends_with('\r')) {
        formatted.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        formatted
    }
}

fn refusal(span: Span, why: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    let diagnostic = Diagnostic::error(Code::NotFormatted, span, format!("the formatter refuses this file: {why}"))
        .with_note("this is a fault of the formatter; the file is left as it is");
    diagnostics.push(diagnostic);
    diagnostics
}
