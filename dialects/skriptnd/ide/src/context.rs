//! Where a place is, as far as the text before it tells. The text is being typed, so nothing is expected of it: brackets
//! that are open when a statement ends are forgotten.

/// Words that are no names.
pub(super) const KEYWORDS: [&str; 27] = [
    "if", "int", "import", "inf", "for", "false", "do", "else", "elif", "graph", "bool", "arith", "real", "true",
    "then", "type", "str", "pi", "public", "optional", "operator", "num", "unroll", "with", "while", "yield",
    "dynamic",
];

/// A bracket that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bracket {
    /// The bracket; a brace around attributes, not one around statements.
    pub(super) kind: u8,
    /// The byte at which it stands.
    pub(super) at: usize,
    /// How many commas have been seen directly in it, and where the last one is.
    pub(super) commas: usize,
    last_comma: usize,
}

/// Where a place is.
#[derive(Debug, Default)]
pub(super) struct Context<'t> {
    text: &'t str,
    /// The name of the block around it, without `@`.
    pub(super) block: Option<&'t str>,
    /// Whether it is in a definition.
    pub(super) in_definition: bool,
    /// Where the statement begins.
    pub(super) statement: usize,
    /// Where the word begins that is being typed.
    pub(super) word: usize,
    /// Brackets that are open within the statement.
    pub(super) brackets: Vec<Bracket>,
    /// It is in a comment or a string.
    pub(super) silent: bool,
    /// Braces around blocks of statements within the statement's block.
    inner_blocks: usize,
}

impl<'t> Context<'t> {
    /// The context of this byte.
    pub(super) fn at(text: &'t str, offset: usize) -> Context<'t> {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let mut context = Context { text, ..Context::default() };
        context.scan();
        context.word = end - text.bytes().rev().take_while(|b| is_word(*b)).count();
        context
    }

    fn scan(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += match byte {
                b'#' => match self.text[at..].find('\n') {
                    Some(length) => length,
                    None => return self.silent = true,
                },
                b'"' | b'\'' => match string_length(&bytes[at..]) {
                    Some(length) => length,
                    None => return self.silent = true,
                },
                b'@' => self.block_name(at),
                byte if is_word(byte) => self.word_at(at),
                _ => {
                    self.punctuation(byte, at);
                    1
                }
            };
        }
    }

    /// `@name` begins a block, whatever is open.
    fn block_name(&mut self, at: usize) -> usize {
        let name = word_at(self.text, at + 1);
        self.begin_statement(at);
        self.block = None;
        self.inner_blocks = 0;
        // The brace behind it makes it the block.
        name.len() + 1
    }

    fn word_at(&mut self, at: usize) -> usize {
        let word = word_at(self.text, at);
        let before = self.text[..at].trim_end_matches([' ', '\t', '\r']);
        let begins_line = before.is_empty() || before.ends_with('\n');
        if begins_line && matches!(word, "operator" | "graph" | "public" | "import") {
            let text = self.text;
            *self = Context { text, statement: at, ..Context::default() };
        }
        word.len()
    }

    fn punctuation(&mut self, byte: u8, at: usize) {
        match byte {
            b'(' | b'[' => self.open(byte, at),
            b'{' => self.open_brace(at),
            b')' | b']' => self.close(),
            b'}' if self.brackets.iter().any(|bracket| bracket.kind == b'{') => {
                while self.brackets.pop().is_some_and(|bracket| bracket.kind != b'{') {}
            }
            b'}' => self.close_block(at),
            b';' => self.begin_statement(at + 1),
            b',' => {
                if let Some(bracket) = self.brackets.last_mut() {
                    bracket.commas += 1;
                    bracket.last_comma = at + 1;
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, kind: u8, at: usize) {
        self.brackets.push(Bracket { kind, at, commas: 0, last_comma: at + 1 });
    }

    fn close(&mut self) {
        if self.brackets.last().is_some_and(|bracket| bracket.kind != b'{') {
            self.brackets.pop();
        }
    }

    fn open_brace(&mut self, at: usize) {
        let before = self.text[..at].trim_end();
        let word = before.len() - before.bytes().rev().take_while(|b| is_word(*b)).count();
        if !self.in_definition {
            self.in_definition = true;
            return self.begin_statement(at + 1);
        }
        if self.block.is_none() {
            self.block = before[..word].ends_with('@').then(|| &before[word..]);
            return self.begin_statement(at + 1);
        }
        let name = &before[word..];
        let names_operator = (!name.is_empty() && !KEYWORDS.contains(&name)) || before.ends_with('>');
        if names_operator {
            self.open(b'{', at);
        } else {
            self.inner_blocks += 1;
            self.begin_statement(at + 1);
        }
    }

    fn close_block(&mut self, at: usize) {
        if self.inner_blocks > 0 {
            self.inner_blocks -= 1;
        } else if self.block.is_some() {
            self.block = None;
        } else {
            self.in_definition = false;
        }
        self.begin_statement(at + 1);
    }

    fn begin_statement(&mut self, at: usize) {
        self.statement = at;
        self.brackets.clear();
    }

    /// The statement up to the word that is being typed.
    pub(super) fn before(&self) -> &'t str {
        self.text[self.statement.min(self.word)..self.word].trim()
    }

    /// The qualified name that ends before this byte: `nn.conv` of `nn.conv{`, `nn.conv<real>{..}(`.
    pub(super) fn callee(&self, at: usize) -> &'t str {
        let mut text = self.text[..at].trim_end();
        for (close, open) in [('}', '{'), ('>', '<')] {
            if text.ends_with(close) {
                text = text[..matching(text, close, open)].trim_end();
            }
        }
        let length = text.bytes().rev().take_while(|b| is_word(*b) || *b == b'.').count();
        &text[text.len() - length..]
    }

    /// What is before the word that is being typed, in the innermost bracket, since the last comma.
    pub(super) fn item(&self, bracket: &Bracket) -> &'t str {
        self.text[bracket.last_comma.min(self.word)..self.word].trim()
    }

    /// What is in the bracket so far.
    pub(super) fn inside(&self, bracket: &Bracket) -> &'t str {
        &self.text[bracket.at + 1..]
    }
}

/// Place of the bracket that the last character closes.
fn matching(text: &str, close: char, open: char) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        } else if c == ';' {
            break;
        }
    }
    text.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    &rest[..rest.bytes().take_while(|b| is_word(*b)).count()]
}

/// Length of the string at the start, if it ends on its line.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let quote = *bytes.first()?;
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            // A string that is being typed; those of several lines are rare.
            b'\n' => return Some(at),
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}
