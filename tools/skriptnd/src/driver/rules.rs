//! `skriptnd rules`

use crate::failure::Failure;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reads rule files and says what is wrong with them
    Check(Check),
}

#[derive(Debug, Args)]
pub struct Check {
    /// Rule files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Whether what real SDKs accept beyond the grammar is accepted
    #[arg(long, value_enum, default_value = "strict")]
    pub mode: Mode,
    /// A folder to look for included files in
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
}

/// How strictly rules are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// As the grammar says
    Strict,
    /// As Qualcomm's SDK does
    Sdk,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    match &options.command {
        #[cfg(feature = "mlir")]
        Command::Check(check) => super::native::check_rules(check),
        #[cfg(not(feature = "mlir"))]
        Command::Check(_) => Err(Failure::usage("this executable was built without MLIR and knows no rules")),
    }
}
