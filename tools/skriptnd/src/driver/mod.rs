//! The command line of `skriptnd`.

mod bench;
mod check;
mod compare;
mod compile;
mod doctor;
mod explain;
mod fmt;
mod graph;
mod graph_options;
mod inputs;
mod model;
#[cfg(feature = "mlir")]
mod native;
mod output;
mod progress;
mod rules;
mod run;
mod svg;
mod variables;
mod worker;

use crate::failure::{Failure, report};
use clap::{Parser, Subcommand};
pub use model::read_text;
use std::io::IsTerminal;

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
MODEL is a folder with `main.sknd`, its variables as .dat or .npy files beside it, or one .sknd file.

Examples:
  skriptnd check model
  skriptnd check --explain missing-attribute
  skriptnd run model --input image.npy --output-dir out
  skriptnd run model --backend interpret --attr batch=4 --input x=a.npy --input ys=b.npy,c.npy --output-dir out
  skriptnd compile model -o model.so
  skriptnd bench model --threads 1
  skriptnd fmt model
  skriptnd compare model --random-inputs 1 --backend hexagon

Exit codes: 0 done, 1 the input is wrong, 2 wrong usage.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Parses, checks and composes a model, and says what is wrong with it
    Check(check::Options),
    /// Runs a model on tensors from files
    Run(Box<run::Options>),
    /// Compiles a model
    Compile(compile::Options),
    /// Measures how fast a model runs
    Bench(Box<bench::Options>),
    /// Compares what a backend computes with the interpreter
    Compare(Box<compare::Options>),
    /// Formats SkriptND sources in place, in the specification's spelling
    Fmt(fmt::Options),
    /// Draws the operations of a model
    Graph(graph::Options),
    /// Works on rule files of HTP op packages
    Rules(rules::Options),
    /// Says what is installed and what is missing
    Doctor,
}

/// Runs a command; returns its exit code.
pub fn main(arguments: &[String]) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            return answer(&error);
        }
    };
    match run(cli.command).and_then(|()| output::finish()) {
        Ok(()) => 0,
        Err(failure) => report(failure),
    }
}

/// Prints what clap says: help and version, which are no errors, or what is wrong with the command line.
fn answer(error: &clap::Error) -> u8 {
    if error.use_stderr() {
        // Standard error may be gone; the exit code remains.
        let _ = error.print();
        return u8::try_from(error.exit_code()).unwrap_or(2);
    }
    let text = error.render();
    if std::io::stdout().is_terminal() {
        output::print(text.ansi())
    } else {
        output::print(text)
    }
    output::finish().map_or_else(report, |()| 0)
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Check(options) => check::run(&options),
        Command::Run(options) => run::run(&options),
        Command::Compile(options) => compile::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Fmt(options) => fmt::run(&options),
        Command::Graph(options) => graph::run(&options),
        Command::Rules(options) => rules::run(&options),
        Command::Doctor => doctor::run(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
