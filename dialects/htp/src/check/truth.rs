//! What conditions come to in every graph: by their constants, and by what the match says.

use super::compared::Compared;
use super::constant::{Constant, constant};
use super::ranges::{Range, range};
use crate::apply::Scalar;
use crate::grammar::model::*;
use crate::grammar::write::Writer;

/// Expressions that are written alike ask alike.
const WRITER: Writer<'_> = Writer { package: "", renamed: &[] };

/// What a condition may come to in some graph.
#[derive(Debug, Clone, Copy)]
pub struct Outcomes {
    /// Whether it may hold.
    pub holds: bool,
    /// Whether it may fail.
    pub fails: bool,
    /// Whether it may be undefined.
    pub is_undefined: bool,
}

const ANY: Outcomes = Outcomes { holds: true, fails: true, is_undefined: true };

impl Outcomes {
    /// Of a condition, where the pattern matches.
    pub fn of(expr: &Expr, pattern: &MatchOp) -> Self {
        if let Some(constant) = constant(expr) {
            return Outcomes {
                holds: constant == Constant::Value(Scalar::Bool(true)),
                fails: constant == Constant::Value(Scalar::Bool(false)),
                is_undefined: constant == Constant::Undefined,
            };
        }
        let of = |expr: &Expr| Outcomes::of(expr, pattern);
        match &expr.kind {
            ExprKind::Not(inner) => of(inner).negated(),
            ExprKind::Reduce(Reduction::And, operands) => {
                let all = Outcomes::all(operands.iter().map(of));
                Outcomes { holds: all.holds && contradiction(operands, false, pattern).is_none(), ..all }
            }
            // One of them holds unless all fail.
            ExprKind::Reduce(Reduction::Or, operands) => {
                let one = Outcomes::all(operands.iter().map(|operand| of(operand).negated())).negated();
                Outcomes { fails: one.fails && contradiction(operands, true, pattern).is_none(), ..one }
            }
            ExprKind::Compare(comparison, first, second) => Outcomes::compared(*comparison, first, second, pattern),
            ExprKind::Same(_, first, second) => {
                Outcomes { fails: WRITER.operand(first) != WRITER.operand(second), ..ANY }
            }
            _ => ANY,
        }
    }

    fn compared(comparison: Comparison, first: &Expr, second: &Expr, pattern: &MatchOp) -> Self {
        let Some(ranges) = range(first, pattern).zip(range(second, pattern)) else { return ANY };
        let joined = first.ty.join(second.ty);
        // A number below 0 becomes a huge one where it meets a size.
        if joined == Some(Type::Size) && (ranges.0.least < 0 || ranges.1.least < 0) {
            return ANY;
        }
        let same = WRITER.expr(first) == WRITER.expr(second);
        let (holds, fails) = if same {
            let holds = matches!(comparison, Comparison::Eq | Comparison::Le | Comparison::Ge);
            (holds, !holds)
        } else {
            ranges.0.compare(comparison, ranges.1)
        };
        Outcomes { holds, fails, ..ANY }
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

    /// Whether it holds, and is defined, in every graph.
    pub fn always(self) -> bool {
        !self.fails && !self.is_undefined
    }
}

/// The first of several conditions, in their order, that can't hold where those before it do; with `negated`, that can't fail
/// where those before it do.
pub fn contradiction<'e>(operands: &'e [Expr], negated: bool, pattern: &MatchOp) -> Option<&'e Expr> {
    let mut facts = Facts::default();
    operands.iter().find_map(|operand| facts.add(operand, negated, pattern))
}

/// What is known where some conditions hold.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// What whole numbers expressions are, by their text.
    ranges: Vec<(String, Range)>,
    /// Conditions that hold, or with `true` fail, but for comparisons.
    conditions: Vec<(String, bool)>,
    /// What comparisons leave.
    compared: Compared,
}

impl Facts {
    /// Adds a condition that holds, or with `negated` fails; its part that contradicts what is known.
    pub fn add<'e>(&mut self, condition: &'e Expr, negated: bool, pattern: &MatchOp) -> Option<&'e Expr> {
        self.add_as(condition, negated, pattern, WRITER)
    }

    /// The same for a condition whose text a writer of its own tells.
    pub fn add_as<'e>(
        &mut self,
        condition: &'e Expr,
        negated: bool,
        pattern: &MatchOp,
        writer: Writer<'_>,
    ) -> Option<&'e Expr> {
        match (&condition.kind, negated) {
            (ExprKind::Reduce(Reduction::And, operands), false) | (ExprKind::Reduce(Reduction::Or, operands), true) => {
                return operands.iter().find_map(|operand| self.add_as(operand, negated, pattern, writer));
            }
            (ExprKind::Not(inner), _) => {
                return self.add_as(inner, !negated, pattern, writer).map(|_| condition);
            }
            _ => {}
        }
        if let ExprKind::Compare(comparison, first, second) = &condition.kind {
            if !self.compared.add((*comparison, first, second), negated, writer) {
                return Some(condition);
            }
        } else {
            let text = question(condition, writer);
            if self.conditions.iter().any(|(known, failed)| *known == text && *failed != negated) {
                return Some(condition);
            }
            self.conditions.push((text, negated));
        }
        let (asked, comparison, value) = with_number(condition, pattern)?;
        let comparison = if negated { comparison.negated() } else { comparison };
        let known = self.range_mut(asked, pattern, writer)?;
        match known.narrowed(comparison, value) {
            Some(rest) => *known = rest,
            None => return Some(condition),
        }
        None
    }

    fn range_mut(&mut self, asked: &Expr, pattern: &MatchOp, writer: Writer<'_>) -> Option<&mut Range> {
        let text = writer.expr(asked);
        let at = match self.ranges.iter().position(|(other, _)| *other == text) {
            Some(at) => at,
            None => {
                self.ranges.push((text, range(asked, pattern)?));
                self.ranges.len() - 1
            }
        };
        self.ranges.get_mut(at).map(|(_, range)| range)
    }

    /// What is known of a dimension of the root.
    pub fn extent_of_root(&self, dimension: i128) -> Option<Range> {
        self.known(&format!("DIM_OF(\"*\", {dimension})"))
    }

    /// What is known of the dtype of the root, by the numbers of the tags.
    pub fn dtype_of_root(&self) -> Option<Range> {
        self.known("DTYPE_OF(\"*\")")
    }

    fn known(&self, text: &str) -> Option<Range> {
        self.ranges.iter().find(|(asked, _)| asked == text).map(|(_, range)| *range)
    }
}

/// The text of a condition: the same whatever stands on which side.
fn question(condition: &Expr, writer: Writer<'_>) -> String {
    let in_order = |first: String, second: String| if first <= second { (first, second) } else { (second, first) };
    match &condition.kind {
        ExprKind::Same(sameness, first, second) => {
            let (first, second) = in_order(writer.operand(first), writer.operand(second));
            format!("{sameness:?} of {first} and {second}")
        }
        _ => writer.expr(condition),
    }
}

/// What is compared with a constant number, how, and with which.
fn with_number<'e>(condition: &'e Expr, pattern: &MatchOp) -> Option<(&'e Expr, Comparison, i128)> {
    let ExprKind::Compare(comparison, first, second) = &condition.kind else { return None };
    let number = |expr: &Expr| range(expr, pattern).filter(|range| range.least == range.most).map(|range| range.least);
    let (asked, comparison, value) = match number(second) {
        Some(value) => (first, *comparison, value),
        None => (second, comparison.mirrored(), number(first)?),
    };
    // A number below 0 becomes a huge one where it meets a size, and one where it meets a float is no bound here.
    let compares = asked.ty == first.ty.join(second.ty)? && (asked.ty != Type::Size || value >= 0);
    compares.then_some((asked, comparison, value))
}

/// The parts of a condition that may be decided: comparisons, and what always holds though its parts do not. Constants are
/// often those of macros, and meant.
pub fn asked<'e>(condition: &'e Expr, pattern: &MatchOp) -> Vec<&'e Expr> {
    if constant(condition).is_some() {
        return Vec::new();
    }
    let within = match &condition.kind {
        ExprKind::Compare(..) | ExprKind::Same(..) => return vec![condition],
        ExprKind::Not(inner) => asked(inner, pattern),
        ExprKind::Reduce(Reduction::And | Reduction::Or | Reduction::Xor, operands) => {
            operands.iter().flat_map(|operand| asked(operand, pattern)).collect()
        }
        ExprKind::Select(_, first, second) if condition.ty == Type::Bool => {
            [first, second].into_iter().flat_map(|branch| asked(branch, pattern)).collect()
        }
        _ => Vec::new(),
    };
    let is_open = |part: &&Expr| Outcomes::of(part, pattern).fails;
    let always = !Outcomes::of(condition, pattern).fails && within.iter().all(is_open);
    if always { vec![condition] } else { within }
}
