//! Where a compiled model has the values of its variables from: options, itself, its note, or files beside it.

use super::note::read_note;
use crate::driver::graph_options::GraphOptions;
use crate::driver::kept::keep;
use crate::driver::run_options::Options;
use crate::driver::variables::{self, VariableOptions};
use crate::driver::weights::Weights;
use crate::failure::Failure;
use crate::report;
use skriptnd_runtime::metadata::{Metadata, TensorInfo};
use skriptnd_runtime::variable::files;
use skriptnd_runtime::variable::note::{Note, folder_of};
use skriptnd_runtime::{Library, Variable};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What options say of a compiled model.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'o> {
    /// Its file.
    pub file: &'o Path,
    /// What was decided when it was compiled, and where weights are.
    pub graph: &'o GraphOptions,
    /// Files of inputs.
    pub inputs: &'o [OsString],
    /// What random values of the other inputs follow from, if they have any.
    pub random_inputs: Option<u16>,
    /// Where values of variables are.
    pub variables: &'o VariableOptions,
}

impl<'o> From<&'o Options> for Wanted<'o> {
    fn from(options: &'o Options) -> Self {
        let Options { model, graph, inputs, random_inputs, variables, .. } = options;
        Wanted { file: model, graph, inputs, random_inputs: *random_inputs, variables }
    }
}

/// All that tells values.
pub struct Values<'o> {
    wanted: Wanted<'o>,
    metadata: Metadata,
    /// What is loaded, which may have the values itself.
    library: Option<Arc<Library>>,
    /// What lies beside the library, unless the values are in it.
    note: Option<Note>,
    /// Those that were given in one file.
    weights: Option<Weights>,
}

impl Values<'_> {
    /// Those of a library.
    pub fn new(wanted: Wanted<'_>, library: Arc<Library>) -> Result<Values<'_>, Failure> {
        let note = if library.weights().is_some() { None } else { read_note(wanted.file)? };
        let (metadata, weights) = (library.metadata().clone(), wanted.graph.import.open_weights()?);
        Ok(Values { wanted, metadata, library: Some(library), note, weights })
    }

    /// Those of a program for another machine, which has none itself.
    pub fn of_program(wanted: Wanted<'_>, metadata: Metadata) -> Result<Values<'_>, Failure> {
        let weights = wanted.graph.import.open_weights()?;
        Ok(Values { wanted, metadata, library: None, note: read_note(wanted.file)?, weights })
    }

    /// The values of all variables that the code reads; all that have none are named.
    pub fn all(&self) -> Result<Vec<Variable>, Failure> {
        let (metadata, options) = (&self.metadata, self.wanted.variables);
        let known = self.known(metadata);
        options.check_names("the compiled model", &known)?;
        variables::check_weights(self.weights.as_ref(), "the compiled model", &known)?;
        let read = &known[..metadata.variables.len()];
        options.warn_unread(&read.iter().map(|variable| variable.names.clone()).collect::<Vec<_>>());
        let (mut values, mut failures) = (Vec::new(), Vec::new());
        for (number, (info, variable)) in metadata.variables.iter().zip(read).enumerate() {
            let noted = self.noted_file(info);
            options.warn_of_several(variable, noted.as_deref(), folder_of(self.wanted.file));
            match self.value(number, info) {
                Ok(value) => values.push(value),
                Err(failure) => failures.push(failure),
            }
        }
        if failures.is_empty() { Ok(values) } else { Err(report::fail_with(failures)) }
    }

    /// The value of a variable.
    pub fn value(&self, number: usize, info: &TensorInfo) -> Result<Variable, Failure> {
        let (names, options) = (self.names(&info.name), self.wanted.variables);
        let embedded = self.library.as_ref().and_then(|library| Variable::embedded(library, number));
        if let Some(value) = embedded.filter(|_| self.are_left(&names)) {
            return Ok(value);
        }
        let noted = self.noted_file(info);
        noted.iter().for_each(|file| keep(file, variables::FILE));
        let failed = |reason: String| Failure::input(format!("variable `{}`: {reason}", info.name));
        let folder = folder_of(self.wanted.file);
        let found = options.open(&names, self.weights.as_ref(), noted.as_deref(), folder);
        match found.map_err(|reason| self.missing(info, &reason))? {
            Some(file) => Ok(Variable::Mapped(file)),
            None => {
                let shape = info.shape().ok_or_else(|| failed("its extents are not known".into()))?;
                options
                    .random(&info.name, (info.element_type, info.storage), &shape)
                    .map(Variable::Owned)
                    .map_err(failed)
            }
        }
    }

    /// The name of a variable within the graph.
    pub fn short_name(&self, stem: &str) -> String {
        self.names(stem).pop().unwrap_or_default()
    }

    fn names(&self, stem: &str) -> Vec<String> {
        files::names(stem, Some(&self.metadata.graph))
    }

    /// Whether no option says anything of the variable with these names.
    fn are_left(&self, names: &[String]) -> bool {
        let is_among = |weights: &Weights| weights.place(names).is_some();
        self.wanted.variables.leave(names) && !self.weights.as_ref().is_some_and(is_among)
    }

    /// The variables that the code reads, and behind them others that the note has.
    fn known(&self, metadata: &Metadata) -> Vec<variables::Known> {
        let stems = metadata.variables.iter().map(|info| info.name.as_str());
        let is_other = |stem: &&str| metadata.variables.iter().all(|info| info.name != *stem);
        let others = self.note.iter().flat_map(Note::stems).filter(is_other);
        let known = stems.chain(others).map(|stem| variables::Known {
            shown: self.short_name(stem),
            names: self.names(stem),
            is_state: metadata.states.iter().any(|state| state.name == stem),
        });
        known.collect()
    }

    fn noted_file(&self, info: &TensorInfo) -> Option<PathBuf> {
        self.note.as_ref()?.file(&info.name, folder_of(self.wanted.file))
    }

    /// That a variable has no file, or none that can be read; a library that was moved without its note knows of none.
    fn missing(&self, info: &TensorInfo, reason: &str) -> Failure {
        let name = &info.name;
        let place = Note::place(self.wanted.file);
        let place = place.display();
        let cure = format!("--variable {}=FILE, or any values: --random-variables 1", self.short_name(name));
        let is_looked_for = self.are_left(&self.names(name)) && self.noted_file(info).is_none();
        let (known, help) = match &self.note {
            _ if !is_looked_for => (String::new(), format!("give {cure}")),
            Some(note) => match note.noted(name) {
                Some(file) => {
                    let file = file.display();
                    (format!("{place} names {file}, which is not there, and "), format!("give {cure}"))
                }
                None => (String::new(), format!("give {cure}")),
            },
            None => {
                let help = format!("it tells where the variables are: copy it with the library, or give {cure}");
                (format!("there is no {place}, which `skriptnd compile` wrote beside the library, and "), help)
            }
        };
        Failure::input(format!("variable `{name}`: {known}{reason}")).with_help(help)
    }
}
