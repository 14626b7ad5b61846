//! `skriptnd run`

use super::graph_options::GraphOptions;
use super::inputs::{fill_randomly, ports, read_inputs};
use super::model::{Composed, Model};
use super::output::{Results, finish_all, json_name, prepare_tensors, print_json, print_line};
use super::progress::Progress;
use super::variables;
use crate::failure::{Failure, print_message};
use clap::{Args, ValueEnum};
use serde_json::json;
use skriptnd_interpret::Limits;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What executes a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Code compiled for this machine
    Native,
    /// The formulas of the operators, slowly and obviously
    Interpret,
    /// Code compiled for Hexagon, on an emulator
    Hexagon,
}

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or (for `run`) a compiled model
    pub model: PathBuf,
    /// What executes it
    #[arg(long, value_enum, default_value = "native")]
    pub backend: Backend,
    #[command(flatten)]
    pub graph: GraphOptions,
    /// A tensor file for an input, in order of declaration where unnamed; commas make a tensor pack
    #[arg(long = "input", value_name = "[NAME=]FILE[,FILE...]")]
    pub inputs: Vec<OsString>,
    /// Give inputs without a file random values that follow from this number
    #[arg(long, value_name = "SEED")]
    pub random_inputs: Option<u16>,
    #[command(flatten)]
    pub variables: variables::VariableOptions,
    /// Draw random numbers from this where the model has no seed for them; without it, others in each run
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub threads: Threads,
    /// Write the variables as they are after the run to this folder
    #[arg(long, value_name = "DIR")]
    pub save_state: Option<PathBuf>,
    /// Write the outputs to this folder; without it, their beginnings are printed
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
    /// End the interpreter after this time
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time_limit: Option<u64>,
    /// End the interpreter before its tensors take more than this [default: 8192]
    #[arg(long, value_name = "MIB")]
    memory_limit: Option<u32>,
    /// Print one JSON object about the run
    #[arg(long)]
    pub json: bool,
}

/// What a run gives, whatever executed it.
pub struct Finished {
    pub outputs: Results,
    /// Variables after the run, by their scoped names.
    pub variables: Results,
    pub compile: Duration,
    pub run: Duration,
    pub peak_bytes: usize,
    /// Whether random numbers may be drawn that the model has no seed for.
    pub draws: bool,
}

/// MiB that the interpreter's tensors may take unless something else is said.
const MEMORY_LIMIT: u32 = 8192;

/// `--threads`
#[derive(Debug, Clone, Args)]
pub struct Threads {
    /// How many threads compiled code may use; today it uses one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

impl Threads {
    /// Says that more threads than one make no difference.
    pub fn warn(&self) {
        if self.threads > 1 {
            let threads = self.threads;
            print_message(format_args!("skriptnd: warning: --threads {threads}: models run on one thread\n"));
        }
    }
}

impl Options {
    /// The first option that says where results go.
    pub fn first_about_results(&self) -> Option<&'static str> {
        let given = [("--output-dir", self.output_dir.is_some()), ("--save-state", self.save_state.is_some())];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// Limits are for the interpreter only.
    fn check_limits(&self) -> Result<(), Failure> {
        let given = [("--time-limit", self.time_limit.is_some()), ("--memory-limit", self.memory_limit.is_some())];
        match given.into_iter().find(|(_, given)| *given).filter(|_| self.backend != Backend::Interpret) {
            Some((option, _)) => Err(Failure::usage(format!("{option} is for the interpreter: --backend interpret"))),
            None => Ok(()),
        }
    }
}

/// Behind the options in the help.
pub const EXAMPLES: &str = "\
Examples:
  skriptnd run model --input image.npy --output-dir out
  skriptnd run model --backend interpret --attr batch=4 --input x=a.npy --input ys=b.npy,c.npy
  skriptnd run model --random-inputs 1 --random-variables 2 --json
  skriptnd run model.so --input image.npy --load-state state --save-state state";

pub fn run(options: &Options) -> Result<(), Failure> {
    options.check_limits()?;
    options.threads.warn();
    if let (true, Some(folder)) = (options.json, &options.output_dir) {
        json_name(folder)?;
    }
    let finished = execute(options)?;
    if options.seed.is_some() && !finished.draws {
        print_message("skriptnd: warning: --seed: nothing is drawn that the model has no seed for\n");
    }
    let prepared = |folder: &Option<PathBuf>, tensors| match folder {
        Some(folder) => prepare_tensors(folder, tensors),
        None => Ok(Vec::new()),
    };
    let files = prepared(&options.output_dir, &finished.outputs)?;
    let states = prepared(&options.save_state, &finished.variables)?;
    let files = finish_all(files)?;
    finish_all(states)?;
    if options.json {
        let outputs = finished.outputs.iter().enumerate().map(|(at, (name, _))| {
            let files: Vec<_> = files.get(at).into_iter().flatten().map(|file| file.to_string_lossy()).collect();
            json!({ "name": name, "files": files })
        });
        print_json(&json!({
            "outputs": outputs.collect::<Vec<_>>(),
            "compile_ms": milliseconds(finished.compile),
            "run_ms": milliseconds(finished.run),
            "peak_bytes": finished.peak_bytes,
        }));
    } else if files.is_empty() {
        print_summaries(&finished.outputs);
    } else {
        files.iter().flatten().for_each(|file| print_line(file.display()));
    }
    Ok(())
}

fn print_summaries(outputs: &Results) {
    for (name, tensors) in outputs {
        for (at, tensor) in tensors.items().iter().enumerate() {
            match tensors {
                Argument::Pack(_) => print_line(tensor.summary(&format!("{name}[{at}]"))),
                _ => print_line(tensor.summary(name)),
            }
        }
    }
}

/// With microseconds behind the point.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Whether a path is that of a compiled model: of a shared library, by its name or its first bytes.
pub fn is_artifact(path: &Path) -> bool {
    let is_elf = || {
        let mut magic = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
        read.is_ok() && magic == *b"\x7fELF"
    };
    path.is_file() && (path.extension().is_some_and(|ending| ending == "so") || is_elf())
}

/// Runs the model on the backend that the options name.
pub fn execute(options: &Options) -> Result<Finished, Failure> {
    let progress = Progress::new();
    let started = Instant::now();
    #[cfg(feature = "mlir")]
    if is_artifact(&options.model) {
        return super::native::run_artifact(options);
    }
    let model = Model::find(&options.model)?;
    progress.step("composing");
    let composed = model.compose(&options.graph)?;
    let inputs = inputs(options, &composed)?;
    match options.backend {
        Backend::Interpret => {
            let compile = started.elapsed();
            progress.step("interpreting");
            let mut finished = interpret(options, &model, &composed, inputs)?;
            finished.compile = compile;
            Ok(finished)
        }
        #[cfg(feature = "mlir")]
        Backend::Native => super::native::run(options, &model, &composed, inputs, &progress),
        #[cfg(feature = "mlir")]
        Backend::Hexagon => super::native::run_hexagon(options, &model, &composed, inputs, &progress),
        #[cfg(not(feature = "mlir"))]
        _ => Err(Failure::usage("this executable was built without MLIR and has no backend but `interpret`")),
    }
}

/// What the options give the inputs of a graph.
pub fn inputs(options: &Options, composed: &Composed) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    let owner = format!("graph {}", composed.graph.name);
    let mut inputs = read_inputs(&ports(&composed.graph), &owner, &options.inputs)?;
    if let Some(seed) = options.random_inputs {
        fill_randomly(&composed.graph, &mut inputs, seed.into())?;
    }
    Ok(inputs)
}

fn interpret(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
) -> Result<Finished, Failure> {
    let graph = &composed.graph;
    let variables = variables::Source::new(&options.variables, model, graph)?;
    let memory = usize::try_from(u64::from(options.memory_limit.unwrap_or(MEMORY_LIMIT)) << 20).ok();
    let limits = Limits { time: options.time_limit.map(Duration::from_secs), memory, seed: options.seed };
    let started = Instant::now();
    let outcome = skriptnd_interpret::run(&composed.definitions, graph, inputs, &variables, &limits)
        .map_err(|diagnostics| composed.fail(&diagnostics))?;
    let variables = outcome.variables.into_iter();
    let variables = variables.map(|(id, value)| (graph.tensor(id).name.clone(), Argument::Single(value))).collect();
    Ok(Finished {
        outputs: outcome.outputs,
        variables,
        compile: Duration::ZERO,
        run: started.elapsed(),
        peak_bytes: outcome.peak_bytes,
        draws: outcome.draws,
    })
}
