//! Tensor accesses and guarded indices, as the evaluator makes them within `@lower`.

use super::scalar;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::{Eval, Evaluator, Failure, checked_length, collect};
use crate::compose::formula::{AccessIndex, Guard, ScalarExpr, ScalarKind};
use crate::compose::graph::TensorId;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::syntax::ast::{BinaryOp, Expr, Item, Span};

/// A run-time index selects among this many items that are not all known.
const SELECTED_ITEMS: usize = 64;

impl Evaluator<'_> {
    /// An element of a tensor, or as many as an unexpanded pack of indices has items; null if an index is.
    pub(crate) fn access(&self, id: TensorId, items: &[Item], span: Span) -> Eval<Term> {
        let Some(formula) = self.formula else { return Err(say::access_outside_lower(span).into()) };
        let ty = self.tensors.tensor_type(id).ok_or(Failure::Silent)?;
        let mut pieces = Vec::with_capacity(items.len());
        for item in items {
            match (item, self.index_term(item, span)?) {
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
            let kind = ScalarKind::Access { tensor, indices: indices.collect::<Eval<_>>()? };
            Ok(Term::from(ScalarExpr { dtype: ty.dtype, kind }))
        };
        if !pieces.iter().any(Term::is_pack) {
            return element(0);
        }
        let length = self.common_length(&pieces.iter().collect::<Vec<_>>(), span)?;
        collect((0..checked_length(length, span)?).map(element))
    }

    fn index_term(&self, item: &Item, span: Span) -> Eval<Term> {
        match item {
            Item::Value(expr) => self.eval(expr),
            other => self.list_item(other, span),
        }
    }

    /// `|i|` and `|i <> a : b|`, element-wise.
    pub(crate) fn bounded(&self, index: &Expr, remap: Option<&(Box<Expr>, Box<Expr>)>, span: Span) -> Eval<Term> {
        if self.formula.is_none() {
            return Err(say::guard_outside_lower(span).into());
        }
        let index = self.eval(index)?;
        let Some((below, above)) = remap else {
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
        let length = self.common_length(&[&index, &below, &above], span)?;
        collect((0..checked_length(length, span)?).map(|at| match (index.item(at), below.item(at), above.item(at)) {
            (Some(index), Some(below), Some(above)) => guard(index, below, above),
            _ => Err(Failure::Silent),
        }))
    }

    /// An item of a pack at an index that only the run knows: known items become a constant tensor.
    pub(crate) fn runtime_item(&self, base: &Term, index: &ScalarExpr, span: Span) -> Eval<Term> {
        let items = match base {
            Term::Repeat(item, _) => return Ok((**item).clone()),
            Term::Pack(items) => items.as_slice(),
            other => return Err(say::not_indexable(other, span).into()),
        };
        let (Some(formula), Some(first)) = (self.formula, items.first()) else {
            return Err(say::index_out_of_range(0, 0, span).into());
        };
        if items.iter().all(|item| item == first) && !matches!(first, Term::Tensor(_)) {
            return Ok(first.clone());
        }
        let table = first.dtype().filter(|_| !items.iter().any(|item| scalar::of(item).is_none()));
        let Some(dtype) = table else { return Err(say::runtime_index(span).into()) };
        let known = |item: &Term| matches!(item, Term::Int(_) | Term::Real(_) | Term::Bool(_));
        if items.iter().all(known) {
            let tensor = formula.table(items, dtype).ok_or(Failure::Silent)?;
            let indices = vec![AccessIndex { index: index.clone(), guard: Guard::None }];
            return Ok(Term::from(ScalarExpr { dtype, kind: ScalarKind::Access { tensor, indices } }));
        }
        if items.len() > SELECTED_ITEMS {
            return Err(say::runtime_index(span).into());
        }
        choose_item(items, index).ok_or_else(|| say::runtime_index(span).into())
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
