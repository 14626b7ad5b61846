//! The restrictions on replacements that the grammar does not express: errors in strict mode, warnings in `sdk` mode.

use super::diagnostics;
use crate::grammar::Mode;
use crate::grammar::model::*;
use crate::grammar::vocabulary;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};

/// Checks the replacement of a rule.
pub fn check(replacement: &Replacement, mode: Mode, found: &mut Diagnostics) {
    let mut restrictions = Restrictions { mode, found };
    restrictions.root(replacement);
    restrictions.part(replacement, true);
}

struct Restrictions<'a> {
    mode: Mode,
    found: &'a mut Diagnostics,
}

impl Restrictions<'_> {
    fn report(&mut self, mut diagnostic: Diagnostic) {
        if self.mode == Mode::Sdk {
            diagnostic.severity = Severity::Warning;
        }
        self.found.push(diagnostic);
    }

    /// The whole replacement may not be the root itself. This is an error in both modes: such a rule never ends.
    fn root(&mut self, replacement: &Replacement) {
        match &replacement.kind {
            ReplacementKind::Existing(operand) if can_be_root(operand) => {
                self.found.push(diagnostics::replaced_by_itself(replacement.span));
            }
            ReplacementKind::Select(_, first, second) => {
                self.root(first);
                self.root(second);
            }
            _ => {}
        }
    }

    /// Checks a part; `at_root` is the whole replacement, or a branch of a `SELECT` there.
    fn part(&mut self, part: &Replacement, at_root: bool) {
        match &part.kind {
            ReplacementKind::Existing(_) | ReplacementKind::Constant(_) | ReplacementKind::IterInput(..) => {}
            ReplacementKind::Op(_, operands) | ReplacementKind::MultiOut(_, _, _, operands) => {
                operands.iter().for_each(|operand| self.part(operand, false));
            }
            ReplacementKind::Wrap(_, inner, _) => self.part(inner, false),
            ReplacementKind::Modified(modifier, body) => {
                let shape = if let Modifier::Size(shape) = modifier { Some(shape) } else { None };
                let is_op = is_op_construction(body);
                if let (false, Some(shape)) = (is_op, shape.filter(|shape| is_op_construction(shape)))
                    && let Some(production) = vocabulary::production("WITH_SIZE")
                {
                    self.report(diagnostics::operands_exchanged(part.span, production));
                    self.part(shape, false);
                    return;
                }
                if !is_op {
                    self.report(diagnostics::modifier_needs_op(body.span));
                }
                if !matches!(modifier, Modifier::SameId(_) | Modifier::SplitHistory(..)) && !is_changeable(body) {
                    self.found.push(diagnostics::modifier_of_wrap(body.span));
                }
                if let Some(shape) = shape {
                    self.shape(shape, "WITH_SIZE");
                }
                if let Modifier::SplitHistory(_, Some(size)) = modifier
                    && !matches!(size.kind, ExprKind::Integer(_))
                {
                    self.report(diagnostics::split_history_constant(size.span));
                }
                self.part(body, false);
            }
            ReplacementKind::Select(_, first, second) => {
                self.part(first, at_root);
                self.part(second, at_root);
            }
            ReplacementKind::AutoSplit(_, _, _, body) => {
                self.only_at_root(part, at_root, "AUTOSPLIT");
                self.part(body, false);
            }
            ReplacementKind::ExternalReplace(_) => self.only_at_root(part, at_root, "EXTERNAL_REPLACE"),
            ReplacementKind::Iterate(base, _, _, _, body) => {
                if !matches!(base.kind, ReplacementKind::Op(..) | ReplacementKind::Existing(_)) {
                    self.report(diagnostics::iteration_base(base.span));
                }
                self.part(base, false);
                self.part(body, false);
            }
            ReplacementKind::Slice(operand, start, size) => {
                self.existing(operand);
                self.shape(start, "AUTOSPLIT_SLICE");
                self.shape(size, "AUTOSPLIT_SLICE");
            }
            ReplacementKind::TypicalSlice(operand, ..) => self.existing(operand),
            ReplacementKind::ShapeFunction(_, _, operands) => {
                for operand in operands {
                    if let ApplyOperand::Node(node) = operand {
                        self.part(node, false);
                    }
                }
            }
        }
    }

    fn only_at_root(&mut self, part: &Replacement, at_root: bool, name: &str) {
        if !at_root {
            self.report(diagnostics::only_at_root(part.span, name));
        }
    }

    fn existing(&mut self, operand: &Replacement) {
        if !matches!(operand.kind, ReplacementKind::Existing(_)) {
            self.report(diagnostics::existing_expected(operand.span));
        }
        self.part(operand, false);
    }

    /// An existing operand or a shape construction.
    fn shape(&mut self, shape: &Replacement, of: &str) {
        if !is_existing_or_shape(shape) {
            self.report(diagnostics::shape_expected(shape.span, of));
        }
        self.part(shape, false);
    }
}

fn can_be_root(operand: &OperandRef) -> bool {
    match &operand.kind {
        OperandRefKind::Root => true,
        OperandRefKind::Select(_, first, second) => can_be_root(first) || can_be_root(second),
        // An output of the root is no other node.
        OperandRefKind::Output(of, _) => can_be_root(of),
        OperandRefKind::Tag(_) | OperandRefKind::Input(..) => false,
    }
}

fn is_op_construction(replacement: &Replacement) -> bool {
    match &replacement.kind {
        ReplacementKind::Op(..)
        | ReplacementKind::MultiOut(..)
        | ReplacementKind::Wrap(..)
        | ReplacementKind::Iterate(..)
        | ReplacementKind::Slice(..)
        | ReplacementKind::TypicalSlice(..)
        | ReplacementKind::Modified(..)
        // These two are, but not within modifiers: `only_at_root` tells.
        | ReplacementKind::AutoSplit(..)
        | ReplacementKind::ExternalReplace(_) => true,
        ReplacementKind::Select(_, first, second) => is_op_construction(first) || is_op_construction(second),
        ReplacementKind::Existing(_)
        | ReplacementKind::Constant(_)
        | ReplacementKind::IterInput(..)
        | ReplacementKind::ShapeFunction(..) => false,
    }
}

/// Whether a modifier changes what is made: a wrapping op has the output of what it wraps, which may be there already.
fn is_changeable(replacement: &Replacement) -> bool {
    match &replacement.kind {
        ReplacementKind::Wrap(_, inner, _) => is_op_construction(inner) && is_changeable(inner),
        ReplacementKind::Modified(Modifier::SameId(_) | Modifier::SplitHistory(..), body) => is_changeable(body),
        _ => true,
    }
}

/// Whether a part is a node that was there, or a shape construction.
pub fn is_existing_or_shape(replacement: &Replacement) -> bool {
    match &replacement.kind {
        ReplacementKind::Existing(_)
        | ReplacementKind::ShapeFunction(..)
        | ReplacementKind::Constant(ConstantBuilder::Shape(_) | ConstantBuilder::ShapeOf(_)) => true,
        ReplacementKind::Select(_, first, second) => is_existing_or_shape(first) && is_existing_or_shape(second),
        _ => false,
    }
}
