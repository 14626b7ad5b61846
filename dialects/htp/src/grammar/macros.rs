//! `#define`: object-like and function-like macros and their expansion, with limits.

use super::diagnostics;
use super::lexer::{Token, TokenKind};
use indexmap::IndexMap;
use skriptnd_source::diagnostics::Diagnostic;
use skriptnd_source::{FileId, Span};

/// Macros within macros; real files need three or four.
const MAX_EXPANSION_DEPTH: usize = 64;
/// Tokens that one registration may become.
const MAX_EXPANDED_TOKENS: usize = 100_000;

/// One `#define`.
#[derive(Debug, Clone)]
pub struct Macro {
    /// The parameters of a function-like macro; the last may be `...`.
    pub parameters: Option<Vec<String>>,
    /// What takes the place of its name.
    pub body: Vec<Token>,
    /// The place of its name.
    pub span: Span,
    /// What is wrong with its parameters: rules that use it are left out.
    broken: Option<Box<Diagnostic>>,
}

impl Macro {
    /// Whether another one takes and becomes the same.
    fn is_same(&self, other: &Macro) -> bool {
        let texts = |definition: &Macro| definition.body.iter().map(|token| token.text.clone()).collect::<Vec<_>>();
        self.parameters == other.parameters && texts(self) == texts(other)
    }

    /// Whether a parameter stands by itself in the body, neither pasted nor made a string.
    fn uses(&self, parameter: &str) -> bool {
        let is_joined = |at: usize| self.body.get(at).is_some_and(|token| token.is("#") || token.is("##"));
        let mut places = self.body.iter().enumerate().filter(|(_, token)| token.name() == Some(parameter));
        places.any(|(at, _)| !is_joined(at + 1) && !at.checked_sub(1).is_some_and(is_joined))
    }
}

/// The macros that are defined at some point of a file.
#[derive(Debug, Clone, Default)]
pub struct MacroTable {
    macros: IndexMap<String, Macro>,
}

impl MacroTable {
    /// Reads what follows `#define`; the macro of this name that it takes the place of, if that is another.
    pub fn define(&mut self, tokens: &[Token]) -> Result<Option<Macro>, Box<Diagnostic>> {
        let Some((first, rest)) = tokens.split_first() else { return Ok(None) };
        let Some(name) = first.name() else { return Err(diagnostics::macro_name_expected(first).into()) };
        // Function-like only if the parenthesis touches the name.
        let touching = |paren: &Token| paren.is("(") && paren.span.start == first.span.end;
        let read = match rest.first() {
            Some(paren) if touching(paren) => parameters(first, &rest[1..]).map(|(names, body)| (Some(names), body)),
            _ => Ok((None, rest)),
        };
        let definition =
            |parameters, body: &[Token], broken| Macro { parameters, body: body.to_vec(), span: first.span, broken };
        match read {
            Ok((parameters, body)) => {
                let new = definition(parameters, body, None);
                let old = self.macros.insert(name.to_owned(), new.clone());
                Ok(old.filter(|old| !old.is_same(&new)))
            }
            Err(error) => {
                self.macros.insert(name.to_owned(), definition(None, &[], Some(error.clone())));
                Err(error)
            }
        }
    }

    /// Reads what follows `#undef`.
    pub fn undefine(&mut self, name: &str) {
        self.macros.shift_remove(name);
    }

    /// The macro of this name.
    pub fn get(&self, name: &str) -> Option<&Macro> {
        self.macros.get(name)
    }

    /// The tokens with all macros replaced, except those whose name `is_reserved`.
    pub fn expand(&self, tokens: &[Token], is_reserved: &dyn Fn(&str) -> bool) -> Result<Vec<Token>, Box<Diagnostic>> {
        let mut expansion = Expansion { table: self, is_reserved, active: Vec::new(), produced: 0, at_use: None };
        let mut out = Vec::with_capacity(tokens.len());
        expansion.expand(tokens, &mut out)?;
        self.check_expanded(&out, is_reserved)?;
        Ok(out)
    }

    /// Whether the uses of macros leave no parenthesis open, and none lacks its arguments.
    fn check_expanded(&self, tokens: &[Token], is_reserved: &dyn Fn(&str) -> bool) -> Result<(), Box<Diagnostic>> {
        let mut open: IndexMap<(FileId, u32), (i32, &Token)> = IndexMap::new();
        for (at, token) in tokens.iter().enumerate() {
            let without = token.name().filter(|name| !is_reserved(name)).and_then(|name| self.get(name));
            if let Some(parameters) = without.and_then(|definition| definition.parameters.as_ref())
                && !tokens.get(at + 1).is_some_and(|next| next.is("("))
            {
                return Err(diagnostics::macro_without_arguments(token, parameters).into());
            }
            let step = i32::from(token.is("(")) - i32::from(token.is(")"));
            if token.macro_body.is_some() {
                open.entry((token.span.file, token.span.start)).or_insert((0, token)).0 += step;
            }
        }
        let total: i32 = tokens.iter().map(|t| i32::from(t.is("(")) - i32::from(t.is(")"))).sum();
        match open.values().find(|(depth, _)| total != 0 && *depth != 0) {
            Some((depth, token)) => Err(diagnostics::macro_unbalanced(token, *depth > 0).into()),
            None => Ok(()),
        }
    }
}

/// The parameters of a macro and its body, from what follows the parenthesis behind its name.
fn parameters<'t>(name: &Token, tokens: &'t [Token]) -> Result<(Vec<String>, &'t [Token]), Box<Diagnostic>> {
    let Some(close) = tokens.iter().position(|t| t.is(")")) else {
        return Err(diagnostics::macro_parameters_unclosed(name).into());
    };
    let (mut list, body) = (&tokens[..close], &tokens[close + 1..]);
    let mut names: Vec<String> = Vec::new();
    while let Some((first, rest)) = list.split_first() {
        let (written, behind) = match rest {
            [second, third, behind @ ..] if [first, second, third].iter().all(|t| t.is(".")) => ("...", behind),
            _ => (first.name().ok_or_else(|| diagnostics::macro_parameter_expected(first, name))?, rest),
        };
        if names.iter().any(|earlier| earlier == written) {
            return Err(diagnostics::macro_parameter_twice(first, name).into());
        }
        names.push(written.to_owned());
        list = match behind {
            [comma, next, ..] if comma.is(",") && written != "..." && !next.is(",") => &behind[1..],
            [] => behind,
            [found, ..] => return Err(diagnostics::macro_parameter_end(found, name).into()),
        };
    }
    Ok((names, body))
}

struct Expansion<'a> {
    table: &'a MacroTable,
    is_reserved: &'a dyn Fn(&str) -> bool,
    /// Names of the macros being expanded: none expands within itself.
    active: Vec<String>,
    produced: usize,
    /// The macro in the text itself that is being expanded.
    at_use: Option<Token>,
}

impl Expansion<'_> {
    fn expand(&mut self, tokens: &[Token], out: &mut Vec<Token>) -> Result<(), Box<Diagnostic>> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            let mut replaced = self.replace(token, tokens, &mut at, out)?;
            // What a macro becomes may end with the name of another one, whose arguments stand behind it.
            while replaced && tokens.get(at).is_some_and(|t| t.is("(")) {
                let is_macro = |last: &Token| last.name().is_some_and(|name| self.takes_arguments(name));
                if !out.last().is_some_and(is_macro) {
                    break;
                }
                let Some(last) = out.pop() else { break };
                replaced = self.replace(&last, tokens, &mut at, out)?;
            }
        }
        Ok(())
    }

    /// Writes what a token becomes; arguments stand at `at`. Whether it was a macro.
    fn replace(
        &mut self,
        token: &Token,
        tokens: &[Token],
        at: &mut usize,
        out: &mut Vec<Token>,
    ) -> Result<bool, Box<Diagnostic>> {
        let found = token.name().filter(|n| !self.is_active(n) && !(self.is_reserved)(n));
        let Some((name, definition)) = found.and_then(|n| Some((n, self.table.get(n)?))) else {
            self.push(token.clone(), out)?;
            return Ok(false);
        };
        if let Some(error) = &definition.broken {
            return Err(error.clone());
        }
        if self.active.is_empty() {
            self.at_use = Some(token.clone());
        }
        let replaced = match &definition.parameters {
            None => definition.body.clone(),
            Some(_) if !tokens.get(*at).is_some_and(|t| t.is("(")) => {
                self.push(token.clone(), out)?;
                return Ok(false);
            }
            Some(parameters) => {
                let (arguments, end) = arguments(tokens, *at).ok_or_else(|| diagnostics::macro_call_unclosed(token))?;
                *at = end;
                let arguments = bind(token, definition, parameters, arguments)?;
                self.substitute(&definition.body, parameters, &arguments)?
            }
        };
        let replaced = replaced.into_iter().map(|t| located(t, token)).collect::<Vec<_>>();
        if self.active.len() >= MAX_EXPANSION_DEPTH {
            return Err(Box::new(diagnostics::expansion_too_deep(token, MAX_EXPANSION_DEPTH)));
        }
        self.active.push(name.to_owned());
        self.expand(&replaced, out)?;
        self.active.pop();
        Ok(true)
    }

    fn takes_arguments(&self, name: &str) -> bool {
        let is_open = !self.is_active(name) && !(self.is_reserved)(name);
        is_open && self.table.get(name).is_some_and(|definition| definition.parameters.is_some())
    }

    fn is_active(&self, name: &str) -> bool {
        self.active.iter().any(|a| a == name)
    }

    fn push(&mut self, token: Token, out: &mut Vec<Token>) -> Result<(), Box<Diagnostic>> {
        self.count(&token)?;
        out.push(token);
        Ok(())
    }

    /// Long tokens, which only pasting makes, count as several.
    fn count(&mut self, token: &Token) -> Result<(), Box<Diagnostic>> {
        self.produced += 1 + token.text.len() / 64;
        if self.produced > MAX_EXPANDED_TOKENS {
            let place = self.at_use.as_ref().unwrap_or(token);
            return Err(Box::new(diagnostics::expansion_too_long(place, MAX_EXPANDED_TOKENS)));
        }
        Ok(())
    }

    /// The body with the arguments in place of the parameters; `#` and `##` as in C.
    fn substitute(
        &mut self,
        body: &[Token],
        parameters: &[String],
        arguments: &[Vec<Token>],
    ) -> Result<Vec<Token>, Box<Diagnostic>> {
        let argument = |token: &Token| {
            let name = token.name()?;
            let name = if name == "__VA_ARGS__" { "..." } else { name };
            parameters.iter().position(|p| p == name).and_then(|at| arguments.get(at))
        };
        let mut out: Vec<Token> = Vec::new();
        let mut at = 0;
        while let Some(token) = body.get(at) {
            at += 1;
            let next = body.get(at);
            if let Some(operand) = next.and_then(argument).filter(|_| token.is("#")) {
                self.push(stringized(token, operand), &mut out)?;
                at += 1;
            } else if token.is("##") && !out.is_empty() && next.is_some() {
                let right = next.map(|t| argument(t).cloned().unwrap_or_else(|| vec![t.clone()])).unwrap_or_default();
                self.paste(&mut out, right)?;
                at += 1;
            } else if let Some(operand) = argument(token) {
                if next.is_some_and(|t| t.is("##")) {
                    operand.iter().try_for_each(|t| self.push(t.clone(), &mut out))?;
                } else {
                    self.expand(operand, &mut out)?;
                }
            } else {
                self.push(token.clone(), &mut out)?;
            }
        }
        Ok(out)
    }

    /// Joins the last token of `out` with the first on the right.
    fn paste(&mut self, out: &mut Vec<Token>, right: Vec<Token>) -> Result<(), Box<Diagnostic>> {
        let mut right = right.into_iter();
        if let (Some(left), Some(first)) = (out.last_mut(), right.next()) {
            left.text.push_str(&first.text);
            self.count(left)?;
        }
        right.try_for_each(|token| self.push(token, out))
    }
}

/// A token of a macro's body, seen at the place where the macro is used; tokens of arguments stay where they are.
fn located(token: Token, at_use: &Token) -> Token {
    let from_argument = token.span.file == at_use.span.file && token.span.start >= at_use.span.start;
    let in_body = !from_argument && token.macro_body.is_none();
    let body = if in_body { Some(token.span) } else { token.macro_body };
    if from_argument {
        return token;
    }
    Token { span: at_use.span, macro_body: body.or(at_use.macro_body), ..token }
}

/// The arguments of a call whose `(` stands at `open`, and the index behind its `)`.
fn arguments(tokens: &[Token], open: usize) -> Option<(Vec<Vec<Token>>, usize)> {
    let mut depth = 0usize;
    let mut all = vec![Vec::new()];
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is("(") {
            depth += 1;
            if depth == 1 {
                continue;
            }
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                return Some((all, at + 1));
            }
        } else if token.is(",") && depth == 1 {
            all.push(Vec::new());
            continue;
        }
        all.last_mut()?.push(token.clone());
    }
    None
}

/// Checks the number of arguments, and joins those that belong to `...`.
fn bind(
    at_use: &Token,
    definition: &Macro,
    parameters: &[String],
    mut arguments: Vec<Vec<Token>>,
) -> Result<Vec<Vec<Token>>, Box<Diagnostic>> {
    if arguments.len() == 1 && arguments[0].is_empty() {
        // C takes nothing for one argument; within a rule nothing stands nowhere, and each use would be an error.
        let lacks = parameters.first().is_some_and(|parameter| parameter != "..." && definition.uses(parameter));
        if parameters.len() == 1 && lacks {
            return Err(Box::new(diagnostics::macro_argument_count(at_use, definition.span, 1, 0)));
        }
        if parameters.is_empty() {
            arguments.clear();
        }
    }
    let takes_more = parameters.last().is_some_and(|p| p == "...");
    if takes_more && arguments.len() + 1 == parameters.len() {
        arguments.push(Vec::new());
    } else if takes_more && arguments.len() >= parameters.len() {
        let rest = arguments.split_off(parameters.len() - 1);
        let comma = Token { kind: TokenKind::Punctuation, text: ",".to_owned(), ..at_use.clone() };
        arguments.push(rest.join(&comma));
    }
    if arguments.len() == parameters.len() {
        Ok(arguments)
    } else {
        Err(Box::new(diagnostics::macro_argument_count(at_use, definition.span, parameters.len(), arguments.len())))
    }
}

fn stringized(at: &Token, operand: &[Token]) -> Token {
    let text = operand.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" ");
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    Token { kind: TokenKind::String, text: format!("\"{text}\""), ..at.clone() }
}
