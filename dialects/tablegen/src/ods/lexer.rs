//! The tokens of assembly formats.

use crate::{
    cpp,
    error::{Error, Place},
    fields::Fields,
};

/// Whether assembly can have it as a part of a name: letters, digits, `_` and `$`.
pub fn is_word(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// `` `...` ``, without the quotes.
    Literal(&'a str),
    /// `$name`, without the dollar.
    Variable(&'a str),
    /// A word, which may have `-` in it.
    Word(&'a str),
    /// `"..."`, without the quotes.
    Text(&'a str),
    /// One of `^ , = : < > ( ) ? |`.
    Punctuation(char),
    /// The end of the format.
    End,
}

/// What is wrong in a format, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The offset in the format's text.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Wrong {
    /// Something wrong at an offset.
    pub fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The error at the character of the format in the .td file; where the format is put together of several strings, at
    /// the field, with the text as it came out.
    pub fn error(self, fields: &Fields<'_>, text: &str) -> Error {
        let field = fields.field_place("assemblyFormat");
        let exact = fields.records.place_in_string(&field, text, self.at);
        let put_together = exact.is_none();
        let mut error = exact.unwrap_or(field).error(format!("assembly format: {}", self.message));
        error = error.note(fields.whereabouts("assemblyFormat"));
        if put_together {
            let before = &text[..self.at.min(text.len())];
            let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = text[begin..].lines().next().unwrap_or_default();
            let shown = Place::at("assemblyFormat", before.matches('\n').count() + 1, self.at - begin + 1, line);
            error = error.note(shown.error("here").to_string().replace(": error: ", ": "));
        }
        match self.help {
            Some(help) => error.help(help),
            None => error,
        }
    }
}

/// What parsing returns.
pub type Parsed<T> = Result<T, Wrong>;

/// Takes a format apart into tokens.
pub struct Lexer<'a> {
    text: &'a str,
    position: usize,
    /// The token that comes next, and where it begins.
    next: (Token<'a>, usize),
}

impl<'a> Lexer<'a> {
    /// Begins at the first token.
    pub fn new(text: &'a str) -> Parsed<Self> {
        let mut lexer = Self { text, position: 0, next: (Token::End, 0) };
        lexer.advance()?;
        Ok(lexer)
    }

    /// The token that comes next.
    pub fn peek(&self) -> Token<'a> {
        self.next.0
    }

    /// Where the next token begins.
    pub fn at(&self) -> usize {
        self.next.1
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Parsed<Token<'a>> {
        let token = self.next.0;
        self.advance()?;
        Ok(token)
    }

    /// Takes the next token if it is this punctuation.
    pub fn accept(&mut self, punctuation: char) -> Parsed<bool> {
        let found = self.peek() == Token::Punctuation(punctuation);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes this punctuation or says what it was expected for.
    pub fn expect(&mut self, punctuation: char, what: &str) -> Parsed<()> {
        match self.accept(punctuation)? {
            true => Ok(()),
            false => Err(Wrong::new(self.at(), format!("expected '{punctuation}' {what}"))),
        }
    }

    fn advance(&mut self) -> Parsed<()> {
        let rest = &self.text[self.position..];
        let trimmed = rest.trim_start();
        let at = self.position + rest.len() - trimmed.len();
        let word = |text: &'a str| {
            let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
            &text[..end.unwrap_or(text.len())]
        };
        let until = |end: Option<usize>, what: &str| {
            let end = end.ok_or_else(|| Wrong::new(at, format!("{what} without its end")));
            end.map(|end| &trimmed[1..1 + end])
        };
        let (token, length) = match trimmed.chars().next() {
            None => (Token::End, 0),
            Some('`') => {
                until(trimmed[1..].find('`'), "a literal").map(|text| (Token::Literal(text), text.len() + 2))?
            }
            Some('"') => {
                until(string_end(&trimmed[1..]), "a string").map(|text| (Token::Text(text), text.len() + 2))?
            }
            Some('$') => {
                // A name has no `-`: behind it stands an element such as `->`.
                let rest = &trimmed[1..];
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                if end == 0 {
                    return Err(Wrong::new(at, "expected variable name"));
                }
                (Token::Variable(&rest[..end]), end + 1)
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => (Token::Word(word(trimmed)), word(trimmed).len()),
            Some(c) if "^,=:<>()?|".contains(c) => (Token::Punctuation(c), 1),
            Some(c) => return Err(Wrong::new(at, format!("unexpected character '{c}'"))),
        };
        self.next = (token, at);
        self.position = at + length;
        Ok(())
    }
}

/// Checks a literal: white space, punctuation or a keyword.
pub fn check_literal(text: &str, at: usize) -> Parsed<()> {
    const PUNCTUATION: &str = "_:,=<>()[]{}?+*-";
    let keyword = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let wrong = |reason: &str| Err(Wrong::new(at, format!("expected valid literal but got '{text}': {reason}")));
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (None, _) | (Some(' '), None) => Ok(()),
        _ if matches!(text, "\\n" | "\n" | "->" | "...") => Ok(()),
        (Some(c), None) if c.is_ascii_alphabetic() || PUNCTUATION.contains(c) => Ok(()),
        (Some(_), None) => wrong(&format!("single character literal must be a letter or one of '{PUNCTUATION}'")),
        (Some(c), _) if !c.is_ascii_alphabetic() && c != '_' => wrong("valid keyword starts with a letter or '_'"),
        _ if !text.chars().all(keyword) => wrong("keywords should contain only alphanum, '_', '$', or '.' characters"),
        _ => Ok(()),
    }
}

/// The quote that ends a string; those behind a backslash do not.
fn string_end(text: &str) -> Option<usize> {
    let mut escapes = false;
    text.find(|c: char| {
        let ends = c == '"' && !escapes;
        escapes = c == '\\' && !escapes;
        ends
    })
}

/// What a string stands for that is written so between its quotes.
pub fn string(text: &str, at: usize) -> Parsed<String> {
    cpp::unescaped(text).ok_or_else(|| Wrong::new(at, format!("\"{text}\" is no string literal of C++")))
}
