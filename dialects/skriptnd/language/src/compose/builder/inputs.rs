//! The main graph: its attributes and inputs come from outside (sections 2.6 and 3).

use super::arguments::term_of;
use super::{Builder, Context};
use crate::compose::ComposeOptions;
use crate::compose::analysis::names::uses;
use crate::compose::diagnostics as say;
use crate::compose::env::Env;
use crate::compose::evaluate::{Eval, Evaluator, Failure, concrete};
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::{Argument, Graph, Origin, Port, TensorType};
use crate::compose::infer::{Binding, Operand, Request, Site, infer};
use crate::compose::limits;
use crate::compose::session::{Definition, Session};
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use crate::diagnostics::{Diagnostics, nearest};
use crate::syntax::ast::{Expr, ExprKind, ExtentSpec, PackSpec, Param, Span, TypeExpr, TypeName};
use std::rc::Rc;
use std::sync::Arc;

/// Composes a graph of the main module.
pub(crate) fn compose_main<'a>(
    session: &Session<'a>,
    definition: &Rc<Definition<'a>>,
    options: &ComposeOptions,
) -> (Option<Graph>, Diagnostics) {
    let mut main = MainInputs {
        session,
        definition,
        options,
        env: Env::default(),
        given: Vec::new(),
        used: Vec::new(),
        diagnostics: Diagnostics::default(),
    };
    let Some((operands, binding)) = main.bind() else { return (None, main.diagnostics) };
    let mut builder = Builder::new(session);
    builder.diagnostics = main.diagnostics;
    let mut cx = Context {
        definition: definition.clone(),
        env: binding.env.clone(),
        scope: String::new(),
        files: definition.path.to_string(),
        chain: Vec::new(),
        updating: false,
    };
    builder.runtime_asserts.extend(binding.runtime_asserts.iter().cloned());
    let inputs = builder.main_inputs(&mut cx, &operands);
    let outputs = builder.compose_definition(&mut cx, None);
    let failed = builder.diagnostics.has_errors();
    let Some(outputs) = outputs.filter(|_| !failed) else { return (None, builder.diagnostics) };
    let names = definition.operator.outputs.iter().map(|param| param.name.text.to_string());
    let ports = names.zip(outputs).map(|(name, tensors)| Port { name, tensors }).collect();
    let (graph, diagnostics) = builder.finish(definition.operator.name.text.to_string(), inputs, ports);
    (Some(graph), diagnostics)
}

impl<'a> Builder<'_, 'a> {
    fn main_inputs(&mut self, cx: &mut Context<'a>, operands: &[Operand]) -> Vec<Port> {
        let operator = cx.definition.operator;
        let mut ports = Vec::with_capacity(operands.len());
        for (param, operand) in operator.inputs.iter().zip(operands) {
            let default = param.value.as_ref().and_then(|value| self.eval(cx, value).ok());
            let default = default.and_then(|term| term.to_value());
            // A list has a value for each tensor of a pack, a single value stands for all.
            let mut values = match default {
                Some(Value::Pack(items)) => items.into_iter().map(Some).collect::<Vec<_>>(),
                single => vec![single; operand.argument.items().len()],
            }
            .into_iter();
            let argument = operand.argument.map(|ty| {
                let default = values.next().flatten();
                self.add(ty.clone(), Origin::Input { default }, param.span)
            });
            self.name_argument(&argument, &param.name.text);
            self.note_length(&argument, operand.length.as_ref());
            cx.env.set(&param.name.text, term_of(&argument));
            ports.push(Port { name: param.name.text.to_string(), tensors: argument });
        }
        ports
    }
}

/// What a graph gets from outside, while it is worked out.
struct MainInputs<'s, 'a> {
    session: &'s Session<'a>,
    definition: &'s Rc<Definition<'a>>,
    options: &'s ComposeOptions,
    /// Types, attributes and extents that input shapes may use.
    env: Env,
    given: Vec<(Arc<str>, Term)>,
    /// Extents that are fixed from outside and found.
    used: Vec<String>,
    diagnostics: Diagnostics,
}

impl<'a> MainInputs<'_, 'a> {
    fn bind(&mut self) -> Option<(Vec<Operand>, Binding)> {
        self.types();
        self.attributes();
        if self.diagnostics.has_errors() {
            return None;
        }
        let operator = self.definition.operator;
        let mut operands = Vec::with_capacity(operator.inputs.len());
        for param in &operator.inputs {
            match self.input(param) {
                Ok(operand) => operands.push(operand),
                Err(failure) => say::report(&mut self.diagnostics, failure),
            }
        }
        self.check_bindings();
        let span = operator.name.span;
        if self.diagnostics.has_errors() {
            return None;
        }
        let bounds = self.session.bounds.borrow().clone();
        let request = Request {
            path: &self.definition.path,
            operator,
            info: &self.definition.info,
            dtypes: Vec::new(),
            attributes: self.given.clone(),
            operands: operands.clone(),
            site: Site { span, invocation: None },
            sources: &self.session.library.sources,
            bounds: &bounds,
            composed: None,
        };
        match infer(&request) {
            Ok(binding) => Some((operands, binding)),
            Err(diagnostics) => {
                self.diagnostics.extend(diagnostics);
                None
            }
        }
    }

    /// Extents that are fixed from outside must exist.
    fn check_bindings(&mut self) {
        if self.diagnostics.has_errors() {
            return;
        }
        for (name, _) in self.options.bindings.iter().filter(|(name, _)| !self.used.contains(name)) {
            let open = self.session.bounds.borrow();
            let known = open.keys().map(|name| &**name).chain(self.used.iter().map(String::as_str));
            self.diagnostics.push(say::unknown_symbol(name, self.definition.operator.name.span, known));
        }
    }

    fn types(&mut self) {
        for generic in &self.definition.operator.dtypes {
            if let Some(dtype) = generic.default.and_then(crate::compose::evaluate::concrete) {
                self.env.set(&generic.name.text, Term::Type(dtype));
            }
        }
    }

    /// Values from outside, then defaults.
    fn attributes(&mut self) {
        let operator = self.definition.operator;
        for (name, value) in &self.options.attributes {
            match operator.attributes.iter().find(|param| *param.name.text == **name) {
                Some(param) => {
                    let term = widened(Term::from_value(value), &param.spec.base);
                    if let Some((at, item)) = odd_item(&term) {
                        self.diagnostics.push(say::mixed_attribute(param, at, item));
                    } else if let Some(expected) = mismatch(&term, &param.spec.base) {
                        self.diagnostics.push(say::graph_attribute_type(param, expected, &term));
                    }
                    self.given.push((param.name.text.clone(), term.clone()));
                    self.env.set(&param.name.text, term);
                }
                None => self.diagnostics.push(say::unknown_graph_attribute(name, operator)),
            }
        }
        for param in &operator.attributes {
            match &param.value {
                _ if self.env.get(&param.name.text).is_some() => {}
                Some(default) => {
                    // A default that can't be evaluated yet is a deferred one.
                    if let Ok(value) = self.eval(default) {
                        self.env.set(&param.name.text, value);
                    }
                }
                None if param.spec.optional => self.env.set(&param.name.text, Term::Null),
                None => self.diagnostics.push(say::graph_attribute_missing(param)),
            }
        }
    }

    fn eval(&self, expr: &Expr) -> Eval<Term> {
        let none: Vec<TensorType> = Vec::new();
        Evaluator::new(&self.env, &none).eval(expr)
    }

    fn input(&mut self, param: &Param) -> Eval<Operand> {
        let none: Vec<TensorType> = Vec::new();
        let dtype = Evaluator::new(&self.env, &none).resolve_type(&param.spec.base)?;
        let Some(shape) = &param.spec.shape else { return Err(say::shape_missing(param).into()) };
        let Some(pack) = &param.spec.pack else {
            let argument = Argument::Single(TensorType { dtype, shape: self.shape(param, shape, None)? });
            return Ok(Operand::of(argument));
        };
        let (count, length) = self.pack_length(param, pack)?;
        let items = (0..count).map(|at| Ok(TensorType { dtype, shape: self.shape(param, shape, Some(at))? }));
        Ok(Operand { length, ..Operand::of(Argument::Pack(items.collect::<Eval<_>>()?)) })
    }

    /// How many tensors a pack has, or at most has; in that case also its length.
    fn pack_length(&mut self, param: &Param, pack: &PackSpec) -> Eval<(usize, Option<SymExpr>)> {
        let missing = || Failure::from(say::pack_length_missing(param));
        let length = match (&pack.length, &param.spec.length_bound) {
            (Some(Expr { kind: ExprKind::Name(name), span }), Some(bound)) if self.env.get(name).is_none() => {
                let limit = match self.eval(bound)? {
                    Term::Int(limit) if limit >= 0 => limit,
                    other => return Err(say::known_int_expected(&other, bound.span).into()),
                };
                let length = Term::extent(self.bounded_symbol(name, limit, *span)?.value);
                self.env.set(name, length.clone());
                length
            }
            (Some(length), _) => self.eval(length)?,
            (None, _) => return Err(missing()),
        };
        let (count, length) = match length {
            Term::Int(count) => (count, None),
            Term::Symbolic(length) => {
                let bounds = self.session.bounds.borrow();
                let most = length.upper_bound(&|symbol| bounds.get(symbol).copied()).ok_or_else(missing)?;
                (most, Some(length))
            }
            _ => return Err(missing()),
        };
        let count = u64::try_from(count).map_err(|_| missing())?;
        if count > limits::PACK_LENGTH {
            return Err(say::pack_too_long(count, pack.span).into());
        }
        Ok((count as usize, length))
    }

    fn shape(&mut self, param: &Param, shape: &[ExtentSpec], number: Option<usize>) -> Eval<Vec<Extent>> {
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

    fn bounded_symbol(&mut self, symbol: &str, bound: i64, span: Span) -> Eval<Extent> {
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
        let none: Vec<TensorType> = Vec::new();
        let bounds = self.session.bounds.borrow().clone();
        let name = crate::syntax::ast::Name { text: "input".into(), span: item.span };
        let evaluator = Evaluator::new(&self.env, &none);
        let unbounded = [ExtentSpec { bound: None, ..item.clone() }];
        let found = crate::compose::infer::evaluate_shape(&evaluator, &unbounded, number, &name, &bounds)?;
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

/// The first item of a value from outside that no pack can have beside its first one.
fn odd_item(value: &Term) -> Option<(usize, &Term)> {
    let Term::Pack(items) = value else { return None };
    let dtype = items.first().and_then(Term::dtype);
    items.iter().enumerate().find(|(_, item)| item.is_pack() || **item == Term::Null || item.dtype() != dtype)
}

/// The type that a value from outside should have and hasn't.
fn mismatch(value: &Term, base: &TypeExpr) -> Option<ScalarType> {
    let TypeExpr::Concrete(name, _) = base else { return None };
    let expected = concrete(*name)?;
    value.dtype().filter(|found| *found != expected).map(|_| expected)
}

/// Numbers from outside need no point to be real.
fn widened(value: Term, base: &TypeExpr) -> Term {
    match (value, base) {
        (Term::Int(value), TypeExpr::Concrete(TypeName::Real, _)) => Term::Real(value as f64),
        (Term::Pack(items), base @ TypeExpr::Concrete(TypeName::Real, _))
            if items.iter().any(|item| item.dtype() == Some(ScalarType::Int)) =>
        {
            Term::Pack(items.into_iter().map(|item| widened(item, base)).collect())
        }
        (value, _) => value,
    }
}
