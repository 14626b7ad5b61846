//! From definitions to a graph (specification, chapter 3), and from one operation to its formula or its parts.

mod analysis;
mod builder;
mod composed;
mod constants;
mod definitions;
mod diagnostics;
mod env;
mod evaluate;
pub mod extent;
pub mod formula;
pub mod graph;
mod infer;
mod instance;
mod limits;
pub(crate) mod lower;
mod sequence;
mod session;
mod tensors;
mod term;
#[cfg(test)]
pub(crate) mod tests;
pub mod value;
pub mod violation;

use crate::library::Library;
use composed::Names;
pub use definitions::Definitions;
use diagnostics as say;
use graph::{Graph, OperatorCall};
use infer::{Binding, Bounds, Request, Site};
pub use infer::{Operand, first_of_same, note_identity};
use instance::InstanceKey;
pub use instance::{Instance, InstanceBody};
use lower::FormulaRequest;
use session::{Definition, Session};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::{Operator, OperatorKind};
use std::rc::Rc;
use std::sync::Arc;
use term::Term;
use value::{ScalarType, Value};

/// What the user fixes from outside.
#[derive(Debug, Clone, Default)]
pub struct ComposeOptions {
    /// Which graph of `main`; the first one by default.
    pub graph: Option<String>,
    /// Types that its generic types stand for.
    pub dtypes: Vec<(String, ScalarType)>,
    /// Graph attributes.
    pub attributes: Vec<(String, Value)>,
    /// Values for dynamic extents, by symbol.
    pub bindings: Vec<(String, i64)>,
}

/// Composes a graph of `main`. Operators stay whole, except those that contain variables or updates (directly or
/// further inside): they are replaced by their composition, so that the graph knows all its variables.
pub fn compose(definitions: &Definitions, options: &ComposeOptions) -> (Option<Graph>, Diagnostics) {
    let (graph, mut diagnostics) = compose_in(&Session::new(definitions), options);
    if graph.is_none() && !diagnostics.has_errors() {
        let file = definitions.main_file().unwrap_or(FileId(0));
        diagnostics.push(say::silent_failure(Span { file, start: 0, end: 0 }));
    }
    (graph, diagnostics)
}

/// What is wrong beside the errors that are known already, as far as what they are about doesn't matter: so all
/// independent errors are found in one run.
pub(crate) fn further_errors(library: &Library, options: &ComposeOptions, known: &Diagnostics) -> Diagnostics {
    let errors = known.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let store = Definitions::from(library.clone());
    let session = Session::with_faults(&store, errors.map(|error| error.span).collect());
    let mut further = Diagnostics::default();
    let incomplete = library.modules.get("main").is_none_or(|main| main.incomplete);
    if incomplete || !main_graph(library, options.graph.as_deref()).is_ok_and(|graph| session.has_interface(graph)) {
        return further;
    }
    for diagnostic in compose_in(&session, options).1.iter() {
        if !session.is_faulty(diagnostic.span) {
            further.push(diagnostic.clone());
        }
    }
    further
}

fn compose_in(session: &Session<'_>, options: &ComposeOptions) -> (Option<Graph>, Diagnostics) {
    let mut diagnostics = Diagnostics::default();
    let graph = match main_graph(session.library, options.graph.as_deref()) {
        Ok(graph) => graph,
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            return (None, diagnostics);
        }
    };
    match session.definition(&format!("main.{}", graph.name.text)) {
        Some(definition) => builder::compose_main(session, &definition, options),
        None => (None, diagnostics),
    }
}

/// The graph with this name, or the first one.
fn main_graph<'a>(library: &'a Library, name: Option<&str>) -> Result<&'a Operator, Box<Diagnostic>> {
    let operators = || library.modules.get("main").into_iter().flat_map(|module| module.operators.iter());
    let file = operators().next().map_or(FileId(0), |operator| operator.span.file);
    let start = Span { file, start: 0, end: 0 };
    let mut graphs = operators().filter(|operator| operator.kind == OperatorKind::Graph);
    let Some(name) = name else { return graphs.next().ok_or_else(|| say::no_main_graph(start).into()) };
    let names = graphs.clone().map(|graph| &*graph.name.text);
    graphs.find(|graph| *graph.name.text == *name).ok_or_else(|| say::no_such_graph(name, names, start).into())
}

/// An instance of a call, whose operands may have more known of them than their types: with the names of `composed` where
/// a run knows extents of an invocation that was composed before.
fn make_instance(
    definitions: &Definitions,
    call: &OperatorCall,
    operands: &[Operand],
    composed: Option<&Arc<Instance>>,
) -> Result<Arc<Instance>, Diagnostics> {
    let session = Session::new(definitions);
    operands.iter().for_each(|operand| operand.symbols(&mut |symbol| session.reserve_symbol(symbol)));
    let names = composed.map(|composed| Arc::new(Names::of_binding(&composed.binding)));
    let (definition, mut binding) = bind(&session, call, operands, names)?;
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
    let Ok((_, binding)) = bind(&session, call, operands, None) else { return Vec::new() };
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
    composed: Option<Arc<Names>>,
) -> Result<(Rc<Definition<'a>>, Binding), Diagnostics> {
    let Some(definition) = session.definition(&call.operator) else {
        let mut diagnostics = Diagnostics::default();
        let span = Span { file: FileId(0), start: 0, end: 0 };
        diagnostics.push(say::unknown_operator(&call.operator, std::iter::empty(), span));
        return Err(diagnostics);
    };
    let operator = definition.operator;
    let bounds = Bounds::new();
    let request = Request {
        path: &definition.path,
        operator,
        info: &definition.info,
        dtypes: call.dtypes.iter().map(|(name, dtype)| (Arc::from(name.as_str()), *dtype)).collect(),
        attributes: given_attributes(operator, call),
        operands: operands.to_vec(),
        site: Site { span: operator.name.span, invocation: None },
        sources: &session.library.sources,
        bounds: &bounds,
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
