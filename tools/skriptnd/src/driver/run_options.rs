//! Options of `skriptnd run`, and what of them other commands have.

use super::backend::Backend;
use super::cpu_options::CpuOptions;
use super::graph_options::GraphOptions;
use super::inputs::split_once;
use super::numbers::number_from;
use super::tuned::TunedOptions;
use super::variables::VariableOptions;
use crate::failure::{Failure, print_message};
use clap::Args;
use skriptnd_runtime::pool::MOST_THREADS;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd or .onnx file, or (for `run`) a compiled model
    pub model: PathBuf,
    /// What executes it
    #[arg(long, value_enum, default_value = "native")]
    pub backend: Backend,
    #[command(flatten)]
    pub cpu: CpuOptions,
    #[command(flatten)]
    pub graph: GraphOptions,
    /// A tensor file for an input, in order of declaration where unnamed; commas make a tensor pack
    #[arg(long = "input", value_name = "[NAME=]FILE[,FILE...]")]
    pub inputs: Vec<OsString>,
    /// Give inputs without a file random values that follow from this number
    #[arg(long, value_name = "SEED")]
    pub random_inputs: Option<u16>,
    #[command(flatten)]
    pub variables: VariableOptions,
    /// Draw random numbers from this where the model has no seed for them; without it, others in each run
    #[arg(long, value_name = "N", value_parser = number_from(0))]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    pub tuned: TunedOptions,
    /// Write the variables as they are after the run to this folder
    #[arg(long, value_name = "DIR")]
    pub save_state: Option<PathBuf>,
    /// Write the outputs to this folder; without it, their beginnings are printed
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
    /// End the interpreter after this time
    #[arg(long, value_name = "SECONDS", value_parser = number_from(1))]
    pub time_limit: Option<u64>,
    /// End the interpreter before its tensors take more than this [default: 8192]
    #[arg(long, value_name = "MIB")]
    pub memory_limit: Option<u32>,
    /// Print one JSON object about the run
    #[arg(long)]
    pub json: bool,
}

/// `--threads`
#[derive(Debug, Clone, Args)]
pub struct Threads {
    /// How many threads share the work of compiled code [default: as many as the processor has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    threads: Option<u32>,
}

impl Threads {
    /// The threads of a session.
    #[cfg(feature = "mlir")]
    pub fn of_session(&self) -> skriptnd_runtime::pool::Threads {
        skriptnd_runtime::pool::Threads::count(self.threads.map_or(0, |threads| threads as usize))
    }

    /// How many there are.
    #[cfg(feature = "mlir")]
    pub fn number(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, |threads| threads as usize)
    }

    /// Says that the number makes no difference to what a command does.
    pub fn warn_unused(&self, reason: &str) {
        if let Some(threads) = self.threads {
            print_message(format_args!("skriptnd: warning: --threads {threads}: {reason}\n"));
        }
    }

    /// Says that a backend runs on one thread, if more are asked for.
    pub fn warn_alone(&self, backend: Backend) {
        if backend != Backend::Native && self.threads.is_some_and(|threads| threads > 1) {
            self.warn_unused("only compiled code on this machine shares its work; this backend runs on one");
        }
    }
}

impl Options {
    /// Whether options go with the backend.
    pub fn check_backend(&self) -> Result<(), Failure> {
        self.check_limits()?;
        self.cpu.check(self.backend)
    }

    /// Whether an input is given by its name.
    pub fn names_input(&self, name: &str) -> bool {
        self.inputs.iter().any(|given| split_once(given, b'=').is_some_and(|(known, _)| known == name))
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
  skriptnd run model --weights tuned.safetensors --input image.npy --output-dir out
  skriptnd run model --backend hexagon --cpu hexagonv66+hvxv66+hvx-length128b --storage x=u8 --random-inputs 1
  skriptnd run model.so --input image.npy --load-state state --save-state state";
