//! What executes cases. Every case runs on every backend; `refusals/` lists what a backend does not do right yet.

#[cfg(feature = "compiled")]
mod compiled;
#[cfg(feature = "compiled")]
mod exported;
mod interpreter;
mod onnx;
use crate::case::Case;
#[cfg(feature = "compiled")]
pub use compiled::{Emulated, Native};
#[cfg(feature = "compiled")]
pub use exported::Rewritten;
pub use interpreter::Interpreter;
pub use onnx::Onnx;
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::{self, Argument, Graph};
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::Diagnostics;
use std::sync::Arc;

/// Something that executes graphs.
pub trait Backend {
    /// Executes a graph once.
    ///
    /// # Errors
    /// Where it can't, or where the model says that it may not go on.
    fn run(&self, run: Run) -> Result<Finished, Failure>;
}

/// What a backend is asked to execute.
pub struct Run<'a> {
    /// The case, which has the values of variables.
    pub case: &'a Case,
    /// The model whose graph it is.
    pub model: &'a CheckedModel,
    /// The graph, composed as the case says.
    pub graph: Graph,
    /// One value for each input of the graph; none where the default is wanted.
    pub inputs: Vec<Option<Argument<Tensor>>>,
}

/// What an execution leaves.
pub struct Finished {
    /// The outputs in order.
    pub outputs: Vec<(String, Argument<Arc<Tensor>>)>,
    /// Variables after the run, by their names in the graph.
    pub variables: Vec<(String, Arc<Tensor>)>,
}

/// Why there is no outcome.
#[derive(Debug)]
pub enum Failure {
    /// What the language says about the model or the run.
    Diagnostics(Diagnostics),
    /// The backend has no code for the graph.
    Refused(String),
    /// The run ended early without saying why in the language's words.
    Stopped(String),
}

/// The variables that a case gives, by scoped name.
pub struct GivenVariables<'a>(pub &'a Case);

impl Variables for GivenVariables<'_> {
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        let known = |name: &str| {
            name == declared.name
                || name == file
                || file == format!("main.{}.{name}", self.0.graph)
                || file == format!("main.{name}")
        };
        let found = self.0.variables.iter().find(|(name, _)| known(name));
        found.map(|(_, tensor)| tensor.clone()).ok_or_else(|| format!("the case gives no variable {}", declared.name))
    }
}
