//! Nodes of which nothing is used are left out.

use crate::proto::{GraphProto, NodeProto};
use std::collections::HashSet;

/// The nodes that these values, or branches and bodies of other nodes, need.
pub fn prune(nodes: Vec<NodeProto>, needed: &[String]) -> Vec<NodeProto> {
    let mut used: HashSet<String> = needed.iter().cloned().collect();
    let mut kept = Vec::new();
    for node in nodes.into_iter().rev() {
        if !node.output.iter().any(|output| used.contains(output)) {
            continue;
        }
        read_by(&node, &mut used);
        kept.push(node);
    }
    kept.reverse();
    kept
}

/// What a node and the graphs in it read.
pub fn read_by(node: &NodeProto, used: &mut HashSet<String>) {
    used.extend(node.input.iter().cloned());
    let graphs = node.attribute.iter().filter_map(|attribute| attribute.g.as_deref());
    graphs.for_each(|graph: &GraphProto| {
        used.extend(graph.output.iter().map(|output| output.name.clone()));
        graph.node.iter().for_each(|inner| read_by(inner, used));
    });
}
