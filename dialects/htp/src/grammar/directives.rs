//! `#define`, `#undef`, `#include`: what directives that are no conditionals do to a reader.

use super::diagnostics;
use super::lexer::{Token, TokenKind};
use super::reader::{Reader, is_reserved};
use super::vocabulary;

/// Includes within includes.
const MAX_INCLUDE_DEPTH: usize = 32;
/// Includes altogether: files that include each other twice would double at each level.
const MAX_INCLUDES: usize = 1000;

/// How the paths of the vendor's headers begin.
const KIT: [&str; 2] = ["HTP/", "Qnn"];

/// Directives that choose what counts, or that are followed.
const DIRECTIVES: [&str; 11] =
    ["if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "define", "undef", "include"];
/// Directives that say nothing of rules.
const OTHER_DIRECTIVES: [&str; 6] = ["pragma", "line", "warning", "ident", "include_next", "import"];

impl Reader<'_> {
    /// A directive that is no conditional: its name and what follows.
    pub(super) fn directive(&mut self, tokens: &[Token], from: &str, depth: usize) {
        let Some((directive, operands)) = tokens.split_first() else { return };
        let Some(name) = directive.name() else { return };
        match name {
            "define" => {
                if let Some(shadowing) = operands.first().filter(|t| is_reserved(&t.text)) {
                    self.found.push(diagnostics::macro_shadows(shadowing));
                }
                self.define_macro(operands);
            }
            "undef" => {
                if let Some(name) = operands.first().and_then(Token::name) {
                    self.macros.undefine(name);
                }
            }
            "include" => self.include(directive, operands, from, depth),
            "error" => self.found.push(diagnostics::error_directive(directive)),
            _ if OTHER_DIRECTIVES.contains(&name) => {}
            _ => {
                let nearest = vocabulary::nearest(name, DIRECTIVES.into_iter().chain(OTHER_DIRECTIVES));
                self.found.push(diagnostics::unknown_directive(directive, nearest));
            }
        }
    }

    /// A macro; one that takes the place of another of the file is told.
    fn define_macro(&mut self, tokens: &[Token]) {
        let replaced = match self.macros.define(tokens) {
            Ok(replaced) => replaced.filter(|old| Some(old.span.file) != self.prelude),
            Err(error) => return self.report(*error),
        };
        if let Some((old, new)) = replaced.zip(tokens.first()) {
            self.found.push(diagnostics::macro_redefined(new, old.span));
        }
    }

    /// Only files in quotes are looked for: those in angle brackets are the vendor's, or C++'s.
    fn include(&mut self, directive: &Token, operands: &[Token], from: &str, depth: usize) {
        if operands.first().is_some_and(|token| token.is("<")) {
            return;
        }
        let Some(operand) = operands.first().filter(|t| t.kind == TokenKind::String) else {
            return self.found.push(diagnostics::include_expected(operands.first().unwrap_or(directive)));
        };
        let path = operand.text.trim_matches('"');
        if depth >= MAX_INCLUDE_DEPTH {
            self.found.push(diagnostics::include_too_deep(operand.span, MAX_INCLUDE_DEPTH));
            return;
        }
        self.included += 1;
        if self.included > MAX_INCLUDES {
            self.found.push(diagnostics::too_many_includes(operand.span, MAX_INCLUDES));
            return;
        }
        match self.includes.include(from, path) {
            // What rules take from the kit stands in the prelude.
            None if self.prelude.is_some() && KIT.iter().any(|begin| path.starts_with(begin)) => {}
            None => self.found.push(diagnostics::include_not_found(operand.span, path)),
            Some(Err(reason)) => self.found.push(diagnostics::include_unreadable(operand.span, path, &reason)),
            Some(Ok((name, text))) => {
                let file = self.sources.add(name, text);
                self.read_file(file, depth + 1);
            }
        }
    }
}
