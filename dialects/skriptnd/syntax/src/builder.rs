//! From the parser's pairs to the tree: what all parts of the builder share.

use super::ast::{Name, QualifiedName, TypeName};
use super::diagnostics as say;
use super::errors::{self, Missing};
use super::excerpt::Excerpt;
use super::grammar::Rule;
use pest::iterators::Pair as PestPair;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use skriptnd_source::{FileId, Span};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

pub(super) type Pair<'a> = PestPair<'a, Rule>;

/// After this many syntax errors the rest is not worth reading.
const MAX_ERRORS: usize = 100;

/// Turns pairs into the tree. Every method gives `None` where it has reported an error instead.
pub(super) struct Builder<'a> {
    file: FileId,
    pub(super) text: &'a str,
    /// Where `text` begins in its file (format expressions are parsed on their own).
    base: u32,
    pub(super) diagnostics: Diagnostics,
    errors: usize,
    /// How many expressions around the current one are being read.
    pub(super) depth: u32,
    /// The words of what could not be read.
    pub(super) lost: Option<HashSet<Arc<str>>>,
    /// Whether some definition, or something between definitions, could not be read.
    pub(super) incomplete: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(file: FileId, text: &'a str) -> Self {
        Builder {
            file,
            text,
            base: 0,
            diagnostics: Diagnostics::default(),
            errors: 0,
            depth: 0,
            lost: None,
            incomplete: false,
        }
    }

    /// A builder for a part of the text, for instance a format expression.
    pub(super) fn part(&self, text: &'a str, start: u32) -> Self {
        Builder { base: start, ..Builder::new(self.file, text) }
    }

    /// A builder for a part of this one's text.
    pub(super) fn inner(&self, range: Range<usize>) -> Self {
        self.part(&self.text[range.clone()], self.base + range.start as u32)
    }

    /// Notes that a text could not be read.
    pub(super) fn lose(&mut self, text: &str) {
        let text = text.trim_start();
        if text.is_empty() {
            return;
        }
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let lost = self.lost.get_or_insert_default();
        for word in words {
            lost.insert(Arc::from(word));
            // `reals..` is `real[s..` without its bracket.
            let extent = ["int", "real", "bool"].iter().find_map(|name| word.strip_prefix(name));
            lost.extend(extent.map(Arc::from).filter(|extent: &Arc<str>| !extent.is_empty()));
        }
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += 1;
        match self.errors {
            n if n < MAX_ERRORS => self.diagnostics.push(diagnostic),
            n if n == MAX_ERRORS => self.diagnostics.push(say::too_many_errors(diagnostic.span, MAX_ERRORS)),
            _ => {}
        }
    }

    pub(super) fn error_count(&self) -> usize {
        self.errors
    }

    /// Reports why the text at `start` is not a `rule`. Says what is missing.
    pub(super) fn report_syntax(&mut self, rule: Rule, start: usize) -> Missing {
        if self.errors >= MAX_ERRORS {
            return Missing::Other;
        }
        let (diagnostic, missing) = errors::explain(self.excerpt(), rule, start);
        self.report(diagnostic);
        missing
    }

    /// A span of bytes of `text`.
    /// What is being read.
    pub(super) fn excerpt(&self) -> Excerpt<'a> {
        Excerpt { file: self.file, text: self.text, base: self.base }
    }

    pub(super) fn span_at(&self, start: usize, end: usize) -> Span {
        self.excerpt().span_at(start, end)
    }

    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        let span = pair.as_span();
        self.span_at(span.start(), span.start() + trimmed(span.as_str()))
    }

    pub(super) fn name(&self, pair: &Pair<'_>) -> Name {
        Name { text: Arc::from(pair.as_str()), span: self.span(pair) }
    }

    pub(super) fn qualified(&self, pair: Pair<'_>) -> QualifiedName {
        let span = self.span(&pair);
        let parts = children(pair).map(|part| self.name(&part)).collect();
        QualifiedName { parts, span }
    }
}

/// The parts of a pair that carry meaning: all but punctuation and keywords without alternatives.
pub(super) fn children(pair: Pair<'_>) -> impl Iterator<Item = Pair<'_>> {
    pair.into_inner().filter(|inner| !is_punctuation(inner.as_rule()))
}

/// Whether `static` of the newer spelling stands in front.
pub(super) fn has_static(pair: &Pair<'_>) -> bool {
    pair.clone().into_inner().any(|inner| inner.as_rule() == Rule::kw_static)
}

fn is_punctuation(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::semicolon
            | Rule::comma
            | Rule::colon
            | Rule::equals
            | Rule::open_brace
            | Rule::close_brace
            | Rule::open_paren
            | Rule::close_paren
            | Rule::open_bracket
            | Rule::close_bracket
            | Rule::back_tick
            | Rule::bar
            | Rule::arrow
            | Rule::less
            | Rule::greater
            | Rule::EOI
            | Rule::question
            | Rule::kw_import
            | Rule::kw_dynamic
            | Rule::kw_static
            | Rule::kw_if
            | Rule::kw_then
            | Rule::kw_elif
            | Rule::kw_else
            | Rule::kw_with
            | Rule::kw_for
            | Rule::kw_while
            | Rule::kw_do
            | Rule::kw_yield
    )
}

/// Length without the white space and the comments at the end, which the parser counts in.
fn trimmed(text: &str) -> usize {
    let mut end = text.trim_end().len();
    if end == text.len() {
        return end;
    }
    loop {
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        match errors::comment_start(&text[line..end]) {
            Some(comment) => end = text[..line + comment].trim_end().len(),
            None => return end,
        }
    }
}

pub(super) fn type_name(text: &str) -> Option<TypeName> {
    Some(match text {
        "type" => TypeName::Type,
        "arith" => TypeName::Arith,
        "num" => TypeName::Num,
        "int" => TypeName::Int,
        "real" => TypeName::Real,
        "bool" => TypeName::Bool,
        "str" => TypeName::Str,
        _ => return None,
    })
}
