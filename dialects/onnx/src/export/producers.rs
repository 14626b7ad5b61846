//! What gives the tensors of a graph.

use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Region, TensorId};
use std::collections::HashMap;

/// The operations that give tensors.
#[derive(Default)]
pub struct Producers<'g> {
    of: HashMap<TensorId, &'g Operation>,
}

impl<'g> Producers<'g> {
    /// Those of a graph, in all its regions.
    pub fn of(graph: &'g Graph) -> Producers<'g> {
        let mut all = Producers::default();
        all.region(&graph.body);
        all.region(&graph.update);
        all
    }

    fn region(&mut self, region: &'g Region) {
        for operation in &region.operations {
            for id in operation.outputs.iter().flat_map(Argument::items) {
                self.of.insert(*id, operation);
            }
            match &operation.kind {
                OperationKind::Operator(_) => {}
                OperationKind::If { arms, otherwise } => {
                    arms.iter()
                        .for_each(|(condition, arm)| [condition, arm].into_iter().for_each(|it| self.region(it)));
                    self.region(otherwise);
                }
                OperationKind::Loop(inner) => {
                    inner.condition.iter().for_each(|condition| self.region(condition));
                    self.region(&inner.body);
                }
            }
        }
    }

    /// The operation of this operator that gives a tensor.
    pub fn given_by(&self, id: TensorId, operator: &str) -> Option<&'g Operation> {
        self.of.get(&id).copied().filter(|operation| name_of(operation) == Some(operator))
    }
}

/// The operator of an operation.
pub fn name_of(operation: &Operation) -> Option<&str> {
    match &operation.kind {
        OperationKind::Operator(call) => Some(&call.operator),
        _ => None,
    }
}
