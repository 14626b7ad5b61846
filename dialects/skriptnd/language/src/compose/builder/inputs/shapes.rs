//! The shapes of a graph's inputs: extents that are known, fixed from outside, or symbols with bounds (section 2.6).

use super::MainInputs;
use crate::compose::analysis::names::uses;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::failure::{Eval, Failure};
use crate::compose::infer::evaluate_shape;
use crate::compose::limits;
use crate::compose::tensors::FormalTensors;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;
use skriptnd_syntax::ast::{Expr, ExprKind, ExtentSpec, Name, Param};
use std::sync::Arc;

impl MainInputs<'_, '_> {
    pub(super) fn shape(&mut self, param: &Param, shape: &[ExtentSpec], number: Option<usize>) -> Eval<Vec<Extent>> {
        let mut extents = Vec::with_capacity(shape.len());
        for item in shape {
            let count = match item.pack.as_ref().map(|pack| &pack.length) {
                None => None,
                Some(Some(length)) => self.length(length)?,
                Some(None) => None,
            };
            self.item(param, item, count, number, &mut extents)?;
        }
        if extents.len() > limits::RANK {
            return Err(say::rank_limit(extents.len(), param.span).into());
        }
        Ok(extents)
    }

    fn length(&self, length: &Expr) -> Eval<Option<usize>> {
        match self.eval(length)? {
            Term::Null => Ok(Some(0)),
            Term::Bool(included) => Ok(Some(usize::from(included))),
            Term::Int(count) => match usize::try_from(count) {
                Ok(count) if count <= limits::RANK => Ok(Some(count)),
                Ok(count) => Err(say::rank_limit(count, length.span).into()),
                Err(_) => Err(say::negative_length(count, length.span).into()),
            },
            other => Err(say::known_int_expected(&other, length.span).into()),
        }
    }

    fn item(
        &mut self,
        param: &Param,
        item: &ExtentSpec,
        count: Option<usize>,
        number: Option<usize>,
        extents: &mut Vec<Extent>,
    ) -> Eval<()> {
        let unnamed = || {
            let tensor = number.map_or_else(String::new, |number| format!(".{number}"));
            format!("{}{tensor}.{}", param.name.text, extents.len())
        };
        let symbol = match &item.extent {
            None => Some(unnamed()),
            Some(Expr { kind: ExprKind::Name(name), .. }) if self.env.get(name).is_none() => Some(name.to_string()),
            Some(expr) if item.bound.is_some() && !self.is_known(expr) => {
                extents.push(self.affine(item, expr)?);
                return Ok(());
            }
            Some(_) => None,
        };
        let Some(symbol) = symbol else { return self.known_item(item, number, extents) };
        if item.pack.is_some() && count.is_none() {
            self.forget(item);
            return Err(say::rank_missing(param, item.span).into());
        }
        let mut values = Vec::new();
        for at in 0..count.unwrap_or(1) {
            let symbol = if count.is_some() { format!("{symbol}.{at}") } else { symbol.clone() };
            let extent = self.symbol(&symbol, item, at).inspect_err(|_| self.forget(item))?;
            values.push(Term::extent(extent.value.clone()));
            extents.push(extent);
        }
        if let Some(Expr { kind: ExprKind::Name(name), .. }) = &item.extent {
            let single = values.first().cloned().unwrap_or(Term::Null);
            let values = Term::pack(values, Some(ScalarType::Int));
            self.env.set(name, if count.is_some() { values } else { single });
        }
        Ok(())
    }

    /// `2 * n + 1|9`: the bound of the symbol follows from that of the extent.
    fn affine(&mut self, item: &ExtentSpec, expr: &Expr) -> Eval<Extent> {
        let mut unknown = Vec::new();
        uses(expr, &mut |name| {
            if self.env.get(name).is_none() && !unknown.contains(name) {
                unknown.push(name.clone());
            }
        });
        let ([name], Some(bound)) = (unknown.as_slice(), &item.bound) else {
            return Err(say::extent_not_affine(expr.span).into());
        };
        let limit = self.eval(bound)?;
        let Term::Int(limit) = limit else { return Err(say::known_int_expected(&limit, bound.span).into()) };
        self.env.set(name, Term::extent(SymExpr::Symbol(name.clone())));
        let value = self.eval(expr)?.as_extent().ok_or(Failure::Silent)?;
        let solved = value.affine().filter(|(_, coefficient, _)| *coefficient > 0);
        let Some((_, largest)) = solved.and_then(|_| value.solve(limit)) else {
            return Err(say::extent_not_affine(expr.span).into());
        };
        let extent = self.bounded_symbol(name, largest, item.span)?;
        self.env.set(name, Term::extent(extent.value));
        let value = self.eval(expr)?.as_extent().ok_or(Failure::Silent)?;
        let bound = value.as_known().is_none().then_some(limit);
        Ok(Extent { value, bound })
    }

    /// After an error, what uses the name stays silent.
    fn forget(&mut self, item: &ExtentSpec) {
        if let Some(Expr { kind: ExprKind::Name(name), .. }) = &item.extent {
            self.env.set(name, Term::Unknown);
        }
    }

    fn is_known(&self, expr: &Expr) -> bool {
        let mut known = true;
        uses(expr, &mut |name| known &= self.env.get(name).is_some());
        known
    }

    /// A dynamic extent: fixed from outside, or a symbol with its bound.
    fn symbol(&mut self, symbol: &str, item: &ExtentSpec, at: usize) -> Eval<Extent> {
        let bound = match &item.bound {
            None => {
                let name = item.extent.as_ref().map(|_| symbol);
                let attributes = self.definition.operator.attributes.iter().map(|param| &*param.name.text);
                let near = name.and_then(|name| nearest(name, attributes));
                return Err(say::extent_without_bound(name, near, item.span).into());
            }
            Some(bound) => match self.eval(bound)?.item(at) {
                Some(Term::Int(bound)) if *bound >= 0 => *bound,
                Some(Term::Int(negative)) => return Err(say::negative_bound(*negative, bound.span).into()),
                other => return Err(say::known_int_expected(other.unwrap_or(&Term::Null), bound.span).into()),
            },
        };
        self.bounded_symbol(symbol, bound, item.span)
    }

    pub(super) fn bounded_symbol(&mut self, symbol: &str, bound: i64, span: Span) -> Eval<Extent> {
        if let Some((name, value)) = self.options.bindings.iter().find(|(name, _)| name == symbol) {
            self.used.push(name.clone());
            if *value < 0 || *value > bound {
                return Err(say::extent_beyond_bound(symbol, *value, bound, span).into());
            }
            return Ok(Extent::known(*value));
        }
        let symbol: Arc<str> = symbol.into();
        self.session.bounds.borrow_mut().insert(symbol.clone(), bound);
        Ok(Extent { value: SymExpr::Symbol(symbol), bound: Some(bound) })
    }

    /// An extent whose names are known; a bound that is repeated must be the same.
    fn known_item(&mut self, item: &ExtentSpec, number: Option<usize>, extents: &mut Vec<Extent>) -> Eval<()> {
        let none = FormalTensors::default();
        let bounds = self.session.bounds.borrow().clone();
        let name = Name { text: "input".into(), span: item.span };
        let evaluator = Evaluator::new(&self.env, &none);
        let unbounded = [ExtentSpec { bound: None, ..item.clone() }];
        let found = evaluate_shape(&evaluator, &unbounded, number, &name, &bounds)?;
        if let Some(bound) = &item.bound {
            let repeated = self.eval(bound)?;
            for (at, extent) in found.iter().enumerate() {
                if let (Some(Term::Int(second)), Some(first)) = (repeated.item(at), extent.bound) {
                    if *second != first {
                        let text = extent.value.to_string();
                        return Err(say::bounds_differ(&text, first, *second, item.span).into());
                    }
                }
            }
        }
        extents.extend(found);
        Ok(())
    }
}
