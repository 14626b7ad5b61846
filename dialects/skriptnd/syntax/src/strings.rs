//! String literals: escapes and formats (section 2.4).

use super::ast::{Expr, ExprKind, StrPart};
use super::builder::{Builder, Pair};
use super::diagnostics as say;
use super::errors;
use super::grammar::{Grammar, Rule};
use pest::Parser;

impl<'a> Builder<'a> {
    /// Adjacent literals make one string.
    pub(super) fn string(&mut self, pair: Pair<'a>) -> Option<Expr> {
        let span = self.span(&pair);
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            let start = part.as_span().start() + 1;
            let text = part.as_str();
            self.string_part(&text[1..text.len() - 1], start, &mut parts)?;
        }
        Some(Expr { kind: ExprKind::Str(parts), span })
    }

    fn string_part(&mut self, text: &'a str, start: usize, parts: &mut Vec<StrPart>) -> Option<()> {
        let mut rest = text.char_indices();
        while let Some((at, c)) = rest.next() {
            match c {
                '\\' => push_char(parts, unescape(rest.next().map_or('\\', |(_, c)| c))),
                '{' => {
                    let length = format_length(&text[at + 1..]);
                    let Some(length) = length else {
                        self.report(say::format_syntax(
                            self.span_at(start + at, start + at + 1),
                            "this `{` has no `}`",
                        ));
                        return None;
                    };
                    let value = self.format(&text[at + 1..at + 1 + length], start + at + 1)?;
                    parts.push(StrPart::Format(value));
                    rest = text[at + length + 2..].char_indices();
                    return self.string_part(rest.as_str(), start + at + length + 2, parts);
                }
                '}' => {
                    self.report(say::format_syntax(self.span_at(start + at, start + at + 1), "this `}` has no `{`"));
                    return None;
                }
                c => push_char(parts, c),
            }
        }
        Some(())
    }

    fn format(&mut self, text: &'a str, start: usize) -> Option<Expr> {
        let begin = self.span_at(start, start).start;
        let mut part = self.part(text, begin);
        let expr = match Grammar::parse(Rule::only_format, text) {
            Ok(mut pairs) => {
                let inner = pairs.next().and_then(|pair| pair.into_inner().next());
                inner.and_then(|pair| part.expr(pair))
            }
            Err(_) => {
                let (cause, _) = errors::explain(part.excerpt(), Rule::only_format, 0);
                let problem = cause.message.replace("the end of the file", "its end");
                part.report(say::format_syntax(self.span_at(start - 1, start + text.len() + 1), &problem));
                None
            }
        };
        for diagnostic in part.diagnostics.iter() {
            self.report(diagnostic.clone());
        }
        expr
    }
}

fn push_char(parts: &mut Vec<StrPart>, c: char) {
    match parts.last_mut() {
        Some(StrPart::Text(text)) => text.push(c),
        _ => parts.push(StrPart::Text(c.to_string())),
    }
}

fn unescape(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        other => other,
    }
}

/// Length of the expression before the closing brace; quoted braces don't count.
fn format_length(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '}') => return Some(at),
            (None, '{') => return None,
            _ => {}
        }
    }
    None
}
