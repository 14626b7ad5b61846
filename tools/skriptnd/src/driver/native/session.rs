//! A compiled model in this process.

use super::fault;
use crate::driver::bench::Engine;
use crate::driver::model::Composed;
use crate::driver::output::Results;
use crate::driver::run::Finished;
use crate::driver::variables;
use crate::failure::Failure;
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::{Argument, Graph, Origin};
use skriptnd_runtime::model::{Model, Variable};
use skriptnd_runtime::{Tensor, TensorFile};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A loaded model.
pub struct Session {
    model: Model,
    outputs: Vec<Tensor>,
}

/// The inputs of a graph one by one, defaults filled in.
pub fn flat_inputs(graph: &Graph, given: Vec<Option<Argument<Tensor>>>) -> Result<Vec<Tensor>, Failure> {
    let mut flat = Vec::new();
    for (port, value) in graph.inputs.iter().zip(given) {
        let Some(value) = value else {
            for &id in port.tensors.items() {
                let missing = || Failure::usage(format!("no value is given for input `{}`", port.name));
                flat.push(skriptnd_interpret::default_value(graph.tensor(id)).ok_or_else(missing)?);
            }
            continue;
        };
        let (expected, found) = (port.tensors.items().len(), value.items().len());
        if expected != found {
            let name = &port.name;
            return Err(Failure::input(format!(
                "input `{name}` takes {expected} tensors; the number given is {found}"
            )));
        }
        match value {
            Argument::Null => {}
            Argument::Single(tensor) => flat.push(tensor),
            Argument::Pack(tensors) => flat.extend(tensors),
        }
    }
    Ok(flat)
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
        let graph = &composed.graph;
        let find = |name: &str| {
            let declared = graph.variables.iter().map(|&id| graph.tensor(id)).find(|tensor| stem(tensor) == Some(name));
            let declared = declared.ok_or_else(|| Failure::input(format!("variable `{name}` is not in the model")))?;
            let failed = |reason: String| Failure::input(format!("variable `{}`: {reason}", declared.name));
            Ok(match source.file(declared).map_err(failed)? {
                Some(file) => Variable::Mapped(TensorFile::open(&file).map_err(Failure::input)?),
                None => Variable::Owned(source.read(name, declared).map_err(failed)?),
            })
        };
        let variables = self.model.variables().iter().map(|info| find(&info.name)).collect::<Result<_, Failure>>()?;
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

/// The name of a variable's file without extension.
pub fn stem(tensor: &skriptnd_language::compose::graph::Tensor) -> Option<&str> {
    match &tensor.origin {
        Origin::Variable { file } => Some(file),
        _ => None,
    }
}

/// Results as outputs of the graph and, behind them, new values of its variables, which are named by their files.
pub fn assigned<'a>(graph: &Graph, states: impl Iterator<Item = &'a str>, results: Vec<Tensor>) -> (Results, Results) {
    let mut results = results.into_iter().map(Arc::new);
    let mut outputs = Results::new();
    for port in &graph.outputs {
        let tensors = results.by_ref().take(port.tensors.items().len()).collect();
        outputs.push((port.name.clone(), regroup(&port.tensors, tensors)));
    }
    let declared = |name: &str| graph.variables.iter().map(|&id| graph.tensor(id)).find(|v| stem(v) == Some(name));
    let new = states.zip(results);
    let new = new.filter_map(|(name, tensor)| Some((declared(name)?.name.clone(), Argument::Single(tensor))));
    (outputs, new.collect())
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

fn regroup<T>(shape: &Argument, mut tensors: Vec<T>) -> Argument<T> {
    match shape {
        Argument::Single(_) => tensors.pop().map_or(Argument::Null, Argument::Single),
        Argument::Pack(_) => Argument::Pack(tensors),
        Argument::Null => Argument::Null,
    }
}

struct Repeated {
    session: Session,
    inputs: Vec<Tensor>,
}

impl Engine for Repeated {
    fn run(&mut self) -> Result<(), Failure> {
        let Session { model, outputs } = &mut self.session;
        if outputs.is_empty() {
            *outputs = model.outputs().iter().chain(model.states()).map(|info| info.zeros()).collect();
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
