//! Rules that never apply, or change nothing: warnings.

use super::diagnostics;
use super::shadowed::{Left, left};
use super::truth::{Outcomes, asked, contradiction};
use crate::grammar::model::*;
use skriptnd_source::diagnostics::Diagnostics;

/// Warns of rules whose condition never holds, that replace a node by the same, and that an earlier rule leaves nothing.
pub fn check(rules: &[Rule], found: &mut Diagnostics) {
    for (index, rule) in rules.iter().enumerate() {
        conditions(rule, found);
        if is_same(&rule.pattern, &rule.replacement) {
            found.push(diagnostics::replaced_by_same(rule.replacement.span));
        } else if let Some(again) = matched_again(rule) {
            found.push(diagnostics::matched_again(again.span));
        }
        shadows(&rules[..index], rule, found);
    }
}

/// Warns of rules that one of an earlier file of the package leaves nothing.
pub fn check_against(earlier: &[Rule], rules: &[Rule], found: &mut Diagnostics) {
    rules.iter().for_each(|rule| shadows(earlier, rule, found));
}

fn shadows(before: &[Rule], rule: &Rule, found: &mut Diagnostics) {
    let told = before.iter().find_map(|earlier| match left(earlier, rule) {
        Left::Nodes => None,
        Left::Undefined => Some(diagnostics::shadowed_where_defined(rule.span, earlier.span)),
        Left::Nothing => {
            let takes_same = left(rule, earlier) != Left::Nodes;
            Some(diagnostics::shadowed(rule.span, earlier.span, takes_same))
        }
    });
    told.into_iter().for_each(|diagnostic| found.push(diagnostic));
}

/// Warns of a constraint that never holds, or else of the comparisons in it whose outcome the match tells.
fn conditions(rule: &Rule, found: &mut Diagnostics) {
    if !Outcomes::of(&rule.constraint, &rule.pattern).holds {
        let (part, contradicts) = failing(&rule.constraint, &rule.pattern);
        found.push(diagnostics::never_applies(part.span, contradicts));
        return;
    }
    let mut parts = vec![&rule.replacement];
    let mut all = vec![&rule.constraint];
    while let Some(part) = parts.pop() {
        if let ReplacementKind::Select(condition, ..) = &part.kind {
            all.push(condition);
        }
        parts.extend(part.kind.parts());
    }
    for condition in all.into_iter().flat_map(|condition| asked(condition, &rule.pattern)) {
        let outcomes = Outcomes::of(condition, &rule.pattern);
        if !outcomes.holds || !outcomes.fails {
            found.push(diagnostics::decided(condition.span, outcomes.holds));
        }
    }
}

/// The part for which a condition never holds: one of the conditions that all must hold, or all of it; and whether that part
/// only contradicts what stands before it.
fn failing<'e>(condition: &'e Expr, pattern: &MatchOp) -> (&'e Expr, bool) {
    let ExprKind::Reduce(Reduction::And, operands) = &condition.kind else { return (condition, false) };
    match operands.iter().find(|operand| !Outcomes::of(operand, pattern).holds) {
        Some(operand) => failing(operand, pattern),
        None => contradiction(operands, false, pattern).map_or((condition, false), |part| (part, true)),
    }
}

/// The part of a replacement that is the match again, where nothing else is asked.
fn matched_again(rule: &Rule) -> Option<&Replacement> {
    if !Outcomes::of(&rule.constraint, &rule.pattern).always() {
        return None;
    }
    let mut pending = rule.replacement.kind.parts();
    // What is chosen may be another branch.
    if matches!(rule.replacement.kind, ReplacementKind::Select(..)) {
        return None;
    }
    while let Some(part) = pending.pop() {
        let is_root = matches!(&part.kind, ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Root, .. }));
        match &part.kind {
            _ if is_root || is_same(&rule.pattern, part) => return Some(part),
            ReplacementKind::Op(..) | ReplacementKind::Wrap(..) | ReplacementKind::Modified(..) => {
                pending.extend(part.kind.parts());
            }
            _ => {}
        }
    }
    None
}

/// Whether a replacement is the match again, as it is written.
fn is_same(pattern: &MatchOp, replacement: &Replacement) -> bool {
    let ReplacementKind::Op(name, operands) = &replacement.kind else { return false };
    let same = |(matched, operand): (&MatchOperand, &Replacement)| match (matched, &operand.kind) {
        (MatchOperand::Tag(tag, _), ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(used), .. })) => {
            tag == used
        }
        (
            MatchOperand::Op(MatchOp { tag: Some(tag), .. }),
            ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(used), .. }),
        ) => tag == used,
        (MatchOperand::Op(inner), _) => is_same(inner, operand),
        _ => false,
    };
    name.text == pattern.name.text
        && !pattern.open
        && operands.len() == pattern.operands.len()
        && pattern.operands.iter().zip(operands).all(same)
}
