//! How instances of operators are made: composition, the interpreter, the dialect and editors ask for them.

use super::binding::{Binding, Bounds, Operand};
use super::builder;
use super::definitions::{Definitions, Known};
use super::diagnostics as say;
use super::env::Names;
use super::graph::{Instance, InstanceBody};
use super::infer::{self, Request, Site};
use super::instance::InstanceKey;
use super::lower::{self, FormulaRequest};
use super::session::{Definition, Session};
use super::tensors::OperatorCall;
use super::term::Term;
use super::value::Value;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::Operator;
use std::rc::Rc;
use std::sync::Arc;

impl Definitions {
    /// One invocation checked against its operator's definition, with its result types and computation. Attributes and
    /// types that `call` leaves out are filled in or deduced. Result packs need their length only where it can't be
    /// derived.
    pub fn instance(&self, call: &OperatorCall, operands: &[Operand]) -> Known {
        self.instance_as(call, operands, None)
    }

    /// The same where more bounds of symbols are known than the types of the operands have: those of symbols in attributes.
    pub fn instance_within(&self, call: &OperatorCall, operands: &[Operand], bounds: &[(Arc<str>, i64)]) -> Known {
        self.made(call, operands, (&bounds.iter().cloned().collect(), None))
    }

    /// The same where a run knows extents of an invocation that was composed before.
    pub fn instance_as(&self, call: &OperatorCall, operands: &[Operand], composed: Option<&Arc<Instance>>) -> Known {
        self.made(call, operands, (&Bounds::new(), composed))
    }

    fn made(
        &self,
        call: &OperatorCall,
        operands: &[Operand],
        (bounds, composed): (&Bounds, Option<&Arc<Instance>>),
    ) -> Known {
        let mut operands = self.inputs(&call.operator, operands).to_vec();
        self.drop_irrelevant(&call.operator, &mut operands);
        let given = InstanceKey::of_call(call, &operands).bounded(bounds).composed_as(composed);
        if let Some(known) = self.lookup(&given) {
            return known;
        }
        let known = make_instance(self, call, &operands, (bounds, composed)).map_err(Arc::new);
        self.remember(given, known.clone());
        known
    }

    /// The values that attributes, extents and helper symbols have in one invocation, by name; none if it is invalid.
    pub fn known_values(&self, call: &OperatorCall, operands: &[Operand]) -> Vec<(String, String)> {
        known_values(self, call, self.inputs(&call.operator, operands))
    }
}

/// An instance of a call, whose operands may have more known of them than their types: with the names of `composed` where
/// a run knows extents of an invocation that was composed before.
fn make_instance(
    definitions: &Definitions,
    call: &OperatorCall,
    operands: &[Operand],
    (bounds, composed): (&Bounds, Option<&Arc<Instance>>),
) -> Result<Arc<Instance>, Diagnostics> {
    let session = Session::new(definitions);
    operands.iter().for_each(|operand| operand.symbols(&mut |symbol| session.reserve_symbol(symbol)));
    let names = composed.map(|composed| Arc::new(composed.binding.names()));
    let (definition, mut binding) = bind(&session, call, operands, (bounds, names))?;
    if let Some(composed) = composed {
        binding.env.set_composed(lower::names(definition.operator, &definition.info, &composed.binding).map(Arc::new));
    }
    session.bounds.borrow_mut().extend(binding.bounds.iter().map(|(symbol, bound)| (symbol.clone(), *bound)));
    let key = InstanceKey::of_binding(&binding, operands).composed_as(composed);
    definitions.get_or_make(Some(key), || finish_instance(&session, &definition, binding))
}

/// The values of names in one invocation.
fn known_values(definitions: &Definitions, call: &OperatorCall, operands: &[Operand]) -> Vec<(String, String)> {
    let session = Session::new(definitions);
    let Ok((_, binding)) = bind(&session, call, operands, (&Bounds::new(), None)) else { return Vec::new() };
    let names: Vec<&str> = binding.env.names().collect();
    let known =
        names.into_iter().filter_map(|name| Some((name.to_owned(), binding.env.get(name)?.to_value()?.to_string())));
    known.collect()
}

/// What one invocation determines.
fn bind<'a>(
    session: &Session<'a>,
    call: &OperatorCall,
    operands: &[Operand],
    (bounds, composed): (&Bounds, Option<Arc<Names>>),
) -> Result<(Rc<Definition<'a>>, Binding), Diagnostics> {
    let Some(definition) = session.definition(&call.operator) else {
        let mut diagnostics = Diagnostics::default();
        let span = Span { file: FileId(0), start: 0, end: 0 };
        diagnostics.push(say::unknown_operator(&call.operator, std::iter::empty(), span));
        return Err(diagnostics);
    };
    let operator = definition.operator;
    let request = Request {
        path: &definition.path,
        operator,
        info: &definition.info,
        dtypes: call.dtypes.iter().map(|(name, dtype)| (Arc::from(name.as_str()), *dtype)).collect(),
        attributes: given_attributes(operator, call),
        operands: operands.to_vec(),
        site: Site { span: operator.name.span, invocation: None },
        sources: &session.library.sources,
        bounds,
        composed,
    };
    let binding = infer::infer(&request)?;
    Ok((definition, binding))
}

/// The attributes of a call. A null for one that is not optional means that it is left out.
fn given_attributes(operator: &Operator, call: &OperatorCall) -> Vec<(Arc<str>, Term)> {
    let optional = |name: &str| {
        let declared = operator.attributes.iter().find(|param| *param.name.text == *name);
        declared.is_none_or(|param| param.spec.optional)
    };
    let given = call.attributes.iter().filter(|(name, value)| **value != Value::Null || optional(name));
    given.map(|(name, value)| (Arc::from(name.as_str()), Term::from_value(value))).collect()
}

/// The instance with the computation of the operator; a composition may know more of the result types than the
/// declaration.
fn finish_instance<'a>(
    session: &Session<'a>,
    definition: &Rc<Definition<'a>>,
    binding: Binding,
) -> Result<Arc<Instance>, Diagnostics> {
    let operator = definition.operator;
    let mut outputs = binding.outputs.clone().unwrap_or_default();
    let (body, inner_operations) = if !operator.lowerings.is_empty() {
        let request = FormulaRequest { operator, info: &definition.info, binding: &binding, outputs: &outputs };
        (InstanceBody::Formula(lower::instantiate(&request)?), 0)
    } else if operator.components.is_none() {
        (InstanceBody::Intrinsic, 0)
    } else {
        let (composed, diagnostics) = builder::compose_operator(session, definition, &binding);
        let (graph, count) = composed.ok_or(diagnostics)?;
        builder::refine_all(&mut outputs, &graph);
        (InstanceBody::Composition(Box::new(graph)), count)
    };
    Ok(Instance::new(Arc::new(binding), outputs, body, inner_operations))
}
