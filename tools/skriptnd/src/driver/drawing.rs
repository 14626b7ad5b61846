//! A graph as boxes and arrows.

use skriptnd_language::compose::graph::{Graph, Operation, OperationKind, Region, TensorId};
use std::collections::HashMap;

/// Boxes and what leads from one to another.
pub struct Drawing {
    pub boxes: Vec<Node>,
    /// From, to, what flows: from earlier boxes to later ones.
    pub edges: Vec<(usize, usize, String)>,
}

/// A box: an operation, an input, an output, or a variable that is updated.
pub struct Node {
    pub title: String,
    pub is_operation: bool,
}

impl Drawing {
    /// The operations of the graph's body and of its updates. Inside of branches and loops is not shown, but for what it
    /// takes from outside.
    pub fn of(graph: &Graph) -> Drawing {
        let mut drawing = Drawing { boxes: Vec::new(), edges: Vec::new() };
        let mut makers = HashMap::new();
        for port in &graph.inputs {
            let node = drawing.add(port.name.clone(), false);
            makers.extend(port.tensors.items().iter().map(|&id| (id, node)));
        }
        for operation in graph.body.operations.iter().chain(&graph.update.operations) {
            let node = drawing.add(title(operation), true);
            drawing.lead(graph, &makers, &taken(operation), node);
            makers.extend(operation.outputs.iter().flat_map(|argument| argument.items()).map(|&id| (id, node)));
        }
        for port in &graph.outputs {
            let node = drawing.add(port.name.clone(), false);
            drawing.lead(graph, &makers, port.tensors.items(), node);
        }
        for (variable, value) in &graph.updates {
            let node = drawing.add(format!("@update {}", graph.tensor(*variable).name), false);
            drawing.lead(graph, &makers, &[*value], node);
        }
        drawing
    }

    fn add(&mut self, title: String, is_operation: bool) -> usize {
        self.boxes.push(Node { title, is_operation });
        self.boxes.len() - 1
    }

    /// Leads what boxes make to another one.
    fn lead(&mut self, graph: &Graph, makers: &HashMap<TensorId, usize>, tensors: &[TensorId], node: usize) {
        let from = |id: &TensorId| Some((*makers.get(id)?, node, shape(graph, *id)));
        self.edges.extend(tensors.iter().filter_map(from));
    }
}

/// The tensors that an operation takes: its inputs, and once each what its regions use.
fn taken(operation: &Operation) -> Vec<TensorId> {
    let mut taken: Vec<TensorId> = operation.inputs.iter().flat_map(|argument| argument.items()).copied().collect();
    let mut inside = Vec::new();
    regions(operation).into_iter().for_each(|region| uses(region, &mut inside));
    inside.retain(|id| !taken.contains(id));
    inside.sort_unstable();
    inside.dedup();
    taken.extend(inside);
    taken
}

fn regions(operation: &Operation) -> Vec<&Region> {
    match &operation.kind {
        OperationKind::Operator(_) => Vec::new(),
        OperationKind::If { arms, otherwise } => {
            arms.iter().flat_map(|(condition, consequent)| [condition, consequent]).chain([otherwise]).collect()
        }
        OperationKind::Loop(looping) => std::iter::once(&looping.body).chain(&looping.condition).collect(),
    }
}

fn uses(region: &Region, found: &mut Vec<TensorId>) {
    found.extend(region.results.iter().flat_map(|result| result.items()));
    for operation in &region.operations {
        found.extend(operation.inputs.iter().flat_map(|argument| argument.items()));
        regions(operation).into_iter().for_each(|inner| uses(inner, found));
    }
}

fn title(operation: &Operation) -> String {
    match &operation.kind {
        OperationKind::Operator(call) => call.operator.to_string(),
        OperationKind::If { .. } => "if".to_string(),
        OperationKind::Loop(_) => "loop".to_string(),
    }
}

fn shape(graph: &Graph, id: TensorId) -> String {
    let extents: Vec<_> = graph.tensor(id).ty.shape.iter().map(ToString::to_string).collect();
    extents.join("x")
}
