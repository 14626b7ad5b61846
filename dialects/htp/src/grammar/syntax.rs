//! The parser that makes a tree of terms of one registration.

use super::diagnostics;
use super::lexer::{Token, TokenKind};
use super::term::{PassTerm, Registration, Term, TermKind};
use parser::{Rule, RuleParser};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostic;

// The derived items can't be documented.
#[allow(missing_docs)]
mod parser {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/rule.pest"]
    pub(super) struct RuleParser;
}

/// Parentheses within parentheses; the parser and all that walks over terms recurse as deep.
const MAX_NESTING: usize = 100;

/// Parses the tokens from a registration's name to its closing parenthesis.
pub fn parse_registration(tokens: &[Token]) -> Result<Registration, Box<Diagnostic>> {
    check_tokens(tokens)?;
    let mut text = String::new();
    let mut starts = Vec::with_capacity(tokens.len());
    for token in tokens {
        starts.push(text.len());
        text.push_str(&token.text);
        text.push(' ');
    }
    let source = Tokens { tokens, starts };
    let mut pairs = RuleParser::parse(Rule::registration, &text)
        .map_err(|e| Box::new(source.syntax_error(&e.variant, &e.location)))?;
    let registration = pairs.next().ok_or_else(|| Box::new(diagnostics::empty_registration(source.token(0).span)))?;
    Ok(source.registration(registration))
}

/// What the parser could only describe badly: foreign constants, and nesting that would exhaust its stack.
fn check_tokens(tokens: &[Token]) -> Result<(), Box<Diagnostic>> {
    let mut depth = 0usize;
    for token in tokens {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        }
        if depth > MAX_NESTING {
            return Err(Box::new(diagnostics::nested_too_deep(token, MAX_NESTING)));
        }
        if token.kind == TokenKind::ForeignConstant {
            return Err(Box::new(diagnostics::foreign_constant(token)));
        }
    }
    Ok(())
}

struct Tokens<'a> {
    tokens: &'a [Token],
    /// Offset of each token in the parsed text.
    starts: Vec<usize>,
}

impl Tokens<'_> {
    /// The token at an offset of the parsed text.
    fn token(&self, offset: usize) -> &Token {
        let behind = self.starts.partition_point(|start| *start <= offset);
        &self.tokens[behind.saturating_sub(1).min(self.tokens.len() - 1)]
    }

    fn span(&self, pair: &Pair<Rule>) -> Span {
        let inner = pair.as_span();
        let first = self.token(inner.start()).span;
        let last = self.token(inner.end().saturating_sub(1).max(inner.start())).span;
        if first.file == last.file { first.to(last) } else { first }
    }

    fn syntax_error(&self, variant: &ErrorVariant<Rule>, location: &InputLocation) -> Diagnostic {
        let offset = match *location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        // The place is a gap before a token, or the end.
        let at = self.starts.partition_point(|start| *start < offset);
        let token = &self.tokens[at.min(self.tokens.len() - 1)];
        let around = [at.checked_sub(1), at.checked_add(1)].map(|beside| self.tokens.get(beside?));
        let expected = match variant {
            ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
            ErrorVariant::CustomError { .. } => &[],
        };
        match at {
            2 => diagnostics::pass_expected(token),
            // A call, or a name with a namespace.
            3 if token.is("(") || token.is("::") => diagnostics::pass_expected(&self.tokens[2]),
            4 if self.tokens[3].is("+") || self.tokens[3].is("-") => diagnostics::pass_number_expected(token),
            3 => diagnostics::pass_of_several(token),
            4..=6 if token.is("+") || token.is("-") => diagnostics::pass_of_several(token),
            _ => diagnostics::syntax(token, around, &describe(expected)),
        }
    }

    fn registration(&self, pair: Pair<Rule>) -> Registration {
        let span = self.span(&pair);
        let mut registration = Registration {
            name: String::new(),
            name_span: span,
            pass: PassTerm { group: (String::new(), span), offset: None },
            operands: Vec::new(),
            span,
            package: None,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => {
                    registration.name = part.as_str().to_owned();
                    registration.name_span = self.span(&part);
                }
                Rule::pass_spec => registration.pass = self.pass(part),
                Rule::term => registration.operands.extend(self.term(part)),
                _ => {}
            }
        }
        registration
    }

    fn pass(&self, pair: Pair<Rule>) -> PassTerm {
        let span = self.span(&pair);
        let mut pass = PassTerm { group: (String::new(), span), offset: None };
        let mut sign = ('+', span);
        for part in pair.into_inner() {
            let place = self.span(&part);
            match part.as_rule() {
                Rule::name => pass.group = (part.as_str().to_owned(), place),
                Rule::sign => sign = (part.as_str().chars().next().unwrap_or('+'), place),
                Rule::number => pass.offset = Some((sign.0, part.as_str().to_owned(), sign.1.to(place))),
                _ => {}
            }
        }
        pass
    }

    fn term(&self, pair: Pair<Rule>) -> Option<Term> {
        let span = self.span(&pair);
        let macro_body = self.token(pair.as_span().start()).macro_body;
        let inner = pair.into_inner().next()?;
        let kind = match inner.as_rule() {
            Rule::call => self.call(inner),
            Rule::scoped => {
                let (scope, name) = scoped(&inner);
                TermKind::Scoped(scope, name)
            }
            Rule::strings => {
                TermKind::Strings(inner.into_inner().map(|s| (s.as_str().to_owned(), self.span(&s))).collect())
            }
            Rule::signed => {
                let mut number = TermKind::Number { sign: None, digits: String::new() };
                for part in inner.into_inner() {
                    if let TermKind::Number { sign, digits } = &mut number {
                        match part.as_rule() {
                            Rule::sign => *sign = part.as_str().chars().next(),
                            _ => *digits = part.as_str().to_owned(),
                        }
                    }
                }
                number
            }
            _ => TermKind::Name(inner.as_str().to_owned()),
        };
        Some(Term { kind, span, macro_body })
    }

    fn call(&self, pair: Pair<Rule>) -> TermKind {
        let mut name = (String::new(), self.span(&pair));
        let mut operands = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = (part.as_str().to_owned(), self.span(&part)),
                Rule::scoped => {
                    let place = self.span(&part);
                    let (scope, inner) = scoped(&part);
                    name = (format!("{scope}::{inner}"), place);
                }
                Rule::term => operands.extend(self.term(part)),
                _ => {}
            }
        }
        TermKind::Call { name: name.0, name_span: name.1, operands }
    }
}

fn scoped(pair: &Pair<Rule>) -> (String, String) {
    let mut names = pair.clone().into_inner().filter(|p| p.as_rule() == Rule::name).map(|p| p.as_str().to_owned());
    (names.next().unwrap_or_default(), names.next().unwrap_or_default())
}

/// What the parser would have taken, in words, e.g. "`,` or `)`".
fn describe(expected: &[Rule]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for rule in expected {
        let word = match rule {
            Rule::open => "`(`",
            Rule::close => "`)`",
            Rule::comma => "`,`",
            Rule::sign => "`+`",
            Rule::scope | Rule::EOI | Rule::end => continue,
            Rule::number => "a number",
            Rule::string | Rule::strings => continue,
            Rule::name => "a name",
            Rule::pass_spec => "a pass group",
            _ => "an operand",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    match words.split_last() {
        None => "the end of the rule".to_owned(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
