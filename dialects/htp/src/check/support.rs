//! What a rule needs that is not at hand when rules are translated and applied.

use super::diagnostics::{never_matches, not_bound, unknown_chunk};
use crate::apply::Functions;
use crate::apply::plan::OUT_OP;
use crate::grammar::model::*;
use crate::layout;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use std::collections::BTreeSet;

/// Whether all that a rule needs is at hand; a warning says of each thing that is not that the rule is left out.
pub fn is_supported(rule: &Rule, functions: &Functions, found: &mut Diagnostics) -> bool {
    let support = Support::of(rule, functions);
    let supported = support.missing.is_empty();
    for diagnostic in support.missing {
        // What the check has told is told.
        let is_told = |other: &Diagnostic| other.span == diagnostic.span && other.message == diagnostic.message;
        if !found.iter().any(is_told) {
            found.push(diagnostic);
        }
    }
    supported
}

/// Warns of a match that no graph can have.
pub fn check_match(rule: &Rule, found: &mut Diagnostics) {
    let functions = Functions::default();
    let mut support = Support::new(rule, &functions);
    support.pattern(&rule.pattern);
    support.missing.into_iter().for_each(|diagnostic| found.push(diagnostic));
}

/// The options that a rule reads, and where: in the order of the text those that its pass names, its constraint, its replacement.
pub fn options_of(rule: &Rule) -> Vec<(String, Span)> {
    let flags = rule.flags.iter().map(|flag| (flag.clone(), rule.pass.span));
    flags.chain(Support::of(rule, &Functions::default()).options).collect()
}

/// The external functions that a rule names and nobody has bound.
pub fn unbound(rule: &Rule, functions: &Functions) -> BTreeSet<String> {
    Support::of(rule, functions).unbound
}

struct Support<'a> {
    rule: &'a str,
    functions: &'a Functions,
    missing: Vec<Diagnostic>,
    unbound: BTreeSet<String>,
    options: Vec<(String, Span)>,
}

impl<'a> Support<'a> {
    fn new(rule: &'a Rule, functions: &'a Functions) -> Self {
        let (missing, unbound, options) = (Vec::new(), BTreeSet::new(), Vec::new());
        Support { rule: &rule.name, functions, missing, unbound, options }
    }

    fn of(rule: &'a Rule, functions: &'a Functions) -> Self {
        let mut support = Support::new(rule, functions);
        support.pattern(&rule.pattern);
        support.expr(&rule.constraint);
        support.replacement(&rule.replacement);
        support
    }

    fn needs(&mut self, is_bound: bool, span: Span, function: &str) {
        // A function that is used twice is missing once.
        if !is_bound && self.unbound.insert(function.to_owned()) {
            self.missing.push(not_bound(span, function, self.rule));
        }
    }

    /// One output of several is a view of its node, and nothing that a match could begin with.
    fn pattern(&mut self, op: &MatchOp) {
        if op.name.text == OUT_OP {
            self.missing.push(never_matches(op.span, self.rule));
        }
        for operand in &op.operands {
            if let MatchOperand::Op(op) = operand {
                self.pattern(op);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::DType(_)
            | ExprKind::Split(..) => {}
            ExprKind::Option(name) => self.options.push((name.clone(), expr.span)),
            ExprKind::ChunkSize(class, dimension) => {
                if layout::chunk_size(class, *dimension).is_none() {
                    self.missing.push(unknown_chunk(expr.span, class, *dimension, self.rule));
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
            ExprKind::External(function, operand, values) => {
                self.needs(self.functions.has_constraint(function), expr.span, function);
                self.operand(operand);
                values.iter().for_each(|value| self.expr(value));
            }
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
                self.modifier(modifier);
                self.replacement(body);
            }
            ReplacementKind::Select(condition, first, second) => {
                self.expr(condition);
                self.replacement(first);
                self.replacement(second);
            }
            ReplacementKind::MultiOut(outputs, output, _, operands) => {
                self.expr(outputs);
                self.expr(output);
                operands.iter().for_each(|operand| self.replacement(operand));
            }
            ReplacementKind::AutoSplit(dimension, _, size, body) => {
                self.expr(dimension);
                self.expr(size);
                self.replacement(body);
            }
            ReplacementKind::Iterate(base, _, low, high, body) => {
                self.replacement(base);
                self.expr(low);
                self.expr(high);
                self.replacement(body);
            }
            ReplacementKind::IterInput(operand, _) => self.operand(operand),
            ReplacementKind::Slice(operand, start, size) => {
                [operand, start, size].into_iter().for_each(|part| self.replacement(part));
            }
            ReplacementKind::TypicalSlice(operand, _, dimension) => {
                self.replacement(operand);
                dimension.iter().for_each(|dimension| self.expr(dimension));
            }
            ReplacementKind::ExternalReplace(function) => {
                self.needs(self.functions.has_replacement(function), span, function);
            }
            ReplacementKind::ShapeFunction(function, _, operands) => {
                self.needs(self.functions.has_shape(function), span, function);
                for operand in operands {
                    match operand {
                        ApplyOperand::Node(node) => self.replacement(node),
                        ApplyOperand::Scalar(expr) => self.expr(expr),
                    }
                }
            }
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

    fn modifier(&mut self, modifier: &Modifier) {
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
            Modifier::MultiOut(outputs) => self.expr(outputs),
            Modifier::SplitHistory(operand, size) => {
                self.operand(operand);
                size.iter().for_each(|size| self.expr(size));
            }
        }
    }
}
