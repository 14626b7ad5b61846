//! From terms to typed rules: names, operand counts, tags, types, split tags, restrictions.

mod across;
mod checker;
mod compared;
mod constant;
mod diagnostics;
mod guards;
mod impossible;
mod known;
mod negative;
mod number;
mod operand;
mod options;
mod order;
mod other_root;
mod out_of_range;
mod overlaps;
mod parts;
mod pattern;
mod ranges;
mod registered;
mod replacement;
mod restrictions;
mod scalar;
mod shadowed;
mod shorthands;
mod signature;
mod support;
mod truth;
mod undone;
mod useless;

use crate::grammar::diagnostics::{comes_from_macro, unclosed_within};
use crate::grammar::model::{Pass, Rule};
use crate::grammar::passes::PassTable;
use crate::grammar::term::{PassTerm, Registration, Term};
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use crate::grammar::{Mode, RULE_MACROS, RuleFile, swallowed};
use checker::Checker;
pub(crate) use constant::{Constant, constant};
pub use options::check_options;
pub use overlaps::overlaps;
pub use parts::{parse_condition, parse_replacement};
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};
pub use support::{is_supported, options_of, unbound};
pub use useless::check_against;

/// Most further places that a message names.
const MOST_PLACES: usize = 3;

/// What rules are checked with.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// How much of what public rule files do is accepted.
    pub mode: Mode,
    /// The numbers of pass groups.
    pub passes: &'a PassTable,
    /// The package of ops whose names have none; without it the one that the file declares, or the default one.
    pub package: Option<&'a str>,
}

/// Checks all rules of a file. Rules with errors are left out of the result.
pub fn check(file: &RuleFile, terms: Terms<'_>, sources: &SourceMap, found: &mut Diagnostics) -> Vec<Rule> {
    let mut rules = well_formed(file, terms, sources, found);
    rules.retain(|rule| impossible::check(rule, found));
    for rule in &rules {
        support::check_match(rule, found);
        guards::check(rule, found);
        other_root::check(rule, found);
        out_of_range::check(rule, found);
    }
    useless::check(&rules, found);
    registered::check(file, &rules, found);
    known::check(file, &rules, found);
    rules
}

/// Warns of what the rules of a package are to each other over several passes: each other's ends, or in vain.
pub fn check_together(rules: &[Rule], found: &mut Diagnostics) {
    across::check(rules, found);
    undone::check(rules, found);
}

/// The rules of a file that are as the language wants them, whether they can do anything or not.
fn well_formed(file: &RuleFile, terms: Terms<'_>, sources: &SourceMap, found: &mut Diagnostics) -> Vec<Rule> {
    let checked = file.rules.iter().filter_map(|registration| check_rule(registration, file, terms, sources, found));
    checked.collect()
}

fn check_rule(
    registration: &Registration,
    file: &RuleFile,
    terms: Terms<'_>,
    sources: &SourceMap,
    found: &mut Diagnostics,
) -> Option<Rule> {
    let mut own = Diagnostics::default();
    let mut checker = Checker::new(terms.mode, &file.functions, &mut own);
    let rule = rule(&mut checker, registration, terms, sources);
    let skipped = std::mem::take(&mut checker.skipped);
    let accepted = !own.has_errors() && !skipped;
    once(&own).into_iter().for_each(|diagnostic| found.push(diagnostic));
    rule.filter(|_| accepted)
}

/// What was found in a rule, without what one slip brings again: an argument that stands several times in the body of a macro,
/// what several parts of a body lack at one use of it, and a tag that the match has not, wherever it is used.
fn once(found: &Diagnostics) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for told in found.iter() {
        let is_again = |one: &&mut Diagnostic| {
            let of_macro = [&**one, told].iter().all(|told| comes_from_macro(told));
            one.span == told.span && one.severity == told.severity && (of_macro || one.message == told.message)
        };
        let is_used_again = |one: &&mut Diagnostic| told.code == Code::UnknownTag && one.message == told.message;
        if all.iter_mut().any(|one| is_again(&one)) {
            continue;
        }
        match all.iter_mut().find(is_used_again) {
            Some(first) if first.related.len() < MOST_PLACES => first.related.push((told.span, "and here".to_owned())),
            Some(_) => {}
            None => all.push(told.clone()),
        }
    }
    all
}

fn rule(checker: &mut Checker, registration: &Registration, terms: Terms<'_>, sources: &SourceMap) -> Option<Rule> {
    let operands = &registration.operands;
    // Behind the pass: match, constraint and replacement, in extensions with flags before them.
    let least = if registration.name == RULE_MACROS[1] { 4 } else { 3 };
    let most = if registration.name == RULE_MACROS[0] { 3 } else { 4 };
    let with_flags = operands.len() == 4;
    if !(least..=most).contains(&operands.len()) {
        if let Some((name, span, next)) = swallowed(registration).filter(|_| operands.len() < least) {
            checker.report(unclosed_within(name, span, next));
            return None;
        }
        checker.report(diagnostics::rule_operands(registration, least == 4, operands.len() + 1));
        return None;
    }
    let parts = &operands[usize::from(with_flags)..];
    if let Some(first) = order::parts_exchanged(parts) {
        checker.report_at(first, diagnostics::parts_exchanged(first.span, &registration.name));
        return None;
    }
    let flags = if with_flags { flags(checker, &operands[0]) } else { Vec::new() };
    let pass = pass(checker, &registration.pass, terms.passes);
    let pattern = checker.pattern(&parts[0]);
    checker.scope_known = pattern.is_some();
    let constraint = checker.constraint(&parts[1]);
    let replacement = checker.replacement_rule(&parts[2]);
    if let Some(replacement) = &replacement {
        restrictions::check(replacement, checker.mode, checker.found);
    }
    let (line, _) = sources.position(registration.span);
    let name = sources.file(registration.span.file).map_or("?", |f| f.name.as_str());
    Some(Rule {
        name: format!("{name}:{line}"),
        span: registration.span,
        pass: pass?,
        pattern: pattern?,
        tags: std::mem::take(&mut checker.tags),
        constraint: constraint?,
        replacement: replacement?,
        package: terms.package.or(registration.package.as_deref()).unwrap_or(DEFAULT_PACKAGE).to_owned(),
        flags,
    })
}

/// The flags of the extensions: a name.
fn flags(checker: &mut Checker, term: &Term) -> Vec<String> {
    checker.bare_name(term, "a flag").into_iter().collect()
}

fn pass(checker: &mut Checker, term: &PassTerm, passes: &PassTable) -> Option<Pass> {
    let (group, span) = &term.group;
    let offset = match &term.offset {
        None => Some(0),
        Some((sign, digits, place)) => checker.pass_offset(*sign, digits, *place),
    };
    let Some(base) = passes.number(group) else {
        checker.report(diagnostics::unknown_pass(*span, group, passes));
        return None;
    };
    let offset = offset?;
    Some(Pass { group: group.clone(), offset, number: base + offset, span: *span })
}

#[cfg(test)]
mod tests;
