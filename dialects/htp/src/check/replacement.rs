//! Replacements.

use super::checker::{Checker, SplitScope};
use super::diagnostics;
use super::signature::Given;
use crate::grammar::model::*;
use crate::grammar::term::{Term, TermKind};
use crate::grammar::vocabulary::{self, Place};

impl Checker<'_> {
    /// The replacement of a rule.
    pub fn replacement_rule(&mut self, term: &Term) -> Option<Replacement> {
        self.in_replacement = true;
        self.replacement(term)
    }

    /// A `repl_op`.
    pub fn replacement(&mut self, term: &Term) -> Option<Replacement> {
        let kind = match &term.kind {
            TermKind::Strings(_) => ReplacementKind::Existing(self.operand_tag(term)?),
            _ => {
                let (production, operands) = self.call(term, Place::Replacement)?;
                self.replacement_call(term, production.name, operands)?
            }
        };
        Some(Replacement { kind, span: term.span })
    }

    fn boxed(&mut self, term: &Term) -> Option<Box<Replacement>> {
        self.replacement(term).map(Box::new)
    }

    fn replacements(&mut self, terms: &[Term]) -> Option<Vec<Replacement>> {
        let checked: Vec<_> = terms.iter().map(|term| self.replacement(term)).collect();
        checked.into_iter().collect()
    }

    fn replacement_call(&mut self, term: &Term, name: &str, operands: &[Term]) -> Option<ReplacementKind> {
        match name {
            "INPUT_OF" | "OUTPUT_OF" => Some(ReplacementKind::Existing(self.operand(term)?)),
            "Operand" => Some(ReplacementKind::Existing(self.operand_tag(&operands[0])?)),
            "Op" => {
                let name = self.op_name(&operands[0]);
                self.name_of_parts(operands, name.as_ref());
                let operands = self.replacements(&operands[1..]);
                Some(ReplacementKind::Op(name?, operands?))
            }
            "WrapOp" | "WrapOpAlways" => {
                let (op, wrapped) = (self.op_name(&operands[0]), self.boxed(&operands[1]));
                Some(ReplacementKind::Wrap(op?, wrapped?, name == "WrapOpAlways"))
            }
            "OpMultiOut" => {
                let (outputs, output) = (self.integer(&operands[0]), self.integer(&operands[1]));
                let (op, inputs) = (self.op_name(&operands[2]), self.replacements(&operands[3..]));
                Some(ReplacementKind::MultiOut(Box::new(outputs?), Box::new(output?), op?, inputs?))
            }
            "SELECT" => {
                let condition = self.scalar_as(&operands[0], Type::Bool);
                // A choice between numbers is one mistake.
                let are_scalars = operands[1..].iter().all(|term| !is_node(term));
                let (first, second) = if are_scalars {
                    (self.boxed(&operands[1]), None)
                } else {
                    (self.boxed(&operands[1]), self.boxed(&operands[2]))
                };
                Some(ReplacementKind::Select(Box::new(condition?), first?, second?))
            }
            "AUTOSPLIT" => self.autosplit(term, operands),
            "OP_ITER" => self.iteration(operands),
            "ITER_INPUT_OF" => {
                let (operand, tag) = (self.operand(&operands[0]), self.split_reference(&operands[1]));
                Some(ReplacementKind::IterInput(operand?, tag?))
            }
            "EXTERNAL_REPLACE" => {
                Some(ReplacementKind::ExternalReplace(self.bare_name(&operands[0], "the name of a function")?))
            }
            "SHAPEFN_APPLY" => self.shape_function(operands, None, &operands[1..]),
            "AUTOSPLIT_SHAPEFN_APPLY" => self.shape_function(operands, Some(&operands[1]), &operands[2..]),
            "AUTOSPLIT_SLICE" => {
                let (operand, start) = (self.sliced(&operands[0]), self.boxed(&operands[1]));
                let size = self.boxed(&operands[2]);
                Some(ReplacementKind::Slice(operand?, start?, size?))
            }
            "TYPICAL_SLICE" | "CHANGEDIM_SLICE" => {
                let (operand, tag) = (self.sliced(&operands[0]), self.split_reference(&operands[1]));
                let dimension = match operands.get(2) {
                    Some(dimension) => Some(Box::new(self.integer(dimension)?)),
                    None => None,
                };
                Some(ReplacementKind::TypicalSlice(operand?, tag?, dimension))
            }
            "gen_ShapeOf" if is_shape(&operands[0]) => {
                self.report_at(term, diagnostics::shape_of_shape(term.span));
                self.replacement(&operands[0]).map(|shape| shape.kind)
            }
            _ if name.starts_with("gen_") => Some(ReplacementKind::Constant(self.constant_builder(name, operands)?)),
            _ => self.modified(name, operands),
        }
    }

    /// The first operand of a slice: the grammar wants a node that is there; public rule files write ops as well.
    fn sliced(&mut self, term: &Term) -> Option<Box<Replacement>> {
        if self.strict() {
            let operand = self.operand(term)?;
            return Some(Box::new(Replacement { span: operand.span, kind: ReplacementKind::Existing(operand) }));
        }
        self.boxed(term)
    }

    fn autosplit(&mut self, term: &Term, operands: &[Term]) -> Option<ReplacementKind> {
        let (dimension, tag, size) =
            (self.integer(&operands[0]), self.new_split(&operands[1]), self.integer(&operands[2]));
        let (body, used) = self.split_body(tag.as_deref(), &operands[3]);
        if let (Some(tag), false, true) = (&tag, used, body.is_some()) {
            self.report_at(term, diagnostics::split_unused(operands[1].span, tag));
        }
        Some(ReplacementKind::AutoSplit(Box::new(dimension?), tag?, Box::new(size?), body?))
    }

    fn iteration(&mut self, operands: &[Term]) -> Option<ReplacementKind> {
        let (base, tag) = (self.boxed(&operands[0]), self.new_split(&operands[1]));
        let (low, high) = (self.integer(&operands[2]), self.integer(&operands[3]));
        let (body, _) = self.split_body(tag.as_deref(), &operands[4]);
        Some(ReplacementKind::Iterate(base?, tag?, Box::new(low?), Box::new(high?), body?))
    }

    /// The last operand of a split, and whether it refers to the split.
    fn split_body(&mut self, tag: Option<&str>, term: &Term) -> (Option<Box<Replacement>>, bool) {
        self.splits.push(SplitScope { tag: tag.unwrap_or_default().to_owned(), used: false });
        let body = self.boxed(term);
        let used = self.splits.pop().is_some_and(|scope| scope.used);
        (body, used)
    }

    fn shape_function(&mut self, operands: &[Term], tag: Option<&Term>, values: &[Term]) -> Option<ReplacementKind> {
        let function = self.bare_name(&operands[0], "the name of a function");
        let split = tag.map(|tag| self.split_reference(tag));
        let checked: Vec<_> = values.iter().map(|value| self.apply_operand(value)).collect();
        let split = match split {
            Some(tag) => Some(tag?),
            None => None,
        };
        let (function, checked) = (function?, checked.into_iter().collect::<Option<Vec<_>>>()?);
        let given: Vec<Given> = checked.iter().map(Given::of).collect();
        self.signature(&operands[0], &function, split.is_some(), &given);
        Some(ReplacementKind::ShapeFunction(function, split, checked))
    }

    fn apply_operand(&mut self, term: &Term) -> Option<ApplyOperand> {
        if is_node(term) {
            self.replacement(term).map(ApplyOperand::Node)
        } else {
            self.scalar(term).map(ApplyOperand::Scalar)
        }
    }

    fn constant_builder(&mut self, name: &str, operands: &[Term]) -> Option<ConstantBuilder> {
        Some(match name {
            "gen_Shape" => ConstantBuilder::Shape(self.integers(operands)?),
            "gen_ShapeOf" => ConstantBuilder::ShapeOf(self.operand(&operands[0])?),
            "gen_ConstScalar_f32" => ConstantBuilder::ScalarFloat(Box::new(self.numeric(&operands[0])?)),
            "gen_ConstScalar_i32" => ConstantBuilder::ScalarInt(Box::new(self.integer(&operands[0])?)),
            "gen_ConstArr_f32" => {
                let (value, count) = (self.numeric(&operands[0]), self.integer(&operands[1]));
                ConstantBuilder::FilledFloat(Box::new(value?), Box::new(count?))
            }
            "gen_ConstArr_i32" => {
                let (value, count) = (self.integer(&operands[0]), self.integer(&operands[1]));
                ConstantBuilder::FilledInt(Box::new(value?), Box::new(count?))
            }
            _ => ConstantBuilder::Ints(self.integers(operands)?),
        })
    }

    fn integers(&mut self, terms: &[Term]) -> Option<Vec<Expr>> {
        let checked: Vec<_> = terms.iter().map(|term| self.integer(term)).collect();
        checked.into_iter().collect()
    }

    fn modified(&mut self, name: &str, operands: &[Term]) -> Option<ReplacementKind> {
        let (body, parameters) = operands.split_last()?;
        let modifier = self.modifier(name, parameters);
        let body = self.boxed(body);
        Some(ReplacementKind::Modified(modifier?, body?))
    }

    /// Zero offset and step size. C++ converts numbers to their types; the published grammar does not.
    fn encoding(&mut self, zero_offset: &Term, step_size: &Term) -> [Option<Expr>; 2] {
        let (zero, step) = (self.numeric(zero_offset), self.numeric(step_size));
        let types = zero.as_ref().zip(step.as_ref()).map(|(zero, step)| (zero.ty, step.ty));
        if types.is_some_and(|(zero, step)| zero == Type::Float && step.is_integer()) {
            self.report_at(zero_offset, diagnostics::encoding_exchanged(zero_offset.span));
            return [None, None];
        }
        [self.converted(zero_offset, zero, Type::Int), self.converted(step_size, step, Type::Float)]
    }

    fn converted(&mut self, term: &Term, expr: Option<Expr>, to: Type) -> Option<Expr> {
        let expr = expr?;
        let is_lossless = expr.ty.is_integer();
        if expr.ty == to {
            return Some(expr);
        }
        if self.strict() || !is_lossless {
            self.report_at(term, diagnostics::type_expected(term.span, &to.to_string(), expr.ty));
            return None;
        }
        let span = expr.span;
        Some(Expr { kind: ExprKind::Cast(Box::new(expr)), ty: to, span })
    }

    fn modifier(&mut self, name: &str, parameters: &[Term]) -> Option<Modifier> {
        let first = parameters.first()?;
        Some(match name {
            "WITH_SIZE" => Modifier::Size(self.boxed(first)?),
            "WITH_TYPE" => Modifier::Type(self.operand(first)?),
            "WITH_SAME_OUTPUT" => Modifier::SameOutput(self.operand(first)?),
            "WITH_SAME_ID" => Modifier::SameId(self.operand(first)?),
            "WITH_OUTPUT_TYPE" => {
                let dtype = self.scalar_as(first, Type::DType);
                let [zero_offset, step_size] = self.encoding(&parameters[1], &parameters[2]);
                Modifier::OutputType(Box::new(dtype?), Box::new(zero_offset?), Box::new(step_size?))
            }
            "WITH_MULTI_OUT" => Modifier::MultiOut(Box::new(self.integer(first)?)),
            "ResizeDim" => {
                let (dimension, extent) = (self.integer(first), self.integer(&parameters[1]));
                Modifier::ResizeDim(Box::new(dimension?), Box::new(extent?))
            }
            _ => {
                let operand = self.operand(first);
                let size = match parameters.get(1) {
                    Some(size) => Some(Box::new(self.integer(size)?)),
                    None => None,
                };
                Modifier::SplitHistory(operand?, size)
            }
        })
    }
}

/// Whether an `apply_parm` is a node: a tag, or a call that makes or names one.
fn is_node(term: &Term) -> bool {
    match &term.kind {
        TermKind::Strings(_) => true,
        TermKind::Call { name, operands, .. } if name == "SELECT" => operands.get(1).is_some_and(is_node),
        TermKind::Call { name, .. } => {
            vocabulary::production(name).is_some_and(|p| p.places.contains(&Place::Replacement))
        }
        _ => false,
    }
}

/// Whether a term makes a shape.
fn is_shape(term: &Term) -> bool {
    let TermKind::Call { name, operands, .. } = &term.kind else { return false };
    match name.as_str() {
        "gen_Shape" | "gen_ShapeOf" | "SHAPEFN_APPLY" | "AUTOSPLIT_SHAPEFN_APPLY" => true,
        "SELECT" => operands.get(1).is_some_and(is_shape) && operands.get(2).is_some_and(is_shape),
        _ => false,
    }
}
