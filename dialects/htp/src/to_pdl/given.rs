//! Rules for graphs whose options are known: a pattern in a file asks nobody for them.

use crate::apply::{Options, Scalar};
use crate::grammar::model::*;

/// A rule with the values of options in place of their names; `None` if an option forbids it. Options that nobody has given stay.
pub fn with_options(rule: &Rule, options: &Options) -> Option<Rule> {
    if !options.allow(&rule.flags) {
        return None;
    }
    let (mut rule, given) = (rule.clone(), Given(options));
    given.expr(&mut rule.constraint);
    given.part(&mut rule.replacement);
    Some(rule)
}

struct Given<'o>(&'o Options);

impl Given<'_> {
    fn expr(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Option(name) => {
                let value = Some(self.0).filter(|options| options.has(name)).map(|options| options.value(name));
                if let Some(value) = value.and_then(|value| value.convert(expr.ty)) {
                    expr.kind = literal(value, expr);
                }
            }
            ExprKind::Bool(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::DType(_)
            | ExprKind::ChunkSize(..)
            | ExprKind::Split(..) => {}
            ExprKind::Cast(inner)
            | ExprKind::Not(inner)
            | ExprKind::Neg(inner)
            | ExprKind::Abs(inner)
            | ExprKind::IsPow2(inner) => self.expr(inner),
            ExprKind::Select(condition, first, second) => {
                [condition, first, second].into_iter().for_each(|expr| self.expr(expr));
            }
            ExprKind::Reduce(_, operands) => operands.iter_mut().for_each(|operand| self.expr(operand)),
            ExprKind::Arithmetic(_, first, second) | ExprKind::Compare(_, first, second) => {
                [first, second].into_iter().for_each(|expr| self.expr(expr));
            }
            ExprKind::Property(_, of) => self.operand(of),
            ExprKind::DimOf(of, index) | ExprKind::ConstantValue(_, of, index) => {
                self.operand(of);
                self.expr(index);
            }
            ExprKind::Same(_, first, second) => [first, second].into_iter().for_each(|operand| self.operand(operand)),
            ExprKind::External(_, of, values) => {
                self.operand(of);
                values.iter_mut().for_each(|value| self.expr(value));
            }
        }
    }

    fn operand(&self, operand: &mut OperandRef) {
        match &mut operand.kind {
            OperandRefKind::Root | OperandRefKind::Tag(_) => {}
            OperandRefKind::Input(of, index) | OperandRefKind::Output(of, index) => {
                self.operand(of);
                self.expr(index);
            }
            OperandRefKind::Select(condition, first, second) => {
                self.expr(condition);
                self.operand(first);
                self.operand(second);
            }
        }
    }

    fn parts(&self, parts: &mut [Replacement]) {
        parts.iter_mut().for_each(|part| self.part(part));
    }

    fn part(&self, part: &mut Replacement) {
        match &mut part.kind {
            ReplacementKind::Existing(operand) | ReplacementKind::IterInput(operand, _) => self.operand(operand),
            ReplacementKind::Op(_, operands) => self.parts(operands),
            ReplacementKind::Wrap(_, inner, _) => self.part(inner),
            ReplacementKind::MultiOut(outputs, output, _, operands) => {
                self.expr(outputs);
                self.expr(output);
                self.parts(operands);
            }
            ReplacementKind::Constant(constant) => self.constant(constant),
            ReplacementKind::Modified(modifier, body) => {
                self.modifier(modifier);
                self.part(body);
            }
            ReplacementKind::Select(condition, first, second) => {
                self.expr(condition);
                self.part(first);
                self.part(second);
            }
            ReplacementKind::AutoSplit(dimension, _, size, body) => {
                self.expr(dimension);
                self.expr(size);
                self.part(body);
            }
            ReplacementKind::Iterate(base, _, low, high, body) => {
                self.part(base);
                self.expr(low);
                self.expr(high);
                self.part(body);
            }
            ReplacementKind::Slice(operand, start, size) => {
                [operand, start, size].into_iter().for_each(|part| self.part(part));
            }
            ReplacementKind::TypicalSlice(operand, _, dimension) => {
                self.part(operand);
                dimension.iter_mut().for_each(|dimension| self.expr(dimension));
            }
            ReplacementKind::ExternalReplace(_) => {}
            ReplacementKind::ShapeFunction(_, _, operands) => {
                operands.iter_mut().for_each(|operand| match operand {
                    ApplyOperand::Node(node) => self.part(node),
                    ApplyOperand::Scalar(expr) => self.expr(expr),
                });
            }
        }
    }

    fn constant(&self, constant: &mut ConstantBuilder) {
        match constant {
            ConstantBuilder::Shape(values) | ConstantBuilder::Ints(values) => {
                values.iter_mut().for_each(|value| self.expr(value));
            }
            ConstantBuilder::ShapeOf(operand) => self.operand(operand),
            ConstantBuilder::ScalarFloat(value) | ConstantBuilder::ScalarInt(value) => self.expr(value),
            ConstantBuilder::FilledFloat(value, count) | ConstantBuilder::FilledInt(value, count) => {
                self.expr(value);
                self.expr(count);
            }
        }
    }

    fn modifier(&self, modifier: &mut Modifier) {
        match modifier {
            Modifier::Size(shape) => self.part(shape),
            Modifier::Type(operand) | Modifier::SameOutput(operand) | Modifier::SameId(operand) => {
                self.operand(operand);
            }
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                [dtype, zero_offset, step_size].into_iter().for_each(|expr| self.expr(expr));
            }
            Modifier::MultiOut(outputs) => self.expr(outputs),
            Modifier::ResizeDim(dimension, extent) => {
                self.expr(dimension);
                self.expr(extent);
            }
            Modifier::SplitHistory(operand, size) => {
                self.operand(operand);
                size.iter_mut().for_each(|size| self.expr(size));
            }
        }
    }
}

/// A value as the language writes it: it has no constant that is no number, nor sizes beyond those of signed numbers.
fn literal(value: Scalar, of: &Expr) -> ExprKind {
    let inner = |kind: ExprKind, ty: Type| Box::new(Expr { kind, ty, span: of.span });
    match value {
        Scalar::Bool(value) => ExprKind::Bool(value),
        Scalar::Int(value) => ExprKind::Integer(value.into()),
        Scalar::Size(value) => match i64::try_from(value) {
            Ok(value) => ExprKind::Integer(value),
            Err(_) => ExprKind::Cast(inner(ExprKind::Integer(value as i64), Type::Int)),
        },
        Scalar::Float(value) if value.is_nan() => {
            let infinity = || inner(ExprKind::Float(f32::INFINITY), Type::Float);
            ExprKind::Arithmetic(Arithmetic::Sub, infinity(), infinity())
        }
        Scalar::Float(value) => ExprKind::Float(value),
        Scalar::DType(tag) => ExprKind::DType(tag),
    }
}
