//! External functions against their annotations.

use super::checker::Checker;
use super::diagnostics;
use crate::apply::OF_FRAMEWORK;
use crate::grammar::model::{ApplyOperand, Expr, Type};
use crate::grammar::term::Term;
use crate::grammar::{ExternalFunction, ParameterKind};
use skriptnd_source::Span;

/// What a rule gives an external function.
#[derive(Debug, Clone, Copy)]
pub struct Given {
    pub kind: GivenKind,
    pub span: Span,
}

/// The kinds of what a rule can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenKind {
    /// A node.
    Node,
    /// A scalar of some type.
    Scalar(Type),
}

impl GivenKind {
    /// In words.
    pub fn describe(self) -> String {
        match self {
            GivenKind::Node => "a node".to_owned(),
            GivenKind::Scalar(ty) => format!("a value of type {ty}"),
        }
    }

    /// Whether C++ takes it for such a parameter without loss: whole numbers of either kind are whole numbers.
    fn fits(self, parameter: ParameterKind) -> bool {
        match (parameter, self) {
            (ParameterKind::Other, _) | (ParameterKind::Node, GivenKind::Node) => true,
            (ParameterKind::Bool, GivenKind::Scalar(ty)) => ty == Type::Bool,
            (ParameterKind::Integer, GivenKind::Scalar(ty)) => ty.is_integer(),
            (ParameterKind::Float, GivenKind::Scalar(ty)) => ty.is_number(),
            _ => false,
        }
    }
}

impl Given {
    /// Of an operand of `SHAPEFN_APPLY`.
    pub fn of(operand: &ApplyOperand) -> Self {
        match operand {
            ApplyOperand::Node(node) => Given { kind: GivenKind::Node, span: node.span },
            ApplyOperand::Scalar(expr) => Given::scalar(expr),
        }
    }

    /// Of a scalar.
    pub fn scalar(expr: &Expr) -> Self {
        Given { kind: GivenKind::Scalar(expr.ty), span: expr.span }
    }
}

impl Checker<'_> {
    /// Checks what is given to a function, if the file announces it. Annotations may leave out the parameters that the
    /// framework gives: the replacement, and the context of the split.
    pub fn signature(&mut self, name: &Term, function: &str, in_split: bool, given: &[Given]) {
        let Some(annotation) = self.functions.iter().find(|announced| announced.name == function) else {
            return self.framework_signature(name, function, in_split, given.len());
        };
        let kinds: Vec<ParameterKind> = annotation.parameters.iter().map(|ty| ParameterKind::of(ty)).collect();
        let mut own = kinds.as_slice();
        if let [ParameterKind::Replacement, rest @ ..] = own {
            own = rest;
        }
        if let [ParameterKind::Split, rest @ ..] = own {
            if !in_split {
                self.report_at(name, diagnostics::function_wants_split(name.span, annotation));
                return;
            }
            own = rest;
        }
        if own.len() != given.len() {
            self.report_at(name, diagnostics::function_operands(name.span, annotation, own.len(), given.len()));
            return;
        }
        let wrong: Vec<_> = given.iter().enumerate().filter(|(at, given)| !given.kind.fits(own[*at])).collect();
        if let ([(_, first), _, ..], true) = (wrong.as_slice(), is_another_order(own, given)) {
            self.report(diagnostics::function_operands_exchanged(first.span, annotation));
            return;
        }
        for (at, given) in wrong {
            let ty = parameter(annotation, own.len(), at);
            self.report(diagnostics::function_operand_type(given.span, annotation, &ty, &given.kind.describe()));
        }
    }

    /// The same for the functions of the framework: without a split, or with fewer operands, they give nothing.
    fn framework_signature(&mut self, name: &Term, function: &str, in_split: bool, given: usize) {
        let Some((_, least)) = OF_FRAMEWORK.into_iter().find(|(known, _)| *known == function) else {
            let is_slip = |known: &&str| strsim::osa_distance(known, function) <= 2;
            if let Some(near) = OF_FRAMEWORK.map(|(known, _)| known).iter().find(|known| is_slip(known)) {
                self.report_at(name, diagnostics::like_framework(name.span, function, near));
            }
            return;
        };
        if !in_split {
            self.report_at(name, diagnostics::wants_split(name.span, function));
        } else if given < least {
            self.report_at(name, diagnostics::too_few_operands(name.span, function, least, given));
        }
    }
}

/// Whether what is given fits in another order: one mistake, not one for each of them.
fn is_another_order(own: &[ParameterKind], given: &[Given]) -> bool {
    let mut kinds: Vec<GivenKind> = given.iter().map(|given| given.kind).collect();
    own.iter().all(|parameter| match kinds.iter().position(|kind| kind.fits(*parameter)) {
        Some(at) => {
            kinds.swap_remove(at);
            true
        }
        None => false,
    })
}

/// The type of a parameter, counted without those that the framework gives.
fn parameter(annotation: &ExternalFunction, own: usize, at: usize) -> String {
    annotation.parameters[annotation.parameters.len() - own + at].clone()
}
