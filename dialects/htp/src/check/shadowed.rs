//! Rules that an earlier one leaves nothing: it matches all that they do, and holds wherever they do.

use super::constant::whole;
use super::truth::{Facts, Outcomes};
use crate::grammar::model::*;
use crate::grammar::root_outputs;
use crate::grammar::write::Writer;

/// Cases that a condition is taken apart into; one of more is taken as a whole.
const MAX_CASES: usize = 16;

/// Parts of rules that are written alike are alike.
const PLAIN: Writer<'_> = Writer { package: "", renamed: &[] };

/// What an earlier rule leaves a later one of the same pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Nodes that it does not match, or where its condition does not hold.
    Nodes,
    /// Only nodes for which its replacement is undefined.
    Undefined,
    /// Nothing.
    Nothing,
}

/// What an earlier rule leaves a later one.
pub fn left(earlier: &Rule, later: &Rule) -> Left {
    if earlier.pass.number == later.pass.number { left_of_matches(earlier, later) } else { Left::Nodes }
}

/// What a rule leaves another one of the nodes that both see, whatever their passes.
pub fn left_of_matches(earlier: &Rule, later: &Rule) -> Left {
    let packages = [earlier.package.as_str(), later.package.as_str()];
    let mut tags = vec![("*".to_owned(), Some("*".to_owned()))];
    // A function may leave the graph as it is.
    if is_external(&earlier.replacement) {
        return Left::Nodes;
    }
    let takes = earlier.flags.iter().all(|flag| later.flags.contains(flag))
        && root_outputs(earlier) == root_outputs(later)
        && covers(&earlier.pattern, &later.pattern, packages, &mut tags)
        && is_implied(earlier, later, &tags);
    match takes {
        false => Left::Nodes,
        true if replaces_as_well(earlier, later, &tags) => Left::Nothing,
        true => Left::Undefined,
    }
}

fn is_external(replacement: &Replacement) -> bool {
    matches!(replacement.kind, ReplacementKind::ExternalReplace(_))
        || replacement.kind.parts().into_iter().any(is_external)
}

/// What the tags of one match are called in another; `None` where that has no name for it.
type Names = [(String, Option<String>)];

/// A writer that calls what an earlier rule names as the later one does.
fn renamed(tags: &Names) -> Vec<(String, String)> {
    let unnamed = |tag: &str| format!("unnamed {tag}");
    tags.iter().map(|(tag, name)| (tag.clone(), name.clone().unwrap_or_else(|| unnamed(tag)))).collect()
}

/// Whether a match takes all that another takes. A tag that stands twice makes it narrower, unless the other has one there, too.
fn covers(wide: &MatchOp, narrow: &MatchOp, packages: [&str; 2], tags: &mut Vec<(String, Option<String>)>) -> bool {
    let counts = if wide.open {
        narrow.operands.len() >= wide.operands.len()
    } else {
        !narrow.open && narrow.operands.len() == wide.operands.len()
    };
    let same = counts && is_same_op(&wide.name, &narrow.name, packages);
    same && wide.operands.iter().zip(&narrow.operands).all(|operands| match operands {
        (MatchOperand::Tag(tag, _), MatchOperand::Tag(name, _)) => names(tag, Some(name), tags),
        (MatchOperand::Tag(tag, _), MatchOperand::Op(op)) => names(tag, op.tag.as_ref(), tags),
        (MatchOperand::Op(wide), MatchOperand::Op(narrow)) => {
            wide.tag.as_ref().is_none_or(|tag| names(tag, narrow.tag.as_ref(), tags))
                && covers(wide, narrow, packages, tags)
        }
        (MatchOperand::Op(_), MatchOperand::Tag(..)) => false,
    })
}

/// Whether two names are of one op. Most are not, which their last parts tell.
fn is_same_op(one: &OpName, other: &OpName, packages: [&str; 2]) -> bool {
    let is_alike = one.text.rsplit("::").next() == other.text.rsplit("::").next();
    is_alike && one.qualified(packages[0]) == other.qualified(packages[1])
}

/// Notes what a tag is called in the other match; whether it can be that.
fn names(tag: &str, name: Option<&String>, tags: &mut Vec<(String, Option<String>)>) -> bool {
    if let Some((_, known)) = tags.iter().find(|(known, _)| known == tag) {
        return known.is_some() && known.as_ref() == name;
    }
    tags.push((tag.to_owned(), name.cloned()));
    true
}

/// Whether the earlier rule replaces wherever its condition holds, or at least where the later one does.
fn replaces_as_well(earlier: &Rule, later: &Rule, tags: &Names) -> bool {
    let names = renamed(tags);
    let writer = Writer { renamed: &names, package: &earlier.package };
    let own = Writer { renamed: &[], package: &later.package };
    is_always_defined(&earlier.replacement, true)
        || writer.replacement(&earlier.replacement) == own.replacement(&later.replacement)
}

/// Whether a replacement is defined wherever its match is, and at the root has the root's output: new ops have it, unless a
/// modifier changes it, while a node that was there has its own.
fn is_always_defined(replacement: &Replacement, at_root: bool) -> bool {
    let of_root = |operand: &OperandRef| matches!(operand.kind, OperandRefKind::Root);
    let is_plain = |operand: &OperandRef| is_node(operand) && (!at_root || of_root(operand));
    match &replacement.kind {
        ReplacementKind::Existing(OperandRef { kind: OperandRefKind::Tag(_), .. }) => !at_root,
        ReplacementKind::Op(name, operands) => {
            !name.text.starts_with('$') && operands.iter().all(|operand| is_always_defined(operand, false))
        }
        ReplacementKind::Constant(builder) => match builder {
            ConstantBuilder::Shape(extents) => extents.iter().all(|extent| whole(extent).is_some_and(|e| e >= 0)),
            ConstantBuilder::ShapeOf(operand) => is_node(operand),
            ConstantBuilder::Ints(values) => values.iter().all(|value| whole(value).is_some()),
            ConstantBuilder::ScalarFloat(value) => matches!(value.kind, ExprKind::Float(_)),
            ConstantBuilder::ScalarInt(value) => whole(value).is_some(),
            ConstantBuilder::FilledFloat(..) | ConstantBuilder::FilledInt(..) => false,
        },
        ReplacementKind::Modified(modifier, body) => {
            let is_defined = match modifier {
                Modifier::Size(shape) => matches!(&shape.kind, ReplacementKind::Existing(of) if is_plain(of)),
                Modifier::Type(of) | Modifier::SameOutput(of) => is_plain(of),
                Modifier::SameId(of) | Modifier::SplitHistory(of, None) => is_node(of),
                Modifier::OutputType(dtype, zero, step) => {
                    let tags = matches!(dtype.kind, ExprKind::DType(_)) && matches!(step.kind, ExprKind::Float(_));
                    !at_root && tags && whole(zero).is_some()
                }
                Modifier::MultiOut(_) | Modifier::ResizeDim(..) | Modifier::SplitHistory(..) => false,
            };
            is_defined && is_always_defined(body, at_root)
        }
        _ => false,
    }
}

/// Whether an operand is there wherever the match is.
fn is_node(operand: &OperandRef) -> bool {
    matches!(operand.kind, OperandRefKind::Root | OperandRefKind::Tag(_))
}

/// Whether the condition of the earlier rule holds wherever that of the later one does.
fn is_implied(earlier: &Rule, later: &Rule, tags: &Names) -> bool {
    if Outcomes::of(&earlier.constraint, &earlier.pattern).always() {
        return true;
    }
    let names = renamed(tags);
    let writer = Writer { renamed: &names, ..PLAIN };
    let asked = conjuncts(&earlier.constraint);
    cases(&later.constraint).iter().all(|case| asked.iter().all(|asked| follows(asked, earlier, writer, case, later)))
}

/// Whether a condition of the earlier rule holds where all of some conditions of the later one do.
fn follows(asked: &Expr, earlier: &Rule, writer: Writer<'_>, case: &[&Expr], later: &Rule) -> bool {
    let text = writer.expr(asked);
    if Outcomes::of(asked, &earlier.pattern).always() || case.iter().any(|known| PLAIN.expr(known) == text) {
        return true;
    }
    let mut facts = Facts::default();
    case.iter().any(|known| facts.add(known, false, &later.pattern).is_some()) || {
        is_total(asked) && facts.add_as(asked, true, &earlier.pattern, writer).is_some()
    }
}

/// The conditions that must all hold.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Reduce(Reduction::And, operands) => operands.iter().flat_map(conjuncts).collect(),
        _ => vec![condition],
    }
}

/// The cases in which a condition holds, each some conditions that all hold. An alternative is a condition of its own beside
/// the one that holds of it, so that it is recognized as a whole, too.
fn cases(condition: &Expr) -> Vec<Vec<&Expr>> {
    let mut cases = vec![Vec::new()];
    for conjunct in conjuncts(condition) {
        cases.iter_mut().for_each(|case: &mut Vec<&Expr>| case.push(conjunct));
        let ExprKind::Reduce(Reduction::Or, operands) = &conjunct.kind else { continue };
        if cases.len() * operands.len() > MAX_CASES {
            continue;
        }
        let with = |case: &Vec<_>| {
            let case = case.clone();
            operands.iter().map(move |operand| case.iter().copied().chain(conjuncts(operand)).collect())
        };
        cases = cases.iter().flat_map(with).collect();
    }
    cases
}

/// Whether an expression has a value wherever its operands are nodes of the match.
fn is_total(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::DType(_) => true,
        ExprKind::Not(inner) | ExprKind::Neg(inner) | ExprKind::IsPow2(inner) => is_total(inner),
        ExprKind::Select(condition, first, second) => [condition, first, second].into_iter().all(|e| is_total(e)),
        ExprKind::Reduce(_, operands) => operands.iter().all(is_total),
        ExprKind::Compare(_, first, second) | ExprKind::Arithmetic(Arithmetic::Sub, first, second) => {
            is_total(first) && is_total(second)
        }
        ExprKind::Arithmetic(Arithmetic::Div | Arithmetic::Rem | Arithmetic::Mod, first, second) => {
            is_total(first) && whole(second).is_some_and(|divisor| divisor > 0)
        }
        ExprKind::Property(_, operand) => is_node(operand),
        ExprKind::DimOf(operand, index) | ExprKind::ConstantValue(_, operand, index) => {
            is_node(operand) && whole(index).is_some()
        }
        ExprKind::Same(_, first, second) => is_node(first) && is_node(second),
        _ => false,
    }
}
