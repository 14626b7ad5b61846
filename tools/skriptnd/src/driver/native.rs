//! Compiled models: the way through MLIR.

use super::bench::{self, Engine};
use super::compile::{self, Emit};
use super::model::{Composed, Model};
use super::progress::Progress;
use super::rules::Check;
use super::run::{Finished, Options};
use crate::failure::Failure;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use std::path::Path;

fn missing(what: &str) -> Failure {
    Failure::usage(format!("{what} is not there yet; `--backend interpret` is"))
}

/// Whether a path is that of a compiled model.
pub fn is_artifact(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "so")
}

/// Runs a compiled model.
pub fn run_artifact(_options: &Options) -> Result<Finished, Failure> {
    Err(missing("running compiled models"))
}

/// Compiles a model for this machine and runs it.
pub fn run(
    _options: &Options,
    _model: &Model,
    _composed: &Composed,
    _inputs: Vec<Option<Argument<Tensor>>>,
    _progress: &Progress,
) -> Result<Finished, Failure> {
    Err(missing("the native backend"))
}

/// Compiles a model for Hexagon and runs it on an emulator.
pub fn run_hexagon(
    _options: &Options,
    _model: &Model,
    _composed: &Composed,
    _inputs: Vec<Option<Argument<Tensor>>>,
    _progress: &Progress,
) -> Result<Finished, Failure> {
    Err(missing("the Hexagon backend"))
}

/// A compiled model that can be measured.
pub fn engine<'a>(
    _options: &'a bench::Options,
    _model: &'a Model,
    _composed: &'a Composed,
    _inputs: Vec<Option<Argument<Tensor>>>,
) -> Result<Box<dyn Engine + 'a>, Failure> {
    Err(missing("the native backend"))
}

/// Compiles a model to a file.
pub fn compile(_options: &compile::Options, emit: Emit) -> Result<(), Failure> {
    Err(missing(&format!("emitting {emit:?}")))
}

/// Reads rule files.
pub fn check_rules(_check: &Check) -> Result<(), Failure> {
    Err(missing("the reader of rules"))
}
