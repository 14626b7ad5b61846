//! What is checked, and not yet supported when rules are translated and applied.

use super::diagnostics::not_supported;
use crate::grammar::model::*;
use crate::layout;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::Diagnostics;

/// Reports all parts of a rule that translation and engine have not.
pub fn unsupported(rule: &Rule, found: &mut Diagnostics) {
    let mut support = Support { rule: &rule.name, found };
    support.expr(&rule.constraint);
    support.replacement(&rule.replacement);
}

struct Support<'a> {
    rule: &'a str,
    found: &'a mut Diagnostics,
}

impl Support<'_> {
    fn refuse(&mut self, span: Span, what: &str) {
        self.found.push(not_supported(span, what, self.rule));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::DType(_)
            | ExprKind::Option(_)
            | ExprKind::Split(..) => {}
            ExprKind::ChunkSize(class, dimension) => {
                if layout::chunk_size(class, *dimension).is_none() {
                    self.refuse(expr.span, &format!("`LAYOUT_CHUNKSIZE({class}, {dimension})`"));
                }
            }
            ExprKind::Cast(inner) | ExprKind::Not(inner) | ExprKind::Neg(inner) => self.expr(inner),
            ExprKind::Abs(inner) | ExprKind::IsPow2(inner) => self.expr(inner),
            ExprKind::Select(condition, first, second) => {
                [condition, first, second].into_iter().for_each(|e| self.expr(e));
            }
            ExprKind::Reduce(_, operands) => operands.iter().for_each(|e| self.expr(e)),
            ExprKind::Arithmetic(_, first, second) | ExprKind::Compare(_, first, second) => {
                self.expr(first);
                self.expr(second);
            }
            ExprKind::Property(_, operand) => self.operand(operand),
            ExprKind::DimOf(operand, index) | ExprKind::ConstantValue(_, operand, index) => {
                self.operand(operand);
                self.expr(index);
            }
            ExprKind::Same(_, first, second) => {
                self.operand(first);
                self.operand(second);
            }
            ExprKind::External(..) => self.refuse(expr.span, "`EXTERNAL_CONSTRAINT`"),
        }
    }

    fn operand(&mut self, operand: &OperandRef) {
        match &operand.kind {
            OperandRefKind::Root | OperandRefKind::Tag(_) => {}
            OperandRefKind::Input(operand, index) | OperandRefKind::Output(operand, index) => {
                self.operand(operand);
                self.expr(index);
            }
            OperandRefKind::Select(condition, first, second) => {
                self.expr(condition);
                self.operand(first);
                self.operand(second);
            }
        }
    }

    fn replacement(&mut self, replacement: &Replacement) {
        let span = replacement.span;
        match &replacement.kind {
            ReplacementKind::Existing(operand) => self.operand(operand),
            ReplacementKind::Op(_, operands) => operands.iter().for_each(|o| self.replacement(o)),
            ReplacementKind::Wrap(_, inner, _) => self.replacement(inner),
            ReplacementKind::Constant(builder) => self.constant(builder),
            ReplacementKind::Modified(modifier, body) => {
                self.modifier(modifier, span);
                self.replacement(body);
            }
            ReplacementKind::Select(condition, first, second) => {
                self.expr(condition);
                self.replacement(first);
                self.replacement(second);
            }
            ReplacementKind::MultiOut(..) => self.refuse(span, "`OpMultiOut`"),
            ReplacementKind::AutoSplit(..) => self.refuse(span, "`AUTOSPLIT`"),
            ReplacementKind::Iterate(..) => self.refuse(span, "`OP_ITER`"),
            ReplacementKind::IterInput(..) => self.refuse(span, "`ITER_INPUT_OF`"),
            ReplacementKind::Slice(..) => self.refuse(span, "`AUTOSPLIT_SLICE`"),
            ReplacementKind::TypicalSlice(_, _, None) => self.refuse(span, "`TYPICAL_SLICE`"),
            ReplacementKind::TypicalSlice(_, _, Some(_)) => self.refuse(span, "`CHANGEDIM_SLICE`"),
            ReplacementKind::ExternalReplace(_) => self.refuse(span, "`EXTERNAL_REPLACE`"),
            ReplacementKind::ShapeFunction(_, None, _) => self.refuse(span, "`SHAPEFN_APPLY`"),
            ReplacementKind::ShapeFunction(_, Some(_), _) => self.refuse(span, "`AUTOSPLIT_SHAPEFN_APPLY`"),
        }
    }

    fn constant(&mut self, builder: &ConstantBuilder) {
        match builder {
            ConstantBuilder::Shape(values) | ConstantBuilder::Ints(values) => values.iter().for_each(|e| self.expr(e)),
            ConstantBuilder::ShapeOf(operand) => self.operand(operand),
            ConstantBuilder::ScalarFloat(value) | ConstantBuilder::ScalarInt(value) => self.expr(value),
            ConstantBuilder::FilledFloat(value, count) | ConstantBuilder::FilledInt(value, count) => {
                self.expr(value);
                self.expr(count);
            }
        }
    }

    fn modifier(&mut self, modifier: &Modifier, span: Span) {
        match modifier {
            Modifier::Size(shape) => self.replacement(shape),
            Modifier::Type(operand) | Modifier::SameOutput(operand) => self.operand(operand),
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                [dtype, zero_offset, step_size].into_iter().for_each(|e| self.expr(e));
            }
            Modifier::ResizeDim(dimension, extent) => {
                self.expr(dimension);
                self.expr(extent);
            }
            Modifier::SameId(operand) => self.operand(operand),
            Modifier::MultiOut(_) => self.refuse(span, "`WITH_MULTI_OUT`"),
            Modifier::SplitHistory(..) => self.refuse(span, "`WITH_SPLIT_HISTORY`"),
        }
    }
}
