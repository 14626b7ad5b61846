//! Rules that one of an earlier pass leaves nothing: it takes all that they match, and nothing makes more of that in between.

use super::diagnostics;
use super::shadowed::{Left, left, left_of_matches};
use crate::grammar::model::*;
use skriptnd_source::diagnostics::Diagnostics;
use std::collections::{HashMap, HashSet};

/// Warns of rules that one of an earlier pass leaves nothing.
pub fn check(rules: &[Rule], found: &mut Diagnostics) {
    let mut by_root: HashMap<&str, Vec<&Rule>> = HashMap::new();
    for rule in rules {
        by_root.entry(bare(&rule.pattern.name.text)).or_default().push(rule);
    }
    let made: Vec<Made> = rules.iter().map(Made::of).collect();
    for rule in rules {
        let alike = &by_root[bare(&rule.pattern.name.text)];
        // Within a pass, that is told already.
        if alike.iter().any(|other| other.span.start < rule.span.start && left(other, rule) != Left::Nodes) {
            continue;
        }
        let before = alike.iter().filter(|other| other.pass.number < rule.pass.number);
        let shadowing = before.filter(|other| left_of_matches(other, rule) == Left::Nothing).find(|earlier| {
            let between = rules.iter().zip(&made).filter(|(other, _)| {
                other.span != rule.span && (earlier.pass.number + 1..=rule.pass.number).contains(&other.pass.number)
            });
            between.into_iter().all(|(other, made)| !made.may_feed(other, rule))
        });
        shadowing.into_iter().for_each(|earlier| found.push(diagnostics::shadowed_by_pass(rule.span, earlier.span)));
    }
}

/// The last part of a name: a quick way to tell most ops apart.
fn bare(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// What a rule puts into a graph.
struct Made {
    ops: HashSet<String>,
    /// Whether it may be anything, or what was there before takes a new place.
    any: bool,
    constants: bool,
}

impl Made {
    fn of(rule: &Rule) -> Self {
        let mut made = Made { ops: HashSet::new(), any: false, constants: false };
        made.any |= matches!(rule.replacement.kind, ReplacementKind::Existing(_) | ReplacementKind::Select(..));
        let mut pending = vec![&rule.replacement];
        while let Some(part) = pending.pop() {
            match &part.kind {
                ReplacementKind::Op(name, _)
                | ReplacementKind::MultiOut(_, _, name, _)
                | ReplacementKind::Wrap(name, ..) => drop(made.ops.insert(name.qualified(&rule.package))),
                ReplacementKind::ExternalReplace(_) | ReplacementKind::Iterate(..) => made.any = true,
                ReplacementKind::Constant(_) | ReplacementKind::AutoSplit(..) => made.constants = true,
                _ => {}
            }
            pending.extend(part.kind.parts());
        }
        made
    }

    /// Whether a match of a rule may come of what another rule has made.
    fn may_feed(&self, other: &Rule, rule: &Rule) -> bool {
        let mut pending = vec![&rule.pattern];
        let mut ops = 0;
        while let Some(op) = pending.pop() {
            ops += 1;
            if self.ops.contains(&op.name.qualified(&rule.package)) {
                return true;
            }
            pending.extend(op.operands.iter().filter_map(|operand| match operand {
                MatchOperand::Op(inner) => Some(inner),
                MatchOperand::Tag(..) => None,
            }));
        }
        // Of several ops, or of one that is taken apart, the parts may meet anew; so may operands that are to be one node.
        let is_external = matches!(other.replacement.kind, ReplacementKind::ExternalReplace(_));
        is_external || (self.any && (ops > 1 || has_twice(&rule.pattern))) || (self.constants && asks(&rule.constraint))
    }
}

/// Whether a tag stands twice.
fn has_twice(pattern: &MatchOp) -> bool {
    let tags: Vec<&String> = pattern
        .operands
        .iter()
        .filter_map(|operand| match operand {
            MatchOperand::Tag(tag, _) => Some(tag),
            MatchOperand::Op(_) => None,
        })
        .collect();
    tags.iter().enumerate().any(|(index, tag)| tags[..index].contains(tag))
}

/// Whether a condition asks anything of a graph: what is asked may come to something else when other rules were applied.
fn asks(condition: &Expr) -> bool {
    !matches!(condition.kind, ExprKind::Bool(_))
}
