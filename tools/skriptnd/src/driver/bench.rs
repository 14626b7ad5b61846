//! `skriptnd bench`

use super::backend::Backend;
use super::cpu_options::CpuOptions;
use super::engine::{Engine, time_once};
use super::graph_options::GraphOptions;
use super::inputs::{extents_of, fill_randomly, known_shape, random, read_graph_inputs, types_of};
use super::model::{Composed, Model};
use super::output::{milliseconds, print_json};
use super::profile_options::ProfileOptions;
use super::progress::Progress;
use super::run_options::Threads;
use super::tuned::TunedOptions;
use super::{variables, worker};
use crate::failure::Failure;
use clap::Args;
use serde_json::json;
use skriptnd_interpret::{Limits, Outcome};
use skriptnd_language::compose::graph::{Argument, TensorType};
use skriptnd_runtime::{Storage, Tensor};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};
#[cfg(feature = "mlir")]
use {
    super::native::{Wanted, check_fixed, check_options},
    super::output::print,
    super::profile,
    super::sources::is_artifact,
    crate::failure::print_message,
    skriptnd_codegen::Schedules,
    skriptnd_runtime::metadata::TensorInfo,
};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd or .onnx file, or a compiled model
    pub model: PathBuf,
    /// What executes it
    #[arg(long, value_enum, default_value = "native")]
    pub backend: Backend,
    #[command(flatten)]
    cpu: CpuOptions,
    #[command(flatten)]
    pub graph: GraphOptions,
    /// A tensor file for an input; inputs without one get random values
    #[arg(long = "input", value_name = "[NAME=]FILE[,FILE...]")]
    pub inputs: Vec<OsString>,
    /// Take the random values of `skriptnd run` with this number for inputs without a file
    #[arg(long, value_name = "SEED", conflicts_with = "worker")]
    random_inputs: Option<u16>,
    #[command(flatten)]
    pub variables: variables::VariableOptions,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    tuned: TunedOptions,
    /// How often the model runs; without it, for about a second
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "worker")]
    iterations: Option<u32>,
    /// Speak the three-line protocol of the benchmark harness on standard input and output
    #[arg(long, conflicts_with = "json")]
    pub worker: bool,
    #[command(flatten)]
    profile: ProfileOptions,
    /// Print one JSON object; this is so without it, too, but for profiles
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Prints one line of JSON. Inputs without a file get random values; for the harness (--worker) they are MODEL.in0.bin, MODEL.in1.bin
and so on, MODEL without its ending: raw little-endian elements, int as int32, int64 or as it is stored, bool as one byte. Of a compiled model,
\"compile_ms\" is the time in which it is loaded. A profile is a table, or JSON with --json; docs/performance.md says what is in it.
On Hexagon the emulator counts packets and instructions, which are the same in each run, and no times are told.

Examples:
  skriptnd bench model --iterations 100
  skriptnd bench model --backend interpret --input image.npy
  skriptnd bench model.so --threads 2
  skriptnd bench model --profile --threads 1 --trace run.json --roofline roofline.svg
  skriptnd bench model --backend hexagon --cpu hexagonv66+hvxv66+hvx-length128b --storage x=u8 --random-inputs 1 --profile
  skriptnd bench model --worker";

pub fn run(options: &Options) -> Result<(), Failure> {
    options.threads.warn_alone(options.backend);
    options.tuned.warn_beside(options.backend == Backend::Native, &options.model);
    options.profile.check()?;
    options.cpu.check(options.backend)?;
    if options.profile.profile && options.backend == Backend::Interpret {
        return Err(Failure::usage("--profile is for compiled code: --backend native or hexagon"));
    }
    if options.backend == Backend::Hexagon {
        check_counting(options)?;
    }
    let done = measure_model(options);
    if let (true, Err(failure)) = (options.worker, &done) {
        // The harness reads one line.
        print_json(&json!({ "error": failure.to_string() }));
    }
    done
}

/// Refuses what is about times, which an emulator has none of.
fn check_counting(options: &Options) -> Result<(), Failure> {
    let given = [("--worker", options.worker), ("--trace", options.profile.trace.is_some())];
    let given = given.into_iter().chain([("--roofline", options.profile.roofline.is_some())]);
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            Err(Failure::usage(format!("{option}: the emulator counts packets and tells no times: --backend native")))
        }
        None => Ok(()),
    }
}

fn measure_model(options: &Options) -> Result<(), Failure> {
    let progress = Progress::new();
    let started = Instant::now();
    #[cfg(feature = "mlir")]
    if is_artifact(&options.model) {
        options.cpu.check_fixed()?;
        let mut engine = artifact_engine(options)?;
        return tell(options, &mut *engine, started.elapsed(), progress);
    }
    progress.step("composing");
    let model = Model::find(&options.model, &options.graph)?;
    let mut composed = model.compose(&options.graph)?;
    variables::Source::new(&options.variables, &model, &composed.graph)?.note_values(&mut composed.graph);
    let inputs = inputs(options, &composed)?;
    progress.step("compiling");
    let mut engine = engine(options, &model, &composed, inputs)?;
    tell(options, &mut *engine, started.elapsed(), progress)
}

/// Measures, and prints what was found.
fn tell(options: &Options, engine: &mut dyn Engine, compile: Duration, progress: Progress) -> Result<(), Failure> {
    if options.worker {
        drop(progress);
        return worker::serve(engine, compile);
    }
    progress.step("measuring");
    engine.run()?;
    #[cfg(feature = "mlir")]
    if engine.counted().is_some() {
        return tell_counts(options, engine, compile, progress);
    }
    #[cfg(feature = "mlir")]
    if options.profile.profile {
        return tell_profile(options, engine, compile, progress);
    }
    let times = measure(engine, options.iterations)?;
    drop(progress);
    print_json(&json!({
        "min_us": times[0],
        "median_us": times[times.len() / 2],
        "iterations": times.len(),
        "peak_bytes": engine.peak_bytes(),
        "compile_ms": milliseconds(compile),
    }));
    Ok(())
}

/// Prints what the emulator counted; one run is as all others are.
#[cfg(feature = "mlir")]
fn tell_counts(
    options: &Options,
    engine: &mut dyn Engine,
    compile: Duration,
    progress: Progress,
) -> Result<(), Failure> {
    drop(progress);
    check_counting(options)?;
    if let Some(iterations) = options.iterations.filter(|iterations| *iterations > 1) {
        let reason = "what the emulator counts is the same in each run, and the model ran once";
        print_message(format_args!("skriptnd: warning: --iterations {iterations}: {reason}\n"));
    }
    let Some(answer) = engine.counted() else { return Ok(()) };
    let profile = profile::Packets::of(answer, engine.operations());
    if options.profile.profile && !options.json {
        print(profile.table());
        return Ok(());
    }
    let mut told = profile.counts_json();
    told["peak_bytes"] = json!(engine.peak_bytes());
    told["compile_ms"] = json!(milliseconds(compile));
    if options.profile.profile {
        told["operations"] = profile.json();
    }
    print_json(&told);
    Ok(())
}

/// Measures each operation, and prints what was found.
#[cfg(feature = "mlir")]
fn tell_profile(
    options: &Options,
    engine: &mut dyn Engine,
    compile: Duration,
    progress: Progress,
) -> Result<(), Failure> {
    progress.step("measuring the machine");
    let limits = super::native::limits(&options.threads)?;
    progress.step("measuring");
    let profile = profile::measure(engine, options.iterations, limits)?;
    drop(progress);
    profile.write(&options.profile)?;
    if !options.json {
        print(profile.table());
        return Ok(());
    }
    print_json(&json!({
        "min_us": profile.times[0],
        "median_us": profile.times[profile.times.len() / 2],
        "iterations": profile.times.len(),
        "peak_bytes": engine.peak_bytes(),
        "compile_ms": milliseconds(compile),
        "limits": profile.limits_json(),
        "operations": profile.json(),
    }));
    Ok(())
}

/// A compiled model on inputs from files, those beside it, or random ones.
#[cfg(feature = "mlir")]
fn artifact_engine(options: &Options) -> Result<Box<dyn Engine>, Failure> {
    let is_for_hexagon = super::native::of_hexagon(&options.model)?.is_some();
    match (is_for_hexagon, options.backend) {
        (true, Backend::Native | Backend::Hexagon) => check_fixed(&options.graph)?,
        _ => check_options(options.backend, &options.graph)?,
    }
    let Options { model, graph, inputs, variables, .. } = options;
    let is_raw = options.worker && inputs.is_empty();
    let random_inputs = (!options.worker).then_some(options.random_inputs.unwrap_or(0));
    let wanted = Wanted { file: model, graph, inputs, random_inputs, variables };
    let raw = |number: usize, info: &TensorInfo| {
        let open = || Failure::usage(format!("--worker: input `{}` has an open extent: give --input FILE", info.name));
        let (file, shape) = (worker::input_file(model, number), info.shape().ok_or_else(open)?);
        worker::read_raw(&file, info.element_type, Some(info.storage), shape)
    };
    let engine = super::native::artifact_engine(wanted, &options.threads, if is_raw { Some(&raw) } else { None })?;
    if options.profile.profile && !engine.is_marked() {
        let failure = Failure::input(format!("{}: its operations are not marked for a profile", model.display()));
        return Err(
            failure.with_help("compile it again with `skriptnd compile MODEL --profile`, or give the model itself")
        );
    }
    Ok(engine)
}

fn engine<'a>(
    options: &'a Options,
    model: &'a Model,
    composed: &'a Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
) -> Result<Box<dyn Engine + 'a>, Failure> {
    match options.backend {
        Backend::Interpret => {
            let variables = variables::Source::new(&options.variables, model, &composed.graph)?;
            Ok(Box::new(Interpreter { composed, variables, inputs, last: None }))
        }
        #[cfg(feature = "mlir")]
        Backend::Native => {
            let (tuned, profile) = (options.tuned.folder(), options.profile.profile);
            let schedules = Schedules { tuned, profile, ..Schedules::default() };
            let how = (&options.threads, options.cpu.target(options.backend)?, schedules);
            Ok(super::native::engine(&options.variables, (model, composed), inputs, how)?.0)
        }
        #[cfg(feature = "mlir")]
        Backend::Hexagon => {
            let target = options.cpu.target(options.backend)?;
            let (vtcm, profile) = (options.cpu.vtcm(&target)?, options.profile.profile);
            let how = (target, Schedules { vtcm, profile, ..Schedules::default() });
            super::native::hexagon_engine(&options.variables, (model, composed), inputs, how)
        }
        #[cfg(not(feature = "mlir"))]
        _ => Err(Failure::usage("this executable was built without MLIR and has no backend but `interpret`")),
    }
}

/// Times of all runs in microseconds, shortest first.
fn measure(engine: &mut dyn Engine, iterations: Option<u32>) -> Result<Vec<f64>, Failure> {
    let started = Instant::now();
    let mut times = Vec::new();
    let enough = |count: usize| match iterations {
        Some(iterations) => count >= iterations as usize,
        None => count >= 3 && started.elapsed() > Duration::from_secs(1),
    };
    while !enough(times.len()) {
        times.push(time_once(engine)?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

struct Interpreter<'a> {
    composed: &'a Composed,
    variables: variables::Source<'a>,
    inputs: Vec<Option<Argument<Tensor>>>,
    last: Option<Outcome>,
}

impl Engine for Interpreter<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let Composed { definitions, graph, .. } = self.composed;
        let outcome =
            skriptnd_interpret::run(definitions, graph, self.inputs.clone(), &self.variables, &Limits::default());
        self.last = Some(outcome.map_err(|diagnostics| self.composed.fail(&diagnostics))?);
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, Failure> {
        self.run()?;
        let outputs = self.last.iter().flat_map(|outcome| &outcome.outputs);
        Ok(outputs.flat_map(|(_, tensors)| tensors.items()).map(|tensor| (**tensor).clone()).collect())
    }

    fn peak_bytes(&self) -> usize {
        self.last.as_ref().map_or(0, |outcome| outcome.peak_bytes)
    }
}

/// The inputs from files, and random ones in place of those without.
#[cfg(feature = "mlir")]
pub fn random_inputs(composed: &Composed, files: &[OsString]) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    made_inputs(composed, files, true, &|number, ty, storage| random(ty, storage, number))
}

/// The inputs from files; for the harness those beside the model, `MODEL.in0.bin` and so on; for others random ones.
fn inputs(options: &Options, composed: &Composed) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    if let Some(seed) = options.random_inputs {
        let mut inputs = read_graph_inputs(composed, &options.inputs)?;
        fill_randomly(&composed.graph, &mut inputs.values, seed.into())?;
        return inputs.checked(composed);
    }
    let read = |number: usize, ty: &TensorType, storage: Option<Storage>| match options.worker {
        true => {
            let file = worker::input_file(&options.model, number);
            worker::read_raw(&file, ty.dtype.element_type(), storage, known_shape(ty)?)
        }
        false => random(ty, storage, number),
    };
    made_inputs(composed, &options.inputs, !options.worker, &read)
}

/// Makes an input by its number, of a type, as it is stored.
type Made<'m> = dyn Fn(usize, &TensorType, Option<Storage>) -> Result<Tensor, Failure> + 'm;

/// The inputs from files; others are made by their numbers. `tells` whether it is said which extents are taken for open ones.
fn made_inputs(
    composed: &Composed,
    files: &[OsString],
    tells: bool,
    made: &Made<'_>,
) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    let graph = &composed.graph;
    let mut inputs = read_graph_inputs(composed, files)?;
    let extents = extents_of(graph, &inputs.values, tells);
    let mut number = 0;
    for (port, input) in graph.inputs.iter().zip(&mut inputs.values) {
        let storage = |at: usize| port.tensors.items().get(at).and_then(|id| graph.storage.get(id).copied());
        if input.is_none() {
            let types = types_of(graph, port, &extents);
            let items = types.iter().enumerate().map(|(at, ty)| made(number + at, ty, storage(at)));
            *input = Some(Argument::Pack(items.collect::<Result<_, _>>()?));
        }
        number += port.tensors.items().len();
    }
    inputs.checked(composed)
}
