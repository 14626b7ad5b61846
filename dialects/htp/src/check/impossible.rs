//! Parts of replacements that are undefined in every graph: constants beyond what their places take. Such a rule would never
//! do anything.

use super::constant::{Constant, constant, whole};
use super::diagnostics::{
    constant_as_op, impossible_number, nothing_is_replaced, slice_ranks, view_operands, view_outputs,
};
use super::ranges::matched;
use super::restrictions::is_existing_or_shape;
use crate::apply::plan::{CONST_OP, MAX_ELEMENTS, MAX_OUTPUTS, MAX_PARTS, MAX_PIECES, OUT_OP, SHAPE_OP};
use crate::apply::{Encoding, Scalar};
use crate::grammar::model::*;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};

/// Whether the replacement of a rule may be defined somewhere. What stands in a `SELECT` is warned of: another branch may be
/// taken.
pub fn check(rule: &Rule, found: &mut Diagnostics) -> bool {
    let mut walk = Walk { pattern: &rule.pattern, selected: false, own: Diagnostics::default() };
    walk.part(&rule.replacement);
    if !walk.own.has_errors() && least_parts(&rule.replacement) > MAX_PARTS {
        let message = format!("the replacement has more than {MAX_PARTS} parts, counted for each step of an iteration");
        walk.report(nothing_is_replaced(rule.replacement.span, message));
    }
    let is_possible = !walk.own.has_errors();
    found.extend(walk.own);
    is_possible
}

struct Walk<'r> {
    pattern: &'r MatchOp,
    /// Whether the present part is one of several that a condition chooses.
    selected: bool,
    own: Diagnostics,
}

impl Walk<'_> {
    fn report(&mut self, mut diagnostic: Diagnostic) {
        if self.selected {
            diagnostic.severity = Severity::Warning;
        }
        self.own.push(diagnostic);
    }

    fn part(&mut self, part: &Replacement) {
        match &part.kind {
            ReplacementKind::Existing(operand) | ReplacementKind::IterInput(operand, _) => self.operand(operand),
            ReplacementKind::Op(name, operands) => {
                match name.text.as_str() {
                    OUT_OP => self.view(name, operands),
                    CONST_OP | SHAPE_OP => self.own.push(constant_as_op(name.span, &name.text)),
                    _ => {}
                }
                self.parts(operands);
            }
            ReplacementKind::MultiOut(count, index, _, operands) => {
                self.outputs(count);
                let outputs = whole(count).filter(|count| *count > 0);
                self.within(index, 0, outputs.map_or(i128::MAX, |outputs| outputs - 1), "the index of an output");
                self.parts(operands);
            }
            ReplacementKind::Wrap(_, inner, _) => self.part(inner),
            ReplacementKind::Constant(builder) => self.builder(builder),
            ReplacementKind::Modified(modifier, body) => {
                self.modifier(modifier);
                self.part(body);
            }
            ReplacementKind::Select(_, first, second) => self.either(|walk| {
                walk.part(first);
                walk.part(second);
            }),
            ReplacementKind::AutoSplit(dimension, _, size, body) => {
                self.not_negative(dimension, "a dimension");
                self.within(size, 1, i128::MAX, "the extent of the slices of an AUTOSPLIT");
                self.part(body);
            }
            ReplacementKind::Iterate(base, _, low, high, body) => {
                self.part(base);
                self.steps(low, high);
                // Without steps there is no body.
                self.either(|walk| walk.part(body));
            }
            ReplacementKind::Slice(operand, start, size) => {
                if let (Some(start), Some(size)) = (extents(start), extents(size))
                    && start.len() != size.len()
                {
                    self.report(slice_ranks(part.span, start.len(), size.len()));
                }
                [operand, start, size].into_iter().for_each(|part| self.part(part));
            }
            ReplacementKind::TypicalSlice(operand, _, dimension) => {
                self.part(operand);
                dimension.iter().for_each(|dimension| self.not_negative(dimension, "a dimension"));
            }
            ReplacementKind::ExternalReplace(_) => {}
            ReplacementKind::ShapeFunction(_, _, operands) => {
                for operand in operands {
                    if let ApplyOperand::Node(node) = operand {
                        self.part(node);
                    }
                }
            }
        }
    }

    fn parts(&mut self, parts: &[Replacement]) {
        parts.iter().for_each(|part| self.part(part));
    }

    fn either(&mut self, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.selected, true);
        walk(self);
        self.selected = outer;
    }

    fn within(&mut self, expr: &Expr, least: i128, most: i128, what: &str) {
        let Some(value) = whole(expr).filter(|value| *value < least || *value > most) else { return };
        let wanted = match most {
            i128::MAX => format!("{what} is {least} or more"),
            _ => format!("{what} is {least} to {most}"),
        };
        self.report(impossible_number(expr.span, &wanted, value));
    }

    fn not_negative(&mut self, expr: &Expr, what: &str) {
        self.within(expr, 0, i128::MAX, what);
    }

    fn outputs(&mut self, count: &Expr) {
        self.within(count, 1, MAX_OUTPUTS.into(), "the number of an op's outputs");
    }

    /// One output of an op of several: the op, and a shape of 0, 0, the number of outputs, and which one.
    fn view(&mut self, name: &OpName, operands: &[Replacement]) {
        let [of, which] = operands else {
            let found =
                if operands.len() == 1 { "1 operand".to_owned() } else { format!("{} operands", operands.len()) };
            return self.own.push(view_operands(name.span, &found));
        };
        if !is_existing_or_shape(which) {
            return self.own.push(view_operands(which.span, "no shape"));
        }
        let Some(extents) = extents(which) else { return };
        let [first, second, outputs, output] = extents else {
            return self.own.push(view_operands(which.span, &format!("a shape of {} extents", extents.len())));
        };
        [first, second].into_iter().for_each(|zero| self.within(zero, 0, 0, "this extent of the shape of `$Out`"));
        self.outputs(outputs);
        let told = whole(outputs).filter(|count| *count > 0);
        self.within(output, 0, told.map_or(i128::MAX, |told| told - 1), "the index of an output");
        if let Some((told, made)) = told.zip(made_outputs(of, Some(1))).filter(|(told, made)| told != made) {
            self.report(view_outputs(outputs.span, told, made));
        }
    }

    fn steps(&mut self, low: &Expr, high: &Expr) {
        self.not_negative(low, "the first step of an OP_ITER");
        let first = whole(low).filter(|first| *first >= 0);
        if let (Some(first), Some(end)) = (first, whole(high))
            && end - first > i128::from(MAX_PIECES)
        {
            let wanted = format!("an OP_ITER takes up to {MAX_PIECES} steps");
            self.report(impossible_number(high.span, &wanted, end - first));
        }
    }

    fn builder(&mut self, builder: &ConstantBuilder) {
        match builder {
            ConstantBuilder::Shape(extents) => extents.iter().for_each(|extent| self.not_negative(extent, "an extent")),
            ConstantBuilder::ShapeOf(operand) => self.operand(operand),
            ConstantBuilder::FilledFloat(_, count) | ConstantBuilder::FilledInt(_, count) => {
                self.within(count, 1, MAX_ELEMENTS.into(), "the number of a constant's elements");
            }
            ConstantBuilder::ScalarFloat(_) | ConstantBuilder::ScalarInt(_) | ConstantBuilder::Ints(_) => {}
        }
    }

    fn modifier(&mut self, modifier: &Modifier) {
        match modifier {
            Modifier::Size(shape) => self.part(shape),
            Modifier::Type(operand)
            | Modifier::SameOutput(operand)
            | Modifier::SameId(operand)
            | Modifier::SplitHistory(operand, _) => self.operand(operand),
            Modifier::OutputType(dtype, zero_offset, step_size) => self.encoding(dtype, zero_offset, step_size),
            Modifier::MultiOut(count) => self.outputs(count),
            Modifier::ResizeDim(dimension, extent) => {
                self.not_negative(dimension, "a dimension");
                self.not_negative(extent, "an extent");
            }
        }
    }

    /// What is no constant is taken for what every type can have.
    fn encoding(&mut self, dtype: &Expr, zero_offset: &Expr, step_size: &Expr) {
        let Some(Constant::Value(Scalar::DType(tag))) = constant(dtype) else { return };
        if tag == DType::Unknown {
            return self.report(nothing_is_replaced(dtype.span, "no tensor is of type `UNKNOWN`".to_owned()));
        }
        if let Some(Constant::Value(Scalar::Float(step))) = constant(step_size)
            && !Encoding::new(tag, 0, step).is_valid(&[])
        {
            let message = format!("a step size is finite and above 0, found {step}");
            self.report(nothing_is_replaced(step_size.span, message));
        }
        if let Some(Constant::Value(Scalar::Int(zero))) = constant(zero_offset)
            && !Encoding::new(tag, zero, 1.0).is_valid(&[])
        {
            let message = format!("{zero} is no element of type `{tag}`, so it can't be the one that stands for 0");
            self.report(nothing_is_replaced(zero_offset.span, message));
        }
    }

    fn operand(&mut self, operand: &OperandRef) {
        match &operand.kind {
            OperandRefKind::Root | OperandRefKind::Tag(_) => {}
            OperandRefKind::Input(of, index) => {
                let most = matched(self.pattern, of)
                    .filter(|op| !op.open)
                    .map_or(i128::MAX, |op| op.operands.len() as i128 - 1);
                self.within(index, 0, most, "the index of an input");
                self.operand(of);
            }
            OperandRefKind::Output(of, index) => {
                self.not_negative(index, "the index of an output");
                self.operand(of);
            }
            OperandRefKind::Select(_, first, second) => self.either(|walk| {
                walk.operand(first);
                walk.operand(second);
            }),
        }
    }
}

/// The extents of `gen_Shape`.
fn extents(part: &Replacement) -> Option<&[Expr]> {
    match &part.kind {
        ReplacementKind::Constant(ConstantBuilder::Shape(extents)) => Some(extents),
        _ => None,
    }
}

/// The number of outputs of a new op, as the modifiers around it say.
fn made_outputs(part: &Replacement, around: Option<i128>) -> Option<i128> {
    match &part.kind {
        ReplacementKind::Op(name, _) if name.text != OUT_OP => around,
        ReplacementKind::Modified(Modifier::MultiOut(count), body) => made_outputs(body, whole(count)),
        ReplacementKind::Modified(_, body) => made_outputs(body, around),
        _ => None,
    }
}

/// How many parts a replacement has at least when it is built, parts within counted for each step.
fn least_parts(part: &Replacement) -> usize {
    let sum = |parts: &[Replacement]| parts.iter().map(least_parts).fold(0, usize::saturating_add);
    let within = match &part.kind {
        ReplacementKind::Op(_, operands) | ReplacementKind::MultiOut(_, _, _, operands) => sum(operands),
        ReplacementKind::Wrap(_, inner, _) | ReplacementKind::Modified(_, inner) => least_parts(inner),
        ReplacementKind::AutoSplit(_, _, _, inner) | ReplacementKind::TypicalSlice(inner, ..) => least_parts(inner),
        ReplacementKind::Select(_, first, second) => least_parts(first).min(least_parts(second)),
        ReplacementKind::Iterate(base, _, low, high, body) => {
            let steps = whole(low).zip(whole(high)).map_or(0, |(low, high)| high.saturating_sub(low).max(0));
            let steps = usize::try_from(steps).unwrap_or(usize::MAX);
            least_parts(base).saturating_add(least_parts(body).saturating_mul(steps))
        }
        ReplacementKind::Slice(operand, start, size) => {
            [operand, start, size].into_iter().map(|part| least_parts(part)).fold(0, usize::saturating_add)
        }
        ReplacementKind::Existing(_)
        | ReplacementKind::Constant(_)
        | ReplacementKind::IterInput(..)
        | ReplacementKind::ExternalReplace(_)
        | ReplacementKind::ShapeFunction(..) => 0,
    };
    within.saturating_add(1)
}
