//! Branches (section 2.10.1): those with conditions that are known are resolved, the others become regions.

use super::{Builder, Context, Label};
use crate::compose::diagnostics as say;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::{Argument, Operation, OperationKind, Origin, Region, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::syntax::ast::{Body, Branch, Span};

impl<'a> Builder<'_, 'a> {
    pub(super) fn branch(&mut self, cx: &mut Context<'a>, branch: &'a Branch, label: Label) -> Option<Vec<Argument>> {
        let mut arms = Vec::new();
        let mut otherwise = &branch.otherwise;
        for (condition, then) in &branch.arms {
            match self.known_condition(cx, condition)? {
                Some(false) => {}
                Some(true) => {
                    otherwise = then;
                    break;
                }
                None => arms.push((condition, then)),
            }
        }
        if arms.is_empty() {
            return self.body(cx, otherwise, label);
        }
        self.dynamic_branch(cx, &arms, otherwise, branch.span)
    }

    /// The value of a condition that is known; the outer option is none after an error.
    fn known_condition(&mut self, cx: &Context<'a>, condition: &'a Body) -> Option<Option<bool>> {
        let Body::Expr(expr) = condition else { return Some(None) };
        let term = self.eval(cx, expr);
        match self.check(cx, term)? {
            Term::Bool(known) => Some(Some(known)),
            Term::Tensor(_) => Some(None),
            // An extent of the run decides like a tensor, unless its bounds do.
            Term::Condition(condition) => {
                let bounds = self.session.bounds.borrow();
                Some(condition.truth(&|symbol| bounds.get(symbol).copied()))
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
        arms: &[(&'a Body, &'a Body)],
        otherwise: &'a Body,
        span: Span,
    ) -> Option<Vec<Argument>> {
        let mut regions = Vec::with_capacity(arms.len());
        for (condition, then) in arms {
            let condition = self.condition(cx, condition);
            let then = self.branch_region(cx, then);
            regions.push(condition.zip(then));
        }
        let spans: Vec<Span> = arms.iter().map(|(_, then)| then.span()).chain([otherwise.span()]).collect();
        let otherwise = self.branch_region(cx, otherwise);
        let regions: Vec<(Region, Region)> = regions.into_iter().collect::<Option<_>>()?;
        let otherwise = otherwise?;
        let label = self.numbered(&cx.scope, "if");
        let mut branches = regions.iter().map(|(_, then)| then).chain([&otherwise]);
        let mut types = branches.next().map_or_else(Vec::new, |first| self.types_of(&first.results));
        for (branch, span) in branches.zip(&spans[1..]) {
            types = self.merge(cx, types, &branch.results, &label, (spans[0], *span))?;
        }
        let outputs: Vec<Argument> =
            types.iter().map(|ty| ty.map(|ty| self.add(ty.clone(), Origin::Result, span))).collect();
        self.operations.push(Operation {
            kind: OperationKind::If { arms: regions, otherwise },
            inputs: Vec::new(),
            outputs: outputs.clone(),
            scope: super::nested(&cx.scope, &label),
            span,
            chain: cx.chain.clone(),
            composed: None,
        });
        Some(outputs)
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

    fn branch_region(&mut self, cx: &mut Context<'a>, body: &'a Body) -> Option<Region> {
        let (operations, results) = self.dynamic_region(|builder| builder.body(cx, body, Label::Operator));
        let results = results?;
        if results.contains(&Argument::Null) {
            self.report(cx, say::yielded_null(body.span()));
            return None;
        }
        Some(Region { parameters: Vec::new(), operations, results })
    }

    fn types_of(&self, results: &[Argument]) -> Vec<Argument<TensorType>> {
        results.iter().map(|result| result.map(|id| self.ty(*id).clone())).collect()
    }

    /// The types that hold for both branches.
    fn merge(
        &mut self,
        cx: &Context<'a>,
        types: Vec<Argument<TensorType>>,
        results: &[Argument],
        label: &str,
        spans: (Span, Span),
    ) -> Option<Vec<Argument<TensorType>>> {
        let counts = |a: &Argument<TensorType>, b: &Argument| {
            matches!(a, Argument::Pack(_)) == matches!(b, Argument::Pack(_)) && a.items().len() == b.items().len()
        };
        if types.len() != results.len() || !types.iter().zip(results).all(|(a, b)| counts(a, b)) {
            let tensors = (types.iter().map(|t| t.items().len()).sum(), results.iter().map(|r| r.items().len()).sum());
            self.report(cx, say::branch_results(tensors, spans));
            return None;
        }
        let mut merged = Vec::with_capacity(types.len());
        for (at, (types, results)) in types.into_iter().zip(results).enumerate() {
            let mut items = Vec::with_capacity(results.items().len());
            for (number, (a, id)) in types.items().iter().zip(results.items()).enumerate() {
                let b = self.ty(*id).clone();
                let name = format!("{}.{at}.{number}", super::nested(&cx.scope, label));
                items.push(self.merge_type(cx, a, &b, &name, spans)?);
            }
            let mut items = items.into_iter();
            merged.push(match types {
                Argument::Single(_) => items.next().map_or(Argument::Null, Argument::Single),
                _ => Argument::Pack(items.collect()),
            });
        }
        Some(merged)
    }

    fn merge_type(
        &mut self,
        cx: &Context<'a>,
        a: &TensorType,
        b: &TensorType,
        name: &str,
        spans: (Span, Span),
    ) -> Option<TensorType> {
        if a.dtype != b.dtype || a.shape.len() != b.shape.len() {
            self.report(cx, say::branch_types(a, b, spans));
            return None;
        }
        let shape = a.shape.iter().zip(&b.shape).enumerate().map(|(at, (a, b))| {
            if a.value == b.value {
                return a.clone();
            }
            // The branch that is taken determines the extent.
            let upper = |extent: &Extent| extent.as_known().or(extent.bound);
            let bound = upper(a).zip(upper(b)).map(|(a, b)| a.max(b));
            Extent { value: SymExpr::Symbol(self.new_symbol(&format!("{name}.{at}"), bound)), bound }
        });
        Some(TensorType { dtype: a.dtype, shape: shape.collect() })
    }
}
