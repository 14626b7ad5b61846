//! Options that say how rule files are read and applied.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
#[cfg(feature = "mlir")]
use {super::sources::check_text, crate::failure::Failure, skriptnd_htp::commands::Settings};

/// How rule files are read and applied.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options of rules")]
pub struct RuleOptions {
    /// Whether what real SDKs accept beyond the grammar is accepted
    #[arg(long, value_enum)]
    mode: Option<Mode>,
    /// A folder to look for included files in
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// A table of pass groups in place of the built-in one: lines `NAME NUMBER`
    #[arg(long, value_name = "TABLE")]
    passes: Option<PathBuf>,
    /// The package of ops whose names have none; without it the one that the file declares, or `q`
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// An option of the graph that rules may ask for: true, false or a number; other texts read as 1
    #[arg(long = "htp-option", value_name = "K=V")]
    options: Vec<String>,
    /// Sweeps over the graph in one pass before its rules are said not to end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Applications of rules in one pass before they are said not to end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit_applications: Option<u32>,
    /// A file of macros in place of the built-in one of `--mode sdk`
    #[arg(long, value_name = "FILE")]
    prelude: Option<PathBuf>,
    /// A shared library with external functions, as include/skriptnd_rules.h declares them
    #[arg(long, value_name = "LIBRARY")]
    functions: Vec<PathBuf>,
}

/// How strictly rules are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// As the grammar says; without --mode, so
    Strict,
    /// As Qualcomm's SDK does
    Sdk,
}

#[cfg(feature = "mlir")]
impl RuleOptions {
    /// The first of these options that is given.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--mode", self.mode.is_some()),
            ("-I", !self.include.is_empty()),
            ("--passes", self.passes.is_some()),
            ("--package", self.package.is_some()),
            ("--htp-option", !self.options.is_empty()),
            ("--limit", self.limit.is_some()),
            ("--limit-applications", self.limit_applications.is_some()),
            ("--prelude", self.prelude.is_some()),
            ("--functions", !self.functions.is_empty()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// The first of those that say when application of rules ends, or what it calls.
    pub fn first_of_application(&self) -> Option<&'static str> {
        let given = [
            ("--limit", self.limit.is_some()),
            ("--limit-applications", self.limit_applications.is_some()),
            ("--functions", !self.functions.is_empty()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// What they say; reads the files that they name.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = Settings {
            mode: match self.mode {
                Some(Mode::Sdk) => skriptnd_htp::grammar::Mode::Sdk,
                Some(Mode::Strict) | None => skriptnd_htp::grammar::Mode::Strict,
            },
            includes: self.include.clone(),
            options: self.options.clone(),
            limit: self.limit.map(|limit| limit as usize),
            applications: self.limit_applications.map(|limit| limit as usize),
            ..Settings::default()
        };
        if let Some(package) = &self.package {
            settings.take_package(package).map_err(|reason| Failure::usage(format!("--package: {reason}")))?;
        }
        if let Some(table) = &self.passes {
            check_text(table, "a table of pass groups", "its lines are `NAME NUMBER`")?;
            settings.read_passes(table).map_err(Failure::input)?;
        }
        if let Some(prelude) = &self.prelude {
            check_text(prelude, "a file of macros", "its lines are `#define NAME ...`")?;
            settings.read_prelude(prelude).map_err(Failure::input)?;
        }
        for library in &self.functions {
            settings.read_functions(library).map_err(Failure::input)?;
        }
        settings.environment().map_err(|reason| Failure::usage(format!("--htp-option: {reason}")))?;
        Ok(settings)
    }
}
