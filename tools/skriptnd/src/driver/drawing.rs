//! A graph as boxes and arrows.

use skriptnd_language::compose::graph::{Graph, Operation, OperationKind, Region, TensorId};
use std::collections::{HashMap, HashSet};

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
            taken(operation).iter().for_each(|tensors| drawing.lead(graph, &makers, tensors, node));
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

    /// Leads what boxes make to another one: by one edge from each box, also if it makes several tensors of a pack.
    fn lead(&mut self, graph: &Graph, makers: &HashMap<TensorId, usize>, tensors: &[TensorId], node: usize) {
        let mut from: Vec<(usize, Vec<String>)> = Vec::new();
        for id in tensors {
            let Some(&maker) = makers.get(id) else { continue };
            match from.iter_mut().find(|(other, _)| *other == maker) {
                Some((_, shapes)) => shapes.push(shape(graph, *id)),
                None => from.push((maker, vec![shape(graph, *id)])),
            }
        }
        self.edges.extend(from.iter().map(|(maker, shapes)| (*maker, node, together(shapes))));
    }
}

/// How many shapes of one pack a label tells.
const MOST_SHAPES: usize = 3;

/// What is written beside an edge that stands for tensors of these shapes: `2x3`, `3 × 2x3`, `2 × 2x3, 2x4`.
fn together(shapes: &[String]) -> String {
    let runs: Vec<&[String]> = shapes.chunk_by(|a, b| a == b).collect();
    if runs.len() > MOST_SHAPES {
        return format!("{} tensors", shapes.len());
    }
    let run = |run: &&[String]| match (run.len(), run[0].as_str()) {
        (1, shape) => shape.to_owned(),
        (count, "") => format!("{count} scalars"),
        (count, shape) => format!("{count} × {shape}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// The tensors that an operation takes, by input, and once each what its regions use.
fn taken(operation: &Operation) -> Vec<Vec<TensorId>> {
    let mut taken: Vec<Vec<TensorId>> = operation.inputs.iter().map(|argument| argument.items().to_vec()).collect();
    let mut inside = Vec::new();
    regions(operation).into_iter().for_each(|region| uses(region, &mut inside));
    let given: HashSet<TensorId> = taken.iter().flatten().copied().collect();
    inside.retain(|id| !given.contains(id));
    inside.sort_unstable();
    inside.dedup();
    taken.extend(inside.into_iter().map(|id| vec![id]));
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
