//! Indexing of packs and strings, substitution, and the way from a subscript to a tensor access.

use super::{Evaluator, checked_length, tensors_of};
use crate::compose::diagnostics as say;
use crate::compose::extent::{RealExpr, SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::term::Sequence;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Expr, ExprKind, Item};
use std::ops::Range;

/// From how many items an extent of the run chooses at most.
const CHOSEN_ITEMS: u64 = 64;

/// What stands for an item that is not there.
pub(crate) fn undefined(dtype: ScalarType) -> Option<Term> {
    Some(match dtype {
        ScalarType::Int => Term::Symbolic(SymExpr::undefined()),
        ScalarType::Real => Term::SymbolicReal(RealExpr::Int(SymExpr::undefined())),
        ScalarType::Bool => Term::Condition(SymExpr::undefined()),
        ScalarType::Str => return None,
    })
}

/// The item at a position that only the run knows: a choice among all of them. Beyond the pack there is no value.
pub(super) fn extent_item(pack: &Term, at: &SymExpr, length: u64, span: Span) -> Eval<Term> {
    let is = |position: i64| SymExpr::apply(SymOp::Eq, vec![at.clone(), SymExpr::Const(position)]);
    let beyond = pack.dtype().filter(|_| length <= CHOSEN_ITEMS).and_then(undefined);
    let beyond = beyond.ok_or_else(|| say::known_int_expected(&Term::Symbolic(at.clone()), span))?;
    (0..length as i64).rev().try_fold(beyond, |chosen, position| {
        let here = is(position).zip(is(position - length as i64));
        let here = here.and_then(|(first, last)| SymExpr::apply(SymOp::Or, vec![first, last]));
        let condition = Term::condition(here.ok_or(Failure::Silent)?);
        match condition {
            Term::Bool(false) => Ok(chosen),
            condition => {
                let item = pack.item(position as usize).ok_or(Failure::Silent)?;
                super::select::choose(&condition, item, &chosen, span)
            }
        }
    })
}

impl Evaluator<'_> {
    pub(super) fn subscript(&self, base: &Expr, items: &[Item], trailing_comma: bool, span: Span) -> Eval<Term> {
        if let Some(chosen) = self.chosen_access(base, items, span)? {
            return Ok(chosen);
        }
        let term = self.look(base)?;
        match &*term {
            Term::Null => return Ok(Term::Null),
            Term::Tensor(id) => return self.access(*id, items, span),
            Term::Pack(tensors)
                if matches!(tensors.first(), Some(Term::Tensor(_))) && (trailing_comma || !Self::is_single(items)) =>
            {
                return self.collect(tensors.iter().map(|tensor| match tensor {
                    Term::Tensor(id) => match self.access(*id, items, span)? {
                        pack if pack.is_pack() => Err(say::nested_access(span).into()),
                        element => Ok(element),
                    },
                    _ => Err(Failure::Silent),
                }));
            }
            // As many elements as there are tensors.
            empty if empty.length() == Some(0) && (trailing_comma || !Self::is_single(items)) => {
                return Ok(Term::pack(Vec::new(), self.element_type(base)));
            }
            _ => {}
        }
        match items {
            [item] => self.index(base, &term, item, span),
            _ => Err(say::one_index_expected(&term, span).into()),
        }
    }

    /// The type of the elements of a pack of tensors, or of the pack that it is a part of.
    fn element_type(&self, base: &Expr) -> Option<ScalarType> {
        match &base.kind {
            ExprKind::Name(name) => match self.env.get(name)? {
                Term::Pack(tensors) => match tensors.first()? {
                    Term::Tensor(id) => self.tensors.tensor_type(*id).map(|ty| ty.dtype),
                    item => item.dtype(),
                },
                pack => pack.dtype(),
            },
            ExprKind::Subscript { base, .. } | ExprKind::Paren(base) => self.element_type(base),
            _ => None,
        }
    }

    fn index(&self, base: &Expr, term: &Term, item: &Item, span: Span) -> Eval<Term> {
        if let Term::Str(text) = term {
            return self.substring(text, item, span);
        }
        if let Item::Range(begin, end, stride, range) = item {
            let parts = [begin.as_ref(), end.as_ref(), stride.as_ref()];
            if let Some(part) = self.open_tensors(term, parts, *range)? {
                return Ok(part);
            }
            if let Some(part) = self.open_slice(term, parts, *range)? {
                return Ok(part);
            }
        }
        if let Term::Sequence(sequence) = term {
            return self.sequence_item(sequence, item, span);
        }
        let Some(length) = term.length() else { return Err(say::not_indexable(term, span).into()) };
        let whole = Whole { what: "pack", length };
        let Item::Value(expr) = item else { return pick(term, self.positions(item, &whole, span)?) };
        let index = self.eval(expr)?;
        match &index {
            Term::Scalar(index) => self.runtime_item(base, term, index, span),
            Term::Symbolic(at) if (1..=CHOSEN_ITEMS).contains(&length) => extent_item(term, at, length, span),
            Term::Sequence(_) if length > 0 => self.map(index, &mut |at| match at.as_extent() {
                Some(at) => extent_item(term, &at, length, span),
                None => Err(say::known_int_expected(at, span).into()),
            }),
            pack if pack.is_pack() && self.selecting.get() && pack.dtype() != Some(ScalarType::Bool) => {
                self.map(index, &mut |at| pick(term, self.positions_of(at, &whole, expr.span)?))
            }
            index => pick(term, self.positions_of(index, &whole, expr.span)?),
        }
    }

    /// A part of a pack of tensors of which only a run knows how many there are: from a known one on. None if it is no such pack.
    fn open_tensors(&self, pack: &Term, [begin, end, stride]: [Option<&Expr>; 3], span: Span) -> Eval<Option<Term>> {
        let Term::Pack(items) = pack else { return Ok(None) };
        let Some(length) = self.tensors.open_length(&tensors_of(items)) else { return Ok(None) };
        let mut parts = [None, None, None];
        for (value, part) in parts.iter_mut().zip([begin, end, stride]) {
            match part.map(|part| self.extent(part)).transpose()? {
                Some(None) => return Ok(Some(Term::Null)),
                extent => *value = extent.flatten(),
            }
        }
        let part = match parts.map(|part| part.map(|part| part.as_known())) {
            [begin, end, None | Some(Some(1))] => open_part(&length, items.len(), begin, end),
            _ => None,
        };
        let (range, own) = part.ok_or_else(|| say::open_tensors(&length, span))?;
        let items = items[range].to_vec();
        if !items.is_empty() && !self.tensors.note_part(&tensors_of(&items), &own) {
            return Err(say::open_tensors(&length, span).into());
        }
        Ok(Some(Term::pack(items, pack.dtype())))
    }

    /// A part of a pack whose ends depend on extents; none if they are known.
    fn open_slice(&self, pack: &Term, parts: [Option<&Expr>; 3], span: Span) -> Eval<Option<Term>> {
        if !pack.is_pack() {
            return Ok(None);
        }
        let [begin, end, stride] = parts;
        let (mut ends, mut open) = ([None, None], matches!(pack, Term::Sequence(_)));
        for (value, part) in ends.iter_mut().zip([begin, end]) {
            if let Some(part) = part {
                match self.extent(part)? {
                    None => return Ok(Some(Term::Null)),
                    extent => *value = extent,
                }
                open |= value.as_ref().is_some_and(|value| value.as_known().is_none());
            }
        }
        if !open {
            return Ok(None);
        }
        let stride = match stride.map(|stride| self.int(stride)).transpose()? {
            Some(None) => return Ok(Some(Term::Null)),
            Some(Some(0)) => return Err(say::zero_stride(span).into()),
            stride => stride.flatten().unwrap_or(1),
        };
        let [begin, end] = ends;
        self.open_part(pack, (begin, end, stride), span).map(Some)
    }

    /// Items of a pack of dynamic length.
    fn sequence_item(&self, sequence: &Sequence, item: &Item, span: Span) -> Eval<Term> {
        let Item::Value(expr) = item else { return Err(say::one_index_expected(&Term::Null, span).into()) };
        let index = self.eval(expr)?;
        self.map(index, &mut |at| {
            let Some(at) = at.as_extent() else { return Err(say::known_int_expected(at, expr.span).into()) };
            let item = sequence.checked_at(&at);
            item.ok_or_else(|| say::index_beyond_extent(&at, &sequence.length, expr.span).into())
        })
    }

    fn substring(&self, text: &str, item: &Item, span: Span) -> Eval<Term> {
        let characters: Vec<char> = text.chars().collect();
        let whole = Whole { what: "string", length: characters.len() as u64 };
        let positions = match self.positions(item, &whole, span)? {
            Positions::Null => return Ok(Term::Null),
            Positions::One(at) => vec![at],
            Positions::Many(many) => many,
        };
        let picked: String = positions.iter().filter_map(|at| characters.get(*at)).collect();
        Ok(Term::Str(picked.into()))
    }

    /// Positions that what stands between the brackets designates.
    fn positions(&self, item: &Item, whole: &Whole, span: Span) -> Eval<Positions> {
        match item {
            Item::Value(expr) => self.positions_of(&self.eval(expr)?, whole, expr.span),
            Item::Range(begin, end, stride, range) => {
                let parts = [begin.as_ref(), end.as_ref(), stride.as_ref()];
                let positions = self.range_positions(parts, whole.length, *range)?;
                Ok(positions.map_or(Positions::Null, Positions::Many))
            }
            Item::Expand(..) | Item::Zip(..) => Err(say::one_index_expected(&Term::Null, span).into()),
        }
    }

    /// Positions that an index, a pack of indices or a mask stands for.
    fn positions_of(&self, index: &Term, whole: &Whole, span: Span) -> Eval<Positions> {
        match index {
            Term::Null => Ok(Positions::Null),
            Term::Int(at) => Ok(Positions::One(whole.position(*at, span)?)),
            mask if mask.is_pack() && mask.dtype() == Some(ScalarType::Bool) => self.masked(mask, whole, span),
            pack if pack.is_pack() => {
                let count = checked_length(pack.length().unwrap_or(0), span)?;
                let positions = (0..count).filter_map(|at| pack.item(at)).map(|item| match item.checked()? {
                    Term::Int(at) => whole.position(*at, span),
                    other => Err(say::known_int_expected(other, span).into()),
                });
                Ok(Positions::Many(positions.collect::<Eval<_>>()?))
            }
            other => Err(say::known_int_expected(other.checked()?, span).into()),
        }
    }

    fn masked(&self, mask: &Term, whole: &Whole, span: Span) -> Eval<Positions> {
        if mask.length() != Some(whole.length) {
            return Err(say::mask_length(whole.what, whole.length, mask.length().unwrap_or(0), span).into());
        }
        let mut positions = Vec::new();
        for at in 0..checked_length(whole.length, span)? {
            match mask.item(at) {
                Some(Term::Bool(true)) => positions.push(at),
                Some(Term::Bool(false)) => {}
                other => return Err(say::known_bool_expected(other.unwrap_or(&Term::Null).checked()?, span).into()),
            }
        }
        Ok(Positions::Many(positions))
    }

    /// Positions of `begin:end:stride`, where ends beyond the pack are cut; none if a part is null.
    pub(crate) fn range_positions(
        &self,
        parts: [Option<&Expr>; 3],
        length: u64,
        span: Span,
    ) -> Eval<Option<Vec<usize>>> {
        let length = checked_length(length, span)? as i64;
        let mut values = [None; 3];
        for (value, part) in values.iter_mut().zip(parts) {
            if let Some(part) = part {
                match self.int(part)? {
                    Some(known) => *value = Some(known),
                    None => return Ok(None),
                }
            }
        }
        let [begin, end, stride] = values;
        let stride = stride.unwrap_or(1);
        if stride == 0 {
            return Err(say::zero_stride(span).into());
        }
        let from_end = |at: i64| if at < 0 { at.saturating_add(length) } else { at };
        // Stepping down, the position before the first one can only be meant by leaving the end out.
        let (lowest, highest) = if stride > 0 { (0, length) } else { (-1, length - 1) };
        let begin = begin.map_or(if stride > 0 { 0 } else { length - 1 }, from_end).clamp(lowest, highest);
        let end = end.map_or(if stride > 0 { length } else { -1 }, from_end).clamp(lowest, highest);
        let step = usize::try_from(stride.unsigned_abs()).unwrap_or(usize::MAX);
        let positions = |range: &mut dyn Iterator<Item = i64>| range.step_by(step).map(|at| at as usize).collect();
        Ok(Some(if stride > 0 { positions(&mut (begin..end)) } else { positions(&mut (end + 1..=begin).rev()) }))
    }

    /// Substitution in a pack of dynamic length at positions that are known.
    fn substitute_open(&self, mut sequence: Sequence, index: &Item, new: &Term, span: Span) -> Eval<Term> {
        let Item::Value(expr) = index else { return Err(say::one_index_expected(&Term::Null, span).into()) };
        let index = self.eval(expr)?;
        if index == Term::Null {
            return Ok(Term::Null);
        }
        let count = checked_length(index.length().unwrap_or(1), expr.span)?;
        let indices: Vec<&Term> = (0..count).filter_map(|at| index.item(at)).collect();
        if let Some(values) = new.length().filter(|values| *values != indices.len() as u64) {
            return Err(say::new_value_count(indices.len() as u64, values, span).into());
        }
        for (from, index) in indices.iter().enumerate() {
            let Term::Int(at) = index else { return Err(say::known_int_expected(index, expr.span).into()) };
            let replaced = new.item(from).and_then(|value| sequence.replaced(*at, value));
            sequence = replaced.ok_or_else(|| say::known_int_expected(index, expr.span))?;
        }
        self.bounded_size(Term::Sequence(Box::new(sequence)), span)
    }

    pub(super) fn substitute(&self, base: &Expr, index: &Item, value: &Expr, span: Span) -> Eval<Term> {
        let (pack, new) = (self.eval(base)?, self.eval(value)?);
        if pack == Term::Null || new == Term::Null {
            return Ok(Term::Null);
        }
        if let Term::Sequence(sequence) = pack {
            return self.substitute_open(*sequence, index, &new, span);
        }
        let Some(length) = pack.length() else { return Err(say::not_indexable(&pack, base.span).into()) };
        if let (Some(expected), Some(found)) = (pack.dtype(), new.dtype())
            && expected != found
        {
            return Err(say::new_value_type(expected, &new, value.span).into());
        }
        let positions = match self.positions(index, &Whole { what: "pack", length }, span)? {
            Positions::Null => return Ok(Term::Null),
            Positions::One(at) if !new.is_pack() => vec![at],
            Positions::One(_) => return Err(say::pack_for_one_item(value.span).into()),
            Positions::Many(many) => many,
        };
        if let Some(values) = new.length().filter(|values| *values != positions.len() as u64) {
            return Err(say::new_value_count(positions.len() as u64, values, value.span).into());
        }
        if positions.is_empty() {
            return Ok(pack);
        }
        let mut items: Vec<Term> = (0..checked_length(length, span)?).filter_map(|at| pack.item(at).cloned()).collect();
        for (from, to) in positions.into_iter().enumerate() {
            if let (Some(slot), Some(value)) = (items.get_mut(to), new.item(from)) {
                slot.clone_from(value);
            }
        }
        Ok(Term::Pack(items))
    }
}

/// The places of the items from `begin` to before `end` in a pack of at most `most` items, and how many of them there are; none
/// if only a run knows which they are.
fn open_part(
    length: &SymExpr,
    most: usize,
    begin: Option<Option<i64>>,
    end: Option<Option<i64>>,
) -> Option<(Range<usize>, SymExpr)> {
    let begin = usize::try_from(begin.unwrap_or(Some(0))?).ok()?.min(most);
    let end = end.map_or(Some(most as i64), |end| end)?;
    let (end, behind) = match usize::try_from(end) {
        Ok(end) if end >= most => (most, length.clone()),
        Ok(known) => (known, SymExpr::apply(SymOp::Min, vec![length.clone(), SymExpr::Const(end)])?),
        // So many are left out at the end.
        Err(_) => (most.saturating_sub(usize::try_from(end.checked_neg()?).ok()?), length.plus(&SymExpr::Const(end))?),
    };
    Some((begin..end.max(begin), left_of(&behind, begin as i64)?))
}

/// How many of so many items are left behind the first ones: `max(length - first, 0)`, in which `length` may be of that form.
fn left_of(length: &SymExpr, first: i64) -> Option<SymExpr> {
    let zero = SymExpr::Const(0);
    let whole = match length {
        SymExpr::Apply(SymOp::Max, parts) => match parts.as_slice() {
            [part, least] | [least, part] if *least == zero => part,
            _ => length,
        },
        _ => length,
    };
    SymExpr::apply(SymOp::Max, vec![whole.minus(&SymExpr::Const(first))?, zero])
}

/// What an index stands for.
enum Positions {
    Null,
    One(usize),
    Many(Vec<usize>),
}

/// What is indexed.
struct Whole {
    what: &'static str,
    length: u64,
}

impl Whole {
    /// A position counted from either end.
    fn position(&self, index: i64, span: Span) -> Eval<usize> {
        let at = if index < 0 { i128::from(index) + i128::from(self.length) } else { index.into() };
        match usize::try_from(at) {
            Ok(position) if at < i128::from(self.length) => Ok(position),
            _ => Err(say::index_out_of_range(index, self.what, self.length, span).into()),
        }
    }
}

fn pick(base: &Term, positions: Positions) -> Eval<Term> {
    let positions = match positions {
        Positions::Null => return Ok(Term::Null),
        Positions::One(at) => return base.item(at).cloned().ok_or(Failure::Silent),
        Positions::Many(positions) => positions,
    };
    if let Term::Repeat(item, _) = base {
        return Ok(Term::repeat((**item).clone(), positions.len() as u64));
    }
    Ok(Term::pack(positions.iter().filter_map(|at| base.item(*at).cloned()).collect(), base.dtype()))
}
