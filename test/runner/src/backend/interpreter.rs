//! The interpreter as a backend.

use super::{Backend, Failure, Finished, GivenVariables, Run};
use skriptnd_interpret::{Engine, Limits};
use std::time::Duration;

/// A case that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Executes the formulas.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interpreter(pub Engine);

impl Backend for Interpreter {
    fn run(&self, run: Run) -> Result<Finished, Failure> {
        let Run { case, model, graph, inputs } = run;
        let limits = Limits { time: Some(TIME_LIMIT), memory: None, seed: None };
        let outcome =
            skriptnd_interpret::run_with(self.0, &model.definitions, &graph, inputs, &GivenVariables(case), &limits);
        let outcome = outcome.map_err(Failure::Diagnostics)?;
        let variables = outcome.variables.into_iter().map(|(id, value)| (graph.tensor(id).name.clone(), value));
        Ok(Finished { outputs: outcome.outputs, variables: variables.collect() })
    }
}
