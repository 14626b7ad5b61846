//! Folds and cumulative folds over packs.

use super::{Evaluator, checked_length};
use crate::arithmetic;
use crate::compose::diagnostics as say;
use crate::compose::extent::{SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, Expr, FoldOp};

impl Evaluator<'_> {
    pub(super) fn fold(&self, pack: &Expr, op: FoldOp, cumulative: bool, span: Span) -> Eval<Term> {
        let pack = self.look(pack)?;
        if *pack == Term::Null {
            return Ok(Term::Null);
        }
        if !pack.is_pack() {
            return Err(say::pack_expected("a fold", &pack, span).into());
        }
        match op {
            FoldOp::Uniform => Ok(uniform(&pack)),
            FoldOp::Binary(op) if matches!(*pack, Term::Sequence(_)) => self.fold_sequence(op, &pack, cumulative, span),
            FoldOp::Binary(op) if cumulative => self.accumulate(op, &pack, span),
            FoldOp::Binary(op) => match op {
                op if arithmetic::is_comparison(op) => self.compare_items(op, &pack, span),
                op => self.reduce(op, &pack, span),
            },
        }
    }

    fn fold_sequence(&self, op: BinaryOp, pack: &Term, cumulative: bool, span: Span) -> Eval<Term> {
        let Term::Sequence(sequence) = pack else { return Err(Failure::Silent) };
        let folded = match op {
            _ if cumulative => {
                empty(op, None, span)?;
                sequence.cumulative(op).map(|steps| Term::Sequence(Box::new(steps)))
            }
            op if arithmetic::is_comparison(op) => sequence.compare(op),
            op => {
                empty(op, None, span)?;
                sequence.fold(op)
            }
        };
        folded.ok_or_else(|| say::open_fold(op, pack, span).into())
    }

    fn reduce(&self, op: BinaryOp, pack: &Term, span: Span) -> Eval<Term> {
        if let Term::Repeat(item, count) = pack {
            return self.reduce_uniform(op, item, *count, span);
        }
        let mut items = (0..checked_length(pack.length().unwrap_or(0), span)?).filter_map(|at| pack.item(at));
        let Some(first) = items.next() else { return empty(op, pack.dtype(), span) };
        let first = first.checked()?.clone();
        items.try_fold(first, |value, item| self.binary(op, &value, item, span))
    }

    fn reduce_uniform(&self, op: BinaryOp, item: &Term, count: u64, span: Span) -> Eval<Term> {
        let count_term =
            || -> Eval<Term> { i64::try_from(count).map(Term::Int).map_err(|_| say::integer_overflow(span).into()) };
        match (op, item) {
            _ if count == 0 => empty(op, item.dtype(), span),
            (BinaryOp::Add, Term::Real(value)) => Ok(Term::Real(value * count as f64)),
            (BinaryOp::Mul, Term::Real(value)) => Ok(Term::Real(value.powf(count as f64))),
            (BinaryOp::Add, item) => self.binary(BinaryOp::Mul, item, &count_term()?, span),
            (BinaryOp::Mul, item) => self.binary(BinaryOp::Pow, item, &count_term()?, span),
            (op, item) => self.binary(op, item, item, span),
        }
    }

    fn accumulate(&self, op: BinaryOp, pack: &Term, span: Span) -> Eval<Term> {
        empty(op, None, span)?;
        if pack.length() == Some(0) {
            return Ok(pack.clone());
        }
        let mut steps: Vec<Term> = Vec::new();
        for at in 0..checked_length(pack.length().unwrap_or(0), span)? {
            let Some(item) = pack.item(at) else { break };
            let step = match steps.last() {
                Some(value) => self.binary(op, value, item, span)?,
                None => item.clone(),
            };
            steps.push(step);
        }
        Ok(Term::Pack(steps))
    }

    /// Consecutive items, and all pairs for `!=`.
    fn compare_items(&self, op: BinaryOp, pack: &Term, span: Span) -> Eval<Term> {
        let length = match pack {
            // Two items of a uniform pack stand for all of them.
            Term::Repeat(_, count) => (*count).min(2) as usize,
            pack => checked_length(pack.length().unwrap_or(0), span)?,
        };
        if let (BinaryOp::Ne, Term::Pack(items)) = (op, pack) {
            if let Some(unique) = Self::unique(items) {
                return Ok(Term::Bool(unique));
            }
            self.check_comparisons((length as u64).saturating_mul(length as u64), span)?;
        }
        let mut all = Term::Bool(true);
        for at in 1..length {
            let before = if op == BinaryOp::Ne { 0..at } else { at - 1..at };
            for earlier in before {
                let (Some(a), Some(b)) = (pack.item(earlier), pack.item(at)) else { continue };
                let holds = self.binary(op, a, b, span)?;
                all = self.binary(BinaryOp::And, &all, &holds, span)?;
                if all == Term::Bool(false) {
                    return Ok(all);
                }
            }
        }
        Ok(all)
    }
}

/// The fold of an empty pack (section 2.4, folding).
fn empty(op: BinaryOp, dtype: Option<ScalarType>, span: Span) -> Eval<Term> {
    // Items without a type are integers, or truth values where the operator wants these.
    let mut types = dtype.into_iter().chain([ScalarType::Int, ScalarType::Bool]);
    match types.find_map(|dtype| arithmetic::of_nothing(op, dtype)) {
        Some(value) => Ok(Term::from_value(&value.into())),
        None if matches!(op, BinaryOp::Min | BinaryOp::Max) => Ok(Term::Null),
        None => Err(say::no_such_fold(op, span).into()),
    }
}

/// The value of all items, if they have one.
fn uniform(pack: &Term) -> Term {
    match pack {
        Term::Repeat(item, _) => (**item).clone(),
        Term::Sequence(sequence) if sequence.is_uniform() => sequence.item.clone(),
        Term::Pack(items) => match items.split_first() {
            Some((first, rest)) if rest.iter().all(|item| item == first) => first.clone(),
            _ => Term::Null,
        },
        _ => Term::Null,
    }
}

/// All of a condition's items, as one condition of extents; null if they are not truth values.
pub(crate) fn conjunction(condition: &Term) -> Option<SymExpr> {
    match condition {
        Term::Pack(items) => items
            .iter()
            .try_fold(SymExpr::Const(1), |all, item| SymExpr::apply(SymOp::And, vec![all, item.as_condition()?])),
        Term::Repeat(_, 0) | Term::Empty(_) => Some(SymExpr::Const(1)),
        Term::Repeat(item, _) => item.as_condition(),
        Term::Sequence(sequence) => sequence.fold(BinaryOp::And)?.as_condition(),
        single => single.as_condition(),
    }
}
