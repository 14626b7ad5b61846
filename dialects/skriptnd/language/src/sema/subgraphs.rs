//! Graphs that other definitions invoke (section 2.10): they may use names of what invokes them.

use super::names::Names;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Name, Operator, OperatorKind};
use std::collections::HashMap;

/// What was found in a definition.
pub(super) struct Found {
    pub(super) diagnostics: Diagnostics,
    pub(super) names: Names,
}

/// The sub-graphs of a module.
#[derive(Default)]
pub(super) struct Subgraphs<'a> {
    /// Names that a sub-graph uses and doesn't declare.
    outer: HashMap<&'a str, Vec<Name>>,
    /// What their own checks have found.
    found: HashMap<&'a str, Found>,
}

impl<'a> Subgraphs<'a> {
    pub(super) fn add(&mut self, graph: &'a Operator, outer: Vec<Name>, found: Found) {
        self.outer.insert(&graph.name.text, outer);
        self.found.insert(&graph.name.text, found);
    }

    /// What was found in a sub-graph; none if the definition is no sub-graph.
    pub(super) fn take(&mut self, operator: &Operator) -> Option<Found> {
        if operator.kind != OperatorKind::Graph {
            return None;
        }
        self.found.remove(&*operator.name.text)
    }

    /// Names that a sub-graph uses of what invokes it.
    pub(super) fn outer(&self, graph: &Operator) -> &[Name] {
        self.outer.get(&*graph.name.text).map_or(&[], Vec::as_slice)
    }
}
