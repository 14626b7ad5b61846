//! `#if`, `#ifdef`, `#elif`, `#else`, `#endif`: which parts of a file count.

use super::diagnostics;
use super::lexer::Token;
use super::macros::MacroTable;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostics;

/// Parentheses and negations within a condition.
const MAX_DEPTH: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Branch {
    /// Whether the part around the conditional counts.
    outer: bool,
    /// Whether a branch of this conditional has counted already.
    taken: bool,
    /// Whether the present branch counts.
    active: bool,
    /// Whether the last branch, `#else`, has begun.
    last: bool,
    /// Where the conditional begins.
    begin: Span,
}

/// The conditionals that are open at some point of a file.
#[derive(Debug, Default)]
pub struct Conditionals {
    open: Vec<Branch>,
}

impl Conditionals {
    /// Whether the present part of the file counts.
    pub fn active(&self) -> bool {
        self.open.last().is_none_or(|b| b.active)
    }

    /// Handles a directive, if it is one of the conditional ones.
    pub fn directive(
        &mut self,
        hash: Span,
        name: &str,
        tokens: &[Token],
        macros: &MacroTable,
        found: &mut Diagnostics,
    ) -> bool {
        match name {
            "if" | "ifdef" | "ifndef" => {
                let outer = self.active();
                let holds = outer && asked(hash, name, tokens, macros, found);
                self.open.push(Branch { outer, taken: holds, active: holds, last: false, begin: hash });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let Some(branch) = self.open.last_mut().filter(|branch| !branch.last) else {
                    found.push(diagnostics::branch_alone(hash, name));
                    return true;
                };
                let is_next = branch.outer && !branch.taken;
                branch.last = name == "else";
                branch.active = is_next && (branch.last || asked(hash, &name[2..], tokens, macros, found));
                branch.taken |= branch.active;
            }
            "endif" if self.open.pop().is_none() => found.push(diagnostics::endif_alone(hash)),
            "endif" => {}
            _ => return false,
        }
        true
    }

    /// Tells of what is open at the end of a file.
    pub fn end(self, found: &mut Diagnostics) {
        self.open.into_iter().for_each(|branch| found.push(diagnostics::conditional_unclosed(branch.begin)));
    }
}

/// Whether `#if`, `#ifdef` or `#ifndef` holds; what can't be read does not.
fn asked(hash: Span, name: &str, tokens: &[Token], macros: &MacroTable, found: &mut Diagnostics) -> bool {
    let holds = match name {
        "if" => condition(tokens, macros),
        _ => tokens.first().and_then(Token::name).map(|n| macros.get(n).is_some() == (name == "ifdef")),
    };
    if holds.is_none() {
        found.push(diagnostics::condition_unreadable(hash));
    }
    holds.unwrap_or(false)
}

/// The value of a condition, if it can be read; names that are not defined are 0.
fn condition(tokens: &[Token], macros: &MacroTable) -> Option<bool> {
    let mut resolved = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.name() != Some("defined") {
            resolved.push(token.clone());
            continue;
        }
        at += usize::from(tokens.get(at).is_some_and(|t| t.is("(")));
        let defined = tokens.get(at).and_then(Token::name).is_some_and(|n| macros.get(n).is_some());
        at += 1 + usize::from(tokens.get(at + 1).is_some_and(|t| t.is(")")));
        resolved.push(Token {
            text: u8::from(defined).to_string(),
            kind: super::lexer::TokenKind::Number,
            ..token.clone()
        });
    }
    let expanded = macros.expand(&resolved, &|_| false).unwrap_or_default();
    let texts: Vec<&str> = expanded.iter().map(|t| t.text.as_str()).collect();
    let mut condition = Condition { tokens: &texts, at: 0 };
    let value = condition.disjunction(0)?;
    (condition.at == texts.len()).then_some(value != 0)
}

struct Condition<'a> {
    tokens: &'a [&'a str],
    at: usize,
}

impl Condition<'_> {
    fn accept(&mut self, operator: &[&str]) -> bool {
        let found = self.tokens.get(self.at..).is_some_and(|rest| rest.starts_with(operator));
        self.at += if found { operator.len() } else { 0 };
        found
    }

    fn disjunction(&mut self, depth: usize) -> Option<i64> {
        let mut value = self.conjunction(depth)?;
        while self.accept(&["|", "|"]) {
            let right = self.conjunction(depth)?;
            value = i64::from(value != 0 || right != 0);
        }
        Some(value)
    }

    fn conjunction(&mut self, depth: usize) -> Option<i64> {
        let mut value = self.comparison(depth)?;
        while self.accept(&["&", "&"]) {
            let right = self.comparison(depth)?;
            value = i64::from(value != 0 && right != 0);
        }
        Some(value)
    }

    fn comparison(&mut self, depth: usize) -> Option<i64> {
        let left = self.primary(depth)?;
        let compare: fn(&i64, &i64) -> bool = match () {
            () if self.accept(&["=", "="]) => i64::eq,
            () if self.accept(&["!", "="]) => i64::ne,
            () if self.accept(&["<", "="]) => i64::le,
            () if self.accept(&[">", "="]) => i64::ge,
            () if self.accept(&["<"]) => i64::lt,
            () if self.accept(&[">"]) => i64::gt,
            () => return Some(left),
        };
        let right = self.primary(depth)?;
        Some(i64::from(compare(&left, &right)))
    }

    fn primary(&mut self, depth: usize) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.accept(&["!"]) {
            return Some(i64::from(self.primary(depth + 1)? == 0));
        }
        if self.accept(&["("]) {
            let value = self.disjunction(depth + 1)?;
            return self.accept(&[")"]).then_some(value);
        }
        let token = *self.tokens.get(self.at)?;
        self.at += 1;
        let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
        let is_name = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if is_name { Some(0) } else { digits.parse().ok() }
    }
}
