//! What a translated model gives: its own outputs, and the results of all nodes where these are kept.

use crate::extent::{Extent, LARGEST_OPEN};
use crate::node::{name_of, operator_of};
use crate::port::Port;
use crate::proto::GraphProto;
use crate::translate::names::Side;
use crate::translate::{Translator, names};
use crate::value::{Known, Tensor, Value};
use skriptnd_syntax::build::{self, Computation, Expression, Graph, Invocation, Statement, Target};

/// Declares what a run gives.
pub(crate) fn declare_outputs(t: &mut Translator<'_>, model: &GraphProto, graph: &mut Graph) -> Vec<Port> {
    let mut outputs = Vec::new();
    for info in &model.output {
        let Some(found) = output(t, &info.name) else { continue };
        let told = found.map(|given| {
            let (ports, declared): (Vec<_>, Vec<_>) = given.into_iter().unzip();
            outputs.extend(ports);
            graph.outputs.extend(declared);
        });
        t.note(&info.name, told);
    }
    outputs
}

/// What a node gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeResult {
    /// The number of the node in the model's graph.
    pub node: usize,
    /// The node's name, or the first that it gives.
    pub name: String,
    /// The node's operator, with its domain where that is not the default one.
    pub operator: String,
    /// The output that it is.
    pub port: Port,
    /// Whether it was computed when the model was imported.
    pub is_known: bool,
}

/// Makes outputs of what the nodes give, but for the tensors that constants are. `outputs` are there already.
pub(crate) fn keep_results(
    t: &mut Translator<'_>,
    model: &GraphProto,
    outputs: &[Port],
    graph: &mut Graph,
) -> Vec<NodeResult> {
    let mut results = Vec::new();
    for (node, proto) in model.node.iter().enumerate() {
        for name in proto.output.iter().filter(|name| !name.is_empty()) {
            let Some(value) = t.lookup(name).cloned() else { continue };
            let is_known = value.tensors().iter().all(|tensor| tensor.known.is_some());
            let own = outputs.iter().filter(|port| port.onnx == *name);
            let mut ports: Vec<Port> = own.cloned().collect();
            // What can't be an output is none: who asked for all results looks at those that there are.
            if let (true, Some(Ok(kept))) = (ports.is_empty() && !is_stored(&value), output(t, name)) {
                let (kept, declared): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
                ports.extend(kept);
                graph.outputs.extend(declared);
            }
            let result = |port| NodeResult { node, name: name_of(proto), operator: operator_of(proto), port, is_known };
            results.extend(ports.into_iter().map(result));
        }
    }
    results
}

/// Whether a value is a tensor of the model's file.
fn is_stored(value: &Value) -> bool {
    value.tensors().iter().any(|tensor| matches!(tensor.known, Some(Known::Stored(_))))
}

/// What is declared for an output; none where its value could not be translated, which has been said.
fn output(t: &mut Translator<'_>, name: &str) -> Option<Result<Vec<(Port, build::Port)>, String>> {
    match t.lookup(name).cloned() {
        Some(Value::Tensor(tensor)) => Some(output_tensor(t, name, None, &tensor).map(|port| vec![port])),
        Some(Value::Sequence(items)) => {
            let ports = items.iter().enumerate().map(|(at, item)| output_tensor(t, name, Some(at), item));
            Some(ports.collect())
        }
        Some(Value::Nothing) => Some(Err("it holds nothing".into())),
        None if t.problems.is_empty() => Some(Err("no node gives it".into())),
        None => None,
    }
}

fn output_tensor(
    t: &mut Translator<'_>,
    onnx: &str,
    item: Option<usize>,
    tensor: &Tensor,
) -> Result<(Port, build::Port), String> {
    let Some(element) = tensor.element.language() else {
        return Err(format!("elements of type {} can't be said", tensor.element.name()));
    };
    let operand = t.operand(tensor);
    let name = match &operand {
        // What a node computes is the output itself; inputs, constants and what is given twice are copied.
        Expression::Name(name) if !t.is_declared(name) => {
            // What a function gives has the name that it has there.
            if t.is_called(name, onnx, item) || !t.computes(name, 0) {
                name.clone()
            } else {
                let own = t.name_of_output(onnx, item);
                t.renamed_everywhere(name, &own);
                own
            }
        }
        _ => {
            let name = t.name_of_output(onnx, item);
            let invocation = Invocation {
                label: None,
                operator: "math.iden".into(),
                dtypes: Vec::new(),
                attributes: Vec::new(),
                operands: vec![operand],
            };
            let targets = vec![Target::Name(name.clone())];
            let origin = Some(t.made.of_output(onnx));
            t.push(Statement { origin, ..Statement::new(targets, Computation::Invocation(invocation)) });
            name
        }
    };
    t.declared.insert(name.clone());
    let extents = tensor.shape.iter().map(|extent| t.declared_extent(extent)).collect();
    let port = Port { name: name.clone(), onnx: onnx.to_owned(), element: tensor.element.name(), item };
    Ok((port, build::Port { name, element, extents }))
}

impl Translator<'_> {
    /// Whether a name of the text is that of an output, or of a result that is made one.
    fn is_called(&self, name: &str, onnx: &str, item: Option<usize>) -> bool {
        match (item, self.names.kept(Side::Output, onnx)) {
            (None, Some(kept)) => kept == name,
            (None, None) => name == names::spelled(onnx),
            (Some(_), _) => false,
        }
    }

    /// A name for an output that has none yet.
    fn name_of_output(&mut self, onnx: &str, item: Option<usize>) -> String {
        match (item, self.names.kept(Side::Output, onnx)) {
            (None, Some(kept)) if !self.declared.contains(kept) => kept.to_owned(),
            (None, _) => self.names.fresh(onnx),
            (Some(item), _) => self.names.fresh(&format!("{onnx}_{item}")),
        }
    }

    /// Whether a name can't be an output: an input, a variable, a constant, or an output that there is already.
    fn is_declared(&self, name: &str) -> bool {
        let is_name = |tensor: &Tensor| matches!(&tensor.text, Some(Expression::Name(text)) if text == name);
        let inputs = self.file.model.graph.iter().flat_map(|graph| &graph.input);
        let is_given = inputs.filter_map(|info| self.lookup(&info.name)).any(|value| match value {
            Value::Tensor(tensor) => is_name(tensor),
            Value::Sequence(items) => items.iter().any(is_name),
            Value::Nothing => false,
        });
        is_given
            || self.declared.contains(name)
            || self.variables.iter().any(|(port, _)| port.name == name)
            || self.constants.iter().any(|(port, _)| port.name == name)
            || name.contains('.')
    }

    /// An extent of an output: what only data tell has its bound.
    fn declared_extent(&self, extent: &Extent) -> build::Extent {
        if extent.has_symbol(&|symbol| symbol.contains('.')) {
            let bound = self.greatest(extent).unwrap_or(LARGEST_OPEN);
            return build::Extent::Found(Expression::Int(bound));
        }
        build::Extent::Known(extent.expression(), None)
    }
}
