//! What a user says of rules.

use crate::apply::{Environment, Limits, Options};
use crate::grammar::passes::PassTable;
use crate::grammar::{Mode, PRELUDE, read_text};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How rule files are read and applied.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How much of what public rule files do is accepted.
    pub mode: Mode,
    /// Directories of included files.
    pub includes: Vec<PathBuf>,
    /// The numbers of pass groups.
    pub passes: PassTable,
    /// The package of ops whose names have none; without it the one that a file declares, or the default one.
    pub package: Option<String>,
    /// A file of macros in place of the built-in one: its name and text.
    pub prelude: Option<(String, String)>,
    /// Options of the graph, `name=value`.
    pub options: Vec<String>,
    /// Shared libraries with external functions.
    pub functions: Vec<Arc<skriptnd_rules::Functions>>,
    /// Sweeps over the graph in one pass.
    pub limit: Option<usize>,
    /// Applications of rules in one pass.
    pub applications: Option<usize>,
}

impl Settings {
    /// Takes the table of pass groups from a file.
    pub fn read_passes(&mut self, path: &Path) -> Result<(), String> {
        self.passes = PassTable::parse(&read_text(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(())
    }

    /// Takes the package of ops whose names have none.
    pub fn take_package(&mut self, name: &str) -> Result<(), String> {
        let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if name.is_empty() || !is_name(name) {
            return Err(format!("expected a name of letters, digits, `_`, `-` and `.`, found `{name}`"));
        }
        self.package = Some(name.to_owned());
        Ok(())
    }

    /// Takes macros from a file in place of the built-in ones.
    pub fn read_prelude(&mut self, path: &Path) -> Result<(), String> {
        self.prelude = Some((path.display().to_string(), read_text(path)?));
        Ok(())
    }

    /// Binds the functions of a shared library.
    pub fn read_functions(&mut self, path: &Path) -> Result<(), String> {
        self.functions.push(Arc::new(skriptnd_rules::Functions::load(path)?));
        Ok(())
    }

    /// What rules are applied with.
    pub fn environment(&self) -> Result<Environment, String> {
        let mut environment = Options::parse(&self.options).map(Environment::new)?;
        for library in &self.functions {
            environment.functions = environment.functions.library(Arc::clone(library));
        }
        Ok(environment)
    }

    /// When rules are said not to end, given what is usual.
    pub fn limits(&self, usual: Limits) -> Limits {
        Limits {
            sweeps: self.limit.unwrap_or(usual.sweeps),
            applications: self.applications.unwrap_or(usual.applications),
        }
    }

    /// The macros that are known from the start: a file's name and text.
    pub fn prelude(&self) -> Option<(&str, &str)> {
        match &self.prelude {
            Some((name, text)) => Some((name, text)),
            None => (self.mode == Mode::Sdk).then_some(PRELUDE),
        }
    }
}
