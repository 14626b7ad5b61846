//! Plain graphs as functions of MLIR, and back: how the engine is compared with the direct evaluation of rules.

use super::graph::IrGraph;
use crate::apply::{Elements, Graph};
use crate::dialect::{self, encoding};
use crate::direct::{Node, NodeId, PlainGraph};
use skriptnd_mlir::ir::{Context, OperationRef, block_arguments, block_operations, operations_named};
use skriptnd_mlir::ops::func;
use std::collections::HashMap;
use std::fmt::Write;

/// A module with one function that computes a graph; `None` if a node has no type.
pub fn to_text(context: &Context, graph: &PlainGraph) -> Option<String> {
    let ty = |id: NodeId| encoding::tensor_type(context, &graph.node(id).output).map(|ty| ty.to_string());
    let types = |ids: &[NodeId]| ids.iter().map(|id| ty(*id)).collect::<Option<Vec<_>>>().map(|all| all.join(", "));
    let names = |ids: &[NodeId]| ids.iter().map(|id| format!("%{}", id.0)).collect::<Vec<_>>().join(", ");
    let inputs: Vec<NodeId> = graph.order().iter().copied().filter(|id| graph.node(*id).op.is_none()).collect();
    let arguments = inputs.iter().map(|id| Some(format!("%{}: {}", id.0, ty(*id)?))).collect::<Option<Vec<_>>>()?;
    let results = types(&graph.outputs)?;
    let mut text = format!("module {{\nfunc.func @graph({}) -> ({results}) {{\n", arguments.join(", "));
    for id in graph.order() {
        let node = graph.node(*id);
        let Some(op) = &node.op else { continue };
        let elements = match &node.elements {
            None => String::new(),
            Some(Elements::Ints(values)) => {
                let values = values.iter().map(i64::to_string).collect::<Vec<_>>();
                format!(" {{{} = array<i64: {}>}}", dialect::ELEMENTS, values.join(", "))
            }
            Some(Elements::Reals(values)) => {
                let values = values.iter().map(|v| format!("{v:.17e}")).collect::<Vec<_>>();
                format!(" {{{} = array<f64: {}>}}", dialect::ELEMENTS, values.join(", "))
            }
        };
        let (name, operands) = (dialect::operation_name(op), names(&node.inputs));
        let _ =
            writeln!(text, "  %{} = {name:?}({operands}){elements} : ({}) -> {}", id.0, types(&node.inputs)?, ty(*id)?);
    }
    let _ = writeln!(text, "  return {} : {results}\n}}\n}}", names(&graph.outputs));
    Some(text)
}

/// The graph that the function of a module computes; op names stay those of MLIR.
pub fn from_module(module: OperationRef<'_, '_>) -> Option<PlainGraph> {
    let function = operations_named(module, func::FUNC).into_iter().next()?;
    let body = function.region(0).ok()?.first_block()?;
    let mut graph = PlainGraph::default();
    let mut ids: HashMap<usize, NodeId> = HashMap::new();
    let view = IrGraph::default();
    for argument in block_arguments(body) {
        let output = view.output_def(argument)?;
        let id = graph.add(Node { op: None, inputs: Vec::new(), output, elements: None });
        ids.insert(argument.key(), id);
    }
    for op in block_operations(body) {
        let inputs = op.operands().map(|operand| ids.get(&operand.key()).copied()).collect::<Option<Vec<_>>>()?;
        let Some(result) = op.result_values().into_iter().next() else {
            graph.outputs = inputs;
            continue;
        };
        let name = op.full_name().to_owned();
        let (output, elements) = (view.output_def(result)?, view.constant(result));
        ids.insert(result.key(), graph.add(Node { op: Some(name), inputs, output, elements }));
    }
    Some(graph)
}
