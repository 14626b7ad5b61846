//! Composed graphs as graphs of the language again: what a program changed of one can be written, checked and composed as a
//! model of its own. All that was invoked with labels stands in one graph, whose names have the labels in them.

mod asserts;
mod control;
mod copied;
mod found;
mod invocation;
mod results;
mod spelling;
mod uses;
mod values;

pub use copied::needed;
pub use found::tell_attributes;
pub use invocation::{attributes, name as operator_name};
pub use spelling::Unspellable;
pub use values::{condition, element, expression, extent, literal};

use crate::compose::Definitions;
use crate::compose::extent::Extent;
use crate::compose::graph::{Argument, Graph, Operation, OperationKind, Origin, TensorId, TensorType};
use crate::compose::value::Value;
use skriptnd_source::Span;
use skriptnd_syntax::build::{self, Computation, Expression, Port, Statement, Target};
use skriptnd_syntax::names::Fresh;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use uses::used;

/// A part of a graph that has no text of this form.
#[derive(Debug, Clone, PartialEq)]
pub struct Unwritable {
    /// Where it stands in the model.
    pub span: Span,
    /// What it is.
    pub what: String,
}

/// Writes the parts of a graph. Names are given to tensors when they are first asked for.
pub struct Writer<'g> {
    definitions: &'g Definitions,
    graph: &'g Graph,
    names: HashMap<TensorId, String>,
    fresh: Fresh,
    /// The extents that inputs and variables tell.
    symbols: HashSet<Arc<str>>,
    /// Tensors that something takes.
    used: HashSet<TensorId>,
    /// Constants with a name, in the order in which they were asked for.
    constants: Vec<TensorId>,
    /// Constants that statements compute in their place.
    computed: HashSet<TensorId>,
    /// Extents that only data tell, with tensors that have them at a dimension.
    found: HashMap<Arc<str>, (TensorId, usize)>,
    /// Names of operators that were given.
    operators: HashSet<String>,
    /// Operators of the standard library that the model hides, by their paths, and the texts of their copies.
    hidden: BTreeMap<String, String>,
    definitions_of_standard: Vec<String>,
}

impl<'g> Writer<'g> {
    /// Begins with the names of the interface, which stay as they are.
    ///
    /// # Errors
    /// Where an input or output is a pack, or an input has a default.
    pub fn new(definitions: &'g Definitions, graph: &'g Graph) -> Result<Writer<'g>, Unwritable> {
        let (names, fresh, symbols, constants, computed, found) = Default::default();
        let (operators, hidden, definitions_of_standard) = Default::default();
        let mut used = used(graph);
        used.extend(tell_attributes(graph));
        let mut writer = Writer {
            definitions,
            graph,
            names,
            fresh,
            symbols,
            used,
            constants,
            computed,
            found,
            operators,
            hidden,
            definitions_of_standard,
        };
        writer.take_symbols();
        for port in &graph.inputs {
            let id = writer.single(&port.name, &port.tensors, "an input that is a pack")?;
            if matches!(graph.tensor(id).origin, Origin::Input { default: Some(_) }) {
                return Err(writer.unwritable(id, format!("`{}` is an input with a default", port.name)));
            }
            writer.fresh.take(&port.name);
            writer.names.insert(id, port.name.clone());
        }
        for port in &graph.outputs {
            let id = writer.single(&port.name, &port.tensors, "an output that is a pack")?;
            writer.fresh.take(&port.name);
            if matches!(graph.tensor(id).origin, Origin::Result) {
                writer.names.entry(id).or_insert_with(|| port.name.clone());
            }
        }
        Ok(writer)
    }

    fn take_symbols(&mut self) {
        let given = self.graph.inputs.iter().flat_map(|port| port.tensors.items()).chain(&self.graph.variables);
        let extents = given.flat_map(|id| &self.graph.tensor(*id).ty.shape);
        extents.for_each(|extent| extent.value.symbols(&mut |symbol| _ = self.symbols.insert(symbol.clone())));
        for symbol in &self.symbols {
            self.fresh.take(symbol);
        }
    }

    fn single(&self, name: &str, tensors: &Argument, otherwise: &str) -> Result<TensorId, Unwritable> {
        match tensors {
            Argument::Single(id) => Ok(*id),
            other => {
                let first = other.items().first().copied().unwrap_or(TensorId(0));
                Err(self.unwritable(first, format!("`{name}` is {otherwise}")))
            }
        }
    }

    fn unwritable(&self, id: TensorId, what: String) -> Unwritable {
        let span = self.graph.tensors.get(id.0 as usize).map(|tensor| tensor.span);
        Unwritable { span: span.unwrap_or(Span { file: skriptnd_source::FileId(0), start: 0, end: 0 }), what }
    }

    /// The name of a tensor.
    pub fn name(&mut self, id: TensorId) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let name = self.fresh.fresh(&self.graph.tensor(id).name);
        self.names.insert(id, name.clone());
        name
    }

    /// A name that is like another and that nothing has.
    pub fn fresh(&mut self, like: &str) -> String {
        self.fresh.fresh(like)
    }

    /// The name of a tensor that a statement computes, also where it is a constant of the graph.
    pub fn compute(&mut self, id: TensorId) -> String {
        self.computed.insert(id);
        self.name(id)
    }

    /// Calls a tensor otherwise from here on. Returns what it was called.
    pub fn rename(&mut self, id: TensorId, name: String) -> String {
        let known = self.name(id);
        self.names.insert(id, name);
        known
    }

    /// The declaration of a tensor, under a name.
    ///
    /// # Errors
    /// Where an extent has no text.
    pub fn port(&self, name: &str, id: TensorId) -> Result<Port, Unwritable> {
        let TensorType { dtype, shape } = &self.graph.tensor(id).ty;
        let extents = shape.iter().map(|extent| self.extent(id, extent)).collect::<Result<_, _>>()?;
        Ok(Port { name: name.to_owned(), element: element(*dtype), extents })
    }

    fn extent(&self, id: TensorId, given: &Extent) -> Result<build::Extent, Unwritable> {
        let mut is_found = false;
        given.value.symbols(&mut |symbol| is_found |= !self.symbols.contains(symbol));
        match (is_found, given.bound) {
            (false, _) => extent(&given.value).ok().map(|value| build::Extent::Known(value, None)),
            (true, Some(bound)) => Some(build::Extent::Found(Expression::Int(bound))),
            (true, None) => None,
        }
        .ok_or_else(|| {
            self.unwritable(id, format!("an extent of `{}` follows from what can't be written", given.value))
        })
    }

    /// The declarations of the inputs; an extent that is open has its bound where it stands alone for the first time.
    ///
    /// # Errors
    /// Where an extent has no text.
    pub fn inputs(&self) -> Result<Vec<Port>, Unwritable> {
        let mut bound = HashSet::new();
        let mut ports = Vec::new();
        for port in &self.graph.inputs {
            let Some(id) = port.tensors.items().first() else { continue };
            let mut declared = self.port(&port.name, *id)?;
            for (extent, given) in declared.extents.iter_mut().zip(&self.graph.tensor(*id).ty.shape) {
                if let build::Extent::Known(Expression::Name(name), limit) = extent
                    && bound.insert(name.clone())
                {
                    *limit = given.bound.filter(|_| self.symbols.contains(name.as_str()));
                }
            }
            ports.push(declared);
        }
        Ok(ports)
    }

    /// The declarations of the outputs, and statements for those that are not results of their own.
    ///
    /// # Errors
    /// Where an extent has no text.
    pub fn outputs(&mut self) -> Result<(Vec<Port>, Vec<Statement>), Unwritable> {
        let (mut ports, mut statements) = (Vec::new(), Vec::new());
        for port in &self.graph.outputs {
            let Some(id) = port.tensors.items().first() else { continue };
            ports.push(self.port(&port.name, *id)?);
            let value = self.operand(*id)?;
            if value != Expression::Name(port.name.clone()) {
                let target = vec![Target::Name(port.name.clone())];
                statements.push(Statement::new(target, Computation::Expression(value)));
            }
        }
        Ok((ports, statements))
    }

    /// The constants that were asked for.
    ///
    /// # Errors
    /// Where one has elements without literals.
    pub fn constants(&mut self) -> Result<Vec<(Port, Expression)>, Unwritable> {
        let mut declared = Vec::new();
        for id in self.constants.clone() {
            let Origin::Constant(value) = &self.graph.tensor(id).origin else { continue };
            let name = self.name(id);
            let value = literal(value).ok_or_else(|| self.unwritable(id, format!("`{name}` is no number")))?;
            declared.push((self.port(&name, id)?, value));
        }
        Ok(declared)
    }

    /// A tensor as an operand.
    ///
    /// # Errors
    /// Where it is a constant without a literal.
    pub fn operand(&mut self, id: TensorId) -> Result<Expression, Unwritable> {
        let tensor = self.graph.tensor(id);
        match &tensor.origin {
            _ if self.computed.contains(&id) => Ok(Expression::Name(self.name(id))),
            Origin::Constant(value) if tensor.ty.shape.is_empty() && !matches!(value, Value::Pack(_)) => {
                literal(value).ok_or_else(|| self.unwritable(id, format!("`{}` is no number", tensor.name)))
            }
            Origin::Constant(_) => {
                if !self.constants.contains(&id) {
                    self.constants.push(id);
                }
                Ok(Expression::Name(self.name(id)))
            }
            _ => Ok(Expression::Name(self.name(id))),
        }
    }

    fn argument(&mut self, argument: &Argument) -> Result<Expression, Unwritable> {
        match argument {
            Argument::Null => Ok(Expression::Absent),
            Argument::Single(id) => self.operand(*id),
            Argument::Pack(items) => {
                Ok(Expression::List(items.iter().map(|id| self.operand(*id)).collect::<Result<_, _>>()?))
            }
        }
    }

    /// The statements that compute what an operation gives.
    ///
    /// # Errors
    /// Where it has no text: a loop, an attribute that is no literal, a pack of open length.
    pub fn statements(&mut self, operation: &Operation) -> Result<Vec<Statement>, Unwritable> {
        let unwritable = |what: String| Unwritable { span: operation.span, what };
        let tensors = operation.inputs.iter().chain(&operation.outputs);
        if tensors.clone().any(|argument| self.graph.leading_pack(argument.items()).is_some()) {
            return Err(unwritable("a pack whose length only a run knows".into()));
        }
        match &operation.kind {
            OperationKind::Operator(call) => {
                let definition = self.definitions.operator(&call.operator);
                let definition = definition.ok_or_else(|| unwritable(format!("`{}` is not known", call.operator)))?;
                if operation.inputs.len() > definition.inputs.len() {
                    return Err(unwritable(format!("`{}` has a formula with variables", call.operator)));
                }
                let operands = self.operands(operation)?;
                let call = operation.instance.as_ref().map_or(call, |instance| &instance.call);
                let told = self.told(operation, call)?;
                let invocation = invocation::invocation(operation, &told, definition, operands);
                let invocation = invocation
                    .map_err(|reason| unwritable(format!("an invocation of `{}` that {reason}", call.operator)))?;
                let (targets, behind) = self.targets(operation, definition)?;
                self.learn(operation);
                let invoked = Statement::new(targets, Computation::Invocation(invocation));
                Ok([invoked].into_iter().chain(behind).collect())
            }
            OperationKind::If { arms, otherwise } => self.branch(operation, arms, otherwise),
            OperationKind::Loop(_) => Err(unwritable("a loop of the run".into())),
        }
    }

    /// What is given to the parameters, without what the definition gives to those behind it.
    fn operands(&mut self, operation: &Operation) -> Result<Vec<Expression>, Unwritable> {
        let defaults: Vec<usize> = match &operation.instance {
            Some(instance) => instance.default_inputs().collect(),
            None => Vec::new(),
        };
        let is_left = |(at, input): &(usize, &Argument)| **input == Argument::Null || defaults.contains(at);
        let inputs: Vec<(usize, &Argument)> = operation.inputs.iter().enumerate().collect();
        let count = inputs.iter().rposition(|input| !is_left(input)).map_or(0, |last| last + 1);
        let mut operands = Vec::with_capacity(count);
        for input in &inputs[..count] {
            operands.push(if is_left(input) { Expression::Absent } else { self.argument(input.1)? });
        }
        Ok(operands)
    }
}
