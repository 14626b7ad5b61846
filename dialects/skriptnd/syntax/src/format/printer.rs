//! Walks through the text in step with its tree: the tree says how things belong together, the text has the words and
//! the comments. Every word that is printed is looked for in the text, so no comment is passed over.

use super::layout::INDENT;
use super::pieces::{Indent, Piece, When};

/// The text up to here has been printed.
pub(super) struct Printer<'a> {
    text: &'a str,
    at: usize,
    pub(super) pieces: Vec<Piece<'a>>,
    /// The last character printed, unless a break follows it.
    last: Option<char>,
    /// Whether the last word printed is a number.
    after_number: bool,
    /// An empty line stands before what comes next.
    blank: bool,
    /// What comes next is the first of its block or file: no empty line before it.
    first: bool,
    /// Whether tree and text went apart: then nothing of this may be used.
    pub(super) lost: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        let mut printer = Printer {
            text,
            at,
            pieces: Vec::new(),
            last: None,
            after_number: false,
            blank: false,
            first: true,
            lost: false,
        };
        printer.comments(true);
        if !printer.pieces.is_empty() {
            printer.end_line(0, false);
        }
        printer
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes blanks; gives the number of line ends.
    fn pass_blanks(&mut self) -> usize {
        let rest = self.rest();
        let length = rest.find(|c: char| !matches!(c, '\t'..=' ')).unwrap_or(rest.len());
        self.at += length;
        rest[..length].matches('\n').count()
    }

    /// The comment that begins here.
    fn pass_comment(&mut self) -> Option<&'a str> {
        let comment = self.rest().strip_prefix('#').and_then(|_| self.rest().lines().next())?;
        self.at += comment.len();
        Some(comment.trim_end())
    }

    /// Passes blanks and prints the comments among them. `line_begins`: nothing of the current line is before them.
    fn comments(&mut self, line_begins: bool) {
        let mut line_begins = line_begins;
        loop {
            let before = self.at;
            let ends = self.pass_blanks();
            line_begins |= ends > 0;
            if self.at > before {
                self.blank = ends > 1 && !self.first;
            }
            let Some(text) = self.pass_comment() else { return };
            self.pieces.push(Piece::Comment { text, own_line: line_begins, blank: self.blank });
            self.first = false;
            self.blank = false;
            line_begins = false;
        }
    }

    /// What comes next in the text, comments passed.
    pub(super) fn peek(&mut self) -> &'a str {
        self.comments(false);
        self.rest()
    }

    /// Whether the next word is this one.
    pub(super) fn at_word(&mut self, word: &str) -> bool {
        self.peek().strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word_char))
    }

    /// Whether the next word is this one, with no comment before it.
    pub(super) fn at_once(&self, word: &str) -> bool {
        self.rest().trim_start_matches(|c: char| matches!(c, '\t'..=' ')).starts_with(word)
    }

    /// Whether the next word is this one, comments before it or not.
    pub(super) fn comes_next(&self, word: &str) -> bool {
        let mut rest = self.rest();
        loop {
            rest = rest.trim_start_matches(|c: char| matches!(c, '\t'..=' '));
            if !rest.starts_with('#') {
                return rest.starts_with(word);
            }
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        }
    }

    /// Passes this word in the text without printing it, if it is next.
    pub(super) fn skip(&mut self, word: &str) -> bool {
        let found = self.peek().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Prints a word that comes next in the text.
    pub(super) fn word(&mut self, word: &'a str) {
        self.word_as(word, word);
    }

    /// Prints something in place of the word that comes next in the text.
    pub(super) fn word_as(&mut self, word: &str, printed: &'a str) {
        if self.skip(word) { self.print(printed) } else { self.lost = true }
    }

    /// Prints the first of these words that comes next in the text, as the first of them.
    pub(super) fn one_of(&mut self, words: [&'a str; 2]) {
        let found = if self.peek().starts_with(words[0]) { words[0] } else { words[1] };
        self.word_as(found, words[0]);
    }

    /// Prints the name that comes next in the text, whose text is known.
    pub(super) fn name(&mut self, name: &str) {
        let next = self.peek();
        let length = next.find(|c| !is_word_char(c)).unwrap_or(next.len());
        if &next[..length] == name { self.take(length) } else { self.lost = true }
    }

    /// Prints this many bytes of the text.
    pub(super) fn take(&mut self, length: usize) {
        let word = &self.rest()[..length];
        self.at += length;
        self.print(word);
    }

    /// Prints this many bytes of the text, which are a number.
    pub(super) fn take_number(&mut self, length: usize) {
        self.take(length);
        self.after_number = true;
    }

    /// Prints what is not in the text. Words that would read as one keep apart.
    pub(super) fn print(&mut self, word: &'a str) {
        let Some(next) = word.chars().next() else { return };
        if self.last.is_some_and(|last| clash(last, next) || (self.after_number && next == '.')) {
            self.pieces.push(Piece::Text(" "));
        }
        self.pieces.push(Piece::Text(word));
        self.after_number = false;
        self.blank = false;
        self.last = word.chars().next_back();
        self.first = false;
    }

    /// A blank on the same line.
    pub(super) fn space(&mut self) {
        self.pieces.push(Piece::Text(" "));
        self.last = None;
    }

    /// A comma; a comment at the end of a line before it comes behind it.
    pub(super) fn comma(&mut self) {
        let before = self.pieces.len();
        self.peek();
        let moved = match self.pieces[before..] {
            [Piece::Comment { own_line: false, .. }] if !self.comment_follows(",") => self.pieces.pop(),
            _ => None,
        };
        self.word(",");
        self.pieces.extend(moved);
    }

    /// Whether the word that comes next has a comment behind it on its line.
    fn comment_follows(&self, word: &str) -> bool {
        let rest = self.rest().strip_prefix(word).unwrap_or_default();
        rest.trim_start_matches([' ', '\t']).starts_with('#')
    }

    pub(super) fn open(&mut self, indent: Indent) {
        // Comments before a group are not of it.
        self.comments(false);
        self.pieces.push(Piece::Open(indent));
    }

    pub(super) fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }

    /// A possible line break. Comments that come next in the text stand before it.
    pub(super) fn break_at(&mut self, when: When, flat: &'static str, offset: isize) {
        self.comments(false);
        self.pieces.push(Piece::Break { when, flat, offset, blank: false });
        self.last = None;
    }

    /// The end of a line, and an empty line if there is one in the text or one is asked for.
    pub(super) fn end_line(&mut self, offset: isize, blank: bool) {
        self.comments(false);
        let blank = (self.blank || blank) && !self.first;
        self.pieces.push(Piece::Break { when: When::Always, flat: "", offset, blank });
        self.last = None;
        self.first = false;
    }

    /// After `{`: what comes next is on lines of its own.
    pub(super) fn open_lines(&mut self) {
        self.first = true;
        // A comment behind the brace belongs to its line, others to the block.
        self.pieces.push(Piece::Open(Indent::Deeper(INDENT)));
    }

    /// Before `}`: no empty line before it.
    pub(super) fn close_lines(&mut self) {
        self.comments(false);
        self.blank = false;
        self.end_line(-(INDENT as isize), false);
        self.close();
    }

    /// Like [`Printer::end_line`] between definitions: with an empty line before what comes next, or before the comments
    /// on the lines before it.
    pub(super) fn end_definition(&mut self) {
        let before = self.pieces.len();
        self.comments(false);
        let comments = &mut self.pieces[before..];
        let blank_before = |piece: &Piece<'_>| matches!(piece, Piece::Comment { blank: true, .. });
        if !self.blank && !comments.iter().any(blank_before) {
            let own = comments.iter_mut().find_map(|piece| match piece {
                Piece::Comment { own_line: true, blank, .. } => Some(blank),
                _ => None,
            });
            match own {
                Some(blank) => *blank = true,
                None => self.blank = true,
            }
        }
        self.end_line(0, false);
    }

    /// Where tree and text went apart.
    pub(super) fn lost_at(&self) -> Option<usize> {
        self.lost.then_some(self.at)
    }

    /// Takes the line breaks out of what was printed from here on, if it is short.
    pub(super) fn keep_together(&mut self, from: usize) {
        const SHORT: usize = 48;
        let mut width = 0;
        for piece in &self.pieces[from..] {
            match piece {
                Piece::Text(text) if !text.contains('\n') => width += text.chars().count(),
                Piece::Break { when, flat, .. } if *when != When::Always => width += flat.len(),
                Piece::Open(_) | Piece::Close => {}
                _ => return,
            }
        }
        if width <= SHORT {
            for piece in &mut self.pieces[from..] {
                if let Piece::Break { flat, .. } = piece {
                    *piece = Piece::Text(flat);
                }
            }
        }
    }

    /// Whether all of the text has been passed; prints the comments at its end.
    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_empty()
    }
}

pub(super) fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether two words would read as something else without a blank between them.
fn clash(last: char, next: char) -> bool {
    match (last, next) {
        ('.', '.') | ('|', '|') | ('?', '?') | ('<', '-' | '?') => true,
        _ => is_word_char(last) && is_word_char(next),
    }
}
