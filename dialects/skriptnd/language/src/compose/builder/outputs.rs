//! The results of a definition against what it declares.

use super::{Builder, Context};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::marker::is_undetermined;
use crate::compose::extent::{Extent, SymExpr, SymOp};
use crate::compose::failure::Eval;
use crate::compose::graph::Port;
use crate::compose::infer::evaluate_shape;
use crate::compose::tensors::TermTensor;
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::compose::violation::RuntimeAssert;
use crate::compose::violation::Violation;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{LValue, LValueItem, Operator, OperatorKind, Param};
use std::collections::HashMap;
use std::sync::Arc;

/// What the composition gives for extents that outputs share by name, and the dimension that was first (section 2.6,
/// dynamic shapes).
type Shared = HashMap<Arc<str>, (SymExpr, String)>;

impl<'a> Builder<'_, 'a> {
    pub(super) fn results(
        &mut self,
        cx: &Context<'a>,
        declared: Option<&[Argument<TensorType>]>,
    ) -> Option<Vec<Argument>> {
        let operator = cx.definition.operator;
        let mut results = Vec::with_capacity(operator.outputs.len());
        let mut shared = Shared::new();
        for (at, param) in operator.outputs.iter().enumerate() {
            let result = self.result(cx, param);
            if let Some(result) = &result {
                match declared.and_then(|declared| declared.get(at)) {
                    Some(declared) => self.check_result(cx, param, declared, result, &mut shared),
                    None => self.check_graph_result(cx, param, result, &mut shared),
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
                let argument = term.tensors(TermTensor::in_graph);
                if argument.is_none() {
                    self.report(cx, say::output_not_assigned(param));
                }
                argument
            }
        }
    }

    fn check_result(
        &mut self,
        cx: &Context<'a>,
        param: &Param,
        declared: &Argument<TensorType>,
        result: &Argument,
        shared: &mut Shared,
    ) {
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
            self.check_output_type(cx, param, declared, &found, shared);
        }
    }

    /// A graph may leave extents and whole shapes of its outputs open.
    fn check_graph_result(&mut self, cx: &Context<'a>, param: &Param, result: &Argument, shared: &mut Shared) {
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
                self.check_output_type(cx, param, &declared, &found, shared);
            }
        }
    }

    /// The types that items of these packs would have, of which each has none.
    pub(super) fn types_without_items<'p>(
        &self,
        cx: &Context<'a>,
        params: impl Iterator<Item = (&'p Param, &'p Port)>,
    ) -> Vec<(String, TensorType)> {
        let unknown = TensorType { dtype: ScalarType::Real, shape: Vec::new() };
        let empty = params.filter(|(_, port)| matches!(&port.tensors, Argument::Pack(items) if items.is_empty()));
        let declared = |param| self.declared_type(cx, param, 0, &unknown).unwrap_or_else(|_| unknown.clone());
        empty.map(|(param, port)| (port.name.clone(), declared(param))).collect()
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

    fn check_output_type(
        &mut self,
        cx: &Context<'a>,
        param: &Param,
        declared: &TensorType,
        found: &TensorType,
        shared: &mut Shared,
    ) {
        if self.agrees(cx, declared, found, &param.name.text, param.span) {
            self.check_shared(cx, param, declared, found, shared);
            return;
        }
        let what = if declared.dtype != found.dtype {
            "the element types differ".to_owned()
        } else if declared.shape.len() != found.shape.len() {
            "the numbers of dimensions differ".to_owned()
        } else {
            let pairs = declared.shape.iter().zip(&found.shape).enumerate();
            let differing: Vec<_> = pairs.filter(|(_, (a, b))| !self.may_agree(a, b)).collect();
            match differing.as_slice() {
                [(at, (declared, _))] if declared.value.is_undetermined() => {
                    format!("dimension {at} is above its bound")
                }
                [(at, _)] => format!("dimension {at} differs"),
                several => {
                    let list: Vec<String> = several.iter().map(|(at, _)| at.to_string()).collect();
                    format!("dimensions {} differ", list.join(", "))
                }
            }
        };
        let assignment = assignment(cx.definition.operator, &param.name.text);
        let found = self.possible_types(found);
        self.report(cx, say::output_type(param, declared, &found, &what, assignment));
    }

    /// Extents of several outputs that are declared by the same new name are the same.
    fn check_shared(
        &mut self,
        cx: &Context<'a>,
        param: &Param,
        declared: &TensorType,
        found: &TensorType,
        shared: &mut Shared,
    ) {
        for (at, (declared, found)) in declared.shape.iter().zip(&found.shape).enumerate() {
            let SymExpr::Symbol(marker) = &declared.value else { continue };
            let Some(name) = shared_name(marker).filter(|_| !found.value.is_undetermined()) else { continue };
            let place = format!("dimension {at} of `{}`", param.name.text);
            let Some((first, where_first)) = shared.get(marker) else {
                shared.insert(marker.clone(), (found.value.clone(), place));
                continue;
            };
            let condition = SymExpr::apply(SymOp::Eq, vec![first.clone(), found.value.clone()]);
            let violation = say::shared_extents_differ(name, (&place, &found.value), (where_first, first), param.span);
            self.require(cx, condition, violation);
        }
    }

    /// Reports what can't hold; leaves to the run what only it can tell.
    fn require(&mut self, cx: &Context<'a>, condition: Option<SymExpr>, mut violation: Violation) {
        let truth = condition.as_ref().map(|condition| self.truth(condition));
        match (truth, condition) {
            (Some(Some(true)), _) => {}
            (Some(None), Some(condition)) => {
                violation.chain.clone_from(&cx.chain);
                self.runtime_asserts.push(RuntimeAssert { condition, violation });
            }
            _ => self.report(cx, violation.into()),
        }
    }

    /// Whether an extent that is found can be the declared one, whichever branches are taken.
    pub(super) fn may_agree(&self, declared: &Extent, found: &Extent) -> bool {
        let holds =
            |condition: Option<SymExpr>| condition.is_some_and(|condition| self.truth(&condition) != Some(false));
        !self.has_other_alternative(declared, found) && requirement(declared, found).is_none_or(holds)
    }

    fn truth(&self, condition: &SymExpr) -> Option<bool> {
        let bounds = self.session.bounds.borrow();
        condition.truth(&|symbol| bounds.get(symbol).copied())
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
            if !self.may_agree(a, b) {
                return false;
            }
            let Some(condition) = requirement(a, b).flatten() else { continue };
            // The run compares the results of operators with their bounds anyway.
            let compared = a.value.is_undetermined() && cx.definition.operator.kind == OperatorKind::Operator;
            if !compared && self.truth(&condition).is_none() {
                let mut violation = match a.bound.filter(|_| a.value.is_undetermined()) {
                    Some(bound) => say::result_above_bound(name, at, bound, &b.value, span),
                    None => say::extents_differ(name, at, &a.value, &b.value, span),
                };
                violation.chain.clone_from(&cx.chain);
                open.push(RuntimeAssert { condition, violation });
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

/// What must hold for an extent that is found to be as it is declared, if not everything is; it may have no value.
fn requirement(declared: &Extent, found: &Extent) -> Option<Option<SymExpr>> {
    if declared.value == found.value || found.value.is_undetermined() {
        return None;
    }
    let (op, limit) = match declared.value.is_undetermined() {
        true => (SymOp::Le, SymExpr::Const(declared.bound?)),
        false => (SymOp::Eq, declared.value.clone()),
    };
    Some(SymExpr::apply(op, vec![found.value.clone(), limit]))
}

/// The name that outputs share an extent by; none for `~`.
fn shared_name(marker: &str) -> Option<&str> {
    is_undetermined(marker).then(|| marker.trim_start_matches('~')).filter(|name| !name.contains('.'))
}
