//! Branches (section 2.10.1): those with conditions that are known are resolved, the others become regions.

use super::{Builder, Context, Label};
use crate::compose::diagnostics as say;
use crate::compose::extent::{Extent, SymExpr, SymOp};
use crate::compose::graph::{Operation, OperationKind, Origin, Region};
use crate::compose::tensors::{Argument, TensorId, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Body, Branch, Name};

/// What is known of a condition.
enum Condition {
    Known(bool),
    /// The run knows it as soon as it knows the extents.
    Extents(SymExpr),
    Tensor,
}

/// A condition that only the run knows, and what it leads to.
struct Arm<'a> {
    condition: &'a Body,
    then: &'a Body,
    /// The condition, if extents decide.
    extents: Option<SymExpr>,
}

/// A branch, and the new values of the variables that it updates.
struct Updating {
    region: Region,
    updates: Vec<(TensorId, TensorId)>,
}

/// Lets all branches yield the variables that one of them updates, and says which these are.
fn yield_updates(branches: &mut [Updating]) -> Vec<TensorId> {
    let mut variables: Vec<TensorId> = Vec::new();
    for (variable, _) in branches.iter().flat_map(|branch| &branch.updates) {
        if !variables.contains(variable) {
            variables.push(*variable);
        }
    }
    for branch in branches {
        for variable in &variables {
            let own = branch.updates.iter().find(|(known, _)| known == variable).map(|(_, value)| *value);
            branch.region.results.push(Argument::Single(own.unwrap_or(*variable)));
        }
    }
    variables
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn branch(&mut self, cx: &mut Context<'a>, branch: &'a Branch, label: Label) -> Option<Vec<Argument>> {
        let mut arms = Vec::new();
        let mut otherwise = &branch.otherwise;
        for (condition, then) in &branch.arms {
            let extents = match self.known_condition(cx, condition)? {
                Condition::Known(false) => continue,
                Condition::Known(true) => {
                    otherwise = then;
                    break;
                }
                Condition::Extents(condition) => Some(condition),
                Condition::Tensor => None,
            };
            arms.push(Arm { condition, then, extents });
        }
        if arms.is_empty() {
            return self.body(cx, otherwise, label);
        }
        self.dynamic_branch(cx, &arms, otherwise, branch.span)
    }

    /// None after an error.
    fn known_condition(&mut self, cx: &Context<'a>, condition: &'a Body) -> Option<Condition> {
        let Body::Expr(expr) = condition else { return Some(Condition::Tensor) };
        let term = self.eval(cx, expr);
        match self.check(cx, term)? {
            Term::Bool(known) => Some(Condition::Known(known)),
            // What evaluates to null is left out (section 2.4.1).
            Term::Null => Some(Condition::Known(false)),
            Term::Tensor(_) => Some(Condition::Tensor),
            // An extent of the run decides like a tensor, unless its bounds do.
            Term::Condition(condition) => {
                let bounds = self.session.bounds.borrow();
                let truth = condition.truth(&|symbol| bounds.get(symbol).copied());
                Some(truth.map_or(Condition::Extents(condition), Condition::Known))
            }
            other => {
                self.report(cx, say::bool_expected("the condition of `if`", &other, expr.span));
                None
            }
        }
    }

    fn dynamic_branch(
        &mut self,
        cx: &mut Context<'a>,
        arms: &[Arm<'a>],
        otherwise: &'a Body,
        span: Span,
    ) -> Option<Vec<Argument>> {
        let spans: Vec<Span> = arms.iter().map(|arm| arm.then.span()).chain([otherwise.span()]).collect();
        let (conditions, mut branches) = self.branch_regions(cx, arms, otherwise)?;
        let label = self.numbered(&cx.scope, "if");
        let scope = super::nested(&cx.scope, &label);
        let by_extents = arms.iter().any(|arm| arm.extents.is_some());
        let results: Vec<(&[Argument], Span)> =
            branches.iter().map(|branch| &*branch.region.results).zip(spans).collect();
        let mut types = self.merge(cx, &results, &scope, by_extents)?;
        let variables = yield_updates(&mut branches);
        types.extend(variables.iter().map(|variable| Argument::Single(self.ty(*variable).clone())));
        let mut outputs: Vec<Argument> =
            types.iter().map(|ty| ty.map(|ty| self.add(ty.clone(), Origin::Result, span))).collect();
        let mut regions = branches.into_iter().map(|branch| branch.region);
        let arms = conditions.into_iter().zip(regions.by_ref()).collect();
        self.operations.push(Operation {
            kind: OperationKind::If { arms, otherwise: regions.next().unwrap_or_default() },
            inputs: Vec::new(),
            outputs: outputs.clone(),
            scope,
            span,
            chain: cx.chain.clone(),
            instance: None,
        });
        let updated = outputs.split_off(outputs.len() - variables.len());
        for (variable, value) in variables.into_iter().zip(updated.iter().flat_map(Argument::items)) {
            self.update_by_branch(cx, variable, *value, span)?;
        }
        Some(outputs)
    }

    /// A variable has the value that the branch gives, which is its own where it is not updated.
    fn update_by_branch(&mut self, cx: &Context<'a>, variable: TensorId, value: TensorId, span: Span) -> Option<()> {
        if self.updates.iter().any(|(known, _)| *known == variable) {
            let text = self.tensors.list[variable.0 as usize].name.as_str().into();
            self.report(cx, say::assigned_twice(&Name { text, span }));
            return None;
        }
        self.updates.push((variable, value));
        Some(())
    }

    /// Conditions, and what they lead to, the alternative last. What is wrong with a branch that extents decide on does not
    /// matter where they decide otherwise.
    fn branch_regions(
        &mut self,
        cx: &mut Context<'a>,
        arms: &[Arm<'a>],
        otherwise: &'a Body,
    ) -> Option<(Vec<Region>, Vec<Updating>)> {
        let mut regions = Vec::with_capacity(arms.len());
        // None of the conditions before holds.
        let mut exceptions = Vec::new();
        for arm in arms {
            let condition = self.excepting(&exceptions, |builder| builder.condition(cx, arm.condition));
            let holds = arm.extents.clone();
            let fails = holds.clone().and_then(|holds| SymExpr::apply(SymOp::Not, vec![holds]));
            let before = exceptions.len();
            exceptions.extend(fails);
            let then = self.excepting(&exceptions, |builder| builder.branch_region(cx, arm.then));
            exceptions.truncate(before);
            exceptions.extend(holds);
            regions.push(condition.zip(then));
        }
        let otherwise = self.excepting(&exceptions, |builder| builder.branch_region(cx, otherwise));
        let (conditions, mut branches): (_, Vec<Updating>) =
            regions.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
        branches.push(otherwise?);
        Some((conditions, branches))
    }

    /// Composes what the run needs not check where one of the conditions holds.
    pub(super) fn excepting<T>(&mut self, exceptions: &[SymExpr], compose: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.runtime_asserts.len();
        let composed = compose(self);
        for assertion in self.runtime_asserts.iter_mut().skip(mark).filter(|_| !exceptions.is_empty()) {
            let parts = exceptions.iter().chain([&assertion.condition]).cloned().collect();
            if let Some(condition) = SymExpr::apply(SymOp::Or, parts) {
                assertion.condition = condition;
            }
        }
        composed
    }

    /// A region that yields one truth value.
    pub(super) fn condition(&mut self, cx: &mut Context<'a>, body: &'a Body) -> Option<Region> {
        let span = body.span();
        let (operations, results) = self.dynamic_region(|builder| builder.body(cx, body, Label::Operator));
        let results = results?;
        let [Argument::Single(id)] = results.as_slice() else {
            self.report(cx, say::condition_count(results.len(), span));
            return None;
        };
        let ty = self.ty(*id);
        if ty.dtype != ScalarType::Bool
            || ty.shape.iter().any(|extent| extent.as_known().is_some_and(|extent| extent != 1))
        {
            let diagnostic = say::condition_type(ty, span);
            self.report(cx, diagnostic);
            return None;
        }
        Some(Region { parameters: Vec::new(), operations, results })
    }

    fn branch_region(&mut self, cx: &mut Context<'a>, body: &'a Body) -> Option<Updating> {
        let known = self.updates.len();
        self.branch_depth += 1;
        let (operations, results) = self.region(|builder| builder.body(cx, body, Label::Operator));
        self.branch_depth -= 1;
        let updates = self.updates.split_off(known);
        let results = results?;
        if results.contains(&Argument::Null) {
            self.report(cx, say::yielded_null(body.span()));
            return None;
        }
        Some(Updating { region: Region { parameters: Vec::new(), operations, results }, updates })
    }

    /// The types that hold for all branches.
    fn merge(
        &mut self,
        cx: &Context<'a>,
        branches: &[(&[Argument], Span)],
        scope: &str,
        by_extents: bool,
    ) -> Option<Vec<Argument<TensorType>>> {
        let (first, _) = *branches.first()?;
        self.check_counts(cx, branches)?;
        let mut merged = Vec::with_capacity(first.len());
        for (at, result) in first.iter().enumerate() {
            let mut number = 0;
            let ty = result.map(|_| {
                let types = branches.iter().filter_map(|(results, span)| {
                    let id = results.get(at)?.items().get(number)?;
                    Some((self.ty(*id).clone(), *span))
                });
                let types: Vec<(TensorType, Span)> = types.collect();
                let ty = self.merge_types(cx, &types, &format!("{scope}.{at}.{number}"), by_extents);
                number += 1;
                ty
            });
            merged.push(complete(ty)?);
        }
        Some(merged)
    }

    /// All branches must give as many results, of as many tensors.
    fn check_counts(&mut self, cx: &Context<'a>, branches: &[(&[Argument], Span)]) -> Option<()> {
        let (first, first_span) = *branches.first()?;
        let alike = |a: &Argument, b: &Argument| {
            matches!(a, Argument::Pack(_)) == matches!(b, Argument::Pack(_)) && a.items().len() == b.items().len()
        };
        let differing = branches
            .iter()
            .find(|(results, _)| results.len() != first.len() || !first.iter().zip(*results).all(|(a, b)| alike(a, b)));
        let Some((results, span)) = differing else { return Some(()) };
        let count = |results: &[Argument]| results.iter().map(|result| result.items().len()).sum();
        self.report(cx, say::branch_results((count(first), count(results)), (first_span, *span)));
        None
    }

    /// The branch that is taken determines extents in which they differ.
    fn merge_types(
        &mut self,
        cx: &Context<'a>,
        types: &[(TensorType, Span)],
        name: &str,
        by_extents: bool,
    ) -> Option<TensorType> {
        let ((first, first_span), others) = types.split_first()?;
        let differs = |ty: &TensorType| ty.dtype != first.dtype || ty.shape.len() != first.shape.len();
        if let Some((other, span)) = others.iter().find(|(ty, _)| differs(ty)) {
            self.report(cx, say::branch_types(first, other, (*first_span, *span)));
            return None;
        }
        let mut shape = Vec::with_capacity(first.shape.len());
        for (at, extent) in first.shape.iter().enumerate() {
            if others.iter().all(|(ty, _)| ty.shape[at].value == extent.value) {
                shape.push(extent.clone());
                continue;
            }
            let upper = |(ty, _): &(TensorType, Span)| ty.shape[at].as_known().or(ty.shape[at].bound);
            let bound = types.iter().map(upper).try_fold(0, |greatest, upper| Some(upper?.max(greatest)));
            let symbol = self.new_symbol(&format!("{name}.{at}"), bound);
            if !by_extents {
                let alternatives = types.iter().map(|(ty, _)| ty.shape[at].clone());
                self.alternatives.insert(symbol.clone(), alternatives.collect());
            }
            shape.push(Extent { value: SymExpr::Symbol(symbol), bound });
        }
        Some(TensorType { dtype: first.dtype, shape })
    }

    /// Whether a branch that may be taken gives another extent than the declared one.
    pub(super) fn has_other_alternative(&self, declared: &Extent, found: &Extent) -> bool {
        let SymExpr::Symbol(symbol) = &found.value else { return false };
        let mut alternatives = self.alternatives.get(symbol).into_iter().flatten();
        alternatives.any(|alternative| !self.may_agree(declared, alternative))
    }

    /// The types that the branches give, if a tensor comes from such, in their order; otherwise its type.
    pub(super) fn possible_types(&self, ty: &TensorType) -> Vec<TensorType> {
        let of = |extent: &Extent| match &extent.value {
            SymExpr::Symbol(symbol) => self.alternatives.get(symbol),
            _ => None,
        };
        let count = ty.shape.iter().filter_map(of).map(Vec::len).max().unwrap_or(1);
        let alternative = |at: usize| {
            let shape =
                ty.shape.iter().map(|extent| of(extent).and_then(|others| others.get(at)).unwrap_or(extent).clone());
            TensorType { dtype: ty.dtype, shape: shape.collect() }
        };
        (0..count).map(alternative).collect()
    }
}

fn complete(argument: Argument<Option<TensorType>>) -> Option<Argument<TensorType>> {
    Some(match argument {
        Argument::Null => Argument::Null,
        Argument::Single(ty) => Argument::Single(ty?),
        Argument::Pack(types) => Argument::Pack(types.into_iter().collect::<Option<_>>()?),
    })
}
