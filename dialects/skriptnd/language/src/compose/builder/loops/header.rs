//! What a loop runs over, worked out before its body.

use crate::compose::builder::{Builder, Context};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::{Evaluator, checked_length};
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::failure::Eval;
use crate::compose::graph::Origin;
use crate::compose::infer::evaluate_shape;
use crate::compose::tensors::TermTensor;
use crate::compose::tensors::{Argument, TensorId, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_syntax::ast::{Carried, Expr, LValue, LValueItem, Loop, Name, TypeSpec};
use std::sync::Arc;

/// What a loop runs over.
pub(in crate::compose::builder) struct Header {
    pub(in crate::compose::builder) carried: Vec<CarriedTensor>,
    pub(in crate::compose::builder) scans: Vec<Scan>,
    pub(in crate::compose::builder) count: Count,
    /// How many scan outputs there are at most where only the run knows it: the length that is written on the left.
    pub(super) written_length: Option<usize>,
    /// Extents of carried tensors that differ between iterations.
    pub(super) changing: Vec<Changing>,
}

/// An extent of a carried tensor that differs between iterations.
#[derive(Clone)]
pub(super) struct Changing {
    /// Which carried tensor.
    pub(super) tensor: usize,
    pub(super) dimension: usize,
    /// What the body knows it by.
    pub(super) symbol: Arc<str>,
    /// Whether its bound is yet to be found.
    pub(super) provisional: bool,
}

/// A tensor after `with`.
pub(in crate::compose::builder) struct CarriedTensor {
    pub(in crate::compose::builder) initial: TensorId,
    /// What the body sees. Extents that change from iteration to iteration are symbols.
    pub(super) ty: TensorType,
    /// Whether the type is written: then no other extents may change than those that are written as `~`.
    pub(super) declared: bool,
}

/// A pack after `for`.
pub(in crate::compose::builder) enum Scan {
    /// An optional pack that is absent: its items are null.
    Null,
    Items(Vec<Term>),
}

impl Scan {
    /// What stands for the pack in one iteration.
    pub(in crate::compose::builder) fn item(&self, at: usize) -> Term {
        match self {
            Scan::Null => Term::Null,
            Scan::Items(items) => items.get(at).cloned().unwrap_or(Term::Unknown),
        }
    }

    pub(in crate::compose::builder) fn len(&self) -> Option<usize> {
        match self {
            Scan::Null => None,
            Scan::Items(items) => Some(items.len()),
        }
    }
}

/// How often a loop runs.
pub(in crate::compose::builder) enum Count {
    /// As often as its packs or its condition say.
    Open,
    Known(i64),
    /// An integer of extents, and its upper bound.
    Extents(SymExpr, Option<i64>),
    /// The value of a tensor.
    Tensor(TensorId),
}

impl Header {
    /// The number of items of the packs.
    pub(in crate::compose::builder) fn scanned(&self) -> Option<usize> {
        self.scans.iter().find_map(Scan::len)
    }

    /// Whether the symbol stands for an extent of a carried tensor that changes.
    pub(super) fn is_changing(&self, symbol: &str) -> bool {
        self.changing.iter().any(|changing| *changing.symbol == *symbol)
    }

    pub(super) fn extent(&self, tensor: usize, dimension: usize) -> Option<&Extent> {
        self.carried.get(tensor)?.ty.shape.get(dimension)
    }

    pub(super) fn extent_mut(&mut self, tensor: usize, dimension: usize) -> Option<&mut Extent> {
        self.carried.get_mut(tensor)?.ty.shape.get_mut(dimension)
    }

    /// How often the loop runs at most, if something bounds it.
    pub(super) fn maximum(&self) -> Option<usize> {
        let counted = match &self.count {
            Count::Known(count) => Some(*count),
            Count::Extents(_, bound) => *bound,
            Count::Open | Count::Tensor(_) => None,
        };
        let counted = counted.and_then(|count| usize::try_from(count).ok());
        counted.into_iter().chain(self.scanned()).min()
    }
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn header(&mut self, cx: &mut Context<'a>, looping: &'a Loop, results: &[LValue]) -> Option<Header> {
        let carried: Vec<_> = looping.carried.iter().map(|dependency| self.initial(cx, dependency)).collect();
        let scans: Vec<_> = looping.scans.iter().map(|(name, pack)| self.scan(cx, &name.text, pack)).collect();
        let count = self.count(cx, looping)?;
        let scans = scans.into_iter().collect::<Option<Vec<Scan>>>()?;
        self.check_lengths(cx, looping, &scans)?;
        let written_length = self.written_length(cx, looping, results);
        let carried = carried.into_iter().collect::<Option<_>>()?;
        let header = Header { carried, scans, count, written_length, changing: Vec::new() };
        if let (Count::Known(count), Some(items)) = (&header.count, header.scanned())
            && usize::try_from(*count).is_ok_and(|count| count > items)
        {
            self.report(cx, say::loop_count(*count, items, looping.span));
            return None;
        }
        Some(header)
    }

    fn scan(&mut self, cx: &Context<'a>, name: &str, pack: &Expr) -> Option<Scan> {
        let term = self.eval(cx, pack);
        match self.check(cx, term)? {
            Term::Null => Some(Scan::Null),
            Term::Pack(items) => Some(Scan::Items(items)),
            Term::Repeat(item, count) => {
                let count = checked_length(count, pack.span);
                Some(Scan::Items(vec![*item; self.check(cx, count)?]))
            }
            open @ Term::Sequence(_) => {
                self.report(cx, say::known_int_expected(&open, pack.span));
                None
            }
            _ => {
                self.report(cx, say::scan_is_no_pack(name, pack.span));
                None
            }
        }
    }

    fn check_lengths(&mut self, cx: &Context<'a>, looping: &Loop, scans: &[Scan]) -> Option<()> {
        let lengths =
            || looping.scans.iter().zip(scans).filter_map(|((name, pack), scan)| Some((name, pack, scan.len()?)));
        let Some((first, _, count)) = lengths().next() else { return Some(()) };
        for (name, pack, found) in lengths() {
            if found != count {
                self.report(cx, say::scan_lengths((&first.text, count), (&name.text, found), pack.span));
                return None;
            }
        }
        Some(())
    }

    /// The initial value of a carried tensor; a compile-time value takes the declared shape.
    fn initial(&mut self, cx: &Context<'a>, dependency: &Carried) -> Option<CarriedTensor> {
        let term = self.eval(cx, &dependency.value);
        let term = self.check(cx, term)?;
        let span = dependency.value.span;
        let declared = match &dependency.spec {
            Some(spec) => {
                let declared = self.declared_carried(cx, &dependency.name, spec);
                Some(self.check(cx, declared)?)
            }
            None => None,
        };
        if let (Some((dtype, Some(shape))), Some(value), false) = (&declared, term.to_value(), term.is_pack()) {
            if term.dtype() != Some(*dtype) {
                self.report(cx, say::initial_value_type(&dependency.name.text, *dtype, &term, span));
                return None;
            }
            let ty = TensorType { dtype: *dtype, shape: shape.clone() };
            // A uniform value that begins with an extent that changes begins with no elements.
            let start = shape.iter().map(|extent| if is_open(extent) { Extent::known(0) } else { extent.clone() });
            let start = TensorType { dtype: *dtype, shape: start.collect() };
            let initial = self.add(start, Origin::Constant(value), span);
            return Some(CarriedTensor { initial, ty, declared: true });
        }
        let argument = self.make_argument(&term, span);
        let Argument::Single(initial) = self.check(cx, argument)? else {
            self.report(cx, say::carried_pack(&dependency.name.text, span));
            return None;
        };
        let found = self.ty(initial).clone();
        let Some((dtype, shape)) = declared else { return Some(CarriedTensor { initial, ty: found, declared: false }) };
        let ty = TensorType { dtype, shape: shape.unwrap_or_else(|| found.shape.clone()) };
        if !self.agrees(cx, &ty, &found, &dependency.name.text, span) || exceeds(&ty, &found) {
            self.report(cx, say::declared_type(&dependency.name, &ty, &self.possible_types(&found)));
            return None;
        }
        Some(CarriedTensor { initial, ty, declared: true })
    }

    fn declared_carried(
        &self,
        cx: &Context<'a>,
        name: &Name,
        spec: &TypeSpec,
    ) -> Eval<(ScalarType, Option<Vec<Extent>>)> {
        let evaluator = Evaluator::new(&cx.env, &self.tensors);
        let bounds = self.session.bounds.borrow();
        let shape = spec.shape.as_deref();
        let shape = shape.map(|shape| evaluate_shape(&evaluator, shape, None, name, &bounds)).transpose()?;
        Ok((evaluator.resolve_type(&spec.base)?, shape))
    }

    fn count(&mut self, cx: &Context<'a>, looping: &Loop) -> Option<Count> {
        let Some(expr) = looping.count.as_ref().and_then(|iteration| iteration.count.as_ref()) else {
            return Some(Count::Open);
        };
        let term = self.eval(cx, expr);
        match self.check(cx, term)? {
            Term::Null => Some(Count::Open),
            Term::Int(count) if count < 0 => {
                self.report(cx, say::negative_count(count, expr.span));
                None
            }
            Term::Int(count) => Some(Count::Known(count)),
            Term::Symbolic(extents) => {
                let bounds = self.session.bounds.borrow();
                let bound = extents.upper_bound(&|symbol| bounds.get(symbol).copied());
                Some(Count::Extents(extents, bound))
            }
            Term::Tensor(TermTensor::Graph(id)) => {
                let ty = self.ty(id);
                if ty.dtype == ScalarType::Int && ty.shape.is_empty() {
                    return Some(Count::Tensor(id));
                }
                let diagnostic = say::count_type(ty, expr.span);
                self.report(cx, diagnostic);
                None
            }
            other => {
                self.report(cx, say::known_int_expected(&other, expr.span));
                None
            }
        }
    }

    /// The smallest length that is written for the scan outputs. What is wrong with it is reported when they are
    /// assigned.
    fn written_length(&self, cx: &Context<'a>, looping: &Loop, results: &[LValue]) -> Option<usize> {
        let bounds = self.session.bounds.borrow();
        let lengths = results.iter().skip(looping.carried.len()).filter_map(|result| {
            let LValue::Item(LValueItem::Name { pack: Some(pack), .. }) = result else { return None };
            let length = self.eval(cx, pack.length.as_ref()?).ok()?.as_extent()?;
            usize::try_from(length.upper_bound(&|symbol| bounds.get(symbol).copied())?).ok()
        });
        lengths.min()
    }
}

/// Whether an extent is declared as one that changes.
pub(super) fn is_open(extent: &Extent) -> bool {
    extent.value.is_undetermined()
}

/// Whether a known extent is above a declared bound.
pub(super) fn exceeds(declared: &TensorType, found: &TensorType) -> bool {
    let above =
        |(declared, found): (&Extent, &Extent)| declared.bound.zip(found.as_known()).is_some_and(|(b, n)| n > b);
    declared.shape.iter().zip(&found.shape).any(above)
}
