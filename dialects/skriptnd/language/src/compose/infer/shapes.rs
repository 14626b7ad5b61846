//! Input shapes (section 2.6): what the dimensions of the arguments mean to the names in the declared shapes.

use super::outputs::evaluate_shape;
use super::{DefaultInput, Inference};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::{Eval, Evaluator, Failure};
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::formula::{FormulaConstant, TensorRef};
use crate::compose::graph::{Argument, TensorType};
use crate::compose::lower::context::loop_extent;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::compose::value::Value;
use crate::syntax::ast::{Expr, ExprKind, ExtentSpec, PackSpec, Param};
use std::collections::HashMap;
use std::sync::Arc;

/// How many dimensions an item of a shape takes.
enum Arity {
    Fixed(usize),
    /// What the other items leave.
    Rest,
}

/// Extents that differ between the tensors of a pack, gathered tensor by tensor.
type Distinct = HashMap<Arc<str>, Vec<Term>>;

impl Inference<'_> {
    pub(super) fn bind_inputs(&mut self) {
        let order = match &self.request.info.order {
            Ok(order) => order.clone(),
            Err(input) => {
                let param = &self.request.operator.inputs[*input];
                self.diagnostics.push(say::ambiguous_shape(self.request.path, param));
                return;
            }
        };
        self.declare_inputs();
        for at in order {
            if self.failed() {
                return;
            }
            self.bind_input(at);
            if self.failed() {
                self.prefer_assertions();
            }
        }
    }

    /// Names the given inputs, in order of declaration, for their members.
    fn declare_inputs(&mut self) {
        let request = self.request;
        let mut next = 0;
        for (param, operand) in request.operator.inputs.iter().zip(&request.operands) {
            if operand.argument == Argument::Null {
                continue;
            }
            let none = Argument::Pack(Vec::new());
            let argument = if operand.is_empty() { &none } else { &operand.argument };
            let term = self.register(argument, &mut || {
                next += 1;
                TensorRef::Input(next - 1)
            });
            self.env.set(&param.name.text, term);
        }
    }

    fn bind_input(&mut self, at: usize) {
        let request = self.request;
        let param = &request.operator.inputs[at];
        let result = match request.operands.get(at) {
            Some(operand) if operand.argument != Argument::Null => {
                self.bind_argument(at, param, &operand.argument, operand.length.as_ref())
            }
            _ => self.absent_input(at, param),
        };
        self.try_report(result);
    }

    fn bind_argument(
        &mut self,
        at: usize,
        param: &Param,
        argument: &Argument<TensorType>,
        length: Option<&SymExpr>,
    ) -> Eval<()> {
        match (&param.spec.pack, argument) {
            (None, Argument::Single(ty)) => self.bind_tensor(at, param, ty, None, &mut Distinct::new()),
            (Some(pack), Argument::Pack(items)) => {
                self.bind_length(at, param, pack, items.len(), length)?;
                if items.is_empty() {
                    return self.check_empty_pack(at, param);
                }
                let mut distinct = Distinct::new();
                for (number, ty) in items.iter().enumerate() {
                    self.bind_tensor(at, param, ty, Some(number), &mut distinct)?;
                }
                let count = length.and_then(SymExpr::as_known).map_or(items.len(), |length| length.max(0) as usize);
                for (name, mut extents) in distinct {
                    extents.truncate(count);
                    self.env.set(&name, Term::Pack(extents));
                }
                Ok(())
            }
            (Some(_), _) => Err(say::pack_argument_expected(param, self.request.site.argument(at)).into()),
            (None, _) => Err(say::single_argument_expected(param, self.request.site.argument(at)).into()),
        }
    }

    /// A pack without tensors determines nothing.
    fn check_empty_pack(&self, at: usize, param: &Param) -> Eval<()> {
        let extents = param.spec.shape.iter().flatten().filter_map(|item| item.extent.as_ref());
        match extents.chain(&param.spec.rank).all(|extent| self.is_known(extent)) {
            true => Ok(()),
            false => Err(say::empty_pack(param, self.request.site.argument(at)).into()),
        }
    }

    fn bind_length(
        &mut self,
        at: usize,
        param: &Param,
        pack: &PackSpec,
        count: usize,
        length: Option<&SymExpr>,
    ) -> Eval<()> {
        let Some(expr) = &pack.length else { return Ok(()) };
        let count = length.cloned().unwrap_or(SymExpr::Const(count as i64));
        let what = format!("the number of tensors in `{}`", param.name.text);
        match self.solve(expr, &count, &what)? {
            None => Ok(()),
            Some(expected) => {
                let span = self.request.site.argument(at);
                Err(say::tensor_pack_length(param, &self.text(expr), &expected, &count, span).into())
            }
        }
    }

    fn bind_tensor(
        &mut self,
        at: usize,
        param: &Param,
        ty: &TensorType,
        number: Option<usize>,
        distinct: &mut Distinct,
    ) -> Eval<()> {
        let rank = SymExpr::Const(ty.shape.len() as i64);
        if let Some(declared) = &param.spec.rank {
            if let Some(expected) = self.solve(declared, &rank, &format!("the rank of `{}`", param.name.text))? {
                let expected = expected.to_string();
                return Err(self.rank_mismatch(at, param, number, &expected, ty));
            }
        }
        let Some(shape) = &param.spec.shape else { return Ok(()) };
        let arities = shape.iter().map(|item| self.arity(item)).collect::<Eval<Vec<Arity>>>()?;
        let lengths = self.lengths(at, param, number, ty, &arities)?;
        let mut first = 0;
        for (item, length) in shape.iter().zip(lengths) {
            let dimensions = first..first + length;
            let extents = ty.shape.get(dimensions).ok_or(Failure::Silent)?;
            self.bind_item(at, param, item, extents, first, number, distinct)?;
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

    fn rank_mismatch(
        &self,
        at: usize,
        param: &Param,
        number: Option<usize>,
        expected: &str,
        ty: &TensorType,
    ) -> Failure {
        let span = self.request.site.tensor(at, number);
        say::rank_mismatch(self.request.path, (param, number), expected, ty, span).into()
    }

    /// Shares the dimensions out.
    fn lengths(
        &self,
        at: usize,
        param: &Param,
        number: Option<usize>,
        ty: &TensorType,
        arities: &[Arity],
    ) -> Eval<Vec<usize>> {
        let rank = ty.shape.len();
        let flexible = arities.iter().filter(|arity| matches!(arity, Arity::Rest)).count();
        let fixed = arities.iter().fold(0usize, |sum, arity| match arity {
            Arity::Fixed(length) => sum.saturating_add(*length),
            Arity::Rest => sum,
        });
        let mismatch = |expected: String| Err(self.rank_mismatch(at, param, number, &expected, ty));
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

    #[expect(clippy::too_many_arguments, reason = "an item, where it is, and what it belongs to")]
    fn bind_item(
        &mut self,
        at: usize,
        param: &Param,
        item: &ExtentSpec,
        extents: &[Extent],
        first: usize,
        number: Option<usize>,
        distinct: &mut Distinct,
    ) -> Eval<()> {
        let mut conditional = false;
        if let Some(PackSpec { length: Some(length), .. }) = &item.pack {
            if self.is_known(length) {
                conditional = matches!(self.eval(length)?, Term::Bool(_));
            } else {
                let what = format!("the number of dimensions for `{}`", self.text(length));
                self.solve(length, &SymExpr::Const(extents.len() as i64), &what)?;
            }
        }
        let Some(expr) = &item.extent else { return Ok(()) };
        if let (ExprKind::Name(name), Some(number)) = (&expr.kind, number.filter(|_| item.distinct)) {
            let values = distinct.get(name).map_or(0, Vec::len);
            if let (Some(extent), true) = (extents.first(), self.env.get(name).is_none() && values == number) {
                distinct.entry(name.clone()).or_default().push(Term::extent(extent.value.clone()));
                return Ok(());
            }
        }
        if let (ExprKind::Name(name), true) = (&expr.kind, item.pack.is_some()) {
            if self.env.get(name).is_none() {
                let mut values = extents.iter().map(|extent| Term::extent(extent.value.clone()));
                let value = if conditional {
                    values.next().unwrap_or(Term::Null)
                } else {
                    Term::pack(values.collect(), Some(ScalarType::Int))
                };
                self.env.set(name, value);
                return Ok(());
            }
        }
        self.check_extents(at, param, item, expr, extents, first, number)
    }

    /// Extents against an expression: of known names, or affine in one that is not.
    #[expect(clippy::too_many_arguments, reason = "an expression, the extents, and where they are")]
    fn check_extents(
        &mut self,
        at: usize,
        param: &Param,
        item: &ExtentSpec,
        expr: &Expr,
        extents: &[Extent],
        first: usize,
        number: Option<usize>,
    ) -> Eval<()> {
        let expected = if self.is_known(expr) { Some(self.eval(expr)?) } else { None };
        for (offset, extent) in extents.iter().enumerate() {
            let dimension = first + offset;
            let what = format!("dimension {dimension} of `{}`", param.name.text);
            let index = if item.distinct { number.unwrap_or(offset) } else { offset };
            let wrong = match &expected {
                Some(expected) => match expected.item(index) {
                    Some(expected) => {
                        let expected = expected.clone();
                        self.agree(&expected, &extent.value, &what, expr.span)?
                    }
                    None => {
                        return Err(say::extent_lengths(
                            expected.length().unwrap_or(0),
                            extents.len() as u64,
                            self.request.site.argument(at),
                        )
                        .into());
                    }
                },
                None => self.solve(expr, &extent.value, &what)?,
            };
            if let Some(expected) = wrong {
                let span = self.request.site.tensor(at, number);
                let place = say::Dimension { param, number, dimension, extent: self.text(expr) };
                return Err(say::shape_mismatch(self.request.path, &place, &expected, &extent.value, span).into());
            }
        }
        Ok(())
    }

    fn absent_input(&mut self, at: usize, param: &Param) -> Eval<()> {
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
        let evaluator = Evaluator::new(&self.env, &self.types);
        let dtype = evaluator.resolve_type(&param.spec.base)?;
        let items = match value.clone().written_out() {
            Term::Pack(items) if param.spec.pack.is_some() => items,
            single => vec![single],
        };
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
        self.register_default(at, param, tensors);
        Ok(())
    }

    fn register_default(&mut self, input: usize, param: &Param, tensors: Argument<(TensorType, Value)>) {
        let mut next = self.default_constants.len();
        let constants = tensors.items().iter().map(|(ty, value)| FormulaConstant {
            name: param.name.text.clone(),
            dtype: ty.dtype,
            shape: ty.shape.iter().map(|extent| loop_extent(&extent.value, extent.bound).0).collect(),
            value: value.clone(),
        });
        self.default_constants.extend(constants);
        let term = self.register(&tensors.map(|(ty, _)| ty.clone()), &mut || {
            next += 1;
            TensorRef::Constant(next - 1)
        });
        self.env.set(&param.name.text, term);
        self.defaults.push(DefaultInput { input, tensors });
    }
}
