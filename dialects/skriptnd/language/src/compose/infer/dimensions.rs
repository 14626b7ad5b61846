//! The dimensions of one tensor against a declared shape (section 2.6).

use super::{Dimensions, Inference, Place};
use crate::compose::diagnostics as say;
use crate::compose::extent::{SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::tensors::TensorType;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use say::Subject;
use skriptnd_syntax::ast::{Expr, ExprKind, ExtentSpec, PackSpec, Param};
use std::collections::HashMap;
use std::sync::Arc;

/// How many dimensions an item of a shape takes.
enum Arity {
    Fixed(usize),
    /// What the other items leave.
    Rest,
}

/// Extents that differ between the tensors of a pack, gathered tensor by tensor.
pub(super) type Distinct = HashMap<Arc<str>, Vec<Term>>;

impl<'a> Inference<'a> {
    pub(super) fn bind_tensor(
        &mut self,
        place: Place,
        param: &'a Param,
        ty: &TensorType,
        distinct: &mut Distinct,
    ) -> Eval<()> {
        if let Some(declared) = &param.spec.rank {
            let rank = SymExpr::Const(ty.shape.len() as i64);
            let span = self.request.site.tensor(place.at, place.number);
            self.solve(declared, &rank, Subject::Rank(param, place.number), span)?;
        }
        let Some(shape) = &param.spec.shape else { return Ok(()) };
        let arities = shape.iter().map(|item| self.arity(item)).collect::<Eval<Vec<Arity>>>()?;
        let lengths = self.lengths(place, param, ty, &arities)?;
        let mut first = 0;
        for (item, length) in shape.iter().zip(lengths) {
            let extents = ty.shape.get(first..first + length).ok_or(Failure::Silent)?.to_vec();
            self.bind_item(Dimensions { place, param, item, first, extents }, distinct)?;
            first += length;
        }
        Ok(())
    }

    fn arity(&self, item: &ExtentSpec) -> Eval<Arity> {
        let known = |expr: &Expr| if self.is_known(expr) { self.eval(expr).map(Some) } else { Ok(None) };
        let count = |term: Term, expr: &Expr| match term {
            Term::Null | Term::Bool(false) => Ok(Arity::Fixed(0)),
            Term::Bool(true) => Ok(Arity::Fixed(1)),
            Term::Int(length) => match usize::try_from(length) {
                Ok(length) => Ok(Arity::Fixed(length)),
                Err(_) => Err(say::negative_length(length, expr.span).into()),
            },
            other => Err(say::known_int_expected(&other, expr.span).into()),
        };
        match (&item.pack, &item.extent) {
            (Some(PackSpec { length: Some(length), .. }), _) => match known(length)? {
                Some(value) => count(value, length),
                None => Ok(Arity::Rest),
            },
            (Some(_), Some(extent)) => Ok(match known(extent)? {
                Some(Term::Null) => Arity::Fixed(0),
                Some(pack @ Term::Sequence(_)) => return Err(say::known_int_expected(&pack, extent.span).into()),
                Some(pack) if pack.is_pack() => Arity::Fixed(pack.length().unwrap_or(0) as usize),
                _ => Arity::Rest,
            }),
            (Some(_), None) => Ok(Arity::Rest),
            // A name that stands for null is a dimension that is left out.
            (None, Some(extent)) if !item.distinct => Ok(match known(extent) {
                Ok(Some(Term::Null)) => Arity::Fixed(0),
                _ => Arity::Fixed(1),
            }),
            (None, _) => Ok(Arity::Fixed(1)),
        }
    }

    /// Shares the dimensions out.
    fn lengths(&self, place: Place, param: &Param, ty: &TensorType, arities: &[Arity]) -> Eval<Vec<usize>> {
        let rank = ty.shape.len();
        let flexible = arities.iter().filter(|arity| matches!(arity, Arity::Rest)).count();
        let fixed = arities.iter().fold(0usize, |sum, arity| match arity {
            Arity::Fixed(length) => sum.saturating_add(*length),
            Arity::Rest => sum,
        });
        let mismatch = |expected: String| {
            let span = self.request.site.tensor(place.at, place.number);
            Err(say::rank_mismatch(self.request.path, (param, place.number), &expected, ty, span).into())
        };
        match flexible {
            0 if fixed != rank => mismatch(fixed.to_string()),
            1 if fixed > rank => mismatch(format!("at least {fixed}")),
            0 | 1 => Ok(arities
                .iter()
                .map(|arity| match arity {
                    Arity::Fixed(length) => *length,
                    Arity::Rest => rank - fixed,
                })
                .collect()),
            _ => Err(say::ambiguous_shape(self.request.path, param).into()),
        }
    }

    fn bind_item(&mut self, dimensions: Dimensions<'a>, distinct: &mut Distinct) -> Eval<()> {
        let Dimensions { item, .. } = dimensions;
        let conditional = self.bind_item_length(&dimensions)?;
        // The main graph's extents are what they are bounded by; the run checks them.
        if item.bound.is_some() && self.request.site.invocation.is_some() {
            self.bounded.push(dimensions.clone());
        }
        let Some(expr) = &item.extent else { return Ok(()) };
        if self.waits(expr) {
            self.postponed.push(dimensions);
            return Ok(());
        }
        if let ExprKind::Name(name) = &expr.kind {
            if self.env.get(name).is_none() && self.bind_name(name, &dimensions, conditional, distinct) {
                return Ok(());
            }
        }
        self.check_extents(&dimensions, expr)
    }

    /// Binds or checks the length of a packed extent. Whether it is a condition.
    fn bind_item_length(&mut self, dimensions: &Dimensions<'a>) -> Eval<bool> {
        let Dimensions { place, param, item, extents, .. } = dimensions;
        let Some(PackSpec { length: Some(length), .. }) = &item.pack else { return Ok(false) };
        if self.is_known(length) {
            return Ok(matches!(self.eval(length)?, Term::Bool(_)));
        }
        let span = self.request.site.tensor(place.at, place.number);
        self.solve(length, &SymExpr::Const(extents.len() as i64), Subject::Length(param), span)?;
        Ok(false)
    }

    /// An attribute whose value follows only when all inputs are bound (section 2.6.1, steps 3 and 4).
    fn waits(&self, expr: &Expr) -> bool {
        let mut waits = false;
        crate::compose::analysis::names::uses(expr, &mut |name| {
            let attribute = self.request.operator.attributes.iter().any(|param| param.name.text == *name);
            waits |= attribute && self.env.get(name).is_none();
        });
        waits
    }

    /// Gives a name that is not known yet the extents. Whether it takes them.
    fn bind_name(
        &mut self,
        name: &Arc<str>,
        dimensions: &Dimensions<'a>,
        conditional: bool,
        distinct: &mut Distinct,
    ) -> bool {
        let Dimensions { place, item, extents, .. } = dimensions;
        let mut values = extents.iter().map(|extent| Term::extent(extent.value.clone()));
        match place.number.filter(|_| item.distinct) {
            Some(number) => {
                let gathered = distinct.entry(name.clone()).or_default();
                let next = values.next().filter(|_| gathered.len() == number);
                next.map(|value| gathered.push(value)).is_some()
            }
            None if item.pack.is_some() => {
                let value = if conditional {
                    values.next().unwrap_or(Term::Null)
                } else {
                    Term::pack(values.collect(), Some(ScalarType::Int))
                };
                self.env.set(name, value);
                true
            }
            None => false,
        }
    }

    /// Extents against an expression: of known names, or affine in one that is not.
    fn check_extents(&mut self, dimensions: &Dimensions<'a>, expr: &Expr) -> Eval<()> {
        let Dimensions { place, param, item, first, extents } = dimensions;
        let expected = if self.is_known(expr) { Some(self.eval(expr)?) } else { None };
        let span = self.request.site.tensor(place.at, place.number);
        for (offset, extent) in extents.iter().enumerate() {
            let subject = Subject::Dimension(param, place.number, first + offset);
            let index = if item.distinct { place.number.unwrap_or(offset) } else { offset };
            match &expected {
                None => self.solve(expr, &extent.value, subject, span)?,
                Some(Term::Sequence(pack)) if item.distinct => {
                    let expected = pack.at(&SymExpr::Const(index as i64)).ok_or(Failure::Silent)?;
                    self.agree(expr, &expected, &extent.value, subject, span)?;
                }
                Some(pack) => match pack.item(index).cloned() {
                    Some(expected) => self.agree(expr, &expected, &extent.value, subject, span)?,
                    None => {
                        let lengths = (pack.length().unwrap_or(0), extents.len() as u64);
                        return Err(say::extent_lengths(lengths.0, lengths.1, span).into());
                    }
                },
            }
        }
        Ok(())
    }

    /// Extents for which the inputs of a sub-graph declare bounds.
    pub(super) fn bounded_extents(&mut self) {
        for dimensions in std::mem::take(&mut self.bounded) {
            let result = self.check_bounds(&dimensions);
            self.try_report(result);
        }
    }

    fn check_bounds(&mut self, dimensions: &Dimensions<'a>) -> Eval<()> {
        let Dimensions { place, param, item, first, extents } = dimensions;
        let Some(bound) = &item.bound else { return Ok(()) };
        let bounds = self.eval(bound)?;
        let span = self.request.site.tensor(place.at, place.number);
        for (offset, extent) in extents.iter().enumerate() {
            let index = if item.distinct { place.number.unwrap_or(offset) } else { offset };
            let Some(bound) = bounds.item(index).and_then(Term::as_extent) else { continue };
            let condition = SymExpr::apply(SymOp::Le, vec![extent.value.clone(), bound.clone()]);
            let Some(condition) = condition else { continue };
            let subject = Subject::Dimension(param, place.number, first + offset);
            let path = self.request.path;
            self.require(condition, say::extent_above_bound(path, &subject, &extent.value, &bound, span))?;
        }
        Ok(())
    }

    /// Extents that attributes prescribe which have values only now.
    pub(super) fn postponed_extents(&mut self) {
        for dimensions in std::mem::take(&mut self.postponed) {
            let Some(expr) = &dimensions.item.extent else { continue };
            let result = self.check_extents(&dimensions, expr);
            self.try_report(result);
        }
    }
}
