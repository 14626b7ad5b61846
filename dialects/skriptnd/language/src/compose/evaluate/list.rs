//! Lists: items, ranges, expansions and zips.

use super::{Evaluator, checked_length};
use crate::compose::diagnostics as say;
use crate::compose::extent::SymExpr;
use crate::compose::failure::{Eval, Failure};
use crate::compose::limits;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Expr, Item, PackSpec};

impl Evaluator<'_> {
    /// A list; null if one of its items is.
    pub(super) fn list(&self, items: &[Item], span: Span) -> Eval<Term> {
        if let [Item::Expand(value, spec)] = items {
            return self.expand(value, spec);
        }
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            match self.list_item(item, span)? {
                Term::Null => return Ok(Term::Null),
                part => parts.push(part),
            }
        }
        if parts.iter().any(|part| matches!(part, Term::Sequence(_))) {
            self.one_type(&parts, span)?;
            return match <[Term; 1]>::try_from(parts) {
                Ok([single]) => Ok(single),
                Err(parts) => self.join(&parts, span),
            };
        }
        self.written_out(parts, span)
    }

    /// A list of known length.
    fn written_out(&self, parts: Vec<Term>, span: Span) -> Eval<Term> {
        let mut pack = Vec::with_capacity(parts.len());
        let mut dtype = None;
        for part in parts {
            dtype = dtype.or(part.dtype());
            match part {
                Term::Empty(_) => {}
                Term::Pack(part) => pack.extend(part),
                Term::Repeat(item, count) => {
                    let count = checked_length(count, span)?;
                    pack.extend(std::iter::repeat_n(*item, count));
                }
                single => pack.push(single),
            }
            checked_length(pack.len() as u64, span)?;
        }
        self.one_type(&pack, span)?;
        Ok(Term::pack(pack, dtype))
    }

    /// What one item contributes.
    pub(crate) fn list_item(&self, item: &Item, span: Span) -> Eval<Term> {
        match item {
            Item::Value(expr) => match self.eval(expr)? {
                pack if pack.is_pack() => Err(say::pack_not_expanded(&pack, expr.span).into()),
                single => Ok(single),
            },
            Item::Expand(value, spec) => self.expand(value, spec),
            Item::Range(begin, end, stride, range) => match (begin, end) {
                (Some(begin), Some(end)) => self.range(begin, end, stride.as_ref(), *range),
                _ => Err(say::open_range(*range).into()),
            },
            Item::Zip(packs, spec) => self.interleave(packs, spec, span),
        }
    }

    /// `x..`, `x..(n)`: all items of a pack, or a value repeated.
    pub(crate) fn expand(&self, value: &Expr, spec: &PackSpec) -> Eval<Term> {
        let Some(length) = &spec.length else {
            return match self.eval(value)? {
                Term::Null => Ok(Term::Null),
                pack if pack.is_pack() => Ok(pack),
                single => Err(say::expansion_needs_length(&single, value.span).into()),
            };
        };
        let (count, condition) = match self.eval(length)? {
            Term::Null => return Ok(Term::Null),
            Term::Bool(included) => (u64::from(included), true),
            Term::Int(count) => (u64::try_from(count).map_err(|_| say::negative_length(count, length.span))?, false),
            Term::Symbolic(count) => return self.expand_open(value, &count, spec.span),
            other => return Err(say::known_int_expected(&other, length.span).into()),
        };
        // What is not included may be null or meaningless.
        if condition && count == 0 {
            return Ok(match self.eval(value) {
                Ok(Term::Null) | Err(_) => Term::Pack(Vec::new()),
                Ok(pack) if pack.is_pack() => Term::pack(Vec::new(), pack.dtype()),
                Ok(single) => Term::repeat(single, 0),
            });
        }
        let term = self.eval(value)?;
        match term.length() {
            Some(_) if condition => Ok(term),
            None if term.is_pack() && condition => Ok(term),
            None if term.is_pack() => {
                let length = term.extent_length().unwrap_or(SymExpr::Const(0));
                Err(say::open_lengths(&length, &SymExpr::Const(count as i64), spec.span).into())
            }
            None => Ok(Term::repeat(term, count)),
            Some(actual) if actual == count => Ok(term),
            Some(actual) => Err(say::expanded_length(actual, count, spec.span).into()),
        }
    }

    /// `x..(n)` with a number that only the run knows.
    fn expand_open(&self, value: &Expr, count: &SymExpr, span: Span) -> Eval<Term> {
        let term = self.eval(value)?;
        match term.extent_length() {
            None => self.sequence(term, count.clone(), span),
            Some(length) if length == *count => Ok(term),
            Some(length) => Err(say::open_lengths(&length, count, span).into()),
        }
    }

    fn range(&self, begin: &Expr, end: &Expr, stride: Option<&Expr>, span: Span) -> Eval<Term> {
        let stride = stride.map_or(Ok(Some(1)), |stride| self.int(stride))?;
        let (Some(begin), Some(end), Some(stride)) = (self.extent(begin)?, self.extent(end)?, stride) else {
            return Ok(Term::Null);
        };
        if stride == 0 {
            return Err(say::zero_stride(span).into());
        }
        let (SymExpr::Const(begin), SymExpr::Const(end)) = (&begin, &end) else {
            return self.open_range(&begin, &end, stride, span);
        };
        let (begin, end) = (*begin, *end);
        let (begin, end, stride) = (i128::from(begin), i128::from(end), i128::from(stride));
        let length = ((end - begin + stride - stride.signum()) / stride).max(0);
        if length > limits::PACK_LENGTH.into() {
            return Err(say::pack_too_long(length, span).into());
        }
        let values = (0..length).map(|at| i64::try_from(begin + at * stride));
        let items = values.map(|value| value.map(Term::Int)).collect::<Result<Vec<_>, _>>();
        Ok(Term::pack(items.map_err(|_| say::integer_overflow(span))?, Some(ScalarType::Int)))
    }

    fn interleave(&self, packs: &[Expr], spec: &PackSpec, span: Span) -> Eval<Term> {
        let packs = packs.iter().map(|pack| self.eval(pack)).collect::<Eval<Vec<Term>>>()?;
        if packs.contains(&Term::Null) {
            return Ok(Term::Null);
        }
        if let Some(single) = packs.iter().find(|pack| !pack.is_pack()) {
            return Err(say::pack_expected("a zip expression", single, span).into());
        }
        let terms: Vec<&Term> = packs.iter().collect();
        if terms.iter().any(|pack| matches!(pack, Term::Sequence(_))) {
            return self.interleave_sequences(&terms, span);
        }
        let length = self.common_length(&terms, &|first, other| say::zip_lengths(first, other, span))?;
        if let Some(hint) = spec.length.as_ref().map(|length| self.int(length)).transpose()?.flatten() {
            if u64::try_from(hint) != Ok(length) {
                return Err(say::expanded_length(length, hint.max(0).unsigned_abs(), spec.span).into());
            }
        }
        let total = length.saturating_mul(packs.len() as u64);
        let mut items = Vec::with_capacity(checked_length(total, span)?);
        for at in 0..checked_length(length, span)? {
            for pack in &packs {
                items.push(pack.item(at).cloned().ok_or(Failure::Silent)?);
            }
        }
        let dtype = packs.iter().find_map(Term::dtype);
        Ok(Term::pack(items, dtype))
    }

    /// Items of a list must agree in type; run-time scalars and guarded indices mix with values.
    fn one_type(&self, items: &[Term], span: Span) -> Eval<()> {
        let Some(first) = items.first() else { return Ok(()) };
        let tensor = |term: &Term| matches!(term, Term::Tensor(_));
        let differs =
            |item: &&Term| tensor(item) == tensor(first) && item.dtype() != first.dtype() && item.dtype().is_some();
        match items.iter().find(differs) {
            Some(other) => Err(say::mixed_list(first, other, span).into()),
            None => Ok(()),
        }
    }
}
