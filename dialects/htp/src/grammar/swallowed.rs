//! Parts of a rule that stand within the part before them, as a parenthesis is missing there.

use super::term::{Registration, Term, TermKind};
use super::vocabulary::{self, Place};
use skriptnd_source::Span;

/// The name of a call that is not closed before the next part of the rule begins, where it stands, and where that part begins.
pub fn swallowed(registration: &Registration) -> Option<(&str, Span, Span)> {
    registration.operands.iter().rev().find_map(within)
}

fn within(term: &Term) -> Option<(&str, Span, Span)> {
    let TermKind::Call { name, name_span, operands } = &term.kind else { return None };
    // The innermost one lacks the parenthesis.
    operands.iter().rev().find_map(within).or_else(|| {
        let is_foreign: fn(&Term) -> bool = match vocabulary::production(name)?.places {
            [Place::Match, ..] => is_constraint,
            [Place::Scalar] => is_op,
            _ => return None,
        };
        let first = operands.iter().skip(1).find(|operand| is_foreign(operand))?;
        Some((name.as_str(), *name_span, first.span))
    })
}

/// Whether a term can only be a constraint.
fn is_constraint(term: &Term) -> bool {
    match &term.kind {
        TermKind::Name(name) => ["OK", "true", "false"].contains(&name.as_str()),
        TermKind::Call { name, .. } => vocabulary::production(name).is_some_and(|p| p.places == [Place::Scalar]),
        _ => false,
    }
}

fn is_op(term: &Term) -> bool {
    let TermKind::Call { name, .. } = &term.kind else { return false };
    vocabulary::production(name)
        .is_some_and(|p| !p.places.contains(&Place::Scalar) && !p.places.contains(&Place::Operand))
}
