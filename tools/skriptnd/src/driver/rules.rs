//! `skriptnd rules`

use crate::failure::Failure;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
#[cfg(feature = "mlir")]
use {
    super::output::print_line,
    skriptnd_htp::commands::{Settings, check_rules},
};

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
    /// A table of pass groups in place of the built-in one: lines `NAME NUMBER`
    #[arg(long, value_name = "TABLE")]
    pub passes: Option<PathBuf>,
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
        Command::Check(check) => check_files(check),
        #[cfg(not(feature = "mlir"))]
        Command::Check(_) => Err(Failure::usage("this executable was built without MLIR and knows no rules")),
    }
}

#[cfg(feature = "mlir")]
fn check_files(options: &Check) -> Result<(), Failure> {
    let mode = match options.mode {
        Mode::Strict => skriptnd_htp::grammar::Mode::Strict,
        Mode::Sdk => skriptnd_htp::grammar::Mode::Sdk,
    };
    let mut settings = Settings { mode, includes: options.include.clone(), ..Settings::default() };
    if let Some(table) = &options.passes {
        settings.read_passes(table).map_err(Failure::input)?;
    }
    let mut good = true;
    for file in &options.files {
        let output = check_rules(file, &settings).map_err(Failure::input)?;
        eprint!("{}", output.messages);
        output.text.lines().for_each(print_line);
        good &= output.good;
    }
    if good { Ok(()) } else { Err(Failure::Reported) }
}
