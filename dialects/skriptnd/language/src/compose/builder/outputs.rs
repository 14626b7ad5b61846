//! The results of a definition against what it declares.

use super::arguments::argument_of;
use super::{Builder, Context};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::{Eval, Evaluator};
use crate::compose::extent::{SymExpr, SymOp};
use crate::compose::graph::{Argument, RuntimeAssert, TensorType};
use crate::compose::infer::{evaluate_shape, is_undetermined};
use crate::compose::term::Term;
use crate::syntax::ast::{LValue, LValueItem, Operator, Param, Span};

impl<'a> Builder<'_, 'a> {
    pub(super) fn results(
        &mut self,
        cx: &Context<'a>,
        declared: Option<&[Argument<TensorType>]>,
    ) -> Option<Vec<Argument>> {
        let operator = cx.definition.operator;
        let mut results = Vec::with_capacity(operator.outputs.len());
        for (at, param) in operator.outputs.iter().enumerate() {
            let result = self.result(cx, param);
            if let Some(result) = &result {
                match declared.and_then(|declared| declared.get(at)) {
                    Some(declared) => self.check_result(cx, param, declared, result),
                    None => self.check_graph_result(cx, param, result),
                }
            }
            results.push(result);
        }
        results.into_iter().collect()
    }

    fn result(&mut self, cx: &Context<'a>, param: &Param) -> Option<Argument> {
        if self.session.is_faulty(param.span) {
            return None;
        }
        let Some(term) = cx.env.get(&param.name.text).cloned() else {
            self.report(cx, say::output_not_assigned(param));
            return None;
        };
        match term {
            Term::Unknown => None,
            Term::Null if param.spec.optional => Some(Argument::Null),
            Term::Null => {
                self.report(cx, say::output_is_null(param));
                None
            }
            term => {
                let argument = argument_of(&term);
                if argument.is_none() {
                    self.report(cx, say::output_not_assigned(param));
                }
                argument
            }
        }
    }

    fn check_result(&mut self, cx: &Context<'a>, param: &Param, declared: &Argument<TensorType>, result: &Argument) {
        let fits = match (declared, result) {
            (Argument::Null, _) | (_, Argument::Null) | (Argument::Single(_), Argument::Single(_)) => true,
            (Argument::Pack(a), Argument::Pack(b)) => a.len() == b.len(),
            _ => false,
        };
        if !fits {
            self.report(cx, say::output_kind(param, i64::try_from(declared.items().len()).ok(), result));
            return;
        }
        for (declared, id) in declared.items().iter().zip(result.items()) {
            let found = self.ty(*id).clone();
            self.check_output_type(cx, param, declared, &found);
        }
    }

    /// A graph may leave extents and whole shapes of its outputs open.
    fn check_graph_result(&mut self, cx: &Context<'a>, param: &Param, result: &Argument) {
        if param.spec.pack.is_some() != matches!(result, Argument::Pack(_)) && *result != Argument::Null {
            self.report(cx, say::output_kind(param, None, result));
            return;
        }
        if let Some(length) = param.spec.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
            let length = self.eval(cx, length);
            match self.check(cx, length) {
                Some(Term::Int(expected)) if i64::try_from(result.items().len()) != Ok(expected) => {
                    self.report(cx, say::output_kind(param, Some(expected), result));
                    return;
                }
                _ => {}
            }
        }
        for (number, id) in result.items().iter().enumerate() {
            let found = self.ty(*id).clone();
            let declared = self.declared_type(cx, param, number, &found);
            if let Some(declared) = self.check(cx, declared) {
                self.check_output_type(cx, param, &declared, &found);
            }
        }
    }

    fn declared_type(&self, cx: &Context<'a>, param: &Param, number: usize, found: &TensorType) -> Eval<TensorType> {
        let evaluator = Evaluator::new(&cx.env, &self.tensors);
        let dtype = evaluator.resolve_type(&param.spec.base)?;
        let bounds = self.session.bounds.borrow();
        let shape = match &param.spec.shape {
            Some(shape) => evaluate_shape(&evaluator, shape, Some(number), &param.name, &bounds)?,
            None => found.shape.clone(),
        };
        Ok(TensorType { dtype, shape })
    }

    fn check_output_type(&mut self, cx: &Context<'a>, param: &Param, declared: &TensorType, found: &TensorType) {
        if self.agrees(cx, declared, found, &param.name.text, param.span) {
            return;
        }
        let what = if declared.dtype != found.dtype {
            "the element types differ".to_owned()
        } else if declared.shape.len() != found.shape.len() {
            "the numbers of dimensions differ".to_owned()
        } else {
            let pairs = declared.shape.iter().zip(&found.shape).enumerate();
            let differing = pairs.filter(|(_, (a, b))| !self.may_agree(&a.value, &b.value)).map(|(at, _)| at);
            let list: Vec<String> = differing.map(|at| at.to_string()).collect();
            match list.as_slice() {
                [one] => format!("dimension {one} differs"),
                several => format!("dimensions {} differ", several.join(", ")),
            }
        };
        let assignment = assignment(cx.definition.operator, &param.name.text);
        self.report(cx, say::output_type(param, declared, found, &what, assignment));
    }

    fn may_agree(&self, a: &SymExpr, b: &SymExpr) -> bool {
        undetermined(a) || undetermined(b) || !matches!(a.minus(b), Some(SymExpr::Const(difference)) if difference != 0)
    }

    /// Whether a type can be what is declared; what only the run can tell is left to a check of the run.
    pub(super) fn agrees(
        &mut self,
        cx: &Context<'a>,
        declared: &TensorType,
        found: &TensorType,
        name: &str,
        span: Span,
    ) -> bool {
        if declared.dtype != found.dtype || declared.shape.len() != found.shape.len() {
            return false;
        }
        let mut open = Vec::new();
        for (at, (a, b)) in declared.shape.iter().zip(&found.shape).enumerate() {
            if a.value == b.value || undetermined(&a.value) || undetermined(&b.value) {
                continue;
            }
            match SymExpr::apply(SymOp::Eq, vec![a.value.clone(), b.value.clone()]) {
                Some(SymExpr::Const(0)) | None => return false,
                Some(SymExpr::Const(_)) => {}
                Some(condition) => {
                    let mut violation = say::extents_differ(name, at, &a.value, &b.value, span);
                    violation.chain.clone_from(&cx.chain);
                    open.push(RuntimeAssert { condition, violation });
                }
            }
        }
        self.runtime_asserts.extend(open);
        true
    }
}

/// Where an output gets its value, as far as a name stands alone on the left.
fn assignment(operator: &Operator, output: &str) -> Option<Span> {
    let targets = operator.components.iter().flatten().flat_map(|component| &component.results);
    let mut names = targets.filter_map(|target| match target {
        LValue::Item(LValueItem::Name { name, .. }) => Some(name),
        _ => None,
    });
    names.find(|name| &*name.text == output).map(|name| name.span)
}

fn undetermined(expr: &SymExpr) -> bool {
    matches!(expr, SymExpr::Symbol(symbol) if is_undetermined(symbol))
}
