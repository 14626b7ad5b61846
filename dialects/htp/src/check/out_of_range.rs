//! Numbers beyond what their places take, though the rule may be applied: dimensions that no tensor has, iterations without
//! steps, inputs that a match has not. They are warned of.

use super::constant::whole;
use super::diagnostics::{
    beyond_rank, no_steps, out_of_range, shape_as_root, undefined_operand, unknown_dimension, wraps_around,
};
use super::ranges::{matched, range};
use crate::apply::plan::MAX_RANK;
use crate::grammar::model::*;
use crate::layout;
use skriptnd_source::diagnostics::Diagnostics;
use strum::VariantArray;

/// The greatest dimension of a tensor.
const LAST_DIMENSION: i128 = MAX_RANK as i128 - 1;

/// Warns of the numbers of a rule.
pub fn check(rule: &Rule, found: &mut Diagnostics) {
    let mut walk = Walk { pattern: &rule.pattern, steps: Vec::new(), found };
    walk.expr(&rule.constraint);
    walk.root(&rule.replacement, false);
    walk.part(&rule.replacement);
}

struct Walk<'r, 'd> {
    pattern: &'r MatchOp,
    /// The tags of iterations around the present place, and where they end.
    steps: Vec<(&'r str, Option<i128>)>,
    found: &'d mut Diagnostics,
}

impl<'r> Walk<'r, '_> {
    /// What stands for the root, by the branches of a `SELECT`.
    fn root(&mut self, part: &Replacement, is_chosen: bool) {
        match &part.kind {
            ReplacementKind::Select(_, first, second) => {
                [first, second].into_iter().for_each(|part| self.root(part, true));
            }
            ReplacementKind::Constant(ConstantBuilder::Shape(_) | ConstantBuilder::ShapeOf(_))
            | ReplacementKind::ShapeFunction(..) => self.found.push(shape_as_root(part.span, is_chosen)),
            _ => {}
        }
    }

    fn part(&mut self, part: &'r Replacement) {
        match &part.kind {
            ReplacementKind::AutoSplit(dimension, _, size, _) => {
                self.dimension(dimension);
                self.expr(size);
            }
            ReplacementKind::TypicalSlice(_, _, dimension) => dimension.iter().for_each(|d| self.dimension(d)),
            ReplacementKind::Select(condition, ..) => self.expr(condition),
            ReplacementKind::Constant(builder) => self.builder(builder),
            ReplacementKind::Modified(modifier, _) => self.modifier(modifier),
            ReplacementKind::Iterate(base, tag, low, high, body) => {
                self.iteration(part, low, high);
                self.part(base);
                self.steps.push((tag, whole(high)));
                self.part(body);
                self.steps.pop();
                return;
            }
            ReplacementKind::IterInput(operand, tag) => self.step(part, operand, tag),
            ReplacementKind::ShapeFunction(_, _, operands) => {
                for operand in operands {
                    if let ApplyOperand::Scalar(expr) = operand {
                        self.expr(expr);
                    }
                }
            }
            _ => {}
        }
        part.kind.parts().into_iter().for_each(|inner| self.part(inner));
    }

    fn dimension(&mut self, expr: &Expr) {
        self.expr(expr);
        if let Some(value) = whole(expr).filter(|value| *value > LAST_DIMENSION) {
            self.found.push(beyond_rank(expr.span, value, LAST_DIMENSION));
        }
    }

    fn iteration(&mut self, part: &Replacement, low: &Expr, high: &Expr) {
        self.expr(low);
        self.expr(high);
        let ends = range(low, self.pattern).zip(range(high, self.pattern));
        if let Some((first, end)) = ends.filter(|(first, end)| first.least >= end.most) {
            self.found.push(no_steps(part.span, first.least, end.most));
        }
    }

    /// The input of a step, which must be there in each.
    fn step(&mut self, part: &Replacement, operand: &OperandRef, tag: &str) {
        let op = matched(self.pattern, operand).filter(|op| !op.open);
        let end = self.steps.iter().rev().find(|(around, _)| *around == tag).and_then(|(_, end)| *end);
        if let Some((op, end)) = op.zip(end).filter(|(op, end)| *end > op.operands.len() as i128) {
            let wanted = format!("the inputs of the matched op last up to step {}", op.operands.len());
            self.found.push(out_of_range(part.span, &wanted, end));
        }
    }

    fn builder(&mut self, builder: &ConstantBuilder) {
        match builder {
            ConstantBuilder::Shape(extents) => {
                if let Some(beyond) = extents.get(MAX_RANK as usize) {
                    let wanted = format!("a shape has up to {MAX_RANK} extents");
                    self.found.push(out_of_range(beyond.span, &wanted, extents.len() as i128));
                }
                extents.iter().for_each(|extent| self.expr(extent));
            }
            ConstantBuilder::ScalarInt(value) => self.element(value),
            ConstantBuilder::Ints(values) => values.iter().for_each(|value| self.element(value)),
            ConstantBuilder::FilledInt(value, count) => {
                self.element(value);
                self.expr(count);
            }
            ConstantBuilder::FilledFloat(value, count) => {
                self.expr(value);
                self.expr(count);
            }
            ConstantBuilder::ScalarFloat(value) => self.expr(value),
            ConstantBuilder::ShapeOf(_) => {}
        }
    }

    fn element(&mut self, value: &Expr) {
        self.expr(value);
        if let Some(found) = whole(value).filter(|found| i32::try_from(*found).is_err()) {
            self.found.push(wraps_around(value.span, found));
        }
    }

    fn modifier(&mut self, modifier: &Modifier) {
        match modifier {
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                [dtype, zero_offset, step_size].into_iter().for_each(|expr| self.expr(expr));
            }
            Modifier::ResizeDim(dimension, extent) => {
                self.dimension(dimension);
                self.expr(extent);
                if whole(extent) == Some(0) {
                    self.found.push(out_of_range(extent.span, "an extent of an output is 1 or more", 0));
                }
            }
            Modifier::SplitHistory(_, Some(size)) => {
                if let Some(found) = whole(size).filter(|size| *size < 1) {
                    self.found.push(out_of_range(size.span, "the size of a split's slices is 1 or more", found));
                }
            }
            Modifier::MultiOut(count) => self.expr(count),
            Modifier::Size(_)
            | Modifier::Type(_)
            | Modifier::SameOutput(_)
            | Modifier::SameId(_)
            | Modifier::SplitHistory(_, None) => {}
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Cast(inner) => {
                self.expr(inner);
                let tags = DType::VARIANTS.len() as i128;
                if let (Type::DType, Some(found)) = (expr.ty, whole(inner).filter(|n| !(0..tags).contains(n))) {
                    let wanted = format!("the tags of DType are counted from 0 to {}", tags - 1);
                    self.found.push(out_of_range(inner.span, &wanted, found));
                }
            }
            ExprKind::ChunkSize(class, dimension) => {
                if layout::chunk_size(class, 0).is_some() && layout::chunk_size(class, *dimension).is_none() {
                    self.found.push(unknown_dimension(expr.span, class, *dimension));
                }
            }
            ExprKind::Not(inner) | ExprKind::Neg(inner) | ExprKind::Abs(inner) | ExprKind::IsPow2(inner) => {
                self.expr(inner);
            }
            ExprKind::Select(condition, first, second) => self.exprs([&**condition, first, second]),
            ExprKind::Reduce(_, operands) => self.exprs(operands),
            ExprKind::Arithmetic(_, first, second) | ExprKind::Compare(_, first, second) => {
                self.exprs([&**first, second]);
            }
            ExprKind::Property(_, operand) => self.operand(operand),
            ExprKind::DimOf(operand, index) => {
                self.operand(operand);
                self.dimension(index);
            }
            ExprKind::ConstantValue(_, operand, index) => {
                self.operand(operand);
                self.expr(index);
            }
            ExprKind::Same(_, first, second) => [first, second].into_iter().for_each(|operand| self.operand(operand)),
            ExprKind::External(_, operand, values) => {
                self.operand(operand);
                self.exprs(values);
            }
            ExprKind::Bool(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::DType(_)
            | ExprKind::Option(_)
            | ExprKind::Split(..) => {}
        }
    }

    fn operand(&mut self, operand: &OperandRef) {
        match &operand.kind {
            OperandRefKind::Root | OperandRefKind::Tag(_) => {}
            OperandRefKind::Input(of, index) => {
                let op = matched(self.pattern, of).filter(|op| !op.open);
                self.index(index, "an input", op.map(|op| op.operands.len() as i128 - 1));
                self.operand(of);
            }
            OperandRefKind::Output(of, index) => {
                self.index(index, "an output", None);
                self.operand(of);
            }
            OperandRefKind::Select(condition, first, second) => {
                self.expr(condition);
                self.operand(first);
                self.operand(second);
            }
        }
    }

    fn index(&mut self, index: &Expr, of: &str, most: Option<i128>) {
        self.expr(index);
        let is_beyond = |found: &i128| *found < 0 || most.is_some_and(|most| *found > most);
        let Some(found) = whole(index).filter(is_beyond) else { return };
        let wanted = match most {
            Some(-1) => format!("the matched op has no inputs: there is no index of {of}"),
            Some(most) => format!("the index of {of} is 0 to {most}"),
            None => format!("the index of {of} is 0 or more"),
        };
        self.found.push(undefined_operand(index.span, &wanted, found));
    }
}
