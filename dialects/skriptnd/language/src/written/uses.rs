//! What a graph takes of itself.

use crate::compose::graph::{Graph, Operation, OperationKind, Region, TensorId};
use std::collections::HashSet;

impl Graph {
    /// Calls `visit` with every operation, those inside of branches and loops too.
    pub fn visit_operations<'g>(&'g self, visit: &mut dyn FnMut(&'g Operation)) {
        for region in [&self.body, &self.update] {
            visit_region(region, visit);
        }
    }
}

fn visit_region<'g>(region: &'g Region, visit: &mut dyn FnMut(&'g Operation)) {
    for operation in &region.operations {
        visit(operation);
        match &operation.kind {
            OperationKind::Operator(_) => {}
            OperationKind::If { arms, otherwise } => {
                let regions = arms.iter().flat_map(|(condition, consequent)| [condition, consequent]);
                regions.chain([otherwise]).for_each(|region| visit_region(region, visit));
            }
            OperationKind::Loop(parts) => {
                parts.condition.iter().chain([&parts.body]).for_each(|region| visit_region(region, visit));
            }
        }
    }
}

/// The tensors that operations take, regions yield, and that are outputs or new values of variables.
pub fn used(graph: &Graph) -> HashSet<TensorId> {
    let mut used: HashSet<TensorId> = graph.outputs.iter().flat_map(|port| port.tensors.items()).copied().collect();
    used.extend(graph.updates.iter().map(|(_, value)| *value));
    graph.visit_operations(&mut |operation| {
        used.extend(operation.inputs.iter().flat_map(|input| input.items()));
        let regions: Vec<&Region> = match &operation.kind {
            OperationKind::Operator(_) => Vec::new(),
            OperationKind::If { arms, otherwise } => {
                arms.iter().flat_map(|(condition, consequent)| [condition, consequent]).chain([otherwise]).collect()
            }
            OperationKind::Loop(parts) => parts.condition.iter().chain([&parts.body]).collect(),
        };
        used.extend(regions.iter().flat_map(|region| &region.results).flat_map(|result| result.items()));
    });
    used
}
