//! Compiled models: the way through MLIR.

mod artifact;
mod compile;
mod fault;
mod hexagon;
mod note;
mod repeated;
mod session;
pub mod trials;
mod values;

use super::engine::{Engine, time_once};
use super::finished::Finished;
use super::graph_options::GraphOptions;
use super::inputs::known_shape;
use super::model::{Composed, Model};
use super::output::Results;
use super::profile::{Limited, Limits, Multiplied, Probe, probes};
use super::progress::Progress;
use super::run_options::{Options, Threads};
use super::sources::is_artifact;
use super::variables::{self, VariableOptions};
use crate::diagnostics::List;
use crate::failure::{Failure, print_message};
use crate::registry::registry;
use crate::report;
pub use artifact::{check_fixed, check_options, of_hexagon};
pub use compile::compile;
pub use hexagon::{hexagon_engine, run_hexagon};
use repeated::Repeated;
use skriptnd_codegen::{Scheduled, Schedules, Target};
use skriptnd_compiler::export::Exported;
use skriptnd_compiler::{Built, Error, Request};
use skriptnd_htp::commands::{RuleSet, Settings};
use skriptnd_interpret::flat_inputs;
use skriptnd_language::compose::graph::Argument;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_runtime::metadata::{Metadata, TensorInfo};
use skriptnd_runtime::{Library, Session, Tensor, TensorData};
use std::path::Path;
use std::time::{Duration, Instant};
pub use values::Wanted;

/// Compiles.
fn build(composed: &Composed, request: Request, progress: &Progress) -> Result<Built, Failure> {
    let registry = registry()?;
    let context = registry.context();
    let built = skriptnd_compiler::build(&context, request, &|step| progress.step(step));
    let built = built.map_err(|error| failure(composed, error))?;
    built.diagnostics.iter().for_each(|diagnostic| print_message(format_args!("{diagnostic}\n")));
    Ok(built)
}

/// A failure of the compiler's as one of the command's; prints which part of the model can't be compiled. What has no place
/// of its own is said of the graph.
fn failure(composed: &Composed, error: Error) -> Failure {
    match error {
        Error::Codegen(skriptnd_codegen::Error::Refused(mut refused)) => {
            let place = || composed.place().map(|(file, line, column)| Position { file, origin: None, line, column });
            for diagnostic in &mut refused {
                diagnostic.position = diagnostic.position.take().or_else(place);
                print_message(format_args!("{diagnostic}\n"));
            }
            Failure::Diagnosed(Box::new(List::of_mlir(&refused)))
        }
        Error::Codegen(skriptnd_codegen::Error::Unsupported(what)) => composed.refuse(&what),
        Error::WrongRules(set) => {
            report::print(&set.found, &set.sources);
            Failure::Diagnosed(Box::new(List::of(&set.found, &set.sources)))
        }
        // It is about the target or the machine, not about the model.
        other => Failure::input(other),
    }
}

/// Loads code for this machine.
fn load(built: &Built) -> Result<Library, Failure> {
    Library::load_bytes(Path::new("the compiled model"), &built.code).map_err(Failure::input)
}

/// A compiled model, or a model compiled for this machine.
pub fn library(path: &Path, options: &GraphOptions) -> Result<Library, Failure> {
    if is_artifact(path) {
        artifact::check_fixed(&options.without_bindings())?;
        return session::load(path);
    }
    let composed = Model::find(path, options)?.compose(options)?;
    load(&build(&composed, composed.request(Target::host(), skriptnd_codegen::Emit::SharedLibrary), &Progress::new())?)
}

/// Compiles a model for this machine and runs it.
pub fn run(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let started = Instant::now();
    let schedules = Schedules { tuned: options.tuned.folder(), ..Schedules::default() };
    let request = composed.request(options.cpu.target(options.backend)?, skriptnd_codegen::Emit::SharedLibrary);
    let built = build(composed, Request { schedules, ..request }, progress)?;
    let inputs = flat_inputs(&composed.graph, inputs).map_err(|found| composed.fail(&found))?;
    let variables = variables::Source::new(&options.variables, model, &composed.graph)?;
    let mut session = session::of_graph(load(&built)?, composed, &variables)?;
    session.set_threads(options.threads.of_session());
    options.seed.into_iter().for_each(|seed| session.set_seed(seed));
    let compile = started.elapsed();
    progress.step("running");
    let mut finished = session::run(&mut session, composed, &inputs, compile)?;
    if options.save_state.is_some() {
        session::add_unchanged(&composed.graph, &variables, &mut finished)?;
    }
    Ok(finished)
}

/// A session of a model that is compiled for this machine.
pub fn session(
    composed: &Composed,
    variables: &variables::Source,
    threads: &Threads,
    progress: &Progress,
) -> Result<Session, Failure> {
    let request = composed.request(Target::host(), skriptnd_codegen::Emit::SharedLibrary);
    let mut session = session::of_graph(load(&build(composed, request, progress)?)?, composed, variables)?;
    session.set_threads(threads.of_session());
    Ok(session)
}

/// Runs a session of a graph once more; variables begin with the values that they had at first. Returns the outputs.
pub fn run_again(
    session: &mut Session,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
) -> Result<Results, Failure> {
    let inputs = flat_inputs(&composed.graph, inputs).map_err(|found| composed.fail(&found))?;
    session.reset().map_err(Failure::input)?;
    Ok(session::run(session, composed, &inputs, Duration::ZERO)?.outputs)
}

/// A compiled model that can be measured, and its kernels with their schedules, where such are asked for.
pub fn engine<'a>(
    options: &'a VariableOptions,
    (model, composed): (&'a Model, &'a Composed),
    inputs: Vec<Option<Argument<Tensor>>>,
    (threads, target, schedules): (&Threads, Target, Schedules),
) -> Result<(Box<dyn Engine + 'a>, Vec<Scheduled>), Failure> {
    let variables = variables::Source::new(options, model, &composed.graph)?;
    let inputs = flat_inputs(&composed.graph, inputs).map_err(|found| composed.fail(&found))?;
    let request = composed.request(target, skriptnd_codegen::Emit::SharedLibrary);
    let built = build(composed, Request { schedules, ..request }, &Progress::new())?;
    let mut session = session::of_graph(load(&built)?, composed, &variables)?;
    session.set_threads(threads.of_session());
    Ok((Box::new(Repeated::new(session, inputs)?), built.report.scheduled))
}

/// What this machine can do with so many threads.
pub fn limits(threads: &Threads) -> Result<Limits, Failure> {
    let mut limits = Limits::default();
    for probe in probes() {
        let reached = probe.amount as f64 / shortest(&probe, threads)? / 1e3;
        match probe.limited {
            Limited::By(Multiplied::Reals) => limits.gflops = reached,
            Limited::By(Multiplied::Bytes) => limits.gops_of_bytes = reached,
            Limited::ByMemory(bytes) => limits.bandwidths.push((bytes, reached)),
        }
    }
    Ok(limits)
}

/// Microseconds of the shortest of several runs of a model.
fn shortest(probe: &Probe, threads: &Threads) -> Result<f64, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::file(&std::env::temp_dir(), &error))?;
    for (name, text) in [("main.sknd", probe.text.as_str()), ("storage.json", probe.storage)] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).map_err(|error| Failure::file(&file, &error))?;
    }
    let (graph, variables) = (GraphOptions::default(), VariableOptions::default());
    let model = Model::find(folder.path(), &graph)?;
    let composed = model.compose(&graph)?;
    let types = composed.graph.inputs.iter().flat_map(|port| port.tensors.items());
    let inputs = types.map(|id| {
        let shape = known_shape(&composed.graph.tensor(*id).ty)?;
        // Memory that was written to: what only was asked for is one page for all.
        let count = shape.iter().product();
        let data = match probe.limited {
            Limited::By(Multiplied::Bytes) => TensorData::I64(vec![1; count]),
            _ => TensorData::F32(vec![1.0; count]),
        };
        Ok(Some(Argument::Single(Tensor { shape, data })))
    });
    let inputs = inputs.collect::<Result<Vec<_>, Failure>>()?;
    let how = (threads, Target::host(), Schedules::default());
    let (mut engine, _) = engine(&variables, (&model, &composed), inputs, how)?;
    let (started, mut least) = (Instant::now(), f64::INFINITY);
    while started.elapsed() < PROBED {
        least = least.min(time_once(&mut *engine)?);
    }
    Ok(least)
}

/// How long each limit of the machine is looked for.
const PROBED: Duration = Duration::from_millis(60);

/// Makes an input of a compiled model, by its number.
pub type MadeInput<'i> = &'i dyn Fn(usize, &TensorInfo) -> Result<Tensor, Failure>;

/// Runs a compiled model.
pub fn run_artifact(options: &Options) -> Result<Finished, Failure> {
    let wanted = Wanted::from(options);
    match artifact::of_hexagon(wanted.file)? {
        Some(interface) => hexagon::run_artifact(options, wanted, interface),
        None => artifact::run_here(options, wanted),
    }
}

/// A compiled model on disk that can be measured. Inputs are made, or those that options say.
pub fn artifact_engine(
    wanted: Wanted<'_>,
    threads: &Threads,
    made: Option<MadeInput<'_>>,
) -> Result<Box<dyn Engine>, Failure> {
    if let Some(interface) = artifact::of_hexagon(wanted.file)? {
        return hexagon::artifact_engine(wanted, interface, made);
    }
    let (mut session, _) = artifact::opened(wanted)?;
    session.set_threads(threads.of_session());
    let metadata = session.model().metadata();
    let inputs = made_inputs(metadata, wanted, made)?;
    Ok(Box::new(Repeated::new(session, inputs)?))
}

fn made_inputs(metadata: &Metadata, wanted: Wanted<'_>, made: Option<MadeInput<'_>>) -> Result<Vec<Tensor>, Failure> {
    match made {
        Some(made) => metadata.inputs.iter().enumerate().map(|(number, info)| made(number, info)).collect(),
        None => Ok(artifact::inputs(metadata, wanted)?.0),
    }
}

/// Compiles a model for this machine or for Hexagon as far as it may fail; nothing is kept.
pub fn check(composed: &Composed, for_hexagon: bool) -> Result<(), Failure> {
    let target = match for_hexagon {
        true => Target::named(Some(skriptnd_hexagon::target::TRIPLE), None),
        false => Target::host(),
    };
    let request = composed.request(target, skriptnd_codegen::Emit::LlvmDialect);
    build(composed, request, &Progress::new()).map(|_| ())
}

/// A model's graph as the language has it.
pub fn export(composed: &Composed, is_quantized: bool) -> Result<Exported, Failure> {
    let registry = registry()?;
    let context = registry.context();
    let (definitions, graph) = (&composed.definitions, &composed.graph);
    let exported = skriptnd_compiler::export::to_language(&context, definitions, graph, is_quantized);
    exported.map_err(|error| failure(composed, error))
}

/// What rules do with a model, as text.
pub fn explain_rules(composed: &Composed, rules: &RuleSet, settings: &Settings) -> Result<String, Failure> {
    let registry = registry()?;
    let context = registry.context();
    let (definitions, graph) = (&composed.definitions, &composed.graph);
    let told = skriptnd_compiler::explain_rules(&context, definitions, graph, (rules, settings));
    told.map_err(|error| failure(composed, error))
}
