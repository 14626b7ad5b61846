//! A plain graph as the engine's conditions ask it: graphs are changed until a condition holds on them.

use crate::apply::{Elements, Graph, Identity, OutputDef};
use crate::direct::{Output, PlainGraph};

impl Graph for PlainGraph {
    type Node = Output;

    fn output_def(&self, node: Output) -> Option<OutputDef> {
        self.node(node.node).outputs.get(node.index).cloned()
    }

    fn op_called(&self, qualified: &str) -> String {
        qualified.to_owned()
    }

    fn op_name(&self, node: Output) -> Option<String> {
        self.node(node.node).op.clone()
    }

    fn inputs(&self, node: Output) -> Vec<Output> {
        self.node(node.node).inputs.clone()
    }

    fn outputs(&self, node: Output) -> Vec<Output> {
        (0..self.node(node.node).outputs.len()).map(|index| node.node.output(index)).collect()
    }

    fn constant(&self, node: Output) -> Option<Elements> {
        self.node(node.node).elements.clone()
    }

    fn identity(&self, node: Output) -> Identity {
        self.node(node.node).identity.clone()
    }
}
