//! Rules that never apply, or change nothing: warnings.

use super::constant::{Constant, constant};
use super::diagnostics;
use crate::apply::Scalar;
use crate::grammar::model::*;
use crate::grammar::root_outputs;
use skriptnd_source::diagnostics::Diagnostics;

/// Warns of rules whose condition never holds, that replace a node by the same, and that an earlier rule leaves nothing.
pub fn check(rules: &[Rule], found: &mut Diagnostics) {
    for (index, rule) in rules.iter().enumerate() {
        if !Outcomes::of(&rule.constraint).holds {
            found.push(diagnostics::never_holds(failing(&rule.constraint).span));
        }
        if is_same(&rule.pattern, &rule.replacement) {
            found.push(diagnostics::replaced_by_same(rule.replacement.span));
        }
        let earlier = rules[..index].iter().find(|earlier| {
            earlier.pass.number == rule.pass.number && earlier.package == rule.package && takes_all(earlier, rule)
        });
        if let Some(earlier) = earlier {
            found.push(diagnostics::shadowed(rule.span, earlier.span));
        }
    }
}

/// What a condition may come to in some graph.
#[derive(Clone, Copy)]
struct Outcomes {
    holds: bool,
    fails: bool,
    is_undefined: bool,
}

const ANY: Outcomes = Outcomes { holds: true, fails: true, is_undefined: true };

impl Outcomes {
    fn of(expr: &Expr) -> Self {
        if let Some(constant) = constant(expr) {
            return Outcomes {
                holds: constant == Constant::Value(Scalar::Bool(true)),
                fails: constant == Constant::Value(Scalar::Bool(false)),
                is_undefined: constant == Constant::Undefined,
            };
        }
        match &expr.kind {
            ExprKind::Not(inner) => Outcomes::of(inner).negated(),
            ExprKind::Reduce(Reduction::And, operands) => {
                let all = Outcomes::all(operands.iter().map(Outcomes::of));
                Outcomes { holds: all.holds && !contradict(operands), ..all }
            }
            // One of them holds unless all fail.
            ExprKind::Reduce(Reduction::Or, operands) => {
                Outcomes::all(operands.iter().map(|operand| Outcomes::of(operand).negated())).negated()
            }
            _ => ANY,
        }
    }

    fn negated(self) -> Self {
        Outcomes { holds: self.fails, fails: self.holds, ..self }
    }

    /// Of conditions that all must hold: what stands behind one that fails, or is undefined, does not matter.
    fn all(operands: impl Iterator<Item = Outcomes>) -> Self {
        let mut all = Outcomes { holds: true, fails: false, is_undefined: false };
        for operand in operands {
            if all.holds {
                all.fails |= operand.fails;
                all.is_undefined |= operand.is_undefined;
            }
            all.holds &= operand.holds;
        }
        all
    }

    fn always(self) -> bool {
        !self.fails && !self.is_undefined
    }
}

/// The part for which a condition never holds: one of the conditions that all must hold, or all of it.
fn failing(condition: &Expr) -> &Expr {
    let never = |operand: &&Expr| !Outcomes::of(operand).holds;
    match &condition.kind {
        ExprKind::Reduce(Reduction::And, operands) => operands.iter().find(never).map_or(condition, failing),
        _ => condition,
    }
}

/// Whether two of the conditions want different dtypes of one operand.
fn contradict(operands: &[Expr]) -> bool {
    let mut wanted: Vec<(&OperandRefKind, DType)> = Vec::new();
    for operand in operands {
        let ExprKind::Compare(Comparison::Eq, of, dtype) = &operand.kind else { continue };
        let (ExprKind::Property(Property::DType, of), ExprKind::DType(dtype)) = (&of.kind, &dtype.kind) else {
            continue;
        };
        if wanted.iter().any(|(other, wanted)| same_tag(other, &of.kind) && wanted != dtype) {
            return true;
        }
        wanted.push((&of.kind, *dtype));
    }
    false
}

fn same_tag(first: &OperandRefKind, second: &OperandRefKind) -> bool {
    match (first, second) {
        (OperandRefKind::Root, OperandRefKind::Root) => true,
        (OperandRefKind::Tag(first), OperandRefKind::Tag(second)) => first == second,
        _ => false,
    }
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

/// Whether an earlier rule applies wherever the later one would.
fn takes_all(earlier: &Rule, later: &Rule) -> bool {
    let mut tags = Vec::new();
    Outcomes::of(&earlier.constraint).always()
        && earlier.flags.is_empty()
        && is_always_defined(&earlier.replacement)
        && root_outputs(later).is_none()
        && covers(&earlier.pattern, &later.pattern, &mut tags)
}

/// Whether a replacement is defined and has the root's output wherever its match is: new ops have it, unless a modifier changes
/// it, while a node that was there has its own.
fn is_always_defined(replacement: &Replacement) -> bool {
    let is_tag = |operand: &Replacement| {
        matches!(&operand.kind, ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(_), .. }))
    };
    match &replacement.kind {
        ReplacementKind::Op(name, operands) => {
            !name.text.starts_with('$') && operands.iter().all(|o| is_tag(o) || is_always_defined(o))
        }
        _ => false,
    }
}

/// Whether a match takes all that another takes. Tags that stand twice make it narrower.
fn covers<'r>(wide: &'r MatchOp, narrow: &MatchOp, tags: &mut Vec<&'r str>) -> bool {
    let counts = if wide.open {
        narrow.operands.len() >= wide.operands.len()
    } else {
        !narrow.open && narrow.operands.len() == wide.operands.len()
    };
    counts
        && wide.name.text == narrow.name.text
        && wide.operands.iter().zip(&narrow.operands).all(|operands| match operands {
            (MatchOperand::Tag(tag, _), _) => {
                let is_new = !tags.contains(&tag.as_str());
                tags.push(tag);
                is_new
            }
            (MatchOperand::Op(wide), MatchOperand::Op(narrow)) => covers(wide, narrow, tags),
            (MatchOperand::Op(_), MatchOperand::Tag(..)) => false,
        })
}
