//! The expressions that real models mostly consist of: words, numbers and lists of numbers, each one token.

use super::ast::{Expr, ExprKind, Item, UnaryOp};
use super::builder::{Builder, Pair};
use super::diagnostics as say;
use super::expressions::Node;
use super::grammar::Rule;
use super::spelling::KEYWORDS;
use skriptnd_source::Span;
use std::sync::Arc;

/// The magnitude of the least integer, which is no 64-bit integer itself.
const LEAST_MAGNITUDE: &str = "9223372036854775808";

impl<'a> Builder<'a> {
    pub(super) fn plain(&mut self, pair: &Pair<'a>) -> Option<Node> {
        let span = self.span(pair);
        match pair.as_rule() {
            Rule::plain_word => self.word(pair.as_str(), span),
            Rule::plain_number => self.number(pair.as_str(), span),
            _ => self.numbers(pair.as_str(), span),
        }
    }

    fn word(&mut self, text: &str, span: Span) -> Option<Node> {
        let kind = match text {
            "true" | "false" => ExprKind::Bool(text == "true"),
            "inf" => ExprKind::Inf,
            "pi" => ExprKind::Pi,
            _ if KEYWORDS.binary_search(&text).is_ok() => {
                self.report(say::unexpected(span, &["an expression"], &format!("`{text}`"), None));
                return None;
            }
            _ => ExprKind::Name(Arc::from(text)),
        };
        Some((Expr { kind, span }, 1))
    }

    /// An integer or real number, with its sign.
    pub(super) fn number(&mut self, text: &str, span: Span) -> Option<Node> {
        let Some(magnitude) = text.strip_prefix('-') else {
            return self.magnitude(text, span).map(|kind| (Expr { kind, span }, 1));
        };
        if magnitude == LEAST_MAGNITUDE {
            return Some((Expr { kind: ExprKind::Int(i64::MIN), span }, 1));
        }
        let inner = Span { start: span.start + 1, ..span };
        let kind = self.magnitude(magnitude, inner)?;
        let operand = Box::new(Expr { kind, span: inner });
        Some((Expr { kind: ExprKind::Unary(UnaryOp::Neg, operand), span }, 2))
    }

    fn magnitude(&mut self, text: &str, span: Span) -> Option<ExprKind> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let value = text.parse().ok();
            if value.is_none() {
                self.report(say::integer_too_large(span, text));
            }
            return value.map(ExprKind::Int);
        }
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            self.report(say::real_out_of_range(span));
        }
        value.map(ExprKind::Real)
    }

    /// `[1, 2]`
    fn numbers(&mut self, text: &str, span: Span) -> Option<Node> {
        let inside = &text[1..text.len() - 1];
        let mut items = Vec::new();
        let mut depth = 0;
        let mut start = span.start + 1;
        for part in inside.split(',').filter(|_| !inside.is_empty()) {
            let number = part.trim_start();
            let begin = start + (part.len() - number.len()) as u32;
            let (expr, own) = self.number(number, Span { start: begin, end: begin + number.len() as u32, ..span })?;
            items.push(Item::Value(expr));
            depth = depth.max(own);
            start += part.len() as u32 + 1;
        }
        self.finish(ExprKind::List(items), span, depth)
    }
}
