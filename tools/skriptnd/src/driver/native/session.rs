//! A compiled model in this process.

use super::fault;
use crate::driver::finished::{Finished, forms};
use crate::driver::model::Composed;
use crate::driver::variables;
use crate::failure::Failure;
use skriptnd_compiler::tensors::{assigned, stem};
use skriptnd_interpret::{Variables, unreadable_variable, variable_fault};
use skriptnd_language::compose::graph::{self, Argument, Graph};
use skriptnd_runtime::{Library, Model, Session, Tensor, Variable};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The variables of a compiled model, by the stems of their files, from where their values are; all that have none or a
/// wrong one are reported.
pub fn read_variables<'i>(
    composed: &Composed,
    source: &variables::Source,
    stems: impl Iterator<Item = &'i str>,
) -> Result<Vec<Variable>, Failure> {
    let graph = &composed.graph;
    let (mut found, mut read, mut known) = (Diagnostics::default(), Vec::new(), Vec::new());
    for name in stems {
        let declared = graph.variables.iter().map(|&id| graph.tensor(id)).find(|tensor| stem(tensor) == Some(name));
        let declared = declared.ok_or_else(|| Failure::input(format!("variable `{name}` is not in the model")))?;
        known.push(variables::names(&graph.name, declared));
        match read_variable(source, name, declared) {
            Ok(variable) => read.push(variable),
            Err(diagnostic) => found.push(*diagnostic),
        }
    }
    source.warn_unread(&known);
    if found.has_errors() { Err(composed.fail(&found)) } else { Ok(read) }
}

fn read_variable(
    source: &variables::Source,
    name: &str,
    declared: &graph::Tensor,
) -> Result<Variable, Box<Diagnostic>> {
    let unreadable = |reason: String| Box::new(unreadable_variable(declared, &reason));
    let file = source.open(declared).map_err(unreadable)?;
    let Some(file) = file else { return Ok(Variable::Owned(source.read(name, declared).map_err(unreadable)?)) };
    let stored = source.form(declared).filter(|(_, storage)| file.storage() == Some(*storage));
    let element_type = stored.map_or_else(|| file.element_type(), |(element_type, _)| element_type);
    match variable_fault(declared, element_type, file.shape()) {
        Some(fault) => Err(Box::new(fault.with_note(format!("its value is read from {}", file.path().display())))),
        None => Ok(Variable::Mapped(file)),
    }
}

/// Loads a shared library.
pub fn load(library: &Path) -> Result<Library, Failure> {
    Library::load(library).map_err(|error| {
        Failure::input(error)
            .with_help("`skriptnd compile MODEL -o model.so` writes a compiled model; sources are .sknd files")
    })
}

/// A session of a model with the variables of a graph.
pub fn of_graph(library: Library, composed: &Composed, source: &variables::Source) -> Result<Session, Failure> {
    let stems = library.metadata().variables.iter().map(|info| info.name.as_str());
    let variables = read_variables(composed, source, stems)?;
    with_variables(library, variables)
}

/// A session of a model with variables in the order of its metadata.
pub fn with_variables(library: impl Into<Arc<Library>>, variables: Vec<Variable>) -> Result<Session, Failure> {
    Model::new(library, variables).and_then(|model| model.session()).map_err(Failure::input)
}

/// Runs a model once; the outputs are those of its graph.
pub fn run(
    session: &mut Session,
    composed: &Composed,
    inputs: &[Tensor],
    compile: Duration,
) -> Result<Finished, Failure> {
    let started = Instant::now();
    let mut results = session.run(inputs).map_err(|error| fault::failure(error, composed))?;
    let run = started.elapsed();
    results.extend(session.states().map(|(_, value)| value));
    let metadata = session.model().metadata();
    let (outputs, variables) = assigned(&composed.graph, metadata, results);
    let (peak_bytes, draws) = (session.peak_bytes(), metadata.takes_seed);
    let stored = forms(&composed.graph);
    Ok(Finished { outputs, stored, variables, compile, run, peak_bytes, draws })
}

/// Adds the variables that the run did not change.
pub fn add_unchanged(graph: &Graph, source: &variables::Source, finished: &mut Finished) -> Result<(), Failure> {
    for &id in &graph.variables {
        let declared = graph.tensor(id);
        let Some(stem) = stem(declared) else { continue };
        if !finished.variables.iter().any(|(name, _)| *name == declared.name) {
            let failed = |reason| Failure::input(format!("variable `{}`: {reason}", declared.name));
            let value = source.read(stem, declared).map_err(failed)?;
            finished.variables.push((declared.name.clone(), Argument::Single(Arc::new(value))));
        }
    }
    Ok(())
}
