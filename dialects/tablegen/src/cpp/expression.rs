//! The part of C++ that predicates are written in, as a tree.

use super::{
    escapes::unescaped,
    integer::{Integer, Number},
    real::real,
    table::normalized,
};

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A name: `true`, `elementType`, `$_self`, `$input`, `::mlir::foo`; namespaces `llvm`, `mlir`, `std` are dropped.
    Name(String),
    /// An integer.
    Integer(Number),
    /// A `double`, as Rust writes it.
    Real(String),
    /// A `float`, as Rust writes it.
    Float(f32),
    /// A string.
    Text(String),
    /// `name<Template, ...>(arguments)`; a name without arguments is [`Expression::Name`].
    Call { function: String, templates: Vec<String>, arguments: Vec<Expression> },
    /// `receiver.method<Template>(arguments)`.
    Method { receiver: Box<Expression>, method: String, templates: Vec<String>, arguments: Vec<Expression> },
    /// `base[index]`.
    Index { base: Box<Expression>, index: Box<Expression> },
    /// `!operand`, `-operand`, `~operand`, `+operand`.
    Unary { operator: char, operand: Box<Expression> },
    /// `left operator right`.
    Binary { operator: String, left: Box<Expression>, right: Box<Expression> },
    /// `[](T parameter) { return body; }`.
    Lambda { parameter: String, body: Box<Expression> },
    /// `lambda(argument)`.
    Apply { parameter: String, body: Box<Expression>, argument: Box<Expression> },
    /// `{a, b}`.
    List(Vec<Expression>),
    /// `condition ? then : otherwise`.
    Conditional { condition: Box<Expression>, then: Box<Expression>, otherwise: Box<Expression> },
    /// `rust!{...}`.
    Rust(String),
}

type Result<T> = std::result::Result<T, String>;

/// Depth of nesting beyond which an expression is refused.
const MAXIMUM_DEPTH: usize = 200;
/// Height of the tree beyond which an expression is refused: `a && b && c` is parsed in a loop, but is a tree all the same.
const MAXIMUM_HEIGHT: usize = 500;

/// Reads `text` as one expression.
pub fn parse(text: &str) -> Result<Expression> {
    let mut parser = Parser { rest: text, depth: 0, height: 0 };
    let expression = parser.whole()?;
    match parser.peek() {
        None => Ok(expression),
        Some(_) => Err(format!("'{}' is left over", parser.rest.trim())),
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
    /// The height of the tree that was made last.
    height: usize,
}

/// Binary operators with their precedence; longer ones first.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("&", 5),
    ("^", 4),
    ("|", 3),
];

impl<'a> Parser<'a> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn accept(&mut self, token: &str) -> bool {
        self.peek();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        match self.accept(token) {
            true => Ok(()),
            false if self.rest.is_empty() => Err(format!("expected '{token}' at the end")),
            false => Err(format!("expected '{token}' before '{}'", self.rest)),
        }
    }

    /// An expression with what `?` parts.
    fn whole(&mut self) -> Result<Expression> {
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        self.deeper()?;
        let height = self.height;
        let then = self.whole()?;
        self.above(height)?;
        let height = self.height;
        self.expect(":")?;
        let otherwise = self.whole()?;
        self.above(height)?;
        self.depth -= 1;
        Ok(Expression::Conditional { condition: condition.into(), then: then.into(), otherwise: otherwise.into() })
    }

    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        match self.depth > MAXIMUM_DEPTH {
            true => Err(format!("the expression is nested more than {MAXIMUM_DEPTH} deep")),
            false => Ok(()),
        }
    }

    /// What was made last becomes part of something else, beside a part of this height.
    fn above(&mut self, height: usize) -> Result<()> {
        self.height = self.height.max(height) + 1;
        match self.height > MAXIMUM_HEIGHT {
            true => Err(format!("the expression has more than {MAXIMUM_HEIGHT} parts in a row")),
            false => Ok(()),
        }
    }

    fn binary(&mut self, minimum: u8) -> Result<Expression> {
        self.deeper()?;
        let mut left = self.unary()?;
        while let Some((operator, precedence)) = self.operator(minimum) {
            self.accept(operator);
            let height = self.height;
            let right = self.binary(precedence + 1)?;
            self.above(height)?;
            left = Expression::Binary { operator: operator.into(), left: left.into(), right: right.into() };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operator(&mut self, minimum: u8) -> Option<(&'static str, u8)> {
        self.peek();
        OPERATORS
            .into_iter()
            .find(|(token, _)| self.rest.starts_with(token))
            .filter(|(_, precedence)| *precedence >= minimum)
    }

    fn unary(&mut self) -> Result<Expression> {
        match self.peek() {
            Some(operator @ ('!' | '-' | '~' | '+')) => {
                self.accept(&operator.to_string());
                self.deeper()?;
                let operand = self.unary()?;
                self.above(0)?;
                self.depth -= 1;
                Ok(Expression::Unary { operator, operand: operand.into() })
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    fn primary(&mut self) -> Result<Expression> {
        self.height = 0;
        match self.peek() {
            Some('(') => {
                self.expect("(")?;
                let inner = self.whole()?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('{') => {
                self.expect("{")?;
                Ok(Expression::List(self.arguments("}")?))
            }
            Some('[') => self.lambda(),
            Some('"') => self.string(),
            Some('\'') => self.character(),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_alphabetic() || matches!(c, '_' | '$' | ':') => self.named(),
            Some(_) => Err(format!("expected an expression before '{}'", self.rest)),
            None => Err("expected an expression at the end".into()),
        }
    }

    /// A string, which may be written in several pieces.
    fn string(&mut self) -> Result<Expression> {
        let mut text = String::new();
        while self.accept("\"") {
            let mut characters = self.rest.char_indices();
            loop {
                match characters.next().ok_or("a string without an end")? {
                    (at, '"') => {
                        self.rest = &self.rest[at + 1..];
                        break;
                    }
                    (_, '\\') => text.push(match characters.next().ok_or("a string without an end")?.1 {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    }),
                    (_, other) => text.push(other),
                }
            }
        }
        Ok(Expression::Text(text))
    }

    /// A character, which is a number.
    fn character(&mut self) -> Result<Expression> {
        self.expect("'")?;
        let mut is_escaped = false;
        let end = self.rest.find(|c| {
            let ends = c == '\'' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let (inside, rest) = self.rest.split_at(end.ok_or("a character without an end")?);
        self.rest = &rest[1..];
        let text = unescaped(inside).unwrap_or_default();
        match text.as_bytes() {
            [byte] => Ok(Expression::Integer(Number::new((*byte as i8).into(), Integer::Int))),
            _ => Err(format!("'{inside}' is not one character")),
        }
    }

    fn number(&mut self) -> Result<Expression> {
        let is_hexadecimal = self.rest.starts_with("0x") || self.rest.starts_with("0X");
        let is_part = |(at, c): (usize, char)| {
            let signs = matches!(c, '+' | '-') && self.rest[..at].ends_with(['e', 'E']) && !is_hexadecimal;
            c.is_ascii_alphanumeric() || matches!(c, '.' | '\'') || signs
        };
        let length = self.rest.char_indices().take_while(|item| is_part(*item)).count();
        let token = &self.rest[..length];
        self.rest = &self.rest[length..];
        if is_hexadecimal || !token.contains(['.', 'e', 'E']) {
            return Number::literal(token).map(Expression::Integer);
        }
        let digits = token.replace('\'', "");
        let is_float = digits.ends_with(['f', 'F']);
        let known = real(digits.trim_end_matches(['l', 'L'])).ok_or_else(|| format!("'{token}' is no number"))?;
        match known.parse() {
            Ok(number) if is_float => Ok(Expression::Float(number)),
            _ => Ok(Expression::Real(known)),
        }
    }

    fn identifier(&mut self) -> String {
        self.peek();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(self.rest.len());
        let name = self.rest[..end].to_string();
        self.rest = &self.rest[end..];
        name
    }

    /// A qualified name, with template arguments if a call follows them.
    fn named(&mut self) -> Result<Expression> {
        self.accept("::");
        let mut name = self.identifier();
        while self.accept("::") {
            name = self.identifier();
        }
        if name == "rust" && self.accept("!{") {
            return self.rust();
        }
        if name == "numeric_limits" {
            return self.limit();
        }
        let templates = self.templates()?;
        if self.accept("(") {
            let arguments = self.arguments(")")?;
            // `std::equal_to<>()(a, b)` compares.
            if name == "equal_to" && arguments.is_empty() && self.accept("(") {
                return Ok(Expression::Call { function: name, templates, arguments: self.arguments(")")? });
            }
            return Ok(Expression::Call { function: name, templates, arguments });
        }
        if !templates.is_empty() && self.accept("{") {
            return Ok(Expression::Call { function: name, templates, arguments: self.arguments("}")? });
        }
        Ok(Expression::Name(name))
    }

    /// `std::numeric_limits<T>::max()`, which is a call of `max<T>` here.
    fn limit(&mut self) -> Result<Expression> {
        self.expect("<")?;
        let (class, rest) = self.rest.split_once('>').ok_or("expected '>' at the end")?;
        self.rest = rest;
        self.expect("::")?;
        let function = self.identifier();
        self.expect("(")?;
        self.expect(")")?;
        Ok(Expression::Call { function, templates: vec![normalized(class)], arguments: Vec::new() })
    }

    fn rust(&mut self) -> Result<Expression> {
        let mut depth = 1usize;
        for (offset, c) in self.rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let code = self.rest[..offset].trim().to_string();
                self.rest = &self.rest[offset + 1..];
                return Ok(Expression::Rust(code));
            }
        }
        Err("Rust code without an end".into())
    }

    /// `<A, B>` if a call follows, otherwise nothing: `<` may be a comparison.
    fn templates(&mut self) -> Result<Vec<String>> {
        self.peek();
        let Some(inner) = self.rest.strip_prefix('<') else { return Ok(Vec::new()) };
        let mut depth = 1usize;
        for (offset, c) in inner.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                c if c.is_alphanumeric() || matches!(c, ':' | '_' | ',' | ' ' | '\n') => {}
                _ => return Ok(Vec::new()),
            }
            if depth == 0 {
                let after = inner[offset + 1..].trim_start();
                if !after.starts_with(['(', '{']) {
                    return Ok(Vec::new());
                }
                self.rest = after;
                return Ok(inner[..offset].split(',').map(normalized).filter(|name| !name.is_empty()).collect());
            }
        }
        Ok(Vec::new())
    }

    fn arguments(&mut self, end: &str) -> Result<Vec<Expression>> {
        let (mut arguments, mut height) = (Vec::new(), self.height);
        while !self.accept(end) {
            arguments.push(self.whole()?);
            height = height.max(self.height);
            if !self.accept(",") {
                self.expect(end)?;
                break;
            }
        }
        self.above(height)?;
        Ok(arguments)
    }

    fn postfix(&mut self, mut base: Expression) -> Result<Expression> {
        loop {
            if self.accept(".") || self.accept("->") {
                let method = self.identifier();
                let templates = self.templates()?;
                self.expect("(")?;
                let arguments = self.arguments(")")?;
                base = Expression::Method { receiver: base.into(), method, templates, arguments };
            } else if self.accept("[") {
                let height = self.height;
                let index = self.binary(0)?;
                self.above(height)?;
                self.expect("]")?;
                base = Expression::Index { base: base.into(), index: index.into() };
            } else if matches!(base, Expression::Lambda { .. }) && self.accept("(") {
                let height = self.height;
                let argument = Box::new(self.binary(0)?);
                self.above(height)?;
                self.expect(")")?;
                base = match base {
                    Expression::Lambda { parameter, body } => Expression::Apply { parameter, body, argument },
                    other => other,
                };
            } else {
                return Ok(base);
            }
        }
    }

    fn lambda(&mut self) -> Result<Expression> {
        self.expect("[")?;
        let end = self.rest.find(']').ok_or("a lambda without an end of its captures")?;
        self.rest = &self.rest[end + 1..];
        self.expect("(")?;
        let end = self.rest.find(')').ok_or("a lambda without an end of its parameters")?;
        let parameter = self.rest[..end].rsplit([' ', '&', '*']).next().unwrap_or_default().to_string();
        self.rest = &self.rest[end + 1..];
        if self.accept("->") {
            // What it returns follows from what it is asked for.
            self.identifier();
        }
        self.expect("{")?;
        self.expect("return")?;
        let body = self.whole()?;
        self.above(0)?;
        self.expect(";")?;
        self.expect("}")?;
        Ok(Expression::Lambda { parameter, body: body.into() })
    }
}
