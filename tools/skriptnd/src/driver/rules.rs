//! `skriptnd rules`

use crate::failure::Failure;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
#[cfg(feature = "mlir")]
use {
    super::output::print_line,
    skriptnd_htp::check::check,
    skriptnd_htp::engine::passes::PassTable,
    skriptnd_htp::grammar::{self, Directories},
    skriptnd_language::diagnostics::Diagnostics,
    skriptnd_language::source::SourceMap,
    std::path::Path,
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
    let passes = match &options.passes {
        Some(file) => {
            let text = read(file)?;
            PassTable::parse(&text).map_err(|error| Failure::input(format!("{}: {error}", file.display())))?
        }
        None => PassTable::default(),
    };
    let includes = Directories(options.include.clone());
    let mut wrong = false;
    for file in &options.files {
        let (mut sources, mut found) = (SourceMap::default(), Diagnostics::default());
        let text = read(file)?;
        let rules = grammar::read(&file.display().to_string(), text, mode, &includes, &mut sources, &mut found);
        let accepted = check(&rules, mode, &passes, &sources, &mut found);
        super::model::print(&found, &sources);
        wrong |= found.has_errors();
        print_line(format_args!("{}: {} of {} rules accepted", file.display(), accepted.len(), rules.rules.len()));
    }
    if wrong { Err(Failure::Reported) } else { Ok(()) }
}

#[cfg(feature = "mlir")]
fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}
