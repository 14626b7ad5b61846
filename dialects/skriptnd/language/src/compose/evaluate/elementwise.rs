//! What applies to each item of packs, and to all that is no pack alike (section 2.4, unary and binary operators).

use super::Evaluator;
use crate::compose::diagnostics as say;
use crate::compose::failure::{Eval, Failure};
use crate::compose::limits;
use crate::compose::term::Sequence;
use crate::compose::term::Term;
use skriptnd_source::Span;

impl Evaluator<'_> {
    /// Applies a function to a value or to each item of a pack; null stays null.
    pub(crate) fn map(&self, term: Term, f: &mut dyn FnMut(&Term) -> Eval<Term>) -> Eval<Term> {
        match term {
            Term::Null => Ok(Term::Null),
            Term::Unknown => Err(Failure::Silent),
            Term::Pack(items) => self.collect(items.iter().map(|item| item.checked().and_then(&mut *f))),
            Term::Sequence(sequence) => {
                let item = f(&sequence.item)?;
                Ok(match item {
                    Term::Null => Term::Null,
                    item => Term::Sequence(Box::new(Sequence { length: sequence.length, item })),
                })
            }
            Term::Repeat(item, 0) => Ok(f(&item).map_or(Term::Pack(Vec::new()), |value| Term::repeat(value, 0))),
            Term::Repeat(item, count) => Ok(Term::repeat(f(&item)?, count)),
            Term::Empty(dtype) => {
                Ok(Term::Empty(f(&Term::default(dtype)).ok().and_then(|v| v.dtype()).unwrap_or(dtype)))
            }
            single => f(single.checked()?),
        }
    }

    /// Applies a function to the operands of `operator`, element by element where one or both are packs.
    pub(crate) fn zip(
        &self,
        (a, b): (&Term, &Term),
        operator: &str,
        span: Span,
        f: &mut dyn FnMut(&Term, &Term) -> Eval<Term>,
    ) -> Eval<Term> {
        match (a, b) {
            (Term::Null, _) | (_, Term::Null) => Ok(Term::Null),
            (Term::Unknown, _) | (_, Term::Unknown) => Err(Failure::Silent),
            (a, b) if !a.is_pack() && !b.is_pack() => f(a.checked()?, b.checked()?),
            (Term::Sequence(_), _) | (_, Term::Sequence(_)) => {
                self.zip_sequences(&[a, b], span, &mut |items| f(&items[0], &items[1]))
            }
            (a, b) => {
                let length = self.common_length(&[a, b], &|first, other| {
                    say::operand_lengths(operator, (a, first), (b, other), span)
                })?;
                if let (Some(a), Some(b)) = (a.uniform_item(), b.uniform_item()) {
                    let value = f(a.checked()?, b.checked()?);
                    return if length == 0 { Ok(without_items(value, a)) } else { Ok(Term::repeat(value?, length)) };
                }
                if length == 0 {
                    return Ok(self.zip_empty(a, b, f));
                }
                self.collect((0..checked_length(length, span)?).map(|at| match (a.item(at), b.item(at)) {
                    (Some(a), Some(b)) => f(a.checked()?, b.checked()?),
                    _ => Err(Failure::Silent),
                }))
            }
        }
    }

    /// No items: of which type, the function tells by what it gives for others.
    fn zip_empty(&self, a: &Term, b: &Term, f: &mut dyn FnMut(&Term, &Term) -> Eval<Term>) -> Term {
        let Some(dtype) = a.dtype().or(b.dtype()) else { return Term::Pack(Vec::new()) };
        let sample = |term: &Term| Term::default(term.dtype().unwrap_or(dtype));
        Term::Empty(f(&sample(a), &sample(b)).ok().and_then(|value| value.dtype()).unwrap_or(dtype))
    }

    /// The one length of the packs among the terms.
    pub(crate) fn common_length(
        &self,
        terms: &[&Term],
        differ: &dyn Fn(u64, u64) -> skriptnd_source::diagnostics::Diagnostic,
    ) -> Eval<u64> {
        let mut lengths = terms.iter().filter_map(|term| term.length());
        let first = lengths.next().unwrap_or(1);
        match lengths.find(|length| *length != first) {
            None => Ok(first),
            Some(other) => Err(differ(first, other).into()),
        }
    }

    /// A pack of what the iterator gives; null if one of the items is null. Where a select operator will choose among
    /// the items, one that has no value is no error yet.
    pub(crate) fn collect(&self, items: impl Iterator<Item = Eval<Term>>) -> Eval<Term> {
        let mut pack = Vec::with_capacity(items.size_hint().0);
        for item in items {
            match item {
                Ok(Term::Null) => return Ok(Term::Null),
                Ok(item) => pack.push(item),
                Err(Failure::Report(diagnostic)) if self.selecting.get() => pack.push(Term::Fault(diagnostic.into())),
                Err(failure) => return Err(failure),
            }
        }
        Ok(Term::Pack(pack))
    }
}

/// An empty pack whose items would be like the value.
fn without_items(value: Eval<Term>, like: &Term) -> Term {
    match (value, like.dtype()) {
        (Ok(value), _) => Term::repeat(value, 0),
        (Err(_), Some(dtype)) => Term::Empty(dtype),
        (Err(_), None) => Term::Pack(Vec::new()),
    }
}

/// A length that is about to be written out.
pub(crate) fn checked_length(length: u64, span: Span) -> Eval<usize> {
    if length > limits::PACK_LENGTH {
        return Err(say::pack_too_long(length, span).into());
    }
    usize::try_from(length).map_err(|_| Failure::Silent)
}
