//! A part of a text that is read on its own, such as a definition or a format expression.

use skriptnd_source::{FileId, Span};

/// A part of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Excerpt<'a> {
    pub(super) file: FileId,
    /// What stands there.
    pub(super) text: &'a str,
    /// Where it begins in the file.
    pub(super) base: u32,
}

impl Excerpt<'_> {
    /// The place of a range of its text.
    pub(super) fn span_at(self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: self.base + start as u32, end: self.base + end as u32 }
    }
}
