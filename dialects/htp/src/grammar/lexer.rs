//! C++ source text as tokens: as much of it as is needed to find rules, `#define`s and annotations in it.

use skriptnd_source::{FileId, Span};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword.
    Name,
    /// A preprocessing number.
    Number,
    /// A string constant on one line, with its quotes.
    String,
    /// A string or character constant that the rule language has not (raw, wide, unterminated, `'c'`).
    ForeignConstant,
    /// A separator or operator: one character, or `::`, `##`.
    Punctuation,
}

/// One token.
#[derive(Debug, Clone)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// As it stands in the source, or as macro expansion made it.
    pub text: String,
    /// Where it stands; for a token from a macro's body, where the macro is used.
    pub span: Span,
    /// For a token from a macro's body: the body's token.
    pub macro_body: Option<Span>,
    /// Whether it is the first character of its line.
    pub at_line_start: bool,
    /// Whether only white space precedes it on its line.
    pub first_of_line: bool,
}

impl Token {
    /// Whether it is this separator or operator.
    pub fn is(&self, punctuation: &str) -> bool {
        self.kind == TokenKind::Punctuation && self.text == punctuation
    }

    /// The name, if it is one.
    pub fn name(&self) -> Option<&str> {
        (self.kind == TokenKind::Name).then_some(self.text.as_str())
    }
}

/// A piece of a source file.
#[derive(Debug, Clone)]
pub enum Item {
    /// A token outside of preprocessor lines.
    Token(Token),
    /// The tokens of a preprocessor line behind the `#`, and the span of the `#`.
    Directive(Span, Vec<Token>),
    /// The text of an annotation comment `// :::KIND::: { text }`: kind, text, and its place.
    Annotation(String, String, Span),
    /// A comment that seems to be meant as an annotation, and has another form.
    BrokenAnnotation(Span),
    /// The `/*` of a comment that the end of the file cuts off; the last item.
    UnclosedComment(Span),
}

/// The pieces of a text.
pub fn lex(file: FileId, text: &str) -> Vec<Item> {
    // A byte order mark is no character of the first line.
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer =
        Lexer { file, text, position: begin, line_start: begin, only_space: true, in_directive: false, unclosed: None };
    let mut items = Vec::new();
    while let Some(item) = lexer.next_item() {
        items.push(item);
    }
    items
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    position: usize,
    line_start: usize,
    only_space: bool,
    in_directive: bool,
    /// The beginning of a comment without end.
    unclosed: Option<Span>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: offset(start), end: offset(self.position) }
    }

    fn next_item(&mut self) -> Option<Item> {
        if let Some(annotation) = self.skip_space() {
            return Some(annotation);
        }
        let first_of_line = self.only_space;
        let Some(token) = self.token() else { return self.unclosed.take().map(Item::UnclosedComment) };
        if !(first_of_line && token.is("#")) {
            return Some(Item::Token(token));
        }
        self.in_directive = true;
        let mut tokens = Vec::new();
        loop {
            // An annotation comment behind a directive is no annotation.
            while self.skip_space().is_some() {}
            if self.position >= self.text.len() || self.rest().starts_with('\n') {
                break;
            }
            tokens.extend(self.token());
        }
        self.in_directive = false;
        Some(Item::Directive(token.span, tokens))
    }

    /// Skips white space, comments and continued lines; stops behind an annotation comment, and in a directive before
    /// the line's end.
    fn skip_space(&mut self) -> Option<Item> {
        loop {
            let rest = self.rest();
            if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
                self.position += if rest.starts_with("\\\n") { 2 } else { 3 };
                self.line_start = self.position;
            } else if rest.starts_with('\n') {
                if self.in_directive {
                    return None;
                }
                self.position += 1;
                self.line_start = self.position;
                self.only_space = true;
            } else if rest.starts_with("//") {
                let start = self.position;
                let comment = rest.lines().next().unwrap_or_default();
                self.position += comment.len();
                if let Some((kind, text)) = annotation(comment) {
                    return Some(Item::Annotation(kind, text, self.span(start)));
                }
                if is_meant_as_annotation(comment) {
                    return Some(Item::BrokenAnnotation(self.span(start)));
                }
            } else if let Some(inner) = rest.strip_prefix("/*") {
                let end = inner.find("*/");
                if end.is_none() {
                    let start = u32::try_from(self.position).unwrap_or(u32::MAX);
                    self.unclosed = Some(Span { file: self.file, start, end: start.saturating_add(2) });
                }
                let comment = end.map_or(rest.len(), |end| end + 4);
                if let Some(newline) = rest[..comment].rfind('\n') {
                    self.line_start = self.position + newline + 1;
                    self.only_space = true;
                }
                self.position += comment;
            } else {
                let space = rest.chars().next().filter(|c| c.is_whitespace() || *c == '\u{feff}')?;
                self.position += space.len_utf8();
            }
        }
    }

    fn token(&mut self) -> Option<Token> {
        let start = self.position;
        let rest = self.rest();
        let first = rest.chars().next()?;
        let (kind, length) = if let Some(length) = raw_string(rest) {
            (TokenKind::ForeignConstant, length)
        } else if first.is_ascii_alphabetic() || first == '_' {
            (TokenKind::Name, name_length(rest))
        } else if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            (TokenKind::Number, number_length(rest))
        } else if first == '"' || first == '\'' {
            quoted(rest, first)
        } else if rest.starts_with("::") || rest.starts_with("##") {
            (TokenKind::Punctuation, 2)
        } else {
            (TokenKind::Punctuation, first.len_utf8())
        };
        self.position += length;
        let token = Token {
            kind,
            text: rest[..length].to_owned(),
            span: self.span(start),
            macro_body: None,
            at_line_start: start == self.line_start,
            first_of_line: self.only_space,
        };
        if let Some(newline) = rest[..length].rfind('\n') {
            self.line_start = start + newline + 1;
        }
        self.only_space = false;
        Some(token)
    }
}

/// Kind and text of a comment `// :::KIND::: { text }`.
fn annotation(comment: &str) -> Option<(String, String)> {
    let (kind, rest) = comment.strip_prefix("//")?.trim_start().strip_prefix(":::")?.split_once(":::")?;
    let text = rest.trim().strip_prefix('{')?.strip_suffix('}')?;
    Some((kind.trim().to_owned(), text.trim().to_owned()))
}

/// Whether a comment begins with a colon and names what annotations announce.
fn is_meant_as_annotation(comment: &str) -> bool {
    let text = comment.trim_start_matches('/').trim_start();
    text.starts_with(':') && text.contains("EXTERNAL_")
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

fn number_length(text: &str) -> usize {
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        let exponent = if is_hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
        let exponent_sign = matches!(c, '+' | '-') && exponent.contains(&previous);
        if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || exponent_sign) {
            return at;
        }
        previous = c;
    }
    text.len()
}

/// Length of a constant in quotes; one that the line's end cuts off is none of the rule language.
fn quoted(text: &str, quote: char) -> (TokenKind, usize) {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\n' => return (TokenKind::ForeignConstant, at),
            '\\' => {
                characters.next();
            }
            _ if c == quote => {
                let kind = if quote == '"' { TokenKind::String } else { TokenKind::ForeignConstant };
                return (kind, at + 1);
            }
            _ => {}
        }
    }
    (TokenKind::ForeignConstant, text.len())
}

/// Length of a raw string constant `R"delimiter(...)delimiter"`.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["R\"", "LR\"", "u8R\"", "uR\"", "UR\""].into_iter().find(|p| text.starts_with(p))?;
    let (delimiter, body) = text[prefix.len()..].split_once('(')?;
    if delimiter.len() > 16 || delimiter.contains(['"', ' ', ')', '\\', '\n']) {
        return None;
    }
    let end = format!("){delimiter}\"");
    let start = text.len() - body.len();
    Some(body.find(&end).map_or(text.len(), |at| start + at + end.len()))
}
