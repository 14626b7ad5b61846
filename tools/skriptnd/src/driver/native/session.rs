//! A compiled model in this process.

use super::fault;
use crate::driver::bench::Engine;
use crate::driver::model::Composed;
use crate::driver::run::Finished;
use crate::driver::variables;
use crate::failure::Failure;
use skriptnd_compiler::tensors::{assigned, stem};
use skriptnd_interpret::{Variables, unreadable_variable, variable_fault};
use skriptnd_language::compose::graph::{self, Argument, Graph};
use skriptnd_runtime::model::{Model, Variable};
use skriptnd_runtime::{Tensor, TensorFile};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A loaded model.
pub struct Session {
    model: Model,
    outputs: Vec<Tensor>,
}

/// The variables of a compiled model, by the stems of their files, from where their values are; all that have none or a
/// wrong one are reported.
pub fn read_variables<'i>(
    composed: &Composed,
    source: &variables::Source,
    stems: impl Iterator<Item = &'i str>,
) -> Result<Vec<Variable>, Failure> {
    let graph = &composed.graph;
    let (mut found, mut read) = (Diagnostics::default(), Vec::new());
    for name in stems {
        let declared = graph.variables.iter().map(|&id| graph.tensor(id)).find(|tensor| stem(tensor) == Some(name));
        let declared = declared.ok_or_else(|| Failure::input(format!("variable `{name}` is not in the model")))?;
        match read_variable(source, name, declared) {
            Ok(variable) => read.push(variable),
            Err(diagnostic) => found.push(*diagnostic),
        }
    }
    if found.has_errors() { Err(composed.fail(&found)) } else { Ok(read) }
}

fn read_variable(
    source: &variables::Source,
    name: &str,
    declared: &graph::Tensor,
) -> Result<Variable, Box<Diagnostic>> {
    let unreadable = |reason: String| Box::new(unreadable_variable(declared, &reason));
    let file = source.file(declared).map_err(unreadable)?;
    let Some(path) = file else { return Ok(Variable::Owned(source.read(name, declared).map_err(unreadable)?)) };
    let file = TensorFile::open(&path).map_err(|error| unreadable(error.to_string()))?;
    match variable_fault(declared, file.element_type(), file.shape()) {
        Some(fault) => Err(Box::new(fault.with_note(format!("its value is read from {}", path.display())))),
        None => Ok(Variable::Mapped(file)),
    }
}

impl Session {
    /// Loads a shared library.
    pub fn load(library: &Path) -> Result<Session, Failure> {
        let model = Model::load(library).map_err(Failure::input)?;
        Ok(Session { model, outputs: Vec::new() })
    }

    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Gives the model its variables.
    pub fn prepare(&mut self, composed: &Composed, source: &variables::Source) -> Result<(), Failure> {
        let stems = self.model.variables().iter().map(|info| info.name.as_str());
        let variables = read_variables(composed, source, stems)?;
        self.prepare_with(variables)
    }

    pub fn prepare_with(&mut self, variables: Vec<Variable>) -> Result<(), Failure> {
        self.model.prepare(variables).map_err(Failure::input)
    }

    /// Runs the model; the outputs are those of its graph.
    pub fn run(&mut self, composed: &Composed, inputs: &[Tensor], compile: Duration) -> Result<Finished, Failure> {
        let started = Instant::now();
        let results = self.model.run(inputs).map_err(|error| fault::failure(error, composed))?;
        let run = started.elapsed();
        let states = self.model.states().iter().map(|info| info.name.as_str());
        let (outputs, variables) = assigned(&composed.graph, states, results);
        Ok(Finished { outputs, variables, compile, run, peak_bytes: self.model.peak_bytes() })
    }

    /// For running again and again.
    pub fn into_engine(self, inputs: Vec<Tensor>) -> impl Engine {
        Repeated { session: self, inputs }
    }
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

struct Repeated {
    session: Session,
    inputs: Vec<Tensor>,
}

impl Engine for Repeated {
    fn run(&mut self) -> Result<(), Failure> {
        let Session { model, outputs } = &mut self.session;
        if outputs.is_empty() {
            let shapes = model.output_shapes(&self.inputs).map_err(fault::failure_without_sources)?;
            let infos = model.outputs().iter().chain(model.states());
            *outputs = infos.zip(shapes).map(|(info, shape)| info.zeros(shape)).collect();
        }
        model.run_into(&self.inputs, outputs).map_err(fault::failure_without_sources)
    }

    fn outputs(&self) -> Vec<&Tensor> {
        self.session.outputs.iter().take(self.session.model.outputs().len()).collect()
    }

    fn peak_bytes(&self) -> usize {
        self.session.model.peak_bytes()
    }
}
