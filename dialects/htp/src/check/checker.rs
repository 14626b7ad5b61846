//! State and helpers that the parts of the check share.

use super::diagnostics;
use super::number::{self, Number};
use super::order::exchanged;
use crate::grammar::diagnostics::pass_offset;
use crate::grammar::model::OpName;
use crate::grammar::term::{Term, TermKind};
use crate::grammar::vocabulary::{self, Place, Production};
use crate::grammar::{ExternalFunction, Mode, at_term};
use indexmap::IndexMap;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};

/// An `AUTOSPLIT` or `OP_ITER` whose body is being checked.
#[derive(Debug)]
pub struct SplitScope {
    /// The tag by which its body refers to it; empty where it is not understood.
    pub tag: String,
    /// Whether something in the body refers to it.
    pub used: bool,
}

/// Checks one rule.
pub struct Checker<'a> {
    /// How strict.
    pub mode: Mode,
    /// Functions that annotations of the file announce.
    pub functions: &'a [ExternalFunction],
    /// What was found.
    pub found: &'a mut Diagnostics,
    /// Tags of the match with their first places.
    pub tags: IndexMap<String, Span>,
    /// Tags of the match that must be constants, and their places.
    pub constants: Vec<(String, Span)>,
    /// Tags of the match that several constants make: these, the place, and whether they were told.
    pub tags_of_parts: Vec<(Vec<String>, Span, bool)>,
    /// Whether the match was understood, so that unknown tags are errors of their own.
    pub scope_known: bool,
    /// Whether the replacement is being checked.
    pub in_replacement: bool,
    /// Splits around the present place.
    pub splits: Vec<SplitScope>,
    /// Tags of all splits of the rule.
    pub split_tags: IndexMap<String, Span>,
    /// Whether something in the rule is not known, so that the rule is left out with a warning.
    pub skipped: bool,
}

impl<'a> Checker<'a> {
    /// For one rule.
    pub fn new(mode: Mode, functions: &'a [ExternalFunction], found: &'a mut Diagnostics) -> Self {
        Checker {
            mode,
            functions,
            found,
            tags: IndexMap::new(),
            constants: Vec::new(),
            tags_of_parts: Vec::new(),
            scope_known: false,
            in_replacement: false,
            splits: Vec::new(),
            split_tags: IndexMap::new(),
            skipped: false,
        }
    }

    /// Whether the published grammar alone counts.
    pub fn strict(&self) -> bool {
        self.mode == Mode::Strict
    }

    /// Adds a message.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Adds a message about a name that is not known. In `sdk` mode it may be a macro of a header that is not at hand:
    /// the rule is then left out, and the message is a warning. What looks like a name of the language is an error.
    pub fn unknown(&mut self, term: &Term, name: &str, mut diagnostic: Diagnostic) {
        if !self.strict() && !vocabulary::is_like_known(name) {
            diagnostic.severity = Severity::Warning;
            diagnostic.notes.push("the rule is left out".to_owned());
            self.skipped = true;
            // One macro is told once.
            if self.found.iter().any(|other| other.message == diagnostic.message) {
                return;
            }
        }
        self.report_at(term, diagnostic);
    }

    /// Adds a message about a term, with the macro that it comes from.
    pub fn report_at(&mut self, term: &Term, diagnostic: Diagnostic) {
        self.found.push(at_term(diagnostic, term));
    }

    /// The production of a call and its operands, if it may stand in such a place and their number is right.
    pub fn call<'t>(&mut self, term: &'t Term, place: Place) -> Option<(&'static Production, &'t [Term])> {
        let TermKind::Call { name, name_span, operands } = &term.kind else {
            self.report_at(term, diagnostics::expected_place(term, place));
            return None;
        };
        if name == vocabulary::FROM_DEFAULT_PACKAGE {
            self.report_at(term, diagnostics::default_package_place(*name_span));
            return None;
        }
        let Some(production) = vocabulary::production(name) else {
            self.unknown(term, name, diagnostics::unknown_name(*name_span, name, place, !self.strict()));
            return None;
        };
        if !production.places.contains(&place) {
            self.report_at(term, diagnostics::wrong_place(*name_span, production, place));
            return None;
        }
        if production.extension && self.strict() {
            self.report_at(term, diagnostics::extension(*name_span, name));
            return None;
        }
        if operands.len() < production.min || production.max.is_some_and(|max| operands.len() > max) {
            self.report_at(term, diagnostics::operand_count(*name_span, production, operands.len()));
            return None;
        }
        if exchanged(production, place, operands) || self.tags_exchanged(name, operands) {
            self.report_at(term, diagnostics::operands_exchanged(*name_span, production));
            return None;
        }
        Some((production, operands))
    }

    /// Whether the tag of an operand and that of a split stand in each other's places.
    fn tags_exchanged(&self, name: &str, operands: &[Term]) -> bool {
        let (operand, split) = match (name, operands) {
            ("TYPICAL_SLICE" | "CHANGEDIM_SLICE" | "ITER_INPUT_OF", [operand, split, ..]) => (operand, split),
            ("AUTOSPLIT_SHAPEFN_APPLY", [_, split, operand, ..]) => (operand, split),
            _ => return false,
        };
        let is_split = |text: &str| self.splits.iter().any(|scope| scope.tag == text);
        let is_tag = |text: &str| self.tags.contains_key(text);
        text(operand)
            .zip(text(split))
            .is_some_and(|(operand, split)| is_split(operand) && is_tag(split) && !is_tag(operand) && !is_split(split))
    }

    /// The text of a string constant, its parts joined; `what` it is, for messages.
    pub fn string(&mut self, term: &Term, what: &str) -> Option<String> {
        let TermKind::Strings(parts) = &term.kind else {
            self.report_at(term, diagnostics::string_expected(term, what));
            return None;
        };
        let mut text = String::new();
        let mut good = true;
        for (quoted, span) in parts {
            let part = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"')).unwrap_or(quoted);
            if part.is_empty() {
                self.report_at(term, diagnostics::empty_string(*span));
                good = false;
            } else if let Some(bad) = part.chars().find(|c| !c.is_ascii_graphic() || *c == '\\') {
                self.report_at(term, diagnostics::bad_character(*span, bad));
                good = false;
            }
            text.push_str(part);
        }
        good.then_some(text)
    }

    /// The name of an op: a string constant, in `sdk` mode also `FROM_DEFAULT_PACKAGE("X")`.
    pub fn op_name(&mut self, term: &Term) -> Option<OpName> {
        if let TermKind::Call { name, name_span, operands } = &term.kind
            && name == vocabulary::FROM_DEFAULT_PACKAGE
        {
            if self.strict() {
                self.report_at(term, diagnostics::extension(*name_span, name));
                return None;
            }
            let [operand] = operands.as_slice() else {
                self.report_at(term, diagnostics::default_package_operands(*name_span, operands.len()));
                return None;
            };
            let text = format!("{}::{}", vocabulary::DEFAULT_PACKAGE, self.string(operand, "the name of an op")?);
            return Some(OpName { text, span: term.span });
        }
        let text = self.string(term, "the name of an op")?;
        if text.contains("::") && (text.starts_with(':') || text.ends_with(':') || text.contains(":::")) {
            self.report_at(term, diagnostics::half_name(term.span, &text));
            return None;
        }
        Some(OpName { text, span: term.span })
    }

    /// A bare name, e.g. of a function.
    pub fn bare_name(&mut self, term: &Term, what: &str) -> Option<String> {
        let TermKind::Name(name) = &term.kind else {
            self.report_at(term, diagnostics::name_expected(term, what));
            return None;
        };
        Some(name.clone())
    }

    /// The value of a number.
    pub fn number(&mut self, term: &Term, sign: Option<char>, digits: &str) -> Option<Number> {
        match number::parse(sign, digits) {
            Ok((value, old_octal)) => {
                if old_octal {
                    self.report_at(term, diagnostics::octal(term.span, digits, value));
                }
                Some(value)
            }
            Err(error) => {
                self.report_at(term, diagnostics::bad_number(term.span, sign, digits, error));
                None
            }
        }
    }

    /// The offset of a pass: a decimal constant; in `sdk` mode it may be subtracted.
    pub fn pass_offset(&mut self, sign: char, digits: &str, span: Span) -> Option<i64> {
        let decimal = digits.chars().all(|c| c.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        let value = digits.parse::<i32>().ok().filter(|_| decimal);
        let Some(value) = value else {
            self.report(pass_offset(span, digits));
            return None;
        };
        if sign == '-' && self.strict() {
            self.report(diagnostics::pass_minus(span));
            return None;
        }
        Some(if sign == '-' { -i64::from(value) } else { i64::from(value) })
    }

    /// The tag of a split that is around the present place.
    pub fn split_reference(&mut self, term: &Term) -> Option<String> {
        let tag = self.string(term, "a split tag")?;
        match self.splits.iter_mut().rev().find(|s| s.tag == tag) {
            Some(scope) => {
                scope.used = true;
                Some(tag)
            }
            None => {
                // A split around this that has no tag is an error already.
                if self.splits.iter().any(|split| split.tag.is_empty()) {
                    return None;
                }
                let around: Vec<String> = self.splits.iter().map(|s| s.tag.clone()).collect();
                let elsewhere = self.split_tags.get(&tag).copied();
                self.report_at(term, diagnostics::split_not_around(term.span, &tag, &around, elsewhere));
                None
            }
        }
    }

    /// The tag that a split gives itself, which no other split of the rule may have.
    pub fn new_split(&mut self, term: &Term) -> Option<String> {
        let tag = self.string(term, "a split tag")?;
        if let Some(first) = self.split_tags.get(&tag).copied() {
            self.report_at(term, diagnostics::split_tag_twice(term.span, &tag, first));
            // What is within may have meant the split around it.
            self.splits.iter_mut().filter(|around| around.tag == tag).for_each(|around| around.used = true);
        } else {
            self.split_tags.insert(tag.clone(), term.span);
        }
        Some(tag)
    }
}

/// A string constant of one part.
fn text(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Strings(parts) if parts.len() == 1 => Some(parts[0].0.trim_matches('"')),
        _ => None,
    }
}
