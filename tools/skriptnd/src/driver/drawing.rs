//! A graph as boxes and arrows.

use skriptnd_language::compose::graph::{Graph, Operation, OperationKind, TensorId};
use std::collections::HashMap;

/// Boxes and what leads from one to another.
pub struct Drawing {
    pub boxes: Vec<Node>,
    /// From, to, what flows.
    pub edges: Vec<(usize, usize, String)>,
}

/// A box: an operation, an input or an output.
pub struct Node {
    pub title: String,
    pub is_operation: bool,
}

impl Drawing {
    /// The operations of the graph's body; inside of branches and loops is not shown.
    pub fn of(graph: &Graph) -> Drawing {
        let mut drawing = Drawing { boxes: Vec::new(), edges: Vec::new() };
        let mut makers = HashMap::new();
        for port in &graph.inputs {
            let node = drawing.add(port.name.clone(), false);
            makers.extend(port.tensors.items().iter().map(|&id| (id, node)));
        }
        for operation in &graph.body.operations {
            let node = drawing.add(title(operation), true);
            for id in operation.inputs.iter().flat_map(|argument| argument.items()) {
                if let Some(&from) = makers.get(id) {
                    drawing.edges.push((from, node, shape(graph, *id)));
                }
            }
            makers.extend(operation.outputs.iter().flat_map(|argument| argument.items()).map(|&id| (id, node)));
        }
        for port in &graph.outputs {
            let node = drawing.add(port.name.clone(), false);
            for id in port.tensors.items() {
                if let Some(&from) = makers.get(id) {
                    drawing.edges.push((from, node, shape(graph, *id)));
                }
            }
        }
        drawing
    }

    fn add(&mut self, title: String, is_operation: bool) -> usize {
        self.boxes.push(Node { title, is_operation });
        self.boxes.len() - 1
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
