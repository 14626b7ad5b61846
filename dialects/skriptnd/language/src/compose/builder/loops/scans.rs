//! The packs that a loop runs over, and those that it makes.

use super::header::{Count, Header};
use super::{Attempt, Work};
use crate::compose::builder::{Builder, Context, nested};
use crate::compose::diagnostics as say;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::Origin;
use crate::compose::limits;
use crate::compose::tensors::{Argument, TensorId, TensorType};
use crate::compose::value::ScalarType;
use std::collections::HashMap;
use std::sync::Arc;

impl<'a> Builder<'_, 'a> {
    /// The type that holds for all items: extents that differ become symbols.
    pub(super) fn item_type(&mut self, items: &[TensorId], name: &str) -> TensorType {
        let Some(first) = items.first() else { return TensorType { dtype: ScalarType::Real, shape: Vec::new() } };
        let mut ty = self.ty(*first).clone();
        for (at, extent) in ty.shape.iter_mut().enumerate() {
            let all: Vec<&Extent> = items.iter().filter_map(|id| self.ty(*id).shape.get(at)).collect();
            if all.iter().all(|other| other.value == extent.value) {
                continue;
            }
            let bound = all.iter().map(|extent| extent.as_known().or(extent.bound)).collect::<Option<Vec<_>>>();
            let bound = bound.and_then(|bounds| bounds.into_iter().max());
            *extent = Extent { value: SymExpr::Symbol(self.new_symbol(&format!("{name}.{at}"), bound)), bound };
        }
        ty
    }

    /// The pack of what the body gives in each iteration: as many tensors as there can be.
    pub(super) fn scan_output(
        &mut self,
        cx: &Context<'a>,
        header: &Header,
        work: &Work<'a, '_>,
        attempt: &Attempt,
        (number, ty): (usize, &TensorType),
    ) -> Option<Argument> {
        let span = work.looping.span;
        let dynamic = self.dynamic_length(header, work, attempt);
        let written = header.written_length.filter(|_| dynamic.is_some());
        let maximum = match header.maximum().into_iter().chain(written).min() {
            Some(maximum) if maximum as i64 <= limits::UNROLL_COUNT => maximum,
            Some(maximum) => {
                self.report(cx, say::pack_too_long(maximum, span));
                return None;
            }
            None => {
                self.report(cx, say::scan_output_length(span));
                return None;
            }
        };
        let mut items = Vec::with_capacity(maximum);
        for at in 0..maximum {
            let ty = self.type_of_item(header, work, attempt, (number, ty), at);
            items.push(self.add(ty, Origin::Result, span));
        }
        if let (Some(SymExpr::Symbol(symbol)), Ok(bound)) = (&dynamic, i64::try_from(maximum)) {
            self.session.bounds.borrow_mut().entry(symbol.clone()).or_insert(bound);
        }
        let pack = Argument::Pack(items);
        self.note_length(&pack, dynamic.as_ref());
        Some(pack)
    }

    /// The number of iterations, if only the run knows it.
    fn dynamic_length(&mut self, header: &Header, work: &Work<'a, '_>, attempt: &Attempt) -> Option<SymExpr> {
        if attempt.condition.is_none() {
            match &header.count {
                Count::Known(_) => return None,
                Count::Extents(value, _) => return Some(value.clone()),
                Count::Open => {
                    let length = self.scanned_length(&work.packs)?;
                    return length.as_known().is_none().then_some(length.value);
                }
                Count::Tensor(_) => {}
            }
        }
        Some(SymExpr::Symbol(self.new_symbol(&nested(&work.scope, "count"), None)))
    }

    /// The type of one item of a scan output: what differs between iterations is that of its iteration.
    fn type_of_item(
        &mut self,
        header: &Header,
        work: &Work<'a, '_>,
        attempt: &Attempt,
        (number, ty): (usize, &TensorType),
        at: usize,
    ) -> TensorType {
        let differs = |extent: &Extent| {
            let mut differs = false;
            extent.value.symbols(&mut |s| differs |= attempt.symbols.contains(s) || header.is_changing(s));
            differs
        };
        let mut ty = ty.clone();
        if !ty.shape.iter().any(differs) {
            return ty;
        }
        let scanned = self.scanned_extents(header, work, attempt, at);
        for (dimension, extent) in ty.shape.iter_mut().enumerate() {
            if let Some(value) = extent.value.substitute(&|symbol| scanned.get(symbol).cloned()) {
                extent.value = value;
            }
            if differs(extent) {
                let name = format!("{}.{number}.{at}.{dimension}", work.scope);
                extent.value = SymExpr::Symbol(self.new_symbol(&name, extent.bound));
            } else if extent.as_known().is_some() {
                extent.bound = None;
            }
        }
        ty
    }

    /// What the symbols of the packs' items stand for in an iteration.
    fn scanned_extents(
        &self,
        header: &Header,
        work: &Work<'a, '_>,
        attempt: &Attempt,
        at: usize,
    ) -> HashMap<Arc<str>, SymExpr> {
        let mut extents = HashMap::new();
        let parameters = attempt.parameters.iter().skip(header.carried.len());
        for (parameter, items) in parameters.zip(work.packs.iter().flatten()) {
            let Some(item) = items.get(at) else { continue };
            for (general, own) in self.ty(*parameter).shape.iter().zip(&self.ty(*item).shape) {
                if let SymExpr::Symbol(symbol) = &general.value
                    && attempt.symbols.contains(symbol)
                {
                    extents.insert(symbol.clone(), own.value.clone());
                }
            }
        }
        extents
    }
}
