//! Inputs that are absent: optional ones, and those that have defaults (section 2.6).

use super::Inference;
use super::outputs::evaluate_shape;
use crate::compose::binding::DefaultInput;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::evaluate::context::loop_extent;
use crate::compose::extent::SymExpr;
use crate::compose::failure::Eval;
use crate::compose::formula::{FormulaConstant, TensorRef};
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use say::Subject;
use skriptnd_syntax::ast::{Expr, ExprKind, Param};

impl Inference<'_> {
    pub(super) fn absent_input(&mut self, at: usize, param: &Param) -> Eval<()> {
        if let Some(default) = &param.value {
            let value = self.eval(default)?;
            return self.default_input(at, param, &value);
        }
        if !param.spec.optional {
            return Err(say::missing_argument(self.request.path, param, self.request.site.span).into());
        }
        self.env.set(&param.name.text, Term::Null);
        let shape = param.spec.shape.as_deref().unwrap_or_default();
        let lengths = shape.iter().filter_map(|item| item.pack.as_ref()).chain(&param.spec.pack);
        let lengths = lengths.filter_map(|pack| pack.length.as_ref());
        let extents = shape.iter().filter_map(|item| item.extent.as_ref());
        for expr in extents.chain(lengths).chain(&param.spec.rank) {
            self.set_null(expr);
        }
        Ok(())
    }

    /// A 0-rank default is broadcast to the declared shape.
    fn default_input(&mut self, at: usize, param: &Param, value: &Term) -> Eval<()> {
        let items = self.default_items(param, value)?;
        self.bind_default_extents(param)?;
        let evaluator = Evaluator::new(&self.env, &self.types);
        let dtype = evaluator.resolve_type(&param.spec.base)?;
        let mut tensors = Vec::with_capacity(items.len());
        for (number, item) in items.iter().enumerate() {
            let shape = match &param.spec.shape {
                Some(shape) => evaluate_shape(&evaluator, shape, Some(number), &param.name, &self.bounds)?,
                None => Vec::new(),
            };
            let value = item.to_value().filter(|_| item.dtype() == Some(dtype));
            let Some(value) = value else { return Err(say::default_type(param, dtype, item).into()) };
            tensors.push((TensorType { dtype, shape }, value));
        }
        let tensors = match (&param.spec.pack, tensors.pop()) {
            (None, Some(single)) => Argument::Single(single),
            (_, last) => Argument::Pack(tensors.into_iter().chain(last).collect()),
        };
        if let (Some(rank), Some((ty, _))) = (&param.spec.rank, tensors.items().first()) {
            let found = SymExpr::Const(ty.shape.len() as i64);
            self.solve(rank, &found, Subject::Rank(param, None), self.request.site.span)?;
        }
        self.register_default(at, param, tensors);
        Ok(())
    }

    /// One value per tensor. A list tells how many there are; a single value stands for all.
    fn default_items(&mut self, param: &Param, value: &Term) -> Eval<Vec<Term>> {
        let Some(pack) = &param.spec.pack else { return Ok(vec![value.clone()]) };
        let items = match value.clone().written_out() {
            open @ Term::Sequence(_) => return Err(say::known_int_expected(&open, pack.span).into()),
            Term::Pack(items) => items,
            Term::Repeat(item, count) => vec![*item; usize::try_from(count).unwrap_or(0)],
            single => {
                let count = match &pack.length {
                    Some(length) if self.is_known(length) => self.eval(length)?,
                    _ => return Err(say::default_extent(param, "..", self.request.site.span).into()),
                };
                let Term::Int(count) = count else {
                    return Err(say::known_int_expected(&count, pack.span).into());
                };
                return Ok(vec![single.clone(); usize::try_from(count).unwrap_or(0)]);
            }
        };
        if let Some(length) = &pack.length {
            let count = SymExpr::Const(items.len() as i64);
            self.solve(length, &count, Subject::Tensors(param), self.request.site.span)?;
        }
        Ok(items)
    }

    /// A default has no dimensions of its own: packs of extents that nothing else determines are empty.
    fn bind_default_extents(&mut self, param: &Param) -> Eval<()> {
        for item in param.spec.shape.iter().flatten() {
            if let Some(length) = item.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
                if !self.is_known(length) {
                    self.solve(length, &SymExpr::Const(0), Subject::Length(param), self.request.site.span)?;
                }
            }
            let Some(Expr { kind: ExprKind::Name(name), .. }) = &item.extent else { continue };
            if self.env.get(name).is_none() {
                if item.pack.is_none() {
                    return Err(say::default_extent(param, name, self.request.site.span).into());
                }
                self.env.set(name, Term::pack(Vec::new(), Some(ScalarType::Int)));
            }
        }
        Ok(())
    }

    fn register_default(&mut self, input: usize, param: &Param, tensors: Argument<(TensorType, Value)>) {
        let known = self.default_constants.len();
        let constants = tensors.items().iter().map(|(ty, value)| FormulaConstant {
            name: param.name.text.clone(),
            dtype: ty.dtype,
            shape: ty.shape.iter().map(|extent| loop_extent(&extent.value, extent.bound).0).collect(),
            value: value.clone(),
        });
        self.default_constants.extend(constants);
        let declared = self.declare(&tensors.map(|(ty, _)| ty.clone()), (known..).map(TensorRef::Constant));
        self.env.set(&param.name.text, Term::of_tensors(&declared));
        self.defaults.push(DefaultInput { input, tensors });
    }
}
