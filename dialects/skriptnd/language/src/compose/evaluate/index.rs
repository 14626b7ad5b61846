//! Indexing of packs and strings, substitution, and the way from a subscript to a tensor access.

use super::{Eval, Evaluator, Failure, checked_length, collect};
use crate::compose::diagnostics as say;
use crate::compose::term::Term;
use crate::syntax::ast::{Expr, Item, Span};

impl Evaluator<'_> {
    pub(super) fn subscript(&self, base: &Expr, items: &[Item], trailing_comma: bool, span: Span) -> Eval<Term> {
        if let Some(chosen) = self.chosen_access(base, items, span)? {
            return Ok(chosen);
        }
        let term = self.eval(base)?;
        match &term {
            Term::Null => return Ok(Term::Null),
            Term::Tensor(id) => return self.access(*id, items, span),
            Term::Pack(tensors)
                if matches!(tensors.first(), Some(Term::Tensor(_))) && (trailing_comma || !Self::is_single(items)) =>
            {
                return collect(tensors.iter().map(|tensor| match tensor {
                    Term::Tensor(id) => match self.access(*id, items, span)? {
                        pack if pack.is_pack() => Err(say::nested_access(span).into()),
                        element => Ok(element),
                    },
                    _ => Err(Failure::Silent),
                }));
            }
            _ => {}
        }
        match items {
            [Item::Value(expr)] if term.is_pack() => {
                let index = self.eval(expr)?;
                if let Term::Scalar(index) = &index {
                    return self.runtime_item(base, &term, index, span);
                }
                self.item_at(&term, &index, span)
            }
            [item] => self.index(&term, item, span),
            _ => Err(say::one_index_expected(&term, span).into()),
        }
    }

    fn index(&self, base: &Term, item: &Item, span: Span) -> Eval<Term> {
        if let Term::Str(text) = base {
            return self.substring(text, item, span);
        }
        let Some(length) = base.length() else { return Err(say::not_indexable(base, span).into()) };
        match item {
            Item::Value(expr) => self.item_at(base, &self.eval(expr)?, span),
            Item::Range(begin, end, stride, range) => {
                let bounds = [begin.as_ref(), end.as_ref(), stride.as_ref()];
                match self.range_positions(bounds, length, *range)? {
                    Some(positions) => pick(base, &positions),
                    None => Ok(Term::Null),
                }
            }
            Item::Expand(..) | Item::Zip(..) => Err(say::one_index_expected(base, span).into()),
        }
    }

    /// What a known index, pack of indices or mask selects of a pack.
    fn item_at(&self, base: &Term, index: &Term, span: Span) -> Eval<Term> {
        match self.positions_of(index, base.length().unwrap_or(0), span)? {
            Positions::Null => Ok(Term::Null),
            Positions::One(at) => base.item(at).cloned().ok_or(Failure::Silent),
            Positions::Many(many) => pick(base, &many),
        }
    }

    fn substring(&self, text: &str, item: &Item, span: Span) -> Eval<Term> {
        let characters: Vec<char> = text.chars().collect();
        let length = characters.len() as u64;
        let positions = match item {
            Item::Value(expr) => match self.positions_of(&self.eval(expr)?, length, span)? {
                Positions::Null => return Ok(Term::Null),
                Positions::One(at) => vec![at],
                Positions::Many(many) => many,
            },
            Item::Range(begin, end, stride, range) => {
                match self.range_positions([begin.as_ref(), end.as_ref(), stride.as_ref()], length, *range)? {
                    Some(positions) => positions,
                    None => return Ok(Term::Null),
                }
            }
            Item::Expand(..) | Item::Zip(..) => return Err(say::one_index_expected(&Term::Null, span).into()),
        };
        let picked: String = positions.iter().filter_map(|at| characters.get(*at)).collect();
        Ok(Term::Str(picked.into()))
    }

    /// Positions that an index, a pack of indices or a mask stands for.
    fn positions_of(&self, index: &Term, length: u64, span: Span) -> Eval<Positions> {
        match index {
            Term::Null => Ok(Positions::Null),
            Term::Int(at) => Ok(Positions::One(position(*at, length, span)?)),
            mask if mask.is_pack() && mask.item(0).is_some_and(|item| matches!(item, Term::Bool(_))) => {
                if mask.length() != Some(length) {
                    return Err(say::pack_lengths_differ(length, mask.length().unwrap_or(0), span).into());
                }
                let positions = 0..checked_length(length, span)?;
                Ok(Positions::Many(positions.filter(|at| mask.item(*at) == Some(&Term::Bool(true))).collect()))
            }
            pack if pack.is_pack() => {
                let count = checked_length(pack.length().unwrap_or(0), span)?;
                let positions = (0..count).filter_map(|at| pack.item(at)).map(|item| match item {
                    Term::Int(at) => position(*at, length, span),
                    other => Err(say::known_int_expected(other, span).into()),
                });
                Ok(Positions::Many(positions.collect::<Eval<_>>()?))
            }
            other => Err(say::known_int_expected(other, span).into()),
        }
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

    pub(super) fn substitute(&self, base: &Expr, index: &Item, value: &Expr, span: Span) -> Eval<Term> {
        let (base, value) = (self.eval(base)?, self.eval(value)?);
        if base == Term::Null || value == Term::Null {
            return Ok(Term::Null);
        }
        let Some(length) = base.length() else { return Err(say::not_indexable(&base, span).into()) };
        let positions = match index {
            Item::Value(expr) => match self.positions_of(&self.eval(expr)?, length, span)? {
                Positions::Null => return Ok(Term::Null),
                Positions::One(at) if !value.is_pack() => vec![at],
                Positions::One(_) => return Err(say::pack_for_one_item(span).into()),
                Positions::Many(many) => many,
            },
            Item::Range(begin, end, stride, range) => {
                match self.range_positions([begin.as_ref(), end.as_ref(), stride.as_ref()], length, *range)? {
                    Some(positions) => positions,
                    None => return Ok(Term::Null),
                }
            }
            Item::Expand(..) | Item::Zip(..) => return Err(say::one_index_expected(&base, span).into()),
        };
        if let Some(values) = value.length().filter(|values| *values != positions.len() as u64) {
            return Err(say::pack_lengths_differ(positions.len() as u64, values, span).into());
        }
        let mut items: Vec<Term> = (0..checked_length(length, span)?).filter_map(|at| base.item(at).cloned()).collect();
        for (from, to) in positions.into_iter().enumerate() {
            if let (Some(slot), Some(value)) = (items.get_mut(to), value.item(from)) {
                slot.clone_from(value);
            }
        }
        Ok(Term::Pack(items))
    }
}

/// What an index stands for.
enum Positions {
    Null,
    One(usize),
    Many(Vec<usize>),
}

/// A position counted from either end.
fn position(index: i64, length: u64, span: Span) -> Eval<usize> {
    let at = if index < 0 { i128::from(index) + i128::from(length) } else { index.into() };
    match usize::try_from(at) {
        Ok(position) if at < i128::from(length) => Ok(position),
        _ => Err(say::index_out_of_range(index, length, span).into()),
    }
}

fn pick(base: &Term, positions: &[usize]) -> Eval<Term> {
    if let Term::Repeat(item, _) = base {
        return Ok(Term::repeat((**item).clone(), positions.len() as u64));
    }
    Ok(Term::Pack(positions.iter().filter_map(|at| base.item(*at).cloned()).collect()))
}
