//! Writes graphs as cases have them.

use crate::apply::Elements;
use crate::apply::plan::SHAPE_OP;
use crate::dialect::operation_name;
use crate::direct::{NodeId, PlainGraph};
use std::fmt::Write;

/// The statements of a graph.
pub fn text_of(graph: &PlainGraph) -> String {
    let mut text = String::new();
    for id in graph.order() {
        let _ = writeln!(text, "    {}", statement(graph, *id));
    }
    let outputs: Vec<String> = graph.outputs.iter().map(|output| name(output.node)).collect();
    let _ = write!(text, "    output {}", outputs.join(", "));
    text
}

fn name(id: NodeId) -> String {
    format!("n{}", id.0)
}

fn statement(graph: &PlainGraph, id: NodeId) -> String {
    let node = graph.node(id);
    let (name, ty) = (name(id), node.outputs.first().map(ToString::to_string).unwrap_or_default());
    match (&node.op, &node.elements) {
        (None, _) => format!("input {name}: {ty}"),
        (_, Some(Elements::Ints(values))) => format!("{name} = {values:?}: {ty}"),
        (_, Some(Elements::Reals(values))) => format!("{name} = {values:?}: {ty}"),
        (Some(op), None) if op == SHAPE_OP || *op == operation_name(SHAPE_OP) => {
            format!("{name} = shape {:?}", node.outputs[0].dims)
        }
        (Some(op), None) => {
            let inputs: Vec<String> = node.inputs.iter().map(|input| self::name(input.node)).collect();
            let op = op.strip_prefix("htp.").map_or(op.clone(), |op| op.replacen('.', "::", 1));
            format!("{name} = {op}({}): {ty}", inputs.join(", "))
        }
    }
}
