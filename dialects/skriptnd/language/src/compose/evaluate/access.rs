//! Tensor accesses and guarded indices, as the evaluator makes them within `@lower`.

use super::context::FormulaContext;
use super::scalar;
use super::{Evaluator, checked_length};
use crate::compose::diagnostics as say;
use crate::compose::extent::SymExpr;
use crate::compose::failure::{Eval, Failure};
use crate::compose::formula::{AccessIndex, Guard, ScalarExpr, ScalarKind};
use crate::compose::tensors::TermTensor;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{BinaryOp, Expr, ExprKind, Item};
use std::sync::Arc;

/// A run-time index selects among this many items that are not all known.
const SELECTED_ITEMS: usize = 64;

impl Evaluator<'_> {
    /// An element of a tensor, or as many as an unexpanded pack of indices has items; null if an index is.
    pub(crate) fn access(&self, tensor: TermTensor, items: &[Item], span: Span) -> Eval<Term> {
        let Some(formula) = self.formula else { return Err(say::access_outside_lower(span).into()) };
        let id = tensor.formal().ok_or(Failure::Silent)?;
        let ty = self.tensors.tensor_type(tensor).ok_or(Failure::Silent)?;
        let mut pieces = Vec::with_capacity(items.len());
        for item in items {
            if let Item::Range(begin, end, stride, range) = item {
                let bounds = [begin.as_ref(), end.as_ref(), stride.as_ref()];
                let extent = ty.shape.get(pieces.len()).map(|extent| (&extent.value, extent.bound));
                let extent = extent.ok_or_else(|| say::index_count(pieces.len() + 1, ty.shape.len(), span))?;
                match self.slice(formula, bounds, extent, *range)? {
                    Term::Null => return Ok(Term::Null),
                    slice => pieces.push(slice),
                }
                continue;
            }
            match (item, self.index_term(item, span)?.written_out()) {
                (_, Term::Null) => return Ok(Term::Null),
                // A pack that stands alone covers all dimensions, expanded or not.
                (Item::Value(_), pack) if items.len() > 1 || pack.length() != Some(ty.shape.len() as u64) => {
                    pieces.push(pack);
                }
                (_, Term::Pack(pack)) => pieces.extend(pack),
                (_, Term::Repeat(..)) => return Err(say::index_count(usize::MAX, ty.shape.len(), span).into()),
                (_, single) => pieces.push(single),
            }
        }
        if pieces.len() != ty.shape.len() {
            return Err(say::index_count(pieces.len(), ty.shape.len(), span).into());
        }
        let tensor = formula.tensor(id).ok_or(Failure::Silent)?;
        let element = |at: usize| {
            let indices = pieces.iter().map(|piece| access_index(piece.item(at).ok_or(Failure::Silent)?, span));
            let indices = indices.collect::<Eval<Vec<_>>>()?;
            formula.note(span, id, &indices);
            let kind = ScalarKind::Access { tensor, indices };
            Ok(Term::from(ScalarExpr { dtype: ty.dtype, kind }))
        };
        if !pieces.iter().any(Term::is_pack) {
            return element(0);
        }
        let terms: Vec<&Term> = pieces.iter().collect();
        let length = self.common_length(&terms, &|first, other| say::index_lengths(first, other, span))?;
        self.collect((0..checked_length(length, span)?).map(element))
    }

    /// `begin:end:stride` in place of an index: one element for each position. Where only the run knows the extent, all
    /// of it is one more loop.
    fn slice(
        &self,
        formula: &FormulaContext,
        bounds: [Option<&Expr>; 3],
        (extent, bound): (&SymExpr, Option<i64>),
        span: Span,
    ) -> Eval<Term> {
        match extent {
            SymExpr::Const(length) => {
                let positions = self.range_positions(bounds, length.unsigned_abs(), span)?;
                let items = positions.map(|list| list.into_iter().map(|at| Term::Int(at as i64)).collect());
                Ok(items.map_or(Term::Null, Term::Pack))
            }
            dynamic if bounds.iter().all(Option::is_none) => Ok(formula.slice_loop(dynamic, bound)),
            dynamic => Err(say::dynamic_slice(dynamic, span).into()),
        }
    }

    fn index_term(&self, item: &Item, span: Span) -> Eval<Term> {
        match item {
            Item::Value(expr) => self.eval(expr),
            other => self.list_item(other, span),
        }
    }

    /// `|i|` and `|i <> a : b|`, element-wise.
    pub(crate) fn bounded(&self, index: &Expr, remap: Option<&(Box<Expr>, Box<Expr>)>, span: Span) -> Eval<Term> {
        let Some(formula) = self.formula else { return Err(say::guard_outside_lower(span).into()) };
        let index = self.eval(index)?;
        let Some((below, above)) = remap else {
            formula.skips.set(true);
            return self.map(index, &mut |index| guarded(index, Guard::Skip, span));
        };
        let (below, above) = (self.eval(below)?, self.eval(above)?);
        if [&index, &below, &above].contains(&&Term::Null) {
            return Ok(Term::Null);
        }
        let guard = |index: &Term, below: &Term, above: &Term| {
            let (Some(low), Some(high)) = (scalar::of(below), scalar::of(above)) else {
                return Err(say::index_type(below, span).into());
            };
            guarded(index, Guard::Remap { below: Box::new(low), above: Box::new(high) }, span)
        };
        if !(index.is_pack() || below.is_pack() || above.is_pack()) {
            return guard(&index, &below, &above);
        }
        let length =
            self.common_length(&[&index, &below, &above], &|first, other| say::index_lengths(first, other, span))?;
        self.collect((0..checked_length(length, span)?).map(|at| {
            match (index.item(at), below.item(at), above.item(at)) {
                (Some(index), Some(below), Some(above)) => guard(index, below, above),
                _ => Err(Failure::Silent),
            }
        }))
    }

    /// An item of a pack at an index that only the run knows: known items become a constant tensor. `pack` is the pack
    /// as it is written.
    pub(crate) fn runtime_item(&self, pack: &Expr, base: &Term, index: &ScalarExpr, span: Span) -> Eval<Term> {
        let within = |length: usize| self.formula.is_some_and(|formula| formula.is_within(index, length));
        let written_out;
        let items = match base {
            // Of a long one the index is trusted.
            Term::Repeat(item, count @ 1..) if *count > SELECTED_ITEMS as u64 || within(*count as usize) => {
                return Ok((**item).clone());
            }
            Term::Repeat(item, count @ 1..) => {
                written_out = vec![(**item).clone(); *count as usize];
                written_out.as_slice()
            }
            Term::Repeat(..) | Term::Empty(_) => &[],
            Term::Pack(items) => items.as_slice(),
            other => return Err(say::not_indexable(other, span).into()),
        };
        let (Some(formula), Some(first)) = (self.formula, items.first()) else {
            return Err(say::index_out_of_range(0, "pack", 0, span).into());
        };
        let known = |item: &Term| matches!(item, Term::Int(_) | Term::Real(_) | Term::Bool(_));
        let uniform = items.iter().all(|item| item == first) && !matches!(first, Term::Tensor(_));
        if uniform && !scalar::reads(index) && (within(items.len()) || !known(first)) {
            return Ok(first.clone());
        }
        let table = first.dtype().filter(|_| !items.iter().any(|item| scalar::of(item).is_none()));
        let Some(dtype) = table else { return Err(say::runtime_index(span).into()) };
        if items.iter().all(known) {
            let index = formula.wrapped_index(index, items.len()).ok_or(Failure::Silent)?;
            return formula.table(&pack_name(pack), items, dtype, index).ok_or(Failure::Silent);
        }
        // Where items depend on extents the run makes the formula again, and has a table then.
        let open =
            items.iter().any(|item| matches!(item, Term::Symbolic(_) | Term::Condition(_) | Term::SymbolicReal(_)));
        let items = if open { &items[..items.len().min(SELECTED_ITEMS)] } else { items };
        self.choose_item(pack, items, index, span)
    }

    /// `xs[k][i, ...]` where only the run knows `k`: the elements of all tensors of the pack, and a choice. None if
    /// that is not what the subscript means.
    pub(crate) fn chosen_access(&self, base: &Expr, items: &[Item], span: Span) -> Eval<Option<Term>> {
        let ExprKind::Subscript { base: pack, items: position, trailing_comma: false } = &base.kind else {
            return Ok(None);
        };
        let (Some(_), [Item::Value(position)], ExprKind::Name(_)) = (self.formula, position.as_slice(), &pack.kind)
        else {
            return Ok(None);
        };
        let pack_value = self.look(pack)?;
        let Term::Pack(tensors) = &*pack_value else { return Ok(None) };
        let (Some(Term::Tensor(_)), Term::Scalar(index)) = (tensors.first(), self.eval(position)?) else {
            return Ok(None);
        };
        let elements = tensors.iter().map(|tensor| match tensor {
            Term::Tensor(id) => self.conditionally(|| self.access(*id, items, span)),
            _ => Err(Failure::Silent),
        });
        let elements = elements.collect::<Eval<Vec<_>>>()?;
        self.choose_item(pack, &elements, &index, base.span).map(Some)
    }

    /// One of a few items that are not all known.
    fn choose_item(&self, pack: &Expr, items: &[Term], index: &ScalarExpr, span: Span) -> Eval<Term> {
        let Some(formula) = self.formula.filter(|_| items.len() <= SELECTED_ITEMS) else {
            return Err(say::too_many_choices(items.len(), SELECTED_ITEMS, span).into());
        };
        let checked = formula.wrapped_index(index, items.len());
        // What is outside must be an error: a table of positions has no others.
        let positions: Vec<Term> = (0..items.len() as i64).map(Term::Int).collect();
        let checked = checked.and_then(|index| formula.table(&pack_name(pack), &positions, ScalarType::Int, index));
        let checked = checked.as_ref().and_then(scalar::of).ok_or(Failure::Silent)?;
        choose_item(items, &checked).ok_or_else(|| say::runtime_index(span).into())
    }
}

/// What a message calls a pack.
fn pack_name(pack: &Expr) -> Arc<str> {
    match &pack.kind {
        ExprKind::Name(name) => name.clone(),
        _ => Arc::from("the pack"),
    }
}

/// `index == 0 ? a : index == 1 ? b : ...`
fn choose_item(items: &[Term], index: &ScalarExpr) -> Option<Term> {
    let mut items = items.iter().enumerate().rev();
    let mut chosen = scalar::of(items.next()?.1)?;
    for (at, item) in items {
        let here = scalar::binary(BinaryOp::Eq, index.clone(), scalar::int(at as i64))?;
        chosen = scalar::select(here, scalar::of(item)?, chosen)?;
    }
    Some(Term::from(chosen))
}

fn access_index(term: &Term, span: Span) -> Eval<AccessIndex> {
    match term {
        Term::Index(index) => Ok((**index).clone()),
        term => Ok(AccessIndex { index: int_scalar(term, span)?, guard: Guard::None }),
    }
}

fn guarded(index: &Term, guard: Guard, span: Span) -> Eval<Term> {
    Ok(Term::Index(Box::new(AccessIndex { index: int_scalar(index, span)?, guard })))
}

fn int_scalar(term: &Term, span: Span) -> Eval<ScalarExpr> {
    match scalar::of(term) {
        Some(expr) if expr.dtype == ScalarType::Int => Ok(expr),
        _ => Err(say::index_type(term, span).into()),
    }
}
