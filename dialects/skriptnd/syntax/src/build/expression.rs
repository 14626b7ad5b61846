//! The text of expressions.

use super::Expression;
use super::write::{list, put};
use std::fmt;

impl Expression {
    /// What binds stronger than any operator stands without parentheses.
    fn is_primary(&self) -> bool {
        match self {
            Expression::Int(value) => *value >= 0,
            Expression::Real(value) => !value.is_sign_negative() && !value.is_nan(),
            other => !matches!(other, Expression::Binary(..) | Expression::Written(_)),
        }
    }

    /// As it stands in a text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    pub(super) fn write_operand(&self, out: &mut String) {
        if self.is_primary() {
            return self.write(out);
        }
        out.push('(');
        self.write(out);
        out.push(')');
    }

    pub(super) fn write(&self, out: &mut String) {
        match self {
            // The largest and the smallest are infinite.
            Expression::Int(i64::MAX) => out.push_str("int(inf)"),
            Expression::Int(i64::MIN) => out.push_str("int(-inf)"),
            Expression::Int(value) => put(out, value),
            Expression::Real(value) if value.is_nan() => out.push_str("inf - inf"),
            Expression::Real(value) if value.is_infinite() => out.push_str(if *value > 0.0 { "inf" } else { "-inf" }),
            Expression::Real(value) => out.push_str(&real(*value)),
            Expression::Bool(value) => put(out, value),
            Expression::Text(value) => {
                let quote = if value.contains('\'') && !value.contains('"') { '"' } else { '\'' };
                put(out, format_args!("{quote}{}{quote}", escaped(value, quote)));
            }
            Expression::Name(text) | Expression::Written(text) => out.push_str(text),
            Expression::List(items) => {
                out.push('[');
                list(out, items, |out, item| item.write(out));
                out.push(']');
            }
            Expression::Binary(operation, left, right) => {
                left.write_operand(out);
                put(out, format_args!(" {} ", operation.symbol()));
                right.write_operand(out);
            }
            Expression::Absent => out.push('~'),
        }
    }
}

/// A text as it stands between quotes.
pub fn escaped(text: &str, quote: char) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            '\\' | '{' | '}' => out.extend(['\\', c]),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// A number with a point, whatever its exponent.
fn real(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(&mut out);
        f.write_str(&out)
    }
}
