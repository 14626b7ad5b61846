//! A look at the text before it is parsed: strings that don't end, and nesting that would exhaust the stack.

use super::diagnostics;
use skriptnd_source::diagnostics::Diagnostic;
use skriptnd_source::{FileId, Span};

/// How deep brackets, selections and substitutions may nest in one another.
pub(super) const MAX_NESTING: usize = 96;

/// What stands in the way of parsing.
pub(super) enum Obstacle {
    /// A string that doesn't end: everything from its quote on is unreliable.
    OpenString(u32, Diagnostic),
    /// Nesting beyond [`MAX_NESTING`].
    Nesting(Diagnostic),
}

/// One pass over the text.
pub(super) fn scan(file: FileId, text: &str) -> Option<Obstacle> {
    let bytes = text.as_bytes();
    let mut levels = Levels::default();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = line_end(bytes, at),
            quote @ (b'"' | b'\'') => match string_end(bytes, at, quote) {
                Some(end) => at = end,
                None => {
                    let start = suspicious_quote(bytes, at);
                    let line_end = line_end(bytes, start);
                    let span = Span { file, start: start as u32, end: line_end as u32 };
                    return Some(Obstacle::OpenString(start as u32, diagnostics::unterminated_string(span)));
                }
            },
            b'|' if bytes.get(at + 1) == Some(&b'|') => at += 1,
            byte => {
                levels.step(byte, bytes.get(at + 1).copied());
                if levels.depth > MAX_NESTING {
                    let span = Span { file, start: at as u32, end: at as u32 + 1 };
                    return Some(Obstacle::Nesting(diagnostics::nesting_too_deep(span, MAX_NESTING)));
                }
            }
        }
        at += 1;
    }
    None
}

/// The end of the line.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n)
}

/// Position of the closing quote.
pub(super) fn string_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Quotes pair up wrongly from the first string on that runs over a line's end: that one lacks its end, rather than
/// the last one of the file.
fn suspicious_quote(bytes: &[u8], last: usize) -> usize {
    let mut at = 0;
    while at < last {
        match bytes[at] {
            b'#' => at = line_end(bytes, at),
            quote @ (b'"' | b'\'') => {
                let end = string_end(bytes, at, quote).unwrap_or(last);
                if bytes[at..end.min(bytes.len())].contains(&b'\n') {
                    return at;
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    last
}

/// Counts what makes the parser recurse: brackets, and within each bracket the right-recursive `?`, `??` and
/// `<-`, and `|i|`.
#[derive(Default)]
struct Levels {
    depth: usize,
    pending: Vec<usize>,
    current: usize,
}

impl Levels {
    fn step(&mut self, byte: u8, next: Option<u8>) {
        match byte {
            b'(' | b'[' | b'{' => {
                self.pending.push(self.current);
                self.current = 0;
                self.depth += 1;
            }
            b')' | b']' | b'}' => {
                if let Some(outer) = self.pending.pop() {
                    self.depth -= self.current + 1;
                    self.current = outer;
                }
            }
            b',' | b';' => {
                self.depth -= self.current;
                self.current = 0;
            }
            b'?' | b'|' => self.deepen(),
            b'<' if next == Some(b'-') => self.deepen(),
            _ => {}
        }
    }

    fn deepen(&mut self) {
        self.current += 1;
        self.depth += 1;
    }
}
