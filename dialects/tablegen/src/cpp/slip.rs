//! Slips that no C++ compiler would take, found without knowing all of C++: what is no expression is no predicate either.

/// What stands for something else in the C++ of a constraint; members of an operation have no underscore.
const PLACEHOLDERS: [&str; 4] = ["_self", "_op", "_builder", "_ctxt"];
/// Words that are operators.
const OPERATORS: [&str; 11] =
    ["and", "or", "not", "xor", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq"];

/// What is wrong with an expression wherever it stands; none if it may be one.
pub fn slip(code: &str) -> Option<String> {
    let mut scan = Scan { rest: code, open: Vec::new(), last: Token::Begin };
    loop {
        match scan.token() {
            Some(Ok(Token::Code)) => {}
            Some(Ok(token)) => {
                if let Some(slip) = scan.slip(&token) {
                    return Some(slip);
                }
                scan.last = token;
            }
            Some(Err(slip)) => return Some(slip),
            None => break,
        }
    }
    match (scan.open.last(), scan.last) {
        (Some((open, _)), _) => Some(format!("'{open}' is not closed")),
        (None, Token::Begin) => Some("an expression is empty".into()),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Token<'t> {
    /// Where an operand has to follow: at the beginning, behind a bracket or a comma.
    Begin,
    Word(&'t str),
    Placeholder(&'t str),
    Open(char),
    Close(char),
    Comma,
    Semicolon,
    /// A number, a string, an operator.
    Other,
    /// Rust, and white space.
    Code,
}

struct Scan<'t> {
    rest: &'t str,
    /// The brackets that are open, and whether they need not hold anything, as those of a call.
    open: Vec<(char, bool)>,
    last: Token<'t>,
}

impl<'t> Scan<'t> {
    fn take(&mut self, length: usize) -> &'t str {
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        token
    }

    fn token(&mut self) -> Option<Result<Token<'t>, String>> {
        let first = self.rest.chars().next()?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = |text: &str| text.find(|c| !is_word(c)).unwrap_or(text.len());
        Some(Ok(match first {
            _ if self.rest.starts_with("rust!{") => {
                self.take(end_of_rust(self.rest));
                Token::Other
            }
            c if c.is_whitespace() => {
                self.take(c.len_utf8());
                Token::Code
            }
            '$' => Token::Placeholder(&self.take(1 + word(&self.rest[1..]))[1..]),
            // Digits are separated by `'`.
            '0'..='9' => {
                self.take(self.rest.find(|c| !is_word(c) && c != '\'').unwrap_or(self.rest.len()));
                Token::Other
            }
            c if is_word(c) => Token::Word(self.take(word(self.rest))),
            '"' | '\'' => match end_of_literal(self.rest, first) {
                Some(end) => {
                    self.take(end);
                    Token::Other
                }
                None => return Some(Err(format!("the literal that begins with {first} does not end"))),
            },
            c => {
                self.take(c.len_utf8());
                match c {
                    '(' | '[' | '{' => Token::Open(c),
                    ')' | ']' | '}' => Token::Close(c),
                    ',' => Token::Comma,
                    ';' => Token::Semicolon,
                    _ => Token::Other,
                }
            }
        }))
    }

    fn slip(&mut self, token: &Token<'_>) -> Option<String> {
        let in_block = self.open.iter().any(|(open, _)| *open == '{');
        match *token {
            Token::Open(open) => {
                let is_operand = matches!(self.last, Token::Begin | Token::Comma | Token::Open('('));
                self.open.push((open, open != '(' || !is_operand));
            }
            Token::Close(close) => return self.close(close),
            Token::Comma if matches!(self.last, Token::Begin | Token::Comma | Token::Open('(')) => {
                return Some("nothing stands before ','".into());
            }
            Token::Semicolon if !in_block => return Some("';' ends a statement, and this is an expression".into()),
            Token::Word("return") if !in_block => {
                return Some("'return' begins a statement, and this is an expression".into());
            }
            Token::Word(word) if matches!(self.last, Token::Placeholder(_)) && !OPERATORS.contains(&word) => {
                return Some(format!("no operator stands before '{word}'"));
            }
            Token::Placeholder(name) if name.starts_with('_') && !PLACEHOLDERS.contains(&name) => {
                return Some(format!("'${name}' stands for nothing"));
            }
            _ => {}
        }
        None
    }

    fn close(&mut self, close: char) -> Option<String> {
        let Some((open, may_be_empty)) = self.open.pop() else { return Some(format!("'{close}' closes nothing")) };
        let expected = match open {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        match () {
            () if close != expected => Some(format!("'{close}' closes '{open}'")),
            () if !may_be_empty && self.last == Token::Open('(') => Some("an expression is empty".into()),
            () => None,
        }
    }
}

/// Behind the literal that `text` begins with.
fn end_of_literal(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Behind the `rust!{...}` that `text` begins with; what is no Rust is found where Rust is read.
fn end_of_rust(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::slip;

    #[test]
    fn what_is_no_expression_is_told() {
        for (code, expected) in [
            ("", "an expression is empty"),
            ("  ", "an expression is empty"),
            ("()", "an expression is empty"),
            ("(() && ($_self))", "an expression is empty"),
            ("f($_self", "'(' is not closed"),
            ("f($_self))", "')' closes nothing"),
            ("f($_self]", "']' closes '('"),
            ("f(, $x)", "nothing stands before ','"),
            ("return true;", "'return' begins a statement, and this is an expression"),
            ("true;", "';' ends a statement, and this is an expression"),
            ("$_slef.isF32()", "'$_slef' stands for nothing"),
            ("$_self is good", "no operator stands before 'is'"),
            ("$_self == \"x", "the literal that begins with \" does not end"),
        ] {
            assert_eq!(slip(code).as_deref(), Some(expected), "{code}");
        }
    }

    #[test]
    fn what_may_be_one_is_taken() {
        for code in [
            "f()",
            "[](Type t) { auto x = t; return x == f(t); }($_self)",
            "::llvm::isa<::mlir::FloatType>($_self) and not $_op.g()",
            "1'000 < $x.size() && c == ')' && s == \"(\\\"\"",
            "rust!{ value.is('(') } || $_builder.getF32Type() == $_self",
            "($_self.getInt() & -1) == 0",
        ] {
            assert_eq!(slip(code), None, "{code}");
        }
    }
}
