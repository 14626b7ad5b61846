//! The command line of `skriptnd`.

mod backend;
mod bench;
mod check;
mod compare;
mod compile;
mod compile_options;
mod cpu_options;
mod doctor;
mod drawing;
mod engine;
mod explain;
#[cfg(feature = "mlir")]
mod export;
#[cfg(feature = "mlir")]
mod export_onnx;
mod extents;
mod finished;
mod fmt;
mod graph;
mod graph_options;
mod import_options;
#[cfg(feature = "mlir")]
mod info;
mod inputs;
pub mod kept;
mod layout;
mod model;
#[cfg(feature = "mlir")]
mod native;
mod numbers;
mod once;
mod onnx;
pub mod output;
#[cfg(test)]
mod pages;
#[cfg(feature = "mlir")]
mod profile;
mod profile_options;
mod progress;
#[cfg(feature = "mlir")]
mod quantize;
mod rule_options;
mod rules;
mod run;
mod run_options;
mod shard_options;
mod sources;
#[cfg(feature = "mlir")]
mod steps;
mod storage;
mod svg;
#[cfg(feature = "mlir")]
mod tune;
mod tuned;
mod variables;
mod vtcm_options;
mod weights;
mod worker;

use crate::failure::{self, Failure};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
#[cfg(feature = "mlir")]
pub use graph_options::GraphOptions;
#[cfg(feature = "mlir")]
pub use model::Model;
#[cfg(feature = "mlir")]
pub use onnx::is_onnx;
#[cfg(feature = "mlir")]
pub use rule_options::RuleOptions;
use skriptnd_source::diagnostics::nearest;
#[cfg(feature = "mlir")]
pub use sources::check_files;
pub use sources::read_text;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;

#[derive(Debug, Parser)]
#[command(
    name = "skriptnd",
    version,
    about = "Compiles, runs and inspects neural networks written in SkriptND, the language of NNEF 2.0",
    after_help = EXAMPLES,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
MODEL is a folder with `main.sknd`, its variables as .dat or .npy files beside it, one .sknd file, or an .onnx file.

Examples:
  skriptnd check model
  skriptnd check --explain missing-attribute
  skriptnd run model --input image.npy --output-dir out
  skriptnd run model --backend interpret --attr batch=4 --input x=a.npy --input ys=b.npy,c.npy --output-dir out
  skriptnd run resnet.onnx --input image.npy --output-dir out
  skriptnd compile model -o model.so
  skriptnd bench model --threads 1
  skriptnd tune model
  skriptnd fmt model
  skriptnd compare model --random-inputs 1 --backend hexagon
  skriptnd compare resnet.onnx --against dump.npz
  skriptnd run model --weights weights.safetensors --input image.npy --output-dir out
  skriptnd info model.so
  skriptnd quantize model --calibrate samples -o model-i8

`skriptnd COMMAND --help` has more.

Exit codes: 0 done, 1 the input is wrong, 2 wrong usage.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Parses, checks and composes a model, and says what is wrong with it
    Check(check::Options),
    /// Runs a model on tensors from files
    #[command(after_help = run_options::EXAMPLES)]
    Run(Box<run_options::Options>),
    /// Compiles a model
    Compile(Box<compile_options::Options>),
    /// Measures how fast a model runs
    Bench(Box<bench::Options>),
    /// Looks for schedules of a model's kernels that are faster on this machine, and keeps them
    #[cfg(feature = "mlir")]
    Tune(Box<tune::Options>),
    /// Compares what a backend computes with the interpreter, or with what another runtime computed
    #[command(after_help = compare::EXAMPLES)]
    Compare(Box<compare::Options>),
    /// Translates an ONNX model to SkriptND
    Import(onnx::Options),
    /// Writes a model back as SkriptND: one graph of operators, with their attributes
    #[cfg(feature = "mlir")]
    Export(Box<export::Options>),
    /// Tells what a model or a compiled model takes, gives and needs
    #[cfg(feature = "mlir")]
    Info(Box<info::Options>),
    /// Writes a model with whole numbers of few bits in the place of reals, by what sample inputs give
    #[cfg(feature = "mlir")]
    Quantize(Box<quantize::Options>),
    /// Formats SkriptND sources in place, in the specification's spelling
    Fmt(fmt::Options),
    /// Draws the operations of a model
    Graph(graph::Options),
    /// Works on rule files of HTP op packages
    Rules(rules::Options),
    /// Says what is installed and what is missing
    Doctor(doctor::Options),
}

impl Command {
    /// Whether standard output is to be one JSON object, whatever happens.
    fn wants_json(&self) -> bool {
        match self {
            Command::Check(options) => options.json,
            Command::Run(options) => options.json,
            Command::Compile(options) => options.json,
            Command::Compare(options) => options.run.json,
            // The harness has its own protocol; what is measured is JSON always.
            Command::Bench(options) => !options.worker,
            Command::Import(options) => options.json,
            #[cfg(feature = "mlir")]
            Command::Tune(options) => options.json,
            #[cfg(feature = "mlir")]
            Command::Export(options) => options.json,
            #[cfg(feature = "mlir")]
            Command::Info(options) => options.json,
            #[cfg(feature = "mlir")]
            Command::Quantize(options) => options.json,
            Command::Fmt(options) => options.json,
            Command::Graph(options) => options.json,
            Command::Rules(options) => options.json(),
            Command::Doctor(options) => options.json,
        }
    }

    /// The options of a graph that is composed to be executed.
    fn executed(&mut self) -> Option<&mut graph_options::GraphOptions> {
        match self {
            Command::Run(options) => Some(&mut options.graph),
            Command::Compile(options) if compile::keeps_operators(options) => None,
            Command::Compile(options) => Some(&mut options.graph),
            Command::Bench(options) => Some(&mut options.graph),
            Command::Compare(options) => Some(&mut options.run.graph),
            #[cfg(feature = "mlir")]
            Command::Tune(options) => Some(&mut options.graph),
            _ => None,
        }
    }

    /// The model that JSON names in its diagnostics.
    fn model(&self) -> Option<&Path> {
        match self {
            Command::Check(options) => options.model.as_deref(),
            Command::Run(options) => Some(&options.model),
            Command::Compile(options) => Some(&options.model),
            Command::Compare(options) => Some(&options.run.model),
            Command::Bench(options) => Some(&options.model),
            Command::Graph(options) => Some(&options.model),
            Command::Import(options) => Some(&options.model),
            #[cfg(feature = "mlir")]
            Command::Tune(options) => Some(&options.model),
            #[cfg(feature = "mlir")]
            Command::Export(options) => Some(&options.model),
            #[cfg(feature = "mlir")]
            Command::Info(options) => Some(&options.model),
            #[cfg(feature = "mlir")]
            Command::Quantize(options) => Some(&options.model),
            Command::Fmt(_) | Command::Rules(_) | Command::Doctor(_) => None,
        }
    }

    /// Says that JSON shows a name otherwise than it is.
    fn warn_about_name(&self) {
        if let Some(model) = self.model().filter(|model| self.wants_json() && model.to_str().is_none()) {
            let model = model.display();
            failure::print_message(format_args!(
                "skriptnd: warning: {model}: the name is not UTF-8; diagnostics in JSON have U+FFFD in its place\n"
            ));
        }
    }
}

/// Runs a command; returns its exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    let wants_json = || arguments.iter().any(|argument| argument == "--json");
    let parsed = commands().try_get_matches_from(arguments);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if is_about_target(&error) => return fail(Failure::usage(TARGET), wants_json()),
        Err(error) => return answer(&error, wants_json()),
    };
    let json = cli.command.wants_json();
    cli.command.warn_about_name();
    match run(cli.command).and_then(|()| output::finish()) {
        Ok(()) => 0,
        Err(failure) => fail(failure, json),
    }
}

/// All commands, as they are parsed.
fn commands() -> clap::Command {
    let commands = taking_negative_numbers(Cli::command());
    #[cfg(feature = "mlir")]
    let commands = quantize::describe(commands);
    commands
}

/// A command whose options take negative numbers for values, so that the message about one tells which values there are.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_values = |arg: &Arg| arg.get_long().is_some() && arg.get_action().takes_values();
    let command = command.mut_args(|arg| if takes_values(&arg) { arg.allow_negative_numbers(true) } else { arg });
    command.mut_subcommands(taking_negative_numbers)
}

/// What is said to commands other than `compile` that are given a target; clap would take it for a slip.
const TARGET: &str = "--target is for `skriptnd compile`: other commands execute on this machine, or, with --backend hexagon, \
                      on an emulator";

fn is_about_target(error: &clap::Error) -> bool {
    let argument = error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument);
    matches!(argument, Some(ContextValue::String(argument)) if argument == "--target")
}

/// Says why a command ends; returns its exit code.
fn fail(failure: Failure, json: bool) -> u8 {
    if let Some(object) = failure::to_json(&failure).filter(|_| json) {
        output::print_json(&object);
    }
    failure::report(failure)
}

/// Prints what clap says: help and version, which are no errors, or what is wrong with the command line.
fn answer(error: &clap::Error, json: bool) -> u8 {
    if error.use_stderr() {
        if json {
            output::print_json(&failure::to_json(&Failure::usage(usage_message(error))).unwrap_or_default());
        }
        // Standard error may be gone; the exit code remains.
        let _ = error.print();
        if let Some(help) = command_meant(error) {
            failure::print_message(format_args!("\n  = help: {help}\n"));
        }
        return u8::try_from(error.exit_code()).unwrap_or(2);
    }
    let text = error.render();
    if std::io::stdout().is_terminal() {
        output::print(text.ansi())
    } else {
        output::print(text)
    }
    output::finish().map_or_else(failure::report, |()| 0)
}

/// What may have been meant by a command that there is not.
fn command_meant(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let commands = Cli::command();
    let names = || commands.get_subcommands().map(clap::Command::get_name);
    if Path::new(given).exists() {
        return Some(format!("a command stands before the model: `skriptnd run {given}`"));
    }
    match nearest(given, names()) {
        Some(near) if error.get(ContextKind::SuggestedSubcommand).is_none() => Some(format!("did you mean `{near}`?")),
        _ => Some(format!("the commands are {}", names().collect::<Vec<_>>().join(", "))),
    }
}

/// What is wrong with a command line, without what stands around it on a terminal.
pub fn usage_message(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let end = ["\n\nUsage:", "\n\nFor more"].into_iter().filter_map(|next| text.find(next)).min();
    text[..end.unwrap_or(text.len())].trim_end().to_owned()
}

fn run(mut command: Command) -> Result<(), Failure> {
    if let Some(graph) = command.executed() {
        graph.is_executed = true;
    }
    match command {
        Command::Check(options) => check::run(&options),
        Command::Run(options) => run::run(&options),
        Command::Compile(options) => compile::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Fmt(options) => fmt::run(&options),
        Command::Graph(options) => graph::run(&options),
        Command::Import(options) => onnx::run(&options),
        #[cfg(feature = "mlir")]
        Command::Tune(options) => tune::run(&options),
        #[cfg(feature = "mlir")]
        Command::Export(options) => export::run(&options),
        #[cfg(feature = "mlir")]
        Command::Info(options) => info::run(&options),
        #[cfg(feature = "mlir")]
        Command::Quantize(options) => quantize::run(&options),
        Command::Rules(options) => rules::run(&options),
        Command::Doctor(options) => doctor::run(&options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        commands().debug_assert();
    }
}
