//! A model that tells what its operations give.

use super::Job;
use crate::driver::model::{Composed, Model};
use crate::driver::native;
use crate::driver::variables::{Source, VariableOptions};
use crate::failure::Failure;
use skriptnd_language::compose::graph::{Argument, Graph, Port, TensorId};
use skriptnd_runtime::{Session, Tensor, TensorData};
use std::collections::HashMap;
use std::sync::Arc;

/// A compiled model whose outputs are some of its tensors.
pub struct Runner {
    composed: Composed,
    session: Session,
    observed: Vec<TensorId>,
}

/// The tensors of a run.
pub type Values = HashMap<TensorId, Arc<Tensor>>;

impl Runner {
    /// Compiles a model so that it gives these tensors.
    pub fn new(job: &Job, (model, composed): (&Model, &Composed), observed: Vec<TensorId>) -> Result<Runner, Failure> {
        let graph = giving(&composed.graph, &observed);
        let composed = Composed {
            exact: composed.exact,
            definitions: composed.definitions.clone(),
            graph,
            labels: composed.labels.clone(),
            names: composed.names.clone(),
        };
        let options = VariableOptions::default();
        let source = Source::new(&options, model, &composed.graph)?;
        let session = native::session(&composed, &source, &job.options.threads, job.progress)?;
        Ok(Runner { composed, session, observed })
    }

    /// Runs it; variables begin with the same values in each run.
    pub fn run(&mut self, inputs: Vec<Option<Argument<Tensor>>>) -> Result<Values, Failure> {
        let outputs = native::run_again(&mut self.session, &self.composed, inputs)?;
        let single = |tensors: Argument<Arc<Tensor>>| match tensors {
            Argument::Single(tensor) => Some(tensor),
            _ => None,
        };
        let values = self.observed.iter().zip(outputs);
        Ok(values.filter_map(|(id, (_, tensors))| Some((*id, single(tensors)?))).collect())
    }
}

/// The graph with other outputs.
pub fn giving(graph: &Graph, observed: &[TensorId]) -> Graph {
    let port = |id: &TensorId| Port { name: format!("t{}", id.0), tensors: Argument::Single(*id) };
    let outputs: Vec<Port> = observed.iter().map(port).collect();
    let mut graph = Graph { outputs, output_storage: Default::default(), ..graph.clone() };
    graph.body.results = graph.outputs.iter().map(|port| port.tensors.clone()).collect();
    graph
}

/// The reals of a tensor; none where it has others.
pub fn reals(tensor: &Tensor) -> &[f32] {
    match &tensor.data {
        TensorData::F32(items) => items,
        _ => &[],
    }
}
