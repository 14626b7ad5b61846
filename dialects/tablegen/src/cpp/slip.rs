//! Slips that no C++ compiler would take, found without knowing all of C++: what is no expression is no predicate either.

/// What stands for something else in the C++ of a constraint; members of an operation have no underscore.
const PLACEHOLDERS: [&str; 4] = ["_self", "_op", "_builder", "_ctxt"];
/// Operators that have an operand in front of them; those that C++ also has in front of one, or in types, are not here.
const INFIX: [&str; 16] = ["==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "->", "/", "%", "^", "|", "?", "=", "."];
/// Operators that have an operand behind them; `*`, `&` and `>` may end a type.
const OPEN_ENDED: [&str; 22] = [
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "->", "/", "%", "^", "|", "?", "=", ".", "<", "+", "-", "!", "~",
    "::",
];
/// What begins like one of these and is none.
const WHOLE: [&str; 10] = ["...", "++", "--", "<<", "|=", "/=", "%=", "^=", "*=", "&="];
/// Words of C++ that stand beside other words.
const BESIDE_WORDS: [&str; 33] = [
    "new",
    "delete",
    "sizeof",
    "alignof",
    "typename",
    "template",
    "const",
    "constexpr",
    "volatile",
    "unsigned",
    "signed",
    "long",
    "short",
    "int",
    "char",
    "bool",
    "float",
    "double",
    "auto",
    "class",
    "struct",
    "enum",
    "throw",
    "mutable",
    "noexcept",
    "operator",
    "decltype",
    "typeid",
    "return",
    "co_await",
    "case",
    "static",
    "consteval",
];
/// Words that are operators.
const OPERATORS: [&str; 11] =
    ["and", "or", "not", "xor", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq"];

/// What is wrong with an expression wherever it stands; none if it may be one.
pub fn slip(code: &str) -> Option<String> {
    let mut scan = Scan { rest: code, open: Vec::new(), blocks: 0, last: Token::Begin, is_of_lambda: false };
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
        (None, _) => scan.lacks_operand(),
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
    Operator(&'t str),
    Number(&'t str),
    /// A string, Rust, what ends a type.
    Other,
    /// Rust, and white space.
    Code,
}

struct Scan<'t> {
    rest: &'t str,
    /// The brackets that are open, and whether they need not hold anything, as those of a call.
    open: Vec<(char, bool)>,
    /// How many of them are those of blocks.
    blocks: usize,
    last: Token<'t>,
    /// Whether a function without a name is in what was read: it has declarations.
    is_of_lambda: bool,
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
            '/' if self.rest.starts_with("//") || self.rest.starts_with("/*") => {
                self.take(end_of_comment(self.rest));
                Token::Code
            }
            c if c.is_whitespace() => {
                self.take(c.len_utf8());
                Token::Code
            }
            '$' => Token::Placeholder(&self.take(1 + word(&self.rest[1..]))[1..]),
            // Digits are separated by `'`.
            '0'..='9' => Token::Number(
                self.take(self.rest.find(|c| !is_word(c) && c != '\'' && c != '.').unwrap_or(self.rest.len())),
            ),
            '.' if self.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                self.take(1);
                return self.token();
            }
            c if is_word(c) => Token::Word(self.take(word(self.rest))),
            '"' | '\'' => match end_of_literal(self.rest, first) {
                Some(end) => {
                    self.take(end);
                    Token::Other
                }
                None => return Some(Err(format!("the literal that begins with {first} does not end"))),
            },
            c => self.punctuation(c),
        }))
    }

    fn punctuation(&mut self, first: char) -> Token<'t> {
        if let Some(long) = WHOLE.into_iter().find(|long| self.rest.starts_with(long)) {
            self.take(long.len());
            return Token::Other;
        }
        let mut known = INFIX.iter().chain(&OPEN_ENDED).filter(|operator| self.rest.starts_with(**operator));
        if let Some(operator) = known.by_ref().max_by_key(|operator| operator.len()) {
            return Token::Operator(self.take(operator.len()));
        }
        self.take(first.len_utf8());
        match first {
            '(' | '[' | '{' => Token::Open(first),
            ')' | ']' | '}' => Token::Close(first),
            ',' => Token::Comma,
            ';' => Token::Semicolon,
            _ => Token::Other,
        }
    }

    fn slip(&mut self, token: &Token<'_>) -> Option<String> {
        let in_block = self.blocks > 0;
        match *token {
            Token::Open(open) => {
                let is_operand = matches!(self.last, Token::Begin | Token::Comma | Token::Open('('));
                self.is_of_lambda |= self.last == Token::Close(']');
                self.blocks += usize::from(open == '{');
                self.open.push((open, open != '(' || !is_operand));
            }
            Token::Close(close) => return self.lacks_operand_before(close).or_else(|| self.close(close)),
            Token::Comma if self.lacks_operand().is_some() => return self.lacks_operand(),
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
            Token::Operator(operator) if self.lacks_left_operand(operator) => {
                return Some(format!("nothing stands before '{operator}'"));
            }
            Token::Placeholder(name) if name.starts_with('_') && !PLACEHOLDERS.contains(&name) => {
                return Some(format!("'${name}' stands for nothing"));
            }
            Token::Word(text) | Token::Number(text) | Token::Placeholder(text)
                if !in_block && self.stands_beside(text) =>
            {
                let mark = if matches!(token, Token::Placeholder(_)) { "$" } else { "" };
                return Some(format!("no operator stands before '{mark}{text}'"));
            }
            _ => {}
        }
        None
    }

    /// What is wrong where an operand has to stand, and none does.
    fn lacks_operand(&self) -> Option<String> {
        match self.last {
            Token::Operator(operator) if OPEN_ENDED.contains(&operator) => {
                Some(format!("nothing stands behind '{operator}'"))
            }
            _ => None,
        }
    }

    /// `[=]` is no assignment, and `(T &&)` of a function no conjunction.
    fn lacks_operand_before(&self, close: char) -> Option<String> {
        match (self.last, close) {
            (Token::Operator("="), ']') => None,
            (Token::Operator("&&"), _) if self.is_of_lambda => None,
            _ => self.lacks_operand(),
        }
    }

    fn lacks_left_operand(&self, operator: &str) -> bool {
        let begins = match self.last {
            Token::Begin | Token::Comma | Token::Open('(') => true,
            Token::Operator(before) => OPEN_ENDED.contains(&before) && (before, operator) != ("?", ":"),
            _ => false,
        };
        begins && INFIX.contains(&operator)
    }

    /// Whether a word follows upon another one, which declarations have.
    fn stands_beside(&self, word: &str) -> bool {
        let is_plain = |word: &str| !OPERATORS.contains(&word) && !BESIDE_WORDS.contains(&word);
        let is_operand = match self.last {
            Token::Word(last) => is_plain(last),
            Token::Number(_) | Token::Placeholder(_) => true,
            _ => false,
        };
        is_operand && is_plain(word) && !self.is_of_lambda
    }

    fn close(&mut self, close: char) -> Option<String> {
        let Some((open, may_be_empty)) = self.open.pop() else { return Some(format!("'{close}' closes nothing")) };
        self.blocks -= usize::from(open == '{');
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

/// Behind the comment that `text` begins with.
fn end_of_comment(text: &str) -> usize {
    let end = if text.starts_with("//") { "\n" } else { "*/" };
    text[2..].find(end).map_or(text.len(), |at| 2 + at + end.len())
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
            ("$0 == ", "nothing stands behind '=='"),
            ("($_self.isF32() ||) && true", "nothing stands behind '||'"),
            ("$_self && && 3", "nothing stands before '&&'"),
            ("f($_self, == 3)", "nothing stands before '=='"),
            ("!($_self.isF32() && !)", "nothing stands behind '!'"),
            ("foo bar baz", "no operator stands before 'bar'"),
            ("$_self 3", "no operator stands before '3'"),
            ("size $0", "no operator stands before '$0'"),
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
            "isa<A<>, B>($_self) && *f(static_cast<unsigned int>($_self)) <= .5 + 0.5 - 1e-3 ? !x : -y",
            "[=](T &&a, auto &...rest) -> bool { return a && !rest; }((const T *)$_self)",
            "f($0) /* of $0 */ && [](int x) { x |= 3; x <<= 1; return x++; }(1) // && ",
            "$_self.template cast<X>() == u8\"x\" && sizeof $0 > 3u && ~x->y::z",
        ] {
            assert_eq!(slip(code), None, "{code}");
        }
    }
}
