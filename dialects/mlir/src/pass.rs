//! Passes written in Rust, and pipelines of passes run on a module.

use crate::Error;
use crate::diagnostics::{Diagnostic, Failure};
use crate::ffi;
use crate::ir::{Module, OperationRef};

/// The value of a pass option; as a default it also says which type the option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `true` or `false`.
    Flag(bool),
    /// An integer.
    Integer(i64),
    /// A string.
    Text(String),
    /// Comma-separated integers.
    Integers(Vec<i64>),
    /// Comma-separated strings.
    Texts(Vec<String>),
}

/// An option of a pass, written `name=value` in a pipeline and on the command line.
#[derive(Clone, Debug)]
pub struct OptionSpec {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) default: OptionValue,
}

/// What a pass does to the operation it is scheduled on.
pub type RunPass = dyn for<'c, 'a, 'p> Fn(OperationRef<'c, 'a>, &PassRun<'p>) -> Result<(), Failure> + Send + Sync;

/// A pass written in Rust.
pub struct PassSpec {
    pub(crate) argument: String,
    pub(crate) description: String,
    pub(crate) anchor: Option<String>,
    pub(crate) dependent_dialects: Vec<String>,
    pub(crate) options: Vec<OptionSpec>,
    pub(crate) statistics: Vec<(String, String)>,
    pub(crate) run: Box<RunPass>,
}

impl PassSpec {
    /// A pass by its command line argument, without dashes. It must not be run on operations that it may be run on in
    /// parallel with state of its own: the closure is shared between threads.
    pub fn new(
        argument: impl Into<String>,
        description: impl Into<String>,
        run: impl for<'c, 'a, 'p> Fn(OperationRef<'c, 'a>, &PassRun<'p>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            argument: argument.into(),
            description: description.into(),
            anchor: None,
            dependent_dialects: Vec::new(),
            options: Vec::new(),
            statistics: Vec::new(),
            run: Box::new(run),
        }
    }

    /// Restricts the pass to operations of one name, such as `builtin.module` or `func.func`.
    pub fn anchor(mut self, operation: impl Into<String>) -> Self {
        self.anchor = Some(operation.into());
        self
    }

    /// Names a dialect whose operations the pass creates.
    pub fn dependent_dialect(mut self, namespace: impl Into<String>) -> Self {
        self.dependent_dialects.push(namespace.into());
        self
    }

    /// Adds an option.
    pub fn option(mut self, name: impl Into<String>, description: impl Into<String>, default: OptionValue) -> Self {
        self.options.push(OptionSpec { name: name.into(), description: description.into(), default });
        self
    }

    /// Adds a statistic, shown by `--mlir-pass-statistics`.
    pub fn statistic(mut self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.statistics.push((name.into(), description.into()));
        self
    }
}

/// A pass at work: its options and what it can ask of the pass manager.
pub struct PassRun<'p> {
    raw: ffi::Pass,
    spec: &'p PassSpec,
}

impl PassRun<'_> {
    /// The value of an option, or nothing if the pass has none of that name.
    pub fn option(&self, name: &str) -> Option<OptionValue> {
        todo!()
    }

    /// The value of a flag; false if there is no such flag.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.option(name), Some(OptionValue::Flag(true)))
    }

    /// The value of an integer option; zero if there is none.
    pub fn integer(&self, name: &str) -> i64 {
        match self.option(name) {
            Some(OptionValue::Integer(value)) => value,
            _ => 0,
        }
    }

    /// The value of a string option; empty if there is none.
    pub fn text(&self, name: &str) -> String {
        match self.option(name) {
            Some(OptionValue::Text(value)) => value,
            _ => String::new(),
        }
    }

    /// The value of a list of integers.
    pub fn integers(&self, name: &str) -> Vec<i64> {
        match self.option(name) {
            Some(OptionValue::Integers(values)) => values,
            _ => Vec::new(),
        }
    }

    /// The value of a list of strings.
    pub fn texts(&self, name: &str) -> Vec<String> {
        match self.option(name) {
            Some(OptionValue::Texts(values)) => values,
            _ => Vec::new(),
        }
    }

    /// Adds to a statistic that the pass declared.
    pub fn count(&self, statistic: &str, amount: u64) {
        todo!()
    }

    /// Runs a textual pipeline on the operation at hand or one inside it.
    pub fn run_pipeline(&self, operation: OperationRef<'_, '_>, pipeline: &str) -> Result<(), Failure> {
        todo!()
    }
}

/// Registers a pass for the whole process, so that every pipeline and the `opt` tool find it. Registering an argument
/// again keeps the first pass and returns false.
pub fn register(pass: PassSpec) -> Result<bool, Error> {
    todo!()
}

/// Registers a name for a textual pipeline, such as `canonicalize,cse`, anchored on `builtin.module`. Registering a
/// name again keeps the first and returns false.
pub fn register_pipeline(argument: &str, description: &str, pipeline: &str) -> Result<bool, Error> {
    todo!()
}

/// How a pipeline is run.
#[derive(Clone, Debug)]
pub struct PipelineOptions {
    /// Verify after each pass.
    pub verify: bool,
    /// Print the IR after each pass to standard error.
    pub print_after_all: bool,
    /// Print how long each pass took to standard error.
    pub timing: bool,
}

impl Default for PipelineOptions {
    fn default() -> Self {
        Self { verify: true, print_after_all: false, timing: false }
    }
}

/// Runs a textual pipeline, such as `builtin.module(func.func(cse),my-pass{level=2})`. Returns what was reported
/// meanwhile: warnings and remarks on success; with errors, they are in the error.
pub fn run(module: &mut Module<'_>, pipeline: &str, options: &PipelineOptions) -> Result<Vec<Diagnostic>, Error> {
    todo!()
}
