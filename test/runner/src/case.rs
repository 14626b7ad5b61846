//! A file of cases: what its `#:` and `#~` comments say.

use crate::directive::{self, Directive, Given, Quantization};
use crate::marker::{self, Marker};
use crate::model::Model;
use crate::tolerance::Tolerance;
use skriptnd_language::compose::graph::Argument;
use skriptnd_language::compose::value::Value;
use skriptnd_runtime::{Storage, Tensor};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// One run of a graph.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// Which graph of the model is run.
    pub graph: String,
    /// The line of its `run` directive, from 1.
    pub line: usize,
    /// Graph attributes.
    pub attributes: Vec<(String, Value)>,
    /// Dynamic extents.
    pub bindings: Vec<(String, i64)>,
    /// How inputs and variables are stored.
    pub storage: Vec<(String, Storage)>,
    /// What it computes where tensors are quantized.
    pub quantization: Quantization,
    /// Inputs by name.
    pub inputs: Vec<(String, Argument<Tensor>)>,
    /// Variables by scoped name.
    pub variables: Vec<(String, Tensor)>,
    /// What must come of it.
    pub expectation: Expectation,
}

/// What must come of a run.
#[derive(Debug, Clone)]
pub enum Expectation {
    /// These values.
    Values {
        /// All outputs.
        outputs: Vec<(String, Argument<Tensor>)>,
        /// Variables after the run.
        state: Vec<(String, Tensor)>,
        /// How far they may be from these.
        tolerance: Tolerance,
    },
    /// These errors and no others.
    Failure(Vec<ExpectedError>),
}

/// An error that a case has.
#[derive(Debug, Clone)]
pub struct ExpectedError {
    /// Line and column in the main module, from 1; none where the error is in a library's definition.
    pub place: Option<(usize, usize)>,
    /// A part of the message.
    pub text: String,
}

impl Display for ExpectedError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.text)?;
        self.place.map_or(Ok(()), |(line, column)| write!(formatter, " at {line}:{column}"))
    }
}

impl Default for Expectation {
    fn default() -> Self {
        Expectation::Values { outputs: Vec::new(), state: Vec::new(), tolerance: Tolerance::OfLargest(1e-5) }
    }
}

/// A file or folder of cases.
#[derive(Debug)]
pub struct File {
    /// The modules that the file and its neighbours are.
    pub model: Model,
    /// What is run with them, and what must come of it.
    pub cases: Vec<Case>,
    /// The diagnostics that its texts must give, all of them.
    pub markers: Vec<Marker>,
}

impl File {
    /// Reads a case file, or a folder with `main.sknd` and further modules.
    ///
    /// # Errors
    /// Where a file can't be read or a comment can't be understood.
    pub fn read(path: &Path) -> Result<File, String> {
        File::of_model(Model::read(path)?)
    }

    /// The same for a model that has been read.
    ///
    /// # Errors
    /// Where a comment can't be understood.
    pub fn of_model(model: Model) -> Result<File, String> {
        let mut cases: Vec<Case> = Vec::new();
        for (number, text) in directives(model.main_text()) {
            let place = |reason| format!("line {number}: {reason}");
            match (directive::parse(text).map_err(place)?, cases.last_mut()) {
                (Directive::Run(graph), _) => cases.push(Case { graph, line: number, ..Case::default() }),
                (other, Some(case)) => case.add(other).map_err(place)?,
                (_, None) => return Err(place("the first directive must be `run`".to_string())),
            }
        }
        let markers = model.texts().flat_map(|(name, text)| marker::read(name, text)).collect::<Result<_, _>>()?;
        Ok(File { model, cases, markers })
    }
}

fn directives(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(at, line)| Some((at + 1, line.trim_start().strip_prefix("#:")?)))
}

impl Case {
    /// Takes over what a directive says.
    pub(crate) fn add(&mut self, directive: Directive) -> Result<(), String> {
        match (directive, &mut self.expectation) {
            (Directive::Attribute(name, value), _) => self.attributes.push((name, value)),
            (Directive::Bind(name, value), _) => self.bindings.push((name, value)),
            (Directive::Storage(name, storage), _) => self.storage.push((name, storage)),
            (Directive::Quantized(quantization), _) => self.quantization = quantization,
            (Directive::Input(name, given), _) => put(&mut self.inputs, name, given)?,
            (Directive::Variable(name, tensor), _) => self.variables.push((name, tensor)),
            (Directive::Output(name, given), Expectation::Values { outputs, .. }) => put(outputs, name, given)?,
            (Directive::State(name, tensor), Expectation::Values { state, .. }) => state.push((name, tensor)),
            (Directive::Tolerance(value), Expectation::Values { tolerance, .. }) => *tolerance = value,
            (Directive::Fails { place, text }, Expectation::Values { outputs, .. }) if outputs.is_empty() => {
                self.expectation = Expectation::Failure(vec![ExpectedError { place, text }]);
            }
            _ => return Err("a run has outputs or one `fails`".to_string()),
        }
        Ok(())
    }
}

/// Adds a tensor, or an item to the pack of its name.
fn put(list: &mut Vec<(String, Argument<Tensor>)>, name: String, given: Given) -> Result<(), String> {
    let known = list.iter_mut().find(|(known, _)| *known == name).map(|(_, value)| value);
    match (given, known) {
        (Given::Tensor(None, tensor), None) => list.push((name, Argument::Single(tensor))),
        (Given::Tensor(Some(0), tensor), None) => list.push((name, Argument::Pack(vec![tensor]))),
        (Given::Tensor(Some(item), tensor), Some(Argument::Pack(items))) if items.len() == item => items.push(tensor),
        (Given::EmptyPack, None) => list.push((name, Argument::Pack(Vec::new()))),
        _ => return Err(format!("`{name}` is given twice, or its items are out of order")),
    }
    Ok(())
}
