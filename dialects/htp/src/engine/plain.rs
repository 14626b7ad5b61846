//! Plain graphs as functions of MLIR, and back: how the engine is compared with the direct evaluation of rules.

use super::graph::{ID, IrGraph, SPLIT_HISTORY, identity};
use crate::apply::{Elements, Graph};
use crate::dialect::{self, encoding};
use crate::direct::{Node, NodeId, Output, PlainGraph};
use skriptnd_dialect::generated::operations::{GraphOp, ReturnOp};
use skriptnd_mlir::ir::{Context, OperationRef, block_arguments, block_operations, operations_named};
use skriptnd_mlir::ops::func;
use std::collections::HashMap;
use std::fmt::Write;

/// A module with one function that computes a graph; `None` if a node has no type.
pub fn to_text(context: &Context, graph: &PlainGraph) -> Option<String> {
    in_container(context, graph, ("func.func", "return"))
}

/// The same as a graph of the `skriptnd` dialect, from which code can be made; what it takes and gives must be of the language's types.
pub fn to_graph_text(context: &Context, graph: &PlainGraph) -> Option<String> {
    in_container(context, graph, (GraphOp::NAME, ReturnOp::NAME))
}

/// The text of a module with an operation that holds the nodes, and the one that ends it.
fn in_container(context: &Context, graph: &PlainGraph, (container, end): (&str, &str)) -> Option<String> {
    let writer = Writer { context, graph };
    let inputs: Vec<Output> =
        graph.order().iter().filter(|id| graph.node(**id).op.is_none()).map(|id| id.output(0)).collect();
    let arguments = inputs.iter().map(|input| Some(format!("{}: {}", writer.name(*input), writer.ty(*input)?)));
    let arguments = arguments.collect::<Option<Vec<_>>>()?.join(", ");
    let results = writer.types(&graph.outputs)?;
    let mut text = format!("module {{\n{container} @graph({arguments}) -> ({results}) {{\n");
    for id in graph.order() {
        if let Some(op) = &graph.node(*id).op {
            text.push_str(&writer.node(*id, op)?);
        }
    }
    let _ = writeln!(text, "  {end} {} : {results}\n}}\n}}", writer.names(&graph.outputs));
    Some(text)
}

fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}

struct Writer<'a> {
    context: &'a Context,
    graph: &'a PlainGraph,
}

impl Writer<'_> {
    fn name(&self, output: Output) -> String {
        match self.graph.node(output.node).outputs.len() {
            1 => format!("%{}", output.node.0),
            _ => format!("%{}#{}", output.node.0, output.index),
        }
    }

    fn names(&self, outputs: &[Output]) -> String {
        joined(outputs.iter().map(|output| self.name(*output)))
    }

    fn ty(&self, output: Output) -> Option<String> {
        let def = self.graph.node(output.node).outputs.get(output.index)?;
        encoding::tensor_type(self.context, def)?;
        encoding::type_text(def)
    }

    fn types(&self, outputs: &[Output]) -> Option<String> {
        outputs.iter().map(|output| self.ty(*output)).collect::<Option<Vec<_>>>().map(|all| all.join(", "))
    }

    fn node(&self, id: NodeId, op: &str) -> Option<String> {
        let node = self.graph.node(id);
        let mut attributes = Vec::new();
        attributes.extend(node.elements.as_ref().map(|elements| match elements {
            Elements::Ints(values) => format!("{} = array<i64: {}>", dialect::ELEMENTS, joined(values)),
            Elements::Reals(values) => {
                let values = joined(values.iter().map(|value| real_text(*value)));
                format!("{} = array<f64: {values}>", dialect::ELEMENTS)
            }
        }));
        attributes.extend(node.identity.id.map(|id| format!("{ID} = {id} : i64")));
        if !node.identity.history.is_empty() {
            attributes.push(format!("{SPLIT_HISTORY} = array<i64: {}>", joined(node.identity.history_numbers())));
        }
        let outputs: Vec<Output> = (0..node.outputs.len()).map(|index| id.output(index)).collect();
        let (inputs, op) = (self.names(&node.inputs), dialect::operation_name(op));
        let (from, to) = (self.types(&node.inputs)?, self.types(&outputs)?);
        let (number, count, attributes) = (id.0, outputs.len(), attributes.join(", "));
        Some(format!("  %{number}:{count} = {op:?}({inputs}) {{{attributes}}} : ({from}) -> ({to})\n"))
    }
}

/// The graph that the function of a module computes; op names stay those of MLIR.
pub fn from_module(module: OperationRef<'_, '_>) -> Option<PlainGraph> {
    let function = operations_named(module, func::FUNC).into_iter().next()?;
    let body = function.region(0).ok()?.first_block()?;
    let mut graph = PlainGraph::default();
    let mut outputs: HashMap<usize, Output> = HashMap::new();
    let view = IrGraph::default();
    for argument in block_arguments(body) {
        let id = graph.add(Node::new(None, &[], view.output_def(argument)?, None));
        outputs.insert(argument.key(), id.output(0));
    }
    for op in block_operations(body) {
        let inputs = op.operands().map(|operand| outputs.get(&operand.key()).copied()).collect::<Option<Vec<_>>>()?;
        let results = op.result_values();
        let Some(first) = results.first() else {
            graph.outputs = inputs;
            continue;
        };
        let defs = results.iter().map(|result| view.output_def(*result)).collect::<Option<Vec<_>>>()?;
        let (elements, identity) = (view.constant(*first), identity(op));
        let id = graph.add(Node { op: Some(op.full_name().to_owned()), inputs, outputs: defs, elements, identity });
        for (index, result) in results.iter().enumerate() {
            outputs.insert(result.key(), id.output(index));
        }
    }
    Some(graph)
}

/// A float as MLIR reads it: infinity and what is no number by their bits.
fn real_text(value: f64) -> String {
    if value.is_finite() { format!("{value:.17e}") } else { format!("{:#018X}", value.to_bits()).replace('X', "x") }
}
