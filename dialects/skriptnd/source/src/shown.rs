//! Texts of others as a person may be shown them.

use std::borrow::Cow;

/// A text without the middle of a name of a megabyte; characters that control a terminal or that nobody sees, by their
/// numbers.
pub fn shown(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| match c {
        '\n' => false,
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' => true,
        _ => c.is_control(),
    };
    let text = clipped(text);
    if !text.contains(hidden) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if hidden(c) { escaped.extend(c.escape_unicode()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// A text without its middle if it is too long to be read.
pub fn clipped(text: &str) -> Cow<'_, str> {
    const SHOWN: usize = 2000;
    if text.len() <= SHOWN {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (floor(text, SHOWN / 2), floor(text, text.len() - SHOWN / 2));
    Cow::Owned(format!("{} ... {}", &text[..head], &text[tail..]))
}

/// The character boundary at or before a place.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
