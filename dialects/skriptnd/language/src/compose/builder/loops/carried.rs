//! Tensors that a loop carries from one iteration to the next. Their extents may change on the way: such an extent is
//! a symbol in the body, and its upper bound is declared, or follows from how often the loop runs.

use super::header::{Changing, Count, Header, exceeds, is_open};
use super::{Attempt, Work};
use crate::compose::builder::checkpoint::Mark;
use crate::compose::builder::{Builder, Context, nested};
use crate::compose::diagnostics as say;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::Origin;
use crate::compose::limits;
use crate::compose::tensors::{Argument, TensorType};
use std::collections::HashMap;

impl<'a> Builder<'_, 'a> {
    /// Composes the body, again if need be: until the types of the carried tensors hold in every iteration.
    pub(super) fn settled(
        &mut self,
        cx: &mut Context<'a>,
        header: &mut Header,
        work: &Work<'a, '_>,
    ) -> Option<Attempt> {
        self.open_declared(header, work);
        let mark = self.mark();
        let mut attempt = self.attempt(cx, header, work)?;
        // Each round finds at least one more extent that changes.
        loop {
            let found = self.check_carried(cx, header, work, &attempt)?;
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|(tensor, dimension)| self.open(header, work, tensor, dimension));
            attempt = self.again(cx, header, work, &mark, attempt)?;
        }
        if header.changing.iter().any(|changing| changing.provisional) {
            attempt = match self.bounds_of(header, &attempt) {
                Some(bounds) => {
                    self.set_bounds(header, &bounds);
                    self.again(cx, header, work, &mark, attempt)?
                }
                None => self.never_growing(cx, header, work, &mark, attempt)?,
            };
        }
        Some(attempt)
    }

    /// The body of a loop whose tensors are nowhere larger than at first: then it keeps to the bounds that it begins with.
    /// So it is where operators with results of open extents, such as filters, are applied again and again.
    fn never_growing(
        &mut self,
        cx: &mut Context<'a>,
        header: &mut Header,
        work: &Work<'a, '_>,
        mark: &Mark,
        attempt: Attempt,
    ) -> Option<Attempt> {
        let upper = |extent: &Extent| extent.as_known().or(extent.bound);
        let start = header.changing.iter().map(|place| upper(self.initial_extent(header, place)?));
        let Some(start) = start.collect::<Option<Vec<i64>>>() else {
            self.report_growth(cx, header, work, &attempt);
            return None;
        };
        self.set_bounds(header, &start);
        let attempt = self.again(cx, header, work, mark, attempt)?;
        let after = header.changing.iter().map(|place| {
            let result = attempt.results.get(place.tensor)?;
            upper(self.ty(*result).shape.get(place.dimension)?)
        });
        if after.zip(&start).all(|(after, start)| after.is_some_and(|after| after <= *start)) {
            return Some(attempt);
        }
        self.report_growth(cx, header, work, &attempt);
        None
    }

    /// Composes the body once more. Each loop around does so as well, so there is a limit.
    fn again(
        &mut self,
        cx: &mut Context<'a>,
        header: &Header,
        work: &Work<'a, '_>,
        mark: &Mark,
        before: Attempt,
    ) -> Option<Attempt> {
        self.recomposed += 1;
        if self.recomposed > limits::RECOMPOSED_LOOPS {
            self.report_growth(cx, header, work, &before);
            return None;
        }
        self.roll_back(mark);
        self.attempt(cx, header, work)
    }

    /// Extents that are declared as `~` get symbols.
    fn open_declared(&mut self, header: &mut Header, work: &Work<'a, '_>) {
        let mut places = Vec::new();
        for (tensor, carried) in header.carried.iter().enumerate() {
            let open = carried.ty.shape.iter().enumerate().filter(|(_, extent)| is_open(extent));
            places.extend(open.map(|(dimension, _)| (tensor, dimension)));
        }
        places.into_iter().for_each(|(tensor, dimension)| self.open(header, work, tensor, dimension));
    }

    /// Makes an extent one that changes.
    fn open(&mut self, header: &mut Header, work: &Work<'a, '_>, tensor: usize, dimension: usize) {
        let name = work.looping.carried.get(tensor).map_or("", |carried| &*carried.name.text);
        let declared =
            header.extent(tensor, dimension).filter(|extent| is_open(extent)).and_then(|extent| extent.bound);
        // Loops inside need some bound to find theirs.
        let bound = Some(declared.unwrap_or(limits::PROVISIONAL_EXTENT));
        let symbol = self.new_symbol(&format!("{}.{dimension}", nested(&work.scope, name)), bound);
        if let Some(extent) = header.extent_mut(tensor, dimension) {
            *extent = Extent { value: SymExpr::Symbol(symbol.clone()), bound };
        }
        header.changing.push(Changing { tensor, dimension, symbol, provisional: declared.is_none() });
    }

    /// Extents that are not bounded by their declaration.
    fn set_bounds(&mut self, header: &mut Header, bounds: &[i64]) {
        for (changing, bound) in header.changing.clone().into_iter().zip(bounds) {
            if let Some(extent) = header.extent_mut(changing.tensor, changing.dimension)
                && changing.provisional
            {
                extent.bound = Some(*bound);
                self.session.bounds.borrow_mut().insert(changing.symbol, *bound);
            }
        }
    }

    /// Checks the new values of the carried tensors; gives those extents that differ from the ones before.
    fn check_carried(
        &mut self,
        cx: &Context<'a>,
        header: &Header,
        work: &Work<'a, '_>,
        attempt: &Attempt,
    ) -> Option<Vec<(usize, usize)>> {
        let mut differing = Vec::new();
        let span = work.looping.body.span();
        for (tensor, (carried, id)) in header.carried.iter().zip(&attempt.results).enumerate() {
            let (expected, found) = (&carried.ty, self.ty(*id).clone());
            let changes = |extent: &Extent| matches!(&extent.value, SymExpr::Symbol(s) if header.is_changing(s));
            let alike = expected.dtype == found.dtype && expected.shape.len() == found.shape.len();
            let pairs = || expected.shape.iter().zip(&found.shape);
            if alike && !carried.declared {
                let others = pairs().enumerate().filter(|(_, (a, b))| !changes(a) && a.value != b.value);
                differing.extend(others.map(|(dimension, _)| (tensor, dimension)));
                continue;
            }
            // What is declared and can't be decided now is checked when the loop runs.
            let fixed = pairs().map(|(a, b)| if changes(a) { b.clone() } else { a.clone() }).collect();
            let fixed = TensorType { dtype: expected.dtype, shape: fixed };
            let name = &work.looping.carried.get(tensor)?.name.text;
            if !alike || !self.agrees(cx, &fixed, &found, name, span) || exceeds(expected, &found) {
                self.report(cx, say::carried_type(name, expected, &self.possible_types(&found), span));
                return None;
            }
        }
        Some(differing)
    }

    fn report_growth(&mut self, cx: &Context<'a>, header: &Header, work: &Work<'a, '_>, attempt: &Attempt) {
        let Some(changing) = header.changing.iter().find(|changing| changing.provisional) else { return };
        let (Some(carried), Some(after)) = (header.carried.get(changing.tensor), attempt.results.get(changing.tensor))
        else {
            return;
        };
        let name = work.looping.carried.get(changing.tensor).map_or("", |carried| &*carried.name.text);
        let types = (self.ty(carried.initial).clone(), self.ty(*after).clone());
        let diagnostic = say::unbounded_growth(
            name,
            changing.dimension,
            &changing.symbol,
            (&types.0, &types.1),
            work.looping.body.span(),
        );
        self.report(cx, diagnostic);
    }

    /// Upper bounds of the extents that change, by going through the iterations; none if nothing bounds them.
    fn bounds_of(&self, header: &Header, attempt: &Attempt) -> Option<Vec<i64>> {
        let next: Vec<SymExpr> =
            header.changing.iter().map(|place| self.next(attempt, place)).collect::<Option<_>>()?;
        let upper = |extent: &Extent| extent.as_known().or(extent.bound);
        let start = header.changing.iter().map(|place| upper(self.initial_extent(header, place)?));
        let mut current: Vec<i64> = start.collect::<Option<_>>()?;
        // What a loop around has not bounded yet begins beyond.
        let begun = current.iter().any(|extent| *extent >= limits::PROVISIONAL_EXTENT);
        let most = if begun { i64::MAX } else { limits::PROVISIONAL_EXTENT };
        let mut greatest = current.clone();
        let known = self.session.bounds.borrow();
        let limit = header.maximum().unwrap_or(limits::ITERATED_EXTENTS).min(limits::ITERATED_EXTENTS);
        for _ in 0..limit {
            let values = values_of(header, &current);
            let bound = |symbol: &str| values.get(symbol).copied().or_else(|| known.get(symbol).copied());
            let after: Vec<i64> = next.iter().map(|expr| expr.upper_bound(&bound)).collect::<Option<_>>()?;
            greatest.iter_mut().zip(&after).for_each(|(greatest, after)| *greatest = (*greatest).max(*after));
            if after.iter().any(|extent| *extent >= most) {
                return None;
            }
            if after == current {
                return Some(greatest);
            }
            current = after;
        }
        (header.maximum()? <= limit).then_some(greatest)
    }

    /// The extent after an iteration.
    fn next(&self, attempt: &Attempt, place: &Changing) -> Option<SymExpr> {
        let result = attempt.results.get(place.tensor)?;
        Some(self.ty(*result).shape.get(place.dimension)?.value.clone())
    }

    fn initial_extent(&self, header: &Header, place: &Changing) -> Option<&Extent> {
        self.ty(header.carried.get(place.tensor)?.initial).shape.get(place.dimension)
    }

    /// The final values. Extents that change are known if the number of iterations is.
    pub(super) fn carried_outputs(
        &mut self,
        cx: &Context<'a>,
        header: &Header,
        work: &Work<'a, '_>,
        attempt: &Attempt,
    ) -> Option<Vec<Argument>> {
        let last = self.final_extents(header, work, attempt);
        if let Some(place) = header.changing.iter().zip(last.iter().flatten()).find_map(|(place, last)| {
            let last = &last.as_known()?;
            let bound = header.extent(place.tensor, place.dimension)?.bound?;
            (*last > bound).then_some((place, *last, bound))
        }) {
            let (place, last, bound) = place;
            let carried = work.looping.carried.get(place.tensor)?;
            self.report(
                cx,
                say::carried_bound(&carried.name.text, place.dimension, last, bound, work.looping.body.span()),
            );
            return None;
        }
        let mut types: Vec<TensorType> = header.carried.iter().map(|carried| carried.ty.clone()).collect();
        for (at, place) in header.changing.iter().enumerate() {
            let extent = types.get_mut(place.tensor).and_then(|ty| ty.shape.get_mut(place.dimension));
            let (Some(extent), Some(carried)) = (extent, work.looping.carried.get(place.tensor)) else { continue };
            *extent = match last.as_ref().and_then(|last| last.get(at)) {
                Some(SymExpr::Const(known)) => Extent::known(*known),
                Some(value) => Extent { value: value.clone(), bound: extent.bound },
                None => {
                    let name = format!("{}.final.{}", nested(&work.scope, &carried.name.text), place.dimension);
                    let bound = extent.bound;
                    Extent { value: SymExpr::Symbol(self.new_symbol(&name, bound)), bound }
                }
            };
        }
        let outputs = types.into_iter().map(|ty| Argument::Single(self.add(ty, Origin::Result, work.looping.span)));
        Some(outputs.collect())
    }

    /// The changing extents after the last iteration, if it is known which one that is.
    fn final_extents(&self, header: &Header, work: &Work<'a, '_>, attempt: &Attempt) -> Option<Vec<SymExpr>> {
        if attempt.condition.is_some() || header.changing.is_empty() {
            return None;
        }
        let count = match header.count {
            Count::Known(count) => count,
            Count::Open => self.scanned_length(&work.packs)?.as_known()?,
            Count::Extents(..) | Count::Tensor(_) => return None,
        };
        if count > limits::ITERATED_EXTENTS as i64 {
            return None;
        }
        let next: Vec<SymExpr> =
            header.changing.iter().map(|place| self.next(attempt, place)).collect::<Option<_>>()?;
        let mut local = false;
        next.iter().for_each(|expr| expr.symbols(&mut |symbol| local |= attempt.symbols.contains(symbol)));
        let start = header.changing.iter().map(|place| Some(self.initial_extent(header, place)?.value.clone()));
        let mut current: Vec<SymExpr> = start.collect::<Option<_>>()?;
        if local || (count > limits::FOLLOWED_EXTENTS && !current.iter().all(|extent| extent.as_known().is_some())) {
            return None;
        }
        for _ in 0..count {
            let values: HashMap<&str, &SymExpr> =
                header.changing.iter().map(|changing| &*changing.symbol).zip(&current).collect();
            let after = next.iter().map(|expr| expr.substitute(&|symbol| values.get(symbol).map(|e| (*e).clone())));
            current = after.collect::<Option<_>>()?;
        }
        Some(current)
    }
}

/// The symbols of the changing extents with these values.
fn values_of<'h>(header: &'h Header, values: &[i64]) -> HashMap<&'h str, i64> {
    header.changing.iter().map(|changing| &*changing.symbol).zip(values.iter().copied()).collect()
}
