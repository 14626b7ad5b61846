//! The select operator.

use super::{Evaluator, checked_length};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::scalar;
use crate::compose::extent::{RealExpr, SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_syntax::ast::Expr;

impl Evaluator<'_> {
    pub(super) fn select(&self, condition: &Expr, then: &Expr, otherwise: Option<&Expr>, span: Span) -> Eval<Term> {
        let condition = self.eval(condition)?;
        match &condition {
            Term::Null => Ok(Term::Null),
            // A known condition leaves the other branch unevaluated: it may be meaningless.
            Term::Bool(true) => self.eval(then),
            Term::Bool(false) => otherwise.map_or(Ok(Term::Null), |otherwise| self.eval(otherwise)),
            Term::Sequence(_) => {
                let Some(otherwise) = otherwise else { return Err(say::select_needs_alternative(span).into()) };
                self.select_sequences([&condition, &self.eval(then)?, &self.eval(otherwise)?], span)
            }
            Term::Pack(_) | Term::Repeat(..) | Term::Empty(_) => self.select_items(&condition, then, otherwise, span),
            Term::Condition(_) | Term::Scalar(_) => {
                let Some(otherwise) = otherwise else { return Err(say::select_needs_alternative(span).into()) };
                let (then, otherwise) =
                    self.conditionally(|| Ok::<_, Failure>((self.eval(then)?, self.eval(otherwise)?)))?;
                self.zip((&then, &otherwise), "?:", span, &mut |a, b| choose(&condition, a, b, span))
            }
            Term::Unknown => Err(Failure::Silent),
            other => Err(say::bool_expected("the condition of `?:`", other, span).into()),
        }
    }

    /// Element-wise: what an item does not choose needs no value.
    fn select_items(&self, condition: &Term, then: &Expr, otherwise: Option<&Expr>, span: Span) -> Eval<Term> {
        let needs = |taken: bool| match condition {
            Term::Pack(items) => items.iter().any(|item| *item != Term::Bool(!taken)),
            Term::Repeat(item, 1..) => **item != Term::Bool(!taken),
            _ => true,
        };
        let branch = |wanted: bool, expr: Option<&Expr>| match expr {
            Some(expr) if wanted => self.branch(expr, needs(true) && needs(false)),
            _ => Ok(Term::Null),
        };
        let then = branch(needs(true), Some(then))?;
        let otherwise = branch(needs(false), otherwise)?;
        let length = self
            .common_length(&[condition, &then, &otherwise], &|first, other| say::select_lengths(first, other, span))?;
        if length == 0 {
            return Ok(Term::pack(Vec::new(), then.dtype().or(otherwise.dtype())));
        }
        if let Term::Repeat(item, count) = condition {
            let chosen = match **item {
                Term::Bool(true) => then,
                Term::Bool(false) => otherwise,
                _ => return Err(say::bool_expected("the condition of `?:`", item, span).into()),
            };
            return Ok(if chosen.is_pack() { chosen } else { Term::repeat(chosen, *count) });
        }
        self.collect((0..checked_length(length, span)?).map(|at| {
            let item = |pack: &Term| pack.item(at).ok_or(Failure::Silent)?.checked().cloned();
            match condition.item(at) {
                Some(Term::Bool(true)) => item(&then),
                Some(Term::Bool(false)) => item(&otherwise),
                Some(condition) => choose(condition.checked()?, &item(&then)?, &item(&otherwise)?, span),
                None => Err(Failure::Silent),
            }
        }))
    }

    /// A branch of which only some items may be chosen.
    fn branch(&self, expr: &Expr, partly: bool) -> Eval<Term> {
        let outer = self.selecting.replace(partly || self.selecting.get());
        let value = self.conditionally(|| self.eval(expr));
        self.selecting.set(outer);
        value
    }
}

/// A choice that extents make; none if the values don't depend on these.
pub(crate) fn choose_by_extents(condition: &SymExpr, a: &Term, b: &Term) -> Option<Term> {
    match condition {
        SymExpr::Const(0) => return Some(b.clone()),
        SymExpr::Const(_) => return Some(a.clone()),
        _ => {}
    }
    let choice = |a: SymExpr, b: SymExpr| SymExpr::apply(SymOp::Select, vec![condition.clone(), a, b]);
    if let (Some(a), Some(b)) = (a.as_extent(), b.as_extent()) {
        return choice(a, b).map(Term::extent);
    }
    if let (Some(a), Some(b)) = (a.as_real(), b.as_real()) {
        return Some(Term::real(RealExpr::select(condition.clone(), a, b)));
    }
    choice(a.as_condition()?, b.as_condition()?).map(Term::condition)
}

/// A choice that the run makes.
pub(super) fn choose(condition: &Term, a: &Term, b: &Term, span: Span) -> Eval<Term> {
    if *a == Term::Null || *b == Term::Null {
        return Ok(Term::Null);
    }
    if let Term::Condition(condition) = condition
        && let Some(chosen) = choose_by_extents(condition, a, b)
    {
        return Ok(chosen);
    }
    let parts = (scalar::of(condition), scalar::of(a), scalar::of(b));
    let (Some(condition), Some(then), Some(otherwise)) = parts else {
        return Err(say::branches_differ(a, b, span).into());
    };
    match scalar::select(condition, then, otherwise) {
        Some(expr) => Ok(Term::from(expr)),
        None => Err(say::branches_differ(a, b, span).into()),
    }
}
