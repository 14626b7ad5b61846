//! A graph that was written as text: it must compute what it computed, and be written the same again.

use super::{Backend, Failure, Finished, GivenVariables, Run};
use crate::directive::Quantization;
use skriptnd_compiler::export::{Exported, to_language};
use skriptnd_compiler::registry;
use skriptnd_interpret::{Engine, Limits, Variables, run_with};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::graph::{self, Graph};
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::Registry;
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::{Diagnostics, Severity, render};

/// Writes graphs, reads them again, and interprets what was read.
pub struct Rewritten(Registry);

impl Rewritten {
    /// With a registry of its own.
    ///
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn new() -> Result<Rewritten, String> {
        registry().map(Rewritten).map_err(|error| error.to_string())
    }

    fn written(&self, model: &CheckedModel, graph: &Graph, is_quantized: bool) -> Result<Exported, Failure> {
        let context = self.0.context();
        let written = to_language(&context, &model.definitions, graph, is_quantized);
        written.map_err(|error| Failure::Refused(error.to_string()))
    }
}

impl Backend for Rewritten {
    fn run(&self, run: Run) -> Result<Finished, Failure> {
        let Run { case, model, graph, inputs } = run;
        let exported = self.written(model, &graph, case.quantization != Quantization::Noted)?;
        let (read, mut other) = composed(&exported)?;
        let again = self.written(&read, &other, false)?;
        if again.main != exported.main {
            return Err(Failure::Stopped(format!("written again, it differs:\n{}\n{}", exported.main, again.main)));
        }
        // Variables that nothing uses are not there.
        let stored: Vec<_> =
            exported.storage.iter().filter_map(|(name, form)| Some((name.clone(), form.parse().ok()?))).collect();
        other.store(&stored).map_err(|wrong| Failure::Stopped(wrong.to_string()))?;
        let limits = Limits { time: None, memory: None, seed: None };
        let given = Renamed { case: GivenVariables(case), graph: &graph, exported: &exported };
        let outcome = run_with(Engine::Rows, &read.definitions, &other, inputs.clone(), &given, &limits);
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(found) => {
                let own = run_with(Engine::Rows, &model.definitions, &graph, inputs, &GivenVariables(case), &limits);
                return Err(same_failure(own.err(), &found, (&read, &exported.graph)));
            }
        };
        let name = |id| given.original(&other.tensor(id).name).map(|tensor| tensor.name.clone());
        let variables = outcome.variables.into_iter().filter_map(|(id, value)| Some((name(id)?, value)));
        Ok(Finished { outputs: outcome.outputs, variables: variables.collect() })
    }
}

/// The failure of the graph itself, whose places are those of its text, if the other one is for the same reason: what the text
/// asserts in place of something else is said with the name of the graph.
fn same_failure(own: Option<Diagnostics>, found: &Diagnostics, (read, graph): (&CheckedModel, &str)) -> Failure {
    let first = |found: &Diagnostics| found.iter().next().map(|diagnostic| diagnostic.message.clone());
    let asserted = format!("invalid use of `main.{graph}`: ");
    let is_it = |own: &str, found: &str| {
        // Values that are told beside a message are part of that which is asserted.
        let rest = found.strip_prefix(&asserted).and_then(|found| found.strip_prefix(own));
        own == found || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
    };
    match (own, first(found)) {
        (Some(own), Some(found)) if first(&own).is_some_and(|own| is_it(&own, &found)) => Failure::Diagnostics(own),
        _ => Failure::Stopped(shown(found, read)),
    }
}

fn shown(found: &Diagnostics, model: &CheckedModel) -> String {
    found.iter().map(|diagnostic| render(diagnostic, &model.definitions.sources)).collect()
}

fn composed(exported: &Exported) -> Result<(CheckedModel, Graph), Failure> {
    let read = CheckedModel::load(exported);
    let options = ComposeOptions { graph: Some(exported.graph.clone()), ..ComposeOptions::default() };
    let (graph, found) = read.compose(&options);
    let errors =
        read.diagnostics.iter().chain(found.iter()).filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: String = errors.map(|diagnostic| render(diagnostic, &read.definitions.sources)).collect();
    match graph {
        Some(graph) => Ok((read, graph)),
        None => Err(Failure::Stopped(format!("what was written is no model: {errors}\n{}", exported.main))),
    }
}

/// The variables of a case, as the text calls them.
struct Renamed<'a> {
    case: GivenVariables<'a>,
    graph: &'a Graph,
    exported: &'a Exported,
}

impl Renamed<'_> {
    /// The variable that has this name in the text.
    fn original(&self, name: &str) -> Option<&graph::Tensor> {
        let own = self.exported.variables.iter().find(|variable| variable.name == name)?;
        let mut variables = self.graph.variables.iter().map(|id| self.graph.tensor(*id));
        variables.find(|tensor| skriptnd_compiler::tensors::stem(tensor) == Some(own.label.as_str()))
    }
}

impl Variables for Renamed<'_> {
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        let Some(original) = self.original(&declared.name) else { return self.case.read(file, declared) };
        let stem = skriptnd_compiler::tensors::stem(original).unwrap_or(file);
        self.case.read(stem, original)
    }
}
