//! From definitions to a graph (specification, chapter 3), and from one operation to its formula or its parts.

mod analysis;
mod binding;
mod builder;
pub mod channels;
mod constants;
mod definitions;
mod diagnostics;
pub mod edit;
mod env;
mod evaluate;
pub mod extent;
mod failure;
pub mod flat;
pub mod formula;
pub mod graph;
mod infer;
mod instance;
mod instances;
mod integers;
mod limits;
pub(crate) mod lower;
mod options;
mod quantized;
mod session;
pub mod storage;
mod tensors;
mod term;
#[cfg(test)]
pub(crate) mod tests;
pub mod value;
pub mod violation;

use crate::library::Library;
pub use binding::{Operand, first_of_same, note_identity};
pub use definitions::{Definitions, Integers};
use diagnostics as say;
use graph::Graph;
pub use graph::{Instance, InstanceBody};
pub use options::ComposeOptions;
use session::Session;
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity};
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::{Operator, OperatorKind};

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
