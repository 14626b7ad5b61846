//! `skriptnd check`

use super::explain;
use super::graph_options::GraphOptions;
use super::model::{Attempt, Composed, Labels, Model, Which};
use super::output::print_json;
use super::variables::{Source, VariableOptions};
use crate::diagnostics::List;
use crate::failure::Failure;
use crate::report;
use clap::{Args, ValueEnum};
use skriptnd_onnx::export::Names;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or an .onnx file
    #[arg(required_unless_present = "explain")]
    pub model: Option<PathBuf>,
    #[command(flatten)]
    graph: GraphOptions,
    /// Say what a code means, with an invalid and a mended example, in place of checking a model
    #[arg(long, value_name = "CODE", exclusive = true)]
    explain: Option<String>,
    /// Say also what this backend can't compile
    #[arg(long, value_enum)]
    backend: Option<Compiled>,
    /// Say what is wrong, and not what is legal and probably not meant
    #[arg(long)]
    no_warnings: bool,
    /// Print the diagnostics as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// A backend that compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Compiled {
    /// This machine
    Native,
    /// Hexagon
    Hexagon,
}

const EXAMPLES: &str = "\
Without --graph all graphs are checked; those that need attributes which are not given, only as far as others invoke them.

Examples:
  skriptnd check model
  skriptnd check model --graph Decoder --attr layers=6 --dtype T=real
  skriptnd check model --backend hexagon --json
  skriptnd check --explain missing-attribute";

pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(code) = &options.explain {
        return explain::run(code);
    }
    let path = options.model.as_deref().unwrap_or(Path::new("."));
    let model = Model::find(path, &options.graph)?;
    let (attempt, mut diagnostics) = model.try_compose(&options.graph, Which::All)?;
    if options.no_warnings {
        diagnostics = diagnostics.errors();
    } else {
        // Its files are looked for, too; those that are missing may be given to a run.
        let given = VariableOptions::default();
        attempt.graphs.iter().try_for_each(|graph| Source::new(&given, &model, graph).map(|_| ()))?;
    }
    if !options.json {
        report::print(&diagnostics, &attempt.definitions.sources);
    }
    let mut list = List::of(&diagnostics, &attempt.definitions.sources);
    let mut valid = !diagnostics.has_errors() && !attempt.graphs.is_empty();
    if let Some(backend) = options.backend.filter(|_| valid) {
        let refused = refusals(attempt, backend);
        valid = refused.is_empty();
        refused.into_iter().for_each(|further| list.append(further));
    }
    if options.json {
        print_json(&list.to_json(valid));
    }
    if valid { Ok(()) } else { Err(Failure::Reported) }
}

/// What a backend can't compile of the graphs; printed, too.
fn refusals(attempt: Attempt, backend: Compiled) -> Vec<List> {
    let mut refused = Vec::new();
    let mut definitions = attempt.definitions;
    for graph in attempt.graphs {
        let composed =
            Composed { exact: false, definitions, graph, labels: Labels::default(), names: Names::default() };
        if let Err(failure) = try_backend(&composed, backend) {
            refused.extend(report::keep(failure));
        }
        definitions = composed.definitions;
    }
    refused
}

#[cfg(feature = "mlir")]
fn try_backend(composed: &Composed, backend: Compiled) -> Result<(), Failure> {
    super::native::check(composed, backend == Compiled::Hexagon)
}

#[cfg(not(feature = "mlir"))]
fn try_backend(_: &Composed, _: Compiled) -> Result<(), Failure> {
    Err(Failure::usage("this executable was built without MLIR and has no backend but `interpret`"))
}
