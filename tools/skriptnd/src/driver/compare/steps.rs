//! The operations of a graph, one after the other, on a backend and as they are expected.

use super::difference::{Farthest, farthest, ratio};
use crate::driver::finished::Finished;
use serde_json::{Value as Json, json};
use skriptnd_language::compose::graph::{Argument, Graph, Operation, OperationKind, Origin, TensorId};
use skriptnd_language::compose::value::Value;
use skriptnd_runtime::Tensor;
use skriptnd_source::SourceMap;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use std::collections::HashMap;
use std::sync::Arc;

/// An operation whose result is not what is expected.
pub struct Step<'g> {
    /// Which.
    pub operation: &'g Operation,
    /// Its result.
    tensor: &'g str,
    /// The element that is farthest; none if types, shapes or lengths differ.
    farthest: Option<Farthest>,
    ratio: f64,
}

/// The first operation of the body, in the order in which they run, of which a result departs by more than `tolerance`.
/// Results that the outcomes have not are taken as equal.
pub fn first_departing<'g>(
    graph: &'g Graph,
    (computed, expected): (&Finished, &Finished),
    tolerance: f64,
) -> Option<Step<'g>> {
    let named =
        |finished: &Finished| -> HashMap<String, Argument<Arc<Tensor>>> { finished.outputs.iter().cloned().collect() };
    let (computed, expected) = (named(computed), named(expected));
    let results = graph
        .body
        .operations
        .iter()
        .flat_map(|operation| operation.outputs.iter().map(move |argument| (operation, argument)));
    results.into_iter().find_map(|(operation, argument)| {
        let name = &graph.outputs.iter().find(|port| port.tensors == *argument)?.name;
        let (computed, expected) = (computed.get(name)?, expected.get(name)?);
        departing(graph, (operation, argument), (computed.items(), expected.items()), tolerance)
    })
}

fn departing<'g>(
    graph: &'g Graph,
    (operation, argument): (&'g Operation, &'g Argument),
    (computed, expected): (&[Arc<Tensor>], &[Arc<Tensor>]),
    tolerance: f64,
) -> Option<Step<'g>> {
    if computed.len() != expected.len() {
        let tensor = &graph.tensor(*argument.items().first()?).name;
        return Some(Step { operation, tensor, farthest: None, ratio: f64::INFINITY });
    }
    argument.items().iter().zip(computed.iter().zip(expected)).find_map(|(id, (computed, expected))| {
        let ratio = ratio(computed, expected);
        let tensor = &graph.tensor(*id).name;
        (ratio > tolerance).then(|| Step { operation, tensor, farthest: farthest(computed, expected), ratio })
    })
}

impl Step<'_> {
    /// What it is, for messages.
    pub fn name(&self) -> String {
        match &self.operation.kind {
            OperationKind::Operator(call) => format!("`{}`", call.operator),
            OperationKind::If { .. } => "the branch".to_string(),
            OperationKind::Loop(_) => "the loop".to_string(),
        }
    }

    /// The message with both values, at the invocation.
    pub fn diagnostic(&self, reference: &str) -> Diagnostic {
        let (name, tensor) = (self.name(), self.tensor);
        let what = match &self.farthest {
            Some(Farthest { index, values: [computed, expected] }) => {
                format!("`{tensor}{index:?}` is {computed}, expected {expected}")
            }
            None if self.ratio.is_finite() => format!("`{tensor}` is {:.1e} away", self.ratio),
            None => format!("`{tensor}` has another type, shape or length"),
        };
        let message = format!("{name} is the first operation that departs from {reference}: {what}");
        let mut diagnostic = Diagnostic::error(Code::Departing, self.operation.span, message)
            .with_note(format!("difference = {:.1e}", self.ratio));
        diagnostic.chain.clone_from(&self.operation.chain);
        diagnostic
    }

    /// The same for programs.
    pub fn to_json(&self, sources: &SourceMap) -> Json {
        let span = self.operation.span;
        let (line, column) = sources.position(span);
        let values = self.farthest.as_ref().map(|farthest| &farthest.values);
        json!({
            "name": self.name().trim_matches('`'),
            "file": sources.file(span.file).map(|file| &file.name),
            "origin": sources.origin(span).map(ToString::to_string),
            "line": line,
            "column": column,
            "tensor": self.tensor,
            "index": self.farthest.as_ref().map(|farthest| &farthest.index),
            "computed": values.map(|values| &values[0]),
            "expected": values.map(|values| &values[1]),
            "difference": self.ratio,
        })
    }
}

/// The values that a graph's tensors shall have, as far as they are inputs or results of operations.
pub struct Values<'g> {
    graph: &'g Graph,
    known: HashMap<TensorId, Arc<Tensor>>,
}

impl<'g> Values<'g> {
    /// From what the graph was given and gave, where results of its operations are outputs.
    pub fn new(graph: &'g Graph, inputs: &[Option<Argument<Tensor>>], expected: &Finished) -> Self {
        let mut known = HashMap::new();
        for (port, (_, values)) in graph.outputs.iter().zip(&expected.outputs) {
            known.extend(port.tensors.items().iter().copied().zip(values.items().iter().cloned()));
        }
        for (port, values) in graph.inputs.iter().zip(inputs) {
            let values = values.iter().flat_map(|values| values.items()).cloned().map(Arc::new);
            known.extend(port.tensors.items().iter().copied().zip(values));
        }
        Values { graph, known }
    }

    /// The value of a tensor.
    pub fn get(&self, id: TensorId) -> Option<&Arc<Tensor>> {
        self.known.get(&id)
    }

    /// The value of a constant of rank 0.
    pub fn constant(&self, id: TensorId) -> Option<&'g Value> {
        let tensor = self.graph.tensor(id);
        match &tensor.origin {
            Origin::Constant(value) if tensor.ty.shape.is_empty() => Some(value),
            _ => None,
        }
    }
}
