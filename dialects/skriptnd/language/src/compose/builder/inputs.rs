//! The main graph: its attributes and inputs come from outside (sections 2.6 and 3).

mod shapes;

use super::{Builder, Context};
use crate::compose::binding::{Binding, Operand};
use crate::compose::diagnostics as say;
use crate::compose::env::Env;
use crate::compose::evaluate::{Evaluator, concrete};
use crate::compose::extent::SymExpr;
use crate::compose::failure::{Eval, Failure};
use crate::compose::graph::{Graph, Origin, Port};
use crate::compose::infer::{Request, Site, admits, check_volume, infer};
use crate::compose::limits;
use crate::compose::options::ComposeOptions;
use crate::compose::session::{Definition, Session};
use crate::compose::tensors::FormalTensors;
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use crate::compose::value::{ScalarType, Value};
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Expr, ExprKind, PackSpec, Param, TypeExpr, TypeName};
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
        dtypes: Vec::new(),
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
    let ports: Vec<Port> = names.zip(outputs).map(|(name, tensors)| Port { name, tensors }).collect();
    let declared = definition.operator.inputs.iter().zip(&inputs).chain(definition.operator.outputs.iter().zip(&ports));
    let empty_packs = builder.types_without_items(&cx, declared);
    let name = definition.operator.name.text.to_string();
    let (graph, diagnostics) = builder.finish(name, [inputs, ports], &options.storage);
    (Some(Graph { empty_packs, ..graph }), diagnostics)
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
            cx.env.set(&param.name.text, Term::of_tensors(&argument));
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
    dtypes: Vec<(Arc<str>, ScalarType)>,
    /// Extents that are fixed from outside and found.
    used: Vec<String>,
    diagnostics: Diagnostics,
}

impl<'a> MainInputs<'_, 'a> {
    fn bind(&mut self) -> Option<(Vec<Operand>, Binding)> {
        self.types();
        self.attributes();
        self.check_types();
        if self.diagnostics.has_errors() {
            return None;
        }
        let operator = self.definition.operator;
        let mut operands = Vec::with_capacity(operator.inputs.len());
        for param in &operator.inputs {
            match self.input(param) {
                Ok(operand) => operands.push(operand),
                Err(failure) => failure.report(&mut self.diagnostics),
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
            dtypes: self.dtypes.clone(),
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

    /// Types from outside, then defaults.
    fn types(&mut self) {
        let operator = self.definition.operator;
        for (name, dtype) in &self.options.dtypes {
            match operator.dtypes.iter().find(|generic| *generic.name.text == **name) {
                Some(generic) if !admits(generic.bound, *dtype) => {
                    self.diagnostics.push(say::type_not_admitted(generic, *dtype, operator.name.span));
                }
                Some(generic) => self.dtypes.push((generic.name.text.clone(), *dtype)),
                None => self.diagnostics.push(say::unknown_graph_type(name, operator)),
            }
        }
        for generic in &operator.dtypes {
            let given = self.dtypes.iter().find(|(name, _)| *name == generic.name.text).map(|(_, dtype)| *dtype);
            if let Some(dtype) = given.or_else(|| generic.default.and_then(concrete)) {
                self.env.set(&generic.name.text, Term::Type(dtype));
            }
        }
    }

    /// The types that neither outside nor a default gives follow from attributes, or they are missing.
    fn check_types(&mut self) {
        let operator = self.definition.operator;
        let has = |base: &TypeExpr, name: &str| matches!(base, TypeExpr::Generic(generic) if *generic.text == *name);
        for generic in &operator.dtypes {
            let name = &generic.name.text;
            if self.env.get(name).is_some() {
                continue;
            }
            let attributes = operator.attributes.iter().filter(|param| has(&param.spec.base, name));
            let dtype = attributes.filter_map(|param| self.env.get(&param.name.text)?.dtype()).next();
            if let Some(dtype) = dtype {
                self.env.set(name, Term::Type(dtype));
            } else if !self.options.dtypes.iter().any(|(given, _)| **given == **name) {
                self.diagnostics.push(say::graph_type_missing(generic));
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
        let none = FormalTensors::default();
        Evaluator::new(&self.env, &none).eval(expr)
    }

    fn input(&mut self, param: &Param) -> Eval<Operand> {
        let none = FormalTensors::default();
        let dtype = Evaluator::new(&self.env, &none).resolve_type(&param.spec.base)?;
        let Some(shape) = &param.spec.shape else { return Err(say::shape_missing(param).into()) };
        let tensor = |this: &mut Self, number| {
            let ty = TensorType { dtype, shape: this.shape(param, shape, number)? };
            check_volume(&ty, param, param.span).map(|()| ty)
        };
        let Some(pack) = &param.spec.pack else { return Ok(Operand::of(Argument::Single(tensor(self, None)?))) };
        let (count, length) = self.pack_length(param, pack)?;
        let items = (0..count).map(|at| tensor(self, Some(at)));
        Ok(Operand { length, ..Operand::of(Argument::Pack(items.collect::<Eval<_>>()?)) })
    }

    /// How many tensors a pack has, or at most has; in that case also its length.
    fn pack_length(&mut self, param: &Param, pack: &PackSpec) -> Eval<(usize, Option<SymExpr>)> {
        let missing = || Failure::from(say::pack_length_missing(param));
        let span = pack.length.as_ref().map_or(pack.span, |length| length.span);
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
        let count = u64::try_from(count).map_err(|_| say::negative_pack_length(param, count, span))?;
        if count > limits::PACK_LENGTH {
            return Err(say::pack_too_long(count, pack.span).into());
        }
        Ok((count as usize, length))
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
