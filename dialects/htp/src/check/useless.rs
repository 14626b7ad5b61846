//! Rules that never apply, or change nothing: warnings.

use super::diagnostics;
use crate::grammar::model::*;
use skriptnd_source::diagnostics::Diagnostics;

/// Warns of rules whose condition never holds, that replace a node by the same, and that an earlier rule leaves nothing.
pub fn check(rules: &[Rule], found: &mut Diagnostics) {
    for (index, rule) in rules.iter().enumerate() {
        if truth(&rule.constraint) == Some(false) {
            found.push(diagnostics::never_holds(rule.constraint.span));
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

/// Whether a condition holds, if that does not depend on the graph.
fn truth(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Bool(value) => Some(*value),
        ExprKind::Not(inner) => truth(inner).map(|value| !value),
        ExprKind::Reduce(Reduction::And, operands) => {
            if operands.iter().any(|operand| truth(operand) == Some(false)) || contradict(operands) {
                return Some(false);
            }
            operands.iter().all(|operand| truth(operand) == Some(true)).then_some(true)
        }
        ExprKind::Reduce(Reduction::Or, operands) => {
            if operands.iter().any(|operand| truth(operand) == Some(true)) {
                return Some(true);
            }
            operands.iter().all(|operand| truth(operand) == Some(false)).then_some(false)
        }
        ExprKind::Compare(comparison, first, second) => {
            let ordering = number(first)?.partial_cmp(&number(second)?)?;
            Some(match comparison {
                Comparison::Eq => ordering.is_eq(),
                Comparison::Ne => ordering.is_ne(),
                Comparison::Lt => ordering.is_lt(),
                Comparison::Gt => ordering.is_gt(),
                Comparison::Le => ordering.is_le(),
                Comparison::Ge => ordering.is_ge(),
            })
        }
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Integer(value) => Some(*value as f64),
        ExprKind::Float(value) => Some(f64::from(*value)),
        _ => None,
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
    truth(&earlier.constraint) == Some(true)
        && earlier.flags.is_empty()
        && !matches!(earlier.replacement.kind, ReplacementKind::Select(..) | ReplacementKind::ExternalReplace(_))
        && covers(&earlier.pattern, &later.pattern, &mut tags)
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
