//! `in`, and what else compares all items of packs with one another: in linear time where the values are known.

use super::Evaluator;
use crate::compose::diagnostics as say;
use crate::compose::failure::Eval;
use crate::compose::limits;
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, Expr};
use std::collections::HashSet;
use std::sync::Arc;

/// A known value that can be looked up. Equal values have equal keys; what is not a number has none.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Key {
    Int(i64),
    Real(u64),
    Bool(bool),
    Str(Arc<str>),
}

impl Key {
    fn of(term: &Term) -> Option<Key> {
        Some(match term {
            Term::Int(value) => Key::Int(*value),
            // Adding zero makes one of both zeros.
            Term::Real(value) if !value.is_nan() => Key::Real((value + 0.0).to_bits()),
            Term::Bool(value) => Key::Bool(*value),
            Term::Str(value) => Key::Str(value.clone()),
            _ => return None,
        })
    }
}

impl Evaluator<'_> {
    pub(super) fn contained(&self, item: &Expr, pack: &Expr, span: Span) -> Eval<Term> {
        let (item, pack) = (self.eval(item)?, self.eval(pack)?);
        if item == Term::Null || pack == Term::Null {
            return Ok(Term::Null);
        }
        let candidates = match &pack {
            Term::Pack(items) => items.as_slice(),
            Term::Repeat(item, count) if *count > 0 => std::slice::from_ref(&**item),
            Term::Repeat(..) | Term::Empty(_) => &[],
            Term::Sequence(sequence) => {
                return self.map(item, &mut |item| {
                    sequence.contains(item).ok_or_else(|| say::open_fold(BinaryOp::Or, &pack, span).into())
                });
            }
            other => return Err(say::pack_expected("`in`", other, span).into()),
        };
        let known: Option<HashSet<Key>> = candidates.iter().map(Key::of).collect();
        if known.is_none() {
            self.check_comparisons(item.length().unwrap_or(1).saturating_mul(candidates.len() as u64), span)?;
        }
        self.map(item, &mut |item| match (&known, Key::of(item)) {
            (Some(known), Some(key)) if item.dtype() == pack.dtype() => Ok(Term::Bool(known.contains(&key))),
            _ => candidates.iter().try_fold(Term::Bool(false), |found, candidate| {
                let equal = self.binary(BinaryOp::Eq, item, candidate, span)?;
                self.binary(BinaryOp::Or, &found, &equal, span)
            }),
        })
    }

    /// Whether known values are unique; none if one of them is not known.
    pub(super) fn unique(items: &[Term]) -> Option<bool> {
        let mut seen = HashSet::with_capacity(items.len());
        let mut unique = true;
        for item in items {
            unique &= seen.insert(Key::of(item)?);
        }
        Some(unique)
    }

    /// Comparing every value with every other one must come to an end.
    pub(super) fn check_comparisons(&self, count: u64, span: Span) -> Eval<()> {
        if count > limits::COMPARISONS { Err(say::too_many_comparisons(count, span).into()) } else { Ok(()) }
    }
}
