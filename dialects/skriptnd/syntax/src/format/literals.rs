//! Numbers, strings and built-in functions: what the text has rather than the tree.

use super::pieces::{Indent, When};
use super::printer::{Printer, is_word_char};
use crate::ast::Expr;

impl Printer<'_> {
    /// A built-in function, which the newer spelling has without back-ticks.
    pub(super) fn builtin(&mut self, value: &Expr) {
        let quoted = self.skip("`");
        let next = self.peek();
        let length = next.find(|c| !is_word_char(c)).unwrap_or(next.len());
        self.print("`");
        self.take(length);
        self.print("`");
        if quoted && !self.skip("`") {
            self.lost = true;
        }
        self.word("(");
        self.grouped(|p| p.expr(value));
        self.word(")");
    }

    pub(super) fn number(&mut self) {
        let next = self.peek().as_bytes();
        let digits = |from: usize| from + next[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        let follows = |at: usize| next.get(at).copied();
        if follows(end) == Some(b'.') {
            let fraction = digits(end + 1);
            let lone = !follows(end + 1).is_some_and(|b| b == b'.' || b == b'_' || b.is_ascii_alphabetic());
            end = if fraction > end + 1 || lone { fraction } else { end };
        }
        if matches!(follows(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(follows(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(next.len()));
            end = if exponent > end + 1 + sign { exponent } else { end };
        }
        if end == 0 {
            self.lost = true;
        }
        self.take_number(end);
    }

    /// A string, which may be written in several pieces.
    pub(super) fn string(&mut self) {
        self.open(Indent::Here);
        let mut count = 0;
        while let Some(quote) = self.peek().chars().next().filter(|c| matches!(c, '"' | '\'')) {
            if count > 0 {
                self.break_at(When::Group, " ", 0);
            }
            let Some(length) = string_length(self.peek(), quote) else { break };
            self.take(length);
            count += 1;
        }
        self.lost |= count == 0;
        self.close();
    }
}

/// Length of the string literal at the start, quotes included.
pub(super) fn string_length(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
