//! Finds rules and registrations in C++ text: runs the preprocessor's directives, skips all else.

use super::conditional::Conditionals;
use super::constants;
use super::diagnostics;
use super::lexer::{self, Item, Token, TokenKind};
use super::macros::MacroTable;
use super::registration::{self, Registered, TensorProperties};
use super::swallowed::swallowed;
use super::syntax::parse_registration;
use super::term::Registration;
use super::{ExternalFunction, IncludeProvider, Mode, OpRegistration, RULE_MACROS, vocabulary};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use skriptnd_source::{FileId, SourceMap, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// What begins and ends the definition of a package, or of one of its ops.
const PACKAGE_BEGINS: [&str; 3] = ["BEGIN_PKG_OP_DEFINITION", "BEGIN_PKG_OPS_DEFINITION", "BEGIN_PKG_OPTS_DEFINITION"];
const PACKAGE_ENDS: [&str; 3] = ["END_PKG_OP_DEFINITION", "END_PKG_OPS_DEFINITION", "END_PKG_OPTS_DEFINITION"];

/// What a rule file holds, before its rules are checked.
#[derive(Debug, Clone, Default)]
pub struct RuleFile {
    /// The rules, in the order of the file.
    pub rules: Vec<Registration>,
    /// Ops that the package registers.
    pub ops: Vec<OpRegistration>,
    /// What is told of the tensors of ops.
    pub properties: Vec<TensorProperties>,
    /// Functions that annotation comments announce.
    pub functions: Vec<ExternalFunction>,
}

impl RuleFile {
    /// Whether a file neither holds rules nor registers anything.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.ops.is_empty() && self.properties.is_empty()
    }

    /// Adds what another file of the package holds.
    pub fn extend(&mut self, other: RuleFile) {
        self.rules.extend(other.rules);
        self.ops.extend(other.ops);
        self.properties.extend(other.properties);
        self.functions.extend(other.functions);
    }
}

/// Reads the file `name` with text `text`, and the files that it includes. Macros of the prelude, a file's name and text,
/// are known from the start.
pub fn read(
    name: &str,
    text: impl Into<Arc<str>>,
    mode: Mode,
    includes: &dyn IncludeProvider,
    prelude: Option<(&str, &str)>,
    sources: &mut SourceMap,
    found: &mut Diagnostics,
) -> RuleFile {
    let file = sources.add(name, text);
    let mut reader = Reader {
        mode,
        includes,
        sources,
        found,
        macros: MacroTable::default(),
        file: RuleFile::default(),
        included: 0,
        package: None,
        prelude: None,
    };
    if let Some((name, text)) = prelude {
        let prelude = reader.sources.add(name, text);
        reader.read_file(prelude, 0);
        reader.prelude = Some(prelude);
    }
    reader.read_file(file, 0);
    reader.file
}

pub(super) struct Reader<'a> {
    mode: Mode,
    pub(super) includes: &'a dyn IncludeProvider,
    pub(super) sources: &'a mut SourceMap,
    pub(super) found: &'a mut Diagnostics,
    pub(super) macros: MacroTable,
    file: RuleFile,
    pub(super) included: usize,
    /// The package whose definition is being read.
    package: Option<String>,
    /// The file of the macros that are known from the start.
    pub(super) prelude: Option<FileId>,
}

impl Reader<'_> {
    pub(super) fn read_file(&mut self, file: FileId, depth: usize) {
        let Some(source) = self.sources.file(file) else { return };
        let name = source.name.clone();
        let items = lexer::lex(file, &source.text.clone());
        let mut conditionals = Conditionals::default();
        if let Some(Item::UnclosedComment(begin)) = items.last() {
            self.found.push(diagnostics::comment_unclosed(*begin));
        }
        let mut at = 0;
        while let Some(item) = items.get(at) {
            at += 1;
            match item {
                Item::Directive(hash, tokens) => {
                    let directive = tokens.first().and_then(Token::name).unwrap_or_default();
                    let operands = tokens.get(1..).unwrap_or_default();
                    let is_conditional = conditionals.directive(*hash, directive, operands, &self.macros, self.found);
                    if !is_conditional && conditionals.active() {
                        self.directive(tokens, &name, depth);
                    }
                }
                Item::Annotation(kind, text, span) if conditionals.active() => self.annotation(kind, text, *span),
                Item::BrokenAnnotation(span) if conditionals.active() => {
                    self.found.push(diagnostics::broken_annotation(*span));
                }
                Item::Token(token) if conditionals.active() => at = self.token(token, &items, at),
                _ => {}
            }
        }
        conditionals.end(self.found);
    }

    /// Adds what may have been told before, as it is wrong wherever it is used.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        let is_same = |other: &Diagnostic| other.span == diagnostic.span && other.message == diagnostic.message;
        if !self.found.iter().any(is_same) {
            self.found.push(diagnostic);
        }
    }

    fn annotation(&mut self, kind: &str, text: &str, span: Span) {
        if kind.starts_with("EXTERNAL_") {
            match ExternalFunction::parse(text, span) {
                Some(function) => self.file.functions.push(function),
                None => self.found.push(diagnostics::broken_annotation(span)),
            }
        }
    }

    /// Handles a token outside of directives; returns the index of the next item.
    fn token(&mut self, token: &Token, items: &[Item], next: usize) -> usize {
        let Some(name) = token.name() else { return next };
        if PACKAGE_BEGINS.contains(&name) || PACKAGE_ENDS.contains(&name) {
            return self.package(name, items, next);
        }
        let is_rule = RULE_MACROS.contains(&name);
        if is_rule || registration::MACROS.contains(&name) {
            return self.registration(token, items, next);
        }
        if self.makes_rule(name) {
            if self.mode == Mode::Sdk {
                return self.rule_from_macro(token, items, next);
            }
            self.found.push(diagnostics::registration_not_strict(token));
        }
        if self.mode == Mode::Sdk
            && let Some(constant) = constants::declared(items, next - 1)
        {
            self.define(&constant);
        }
        if token.first_of_line && self.macros.get(name).is_none() {
            self.not_a_registration(token, items, next);
        }
        next
    }

    /// What looks like a rule and is none is not skipped in silence.
    fn not_a_registration(&mut self, name: &Token, items: &[Item], next: usize) {
        let Some((tokens, _)) = gather(name, items, next) else { return };
        let holds_match = holds_match(&tokens);
        let known: &[&str] = if holds_match { &RULE_MACROS } else { &registration::MACROS };
        let meant = nearest_registration(&name.text, known.iter().copied());
        if holds_match || meant.is_some() {
            self.found.push(diagnostics::unknown_registration(name, meant));
        }
    }

    /// Defines a macro, or a constant of C++, which is replaced like one.
    fn define(&mut self, tokens: &[Token]) {
        if let Err(error) = self.macros.define(tokens) {
            self.report(*error);
        }
    }

    /// `BEGIN_PKG_OP_DEFINITION(NAME)` and its kin: ops up to its end whose names have no package belong to this one.
    fn package(&mut self, name: &str, items: &[Item], next: usize) -> usize {
        let named = match items.get(next..next + 2) {
            Some([Item::Token(open), Item::Token(package)]) if open.is("(") => package.name().map(str::to_owned),
            _ => None,
        };
        self.package = named.filter(|_| PACKAGE_BEGINS.contains(&name));
        next
    }

    fn registration(&mut self, name: &Token, items: &[Item], next: usize) -> usize {
        let opening = match items.get(next) {
            Some(Item::Token(open)) if open.is("(") => open,
            other => {
                let found = other.and_then(|i| if let Item::Token(t) = i { Some(t) } else { None });
                self.found.push(diagnostics::parenthesis_expected(name, found));
                return next;
            }
        };
        let Some((tokens, end)) = gather(name, items, next) else {
            let end = resume(items, next);
            let cut = items[next..end].iter().find_map(|item| match item {
                Item::Token(token) if token.kind == TokenKind::ForeignConstant && token.text.starts_with('"') => {
                    Some(token)
                }
                _ => None,
            });
            match (cut, items.last()) {
                // A string that is not closed takes the parentheses behind it, and so does a comment.
                (Some(cut), _) => self.found.push(diagnostics::foreign_constant(cut)),
                (None, Some(Item::UnclosedComment(_))) if end == items.len() => {}
                _ => self.found.push(unclosed(name, opening, &items[next..end])),
            }
            return end;
        };
        if RULE_MACROS.contains(&name.text.as_str()) {
            let strict = self.mode == Mode::Strict;
            if strict && name.text != RULE_MACROS[0] {
                self.found.push(diagnostics::registration_not_strict(name));
            }
            if !name.at_line_start || opening.first_of_line {
                self.found.push(diagnostics::not_at_line_start(name, strict));
            }
            if let Some(Item::Token(behind)) = items.get(end) {
                match behind.text.as_str() {
                    // What follows belongs to the rule, which is not whole.
                    "(" | "," => {
                        self.found.push(diagnostics::bad_follower(name, behind));
                        return end;
                    }
                    // The text ignores it, and a compiler of C++ does not.
                    ")" => self.found.push(diagnostics::stray_parenthesis(name, behind)),
                    _ => {}
                }
            }
            self.rule(&tokens);
        } else {
            self.of_ops(&tokens);
        }
        end
    }

    /// A registration that is no rule.
    fn of_ops(&mut self, tokens: &[Token]) {
        let expanded = self.macros.expand(tokens, &is_reserved);
        match expanded.and_then(|tokens| registration::parse(&tokens, self.mode, self.found)) {
            Ok(Some(Registered::Op(op))) => self.file.ops.push(OpRegistration { package: self.package.clone(), ..op }),
            Ok(Some(Registered::Properties(told))) => {
                self.file.properties.push(TensorProperties { package: self.package.clone(), ..told });
            }
            Ok(None) => {}
            Err(error) => self.report(*error),
        }
    }

    fn rule(&mut self, tokens: &[Token]) {
        let parsed = self.macros.expand(tokens, &is_reserved).and_then(|expanded| parse_registration(&expanded));
        match parsed {
            Ok(rule) => self.file.rules.push(Registration { package: self.package.clone(), ..rule }),
            Err(error) => self.report(*error),
        }
    }

    /// Whether a user macro's body holds a rule, or a macro that does.
    fn makes_rule(&self, name: &str) -> bool {
        let (mut seen, mut pending) = (HashSet::new(), vec![name]);
        while let Some(name) = pending.pop() {
            if RULE_MACROS.contains(&name) {
                return true;
            }
            if let Some(definition) = self.macros.get(name).filter(|_| seen.insert(name)) {
                pending.extend(definition.body.iter().filter_map(Token::name));
            }
        }
        false
    }

    /// The rules that a user macro makes, one after the other.
    fn rule_from_macro(&mut self, name: &Token, items: &[Item], next: usize) -> usize {
        let (tokens, end) = gather(name, items, next).unwrap_or((vec![name.clone()], next));
        let expanded = match self.macros.expand(&tokens, &is_reserved) {
            Ok(expanded) => expanded,
            Err(error) => {
                self.report(*error);
                return end;
            }
        };
        let begins = |token: &Token| token.name().is_some_and(|name| RULE_MACROS.contains(&name));
        for rule in expanded.chunk_by(|_, following| !begins(following)).filter(|tokens| begins(&tokens[0])) {
            let behind = rule.iter().rposition(|token| token.is(")")).map_or(rule.len(), |close| close + 1);
            self.rule(&rule[..behind]);
        }
        end
    }
}

/// What lacks its parenthesis: a part of the rule, if the rule can be read up to its end, or the rule.
fn unclosed(name: &Token, opening: &Token, items: &[Item]) -> Diagnostic {
    let mut tokens = vec![name.clone()];
    tokens
        .extend(items.iter().filter_map(|item| if let Item::Token(token) = item { Some(token.clone()) } else { None }));
    let last = tokens.iter().rposition(|token| token.is(")")).map_or(tokens.len(), |close| close + 1);
    tokens.truncate(last);
    let missing = tokens.iter().map(|t| isize::from(t.is("(")) - isize::from(t.is(")"))).sum::<isize>();
    let close = Token { text: ")".to_owned(), ..opening.clone() };
    tokens.extend(std::iter::repeat_n(close, usize::try_from(missing).unwrap_or_default()));
    let parsed = parse_registration(&tokens).ok();
    let within = parsed.as_ref().and_then(swallowed);
    within.map_or_else(
        || diagnostics::unclosed(name, opening.span),
        |(name, span, next)| diagnostics::unclosed_within(name, span, next),
    )
}

/// Names that macros never replace: those of the rule language.
pub(super) fn is_reserved(name: &str) -> bool {
    RULE_MACROS.contains(&name) || vocabulary::is_known(name)
}

/// The tokens from a name to the parenthesis that closes the one behind it, and the index of the item after that. Ends
/// without result at the file's end, and where another rule begins.
fn gather(name: &Token, items: &[Item], open: usize) -> Option<(Vec<Token>, usize)> {
    let mut tokens = vec![name.clone()];
    let mut depth = 0usize;
    for (at, item) in items.iter().enumerate().skip(open) {
        match item {
            Item::Token(token) => {
                if token.is("(") {
                    depth += 1;
                } else if token.is(")") {
                    depth = depth.checked_sub(1)?;
                } else if begins_rule(token) || depth == 0 {
                    return None;
                }
                tokens.push(token.clone());
                if depth == 0 {
                    return Some((tokens, at + 1));
                }
            }
            Item::Directive(hash, _) => {
                let text = "#".to_owned();
                tokens.push(Token { kind: TokenKind::Punctuation, text, span: *hash, ..name.clone() });
            }
            Item::Annotation(..) | Item::BrokenAnnotation(_) | Item::UnclosedComment(_) => {}
        }
    }
    None
}

/// Whether the second operand of a call, or the third, is a match.
fn holds_match(tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    let mut operand = 0usize;
    tokens.windows(2).any(|pair| {
        match pair[0].text.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "," if depth == 1 => operand += 1,
            _ => {}
        }
        depth == 1 && (1..=2).contains(&operand) && matches!(pair[0].text.as_str(), "Op" | "OpVarIn") && pair[1].is("(")
    })
}

/// The macro that a name is a misspelling of.
fn nearest_registration<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_uppercase();
    let measured = known.map(|known| (strsim::osa_distance(known, &name), known));
    measured.filter(|(slips, known)| slips * 5 < known.len()).min_by_key(|(slips, _)| *slips).map(|(_, known)| known)
}

fn begins_rule(token: &Token) -> bool {
    token.at_line_start && token.name().is_some_and(|n| RULE_MACROS.contains(&n) || registration::MACROS.contains(&n))
}

/// Behind a registration that is not closed: where the next begins.
fn resume(items: &[Item], from: usize) -> usize {
    let next = items.iter().skip(from).position(|item| matches!(item, Item::Token(t) if begins_rule(t)));
    next.map_or(items.len(), |offset| from + offset)
}
