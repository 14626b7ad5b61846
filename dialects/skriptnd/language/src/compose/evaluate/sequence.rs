//! Packs whose length only the run knows, where they are made and combined.

mod algebra;

use super::Evaluator;
use super::index::extent_item;
use super::select::choose;
use crate::compose::diagnostics as say;
use crate::compose::extent::{SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::limits;
use crate::compose::term::Sequence;
use crate::compose::term::Term;
use algebra::{less, position};
use skriptnd_source::Span;

/// `begin:end:stride`; what is left out is none.
pub(super) type Range = (Option<SymExpr>, Option<SymExpr>, i64);

impl Evaluator<'_> {
    /// A pack of so many items. Formulas are made when the extents are known, so they have no packs of this kind.
    pub(super) fn sequence(&self, item: Term, length: SymExpr, span: Span) -> Eval<Term> {
        if matches!(item, Term::Null | Term::Unknown) {
            return Ok(item);
        }
        let sequence = Sequence { length, item };
        let Some(known) = sequence.length.as_known() else {
            let possible = self.formula.is_none() && !matches!(sequence.item, Term::Tensor(_));
            return match possible {
                true => Ok(Term::Sequence(Box::new(sequence))),
                false => Err(say::known_int_expected(&Term::Symbolic(sequence.length), span).into()),
            };
        };
        let count = known.max(0).unsigned_abs();
        if sequence.is_uniform() {
            return Ok(Term::repeat(sequence.item, count));
        }
        if count > limits::PACK_LENGTH {
            return Err(say::pack_too_long(count, span).into());
        }
        let items = (0..known).map(|at| sequence.at(&SymExpr::Const(at)).ok_or_else(|| overflow(span)));
        Ok(Term::pack(items.collect::<Eval<_>>()?, sequence.item.dtype()))
    }

    /// `begin:end:stride` where an end depends on extents.
    pub(super) fn open_range(&self, begin: &SymExpr, end: &SymExpr, stride: i64, span: Span) -> Eval<Term> {
        let length = steps(begin, end, stride).ok_or_else(|| overflow(span))?;
        let item = position().scaled(stride).and_then(|offset| begin.plus(&offset)).ok_or_else(|| overflow(span))?;
        self.sequence(Term::extent(item), length, span)
    }

    /// The part of a pack that a range whose ends depend on extents leaves.
    pub(super) fn open_part(&self, pack: &Term, (begin, end, stride): Range, span: Span) -> Eval<Term> {
        let length = pack.extent_length().ok_or(Failure::Silent)?;
        let (begin, end) = clamped(&length, begin, end, stride).ok_or_else(|| overflow(span))?;
        let count = steps(&begin, &end, stride).ok_or_else(|| overflow(span))?;
        let at = position().scaled(stride).and_then(|offset| begin.plus(&offset)).ok_or_else(|| overflow(span))?;
        self.sequence(item_at(pack, &at, span)?, count, span)
    }

    /// Applies a function to packs item by item, of which one has a dynamic length at least.
    pub(super) fn zip_sequences(
        &self,
        packs: &[&Term],
        span: Span,
        f: &mut dyn FnMut(&[Term]) -> Eval<Term>,
    ) -> Eval<Term> {
        let length = equal_lengths(packs, span)?;
        let items = packs.iter().map(|pack| item_at(pack, &position(), span)).collect::<Eval<Vec<_>>>()?;
        self.sequence(f(&items)?, length, span)
    }

    /// A choice item by item.
    pub(super) fn select_sequences(&self, packs: [&Term; 3], span: Span) -> Eval<Term> {
        self.zip_sequences(&packs, span, &mut |items| match &items[0] {
            Term::Bool(true) => Ok(items[1].clone()),
            Term::Bool(false) => Ok(items[2].clone()),
            condition => choose(condition, &items[1], &items[2], span),
        })
    }

    /// The items of several packs and single values behind one another.
    pub(super) fn join(&self, parts: &[Term], span: Span) -> Eval<Term> {
        let mut length = SymExpr::Const(0);
        let mut joined: Option<Term> = None;
        for part in parts {
            let own = part.extent_length().unwrap_or(SymExpr::Const(1));
            let end = length.plus(&own).ok_or_else(|| overflow(span))?;
            if own != SymExpr::Const(0) {
                let at = position().minus(&length).ok_or_else(|| overflow(span))?;
                let item = item_at(part, &at, span)?;
                joined = Some(match joined {
                    None => item,
                    Some(before) => {
                        let first = less(&position(), &length).ok_or_else(|| overflow(span))?;
                        if item == before { item } else { choose(&Term::condition(first), &before, &item, span)? }
                    }
                });
            }
            length = end;
        }
        self.sequence(joined.ok_or(Failure::Silent)?, length, span)
    }

    /// Items of several packs in turn.
    pub(super) fn interleave_sequences(&self, packs: &[&Term], span: Span) -> Eval<Term> {
        let count = packs.len() as i64;
        let length = equal_lengths(packs, span)?;
        let divided = |op| SymExpr::apply(op, vec![position(), SymExpr::Const(count)]).ok_or_else(|| overflow(span));
        let (at, number) = (divided(SymOp::FloorDiv)?, divided(SymOp::Mod)?);
        let items = packs.iter().map(|pack| item_at(pack, &at, span)).collect::<Eval<Vec<_>>>()?;
        let turn = extent_item(&Term::Pack(items), &number, packs.len() as u64, span)?;
        self.sequence(turn, length.scaled(count).ok_or_else(|| overflow(span))?, span)
    }
}

/// What a pack, or what is none, holds at a position.
fn item_at(pack: &Term, at: &SymExpr, span: Span) -> Eval<Term> {
    match pack {
        Term::Sequence(sequence) => sequence.at(at).ok_or_else(|| overflow(span)),
        Term::Pack(items) if !items.is_empty() => extent_item(pack, at, items.len() as u64, span),
        pack => Ok(pack.uniform_item().ok_or(Failure::Silent)?.clone()),
    }
}

/// The one length of the packs among the terms.
fn equal_lengths(packs: &[&Term], span: Span) -> Eval<SymExpr> {
    let mut lengths = packs.iter().filter_map(|pack| pack.extent_length());
    let first = lengths.next().ok_or(Failure::Silent)?;
    match lengths.find(|length| length.minus(&first) != Some(SymExpr::Const(0))) {
        Some(other) => Err(say::open_lengths(&first, &other, span).into()),
        None => Ok(first),
    }
}

/// How many steps lead from `begin` to before `end`.
fn steps(begin: &SymExpr, end: &SymExpr, stride: i64) -> Option<SymExpr> {
    let distance = end.minus(begin)?.scaled(stride.signum())?;
    let count = SymExpr::apply(SymOp::CeilDiv, vec![distance, SymExpr::Const(stride.checked_abs()?)])?;
    SymExpr::apply(SymOp::Max, vec![count, SymExpr::Const(0)])
}

/// The ends of a range within a pack, counted from its first item.
fn clamped(length: &SymExpr, begin: Option<SymExpr>, end: Option<SymExpr>, stride: i64) -> Option<(SymExpr, SymExpr)> {
    let constant = SymExpr::Const;
    let last = length.minus(&constant(1))?;
    // Stepping down, the position before the first one can only be meant by leaving the end out.
    let (lowest, highest) = if stride > 0 { (constant(0), length.clone()) } else { (constant(-1), last.clone()) };
    let within = |at: SymExpr| {
        let negative = less(&at, &constant(0))?;
        let at = SymExpr::apply(SymOp::Select, vec![negative, at.plus(length)?, at])?;
        let at = SymExpr::apply(SymOp::Min, vec![at, highest.clone()])?;
        SymExpr::apply(SymOp::Max, vec![at, lowest.clone()])
    };
    let ends = if stride > 0 { (constant(0), length.clone()) } else { (last, constant(-1)) };
    Some((begin.map_or(Some(ends.0), within)?, end.map_or(Some(ends.1), within)?))
}

fn overflow(span: Span) -> Failure {
    say::integer_overflow(span).into()
}
