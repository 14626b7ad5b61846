//! From a sequence of words and possible line breaks to lines: a group stays on one line if it fits and is broken
//! otherwise (after Oppen, "Prettyprinting", 1980). Comments keep their place: whatever group holds one is broken.

use super::measure::{Widths, measure};
use super::pieces::{Indent, Piece, When};
use std::iter;

/// The longest line that is made where there is a choice.
pub(super) const WIDTH: usize = 120;

/// One step of indentation.
pub(super) const INDENT: usize = 4;

/// No line is indented further than this, however deep things nest.
const MAX_INDENT: usize = 96;

/// Comments at the ends of neighbouring lines are aligned if none of them moves further than this.
const MAX_PADDING: usize = 24;

/// Lays out the pieces.
pub(super) fn lay_out(pieces: &[Piece<'_>]) -> String {
    let widths = measure(pieces);
    let mut lines = Lines::default();
    for (piece, widths) in pieces.iter().zip(widths) {
        lines.piece(*piece, widths);
    }
    lines.finish()
}

/// A group that is open.
#[derive(Clone, Copy)]
struct Group {
    indent: usize,
    broken: bool,
}

/// A finished line, and where the comment at its end begins.
struct Line {
    text: String,
    comment: Option<usize>,
}

#[derive(Default)]
struct Lines {
    done: Vec<Line>,
    current: String,
    /// Length of the current line in characters.
    column: usize,
    comment: Option<usize>,
    groups: Vec<Group>,
    /// The line has a comment: nothing may follow on it.
    must_end: bool,
}

impl Lines {
    fn group(&self) -> Group {
        self.groups.last().copied().unwrap_or(Group { indent: 0, broken: true })
    }

    fn piece(&mut self, piece: Piece<'_>, widths: Widths) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Open(indent) => {
                let indent = match indent {
                    Indent::Deeper(by) => self.group().indent + by,
                    Indent::Here if self.must_end || self.current.is_empty() => self.group().indent,
                    Indent::Here => self.column,
                };
                self.groups.push(Group { indent: indent.min(MAX_INDENT), broken: self.column + widths.whole > WIDTH });
            }
            Piece::Close => {
                self.groups.pop();
            }
            Piece::Broken => {}
            Piece::Break { when, flat, offset, blank } => {
                let indent = self.group().indent.saturating_add_signed(offset);
                if self.must_end || self.breaks(when, widths, indent) {
                    self.end_line(indent);
                    if blank {
                        self.blank_line();
                    }
                } else {
                    self.current.push_str(flat);
                    self.column += flat.len();
                }
            }
            Piece::Comment { text, own_line, blank } => self.comment(text, own_line, blank),
        }
    }

    /// Whether the line ends at a break. `indent`: where the next one would begin.
    fn breaks(&self, when: When, widths: Widths, indent: usize) -> bool {
        let fits = |width: usize| self.column + width <= WIDTH;
        match when {
            When::Always => true,
            _ if !self.group().broken => false,
            When::Group => true,
            When::Fill => !fits(widths.whole),
            When::Late => !fits(widths.first) || (!fits(widths.whole) && indent + widths.whole <= WIDTH),
        }
    }

    fn text(&mut self, text: &str) {
        if self.must_end {
            self.end_line(self.group().indent + INDENT);
        }
        self.current.push_str(text);
        self.column = match text.rfind('\n') {
            Some(at) => text[at + 1..].chars().count(),
            None => self.column + text.chars().count(),
        };
    }

    fn comment(&mut self, text: &str, own_line: bool, blank: bool) {
        let empty = self.current.trim().is_empty();
        if self.must_end || (own_line && !empty) {
            self.end_line(self.group().indent);
        }
        if own_line || empty {
            if blank {
                self.blank_line();
            }
            // The line may have been begun for something else.
            self.current.clear();
            self.current.extend(iter::repeat_n(' ', self.group().indent));
        } else {
            self.current.truncate(self.current.trim_end_matches(' ').len());
            self.comment = Some(self.current.len());
            self.current.push(' ');
        }
        self.current.push_str(text);
        self.column = self.current.chars().count();
        self.must_end = true;
    }

    fn end_line(&mut self, indent: usize) {
        let mut text = std::mem::take(&mut self.current);
        text.truncate(text.trim_end_matches(' ').len());
        self.done.push(Line { text, comment: self.comment.take() });
        self.current.extend(iter::repeat_n(' ', indent));
        self.column = indent;
        self.must_end = false;
    }

    /// An empty line before the current one, unless there is one or nothing is before it.
    fn blank_line(&mut self) {
        if self.done.last().is_some_and(|line| !line.text.is_empty()) {
            self.done.push(Line { text: String::new(), comment: None });
        }
    }

    fn finish(mut self) -> String {
        if !self.current.trim().is_empty() {
            self.end_line(0);
        }
        align_comments(&mut self.done);
        let mut text = String::with_capacity(self.done.iter().map(|line| line.text.len() + 1).sum());
        for line in &self.done {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }
}

/// Comments at the ends of neighbouring lines begin in one column, if there is room for it.
fn align_comments(lines: &mut [Line]) {
    let indent = |line: &Line| line.text.len() - line.text.trim_start().len();
    for run in lines.chunk_by_mut(|a, b| a.comment.is_some() && b.comment.is_some() && indent(a) == indent(b)) {
        let code = |line: &Line| line.comment.map(|at| line.text[..at].chars().count());
        let Some(column) = run.iter().filter_map(code).max() else { continue };
        let widest = run.iter().map(|line| column + line.text[line.comment.unwrap_or(0)..].chars().count()).max();
        let apart = column - run.iter().filter_map(code).min().unwrap_or(column);
        if apart > MAX_PADDING || widest.is_none_or(|widest| widest > WIDTH) {
            continue;
        }
        for line in run {
            if let (Some(at), Some(width)) = (line.comment, code(line)) {
                line.text.insert_str(at, &" ".repeat(column - width));
            }
        }
    }
}
