//! Graphs that other definitions invoke (section 2.10): they may use names of what invokes them.

use super::checker::Checker;
use super::diagnostics as say;
use crate::library::Library;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Invocation, Module, Name, Operator, OperatorKind};
use std::collections::{HashMap, HashSet};

/// The sub-graphs of a module.
#[derive(Default)]
pub(super) struct Subgraphs<'a> {
    /// Names that a sub-graph uses and doesn't declare.
    outer: HashMap<&'a str, Vec<Name>>,
    /// What their own checks have found.
    found: HashMap<&'a str, Diagnostics>,
}

impl<'a> Subgraphs<'a> {
    /// Checks the sub-graphs, those that others invoke first.
    pub(super) fn check(library: &'a Library, module: &'a Module) -> Self {
        let mut subgraphs = Subgraphs::default();
        // Only the main module has graphs, and it can't be imported.
        let graphs = module.operators.iter().filter(|operator| operator.kind == OperatorKind::Graph);
        let graphs: HashMap<&str, &Operator> = graphs.map(|graph| (&*graph.name.text, graph)).collect();
        if graphs.len() < 2 {
            return subgraphs;
        }
        let mut visited = HashSet::new();
        for operator in &module.operators {
            for name in invoked(operator).filter(|name| *name != &*operator.name.text) {
                subgraphs.visit(library, module, &graphs, name, &mut visited);
            }
        }
        subgraphs
    }

    fn visit(
        &mut self,
        library: &'a Library,
        module: &'a Module,
        graphs: &HashMap<&str, &'a Operator>,
        name: &str,
        visited: &mut HashSet<&'a str>,
    ) {
        // An explicit stack: sub-graphs may invoke each other as deeply as the text is long.
        let mut pending: Vec<(&Operator, bool)> = graphs.get(name).map(|graph| (*graph, false)).into_iter().collect();
        while let Some((graph, ready)) = pending.pop() {
            if ready {
                self.check_one(library, module, graph);
            } else if visited.insert(&graph.name.text) {
                pending.push((graph, true));
                pending.extend(invoked(graph).filter_map(|name| graphs.get(name)).map(|inner| (*inner, false)));
            }
        }
    }

    fn check_one(&mut self, library: &'a Library, module: &'a Module, graph: &'a Operator) {
        let mut checker = Checker::new(library, module, graph, self);
        checker.outer = Some(Vec::new());
        checker.definition();
        let outer = checker.outer.take().unwrap_or_default();
        let found = checker.finish();
        self.outer.insert(&graph.name.text, outer);
        self.found.insert(&graph.name.text, found);
    }

    /// What was found in a sub-graph; none if the definition is no sub-graph.
    pub(super) fn take(&mut self, operator: &Operator) -> Option<Diagnostics> {
        if operator.kind != OperatorKind::Graph {
            return None;
        }
        self.found.remove(&*operator.name.text)
    }

    /// Names that a sub-graph uses of what invokes it.
    fn outer(&self, graph: &Operator) -> &[Name] {
        self.outer.get(&*graph.name.text).map_or(&[], Vec::as_slice)
    }
}

/// The operators of its own module that a definition invokes.
fn invoked(operator: &Operator) -> impl Iterator<Item = &str> {
    let mut names = Vec::new();
    for component in operator.components.iter().flatten().chain(&operator.updates) {
        component.invocations(&mut |invocation| {
            if let [name] = invocation.operator.parts.as_slice() {
                names.push(&*name.text);
            }
        });
    }
    names.into_iter()
}

impl Checker<'_> {
    /// A sub-graph reads names of the definition that invokes it: they must be visible there.
    pub(super) fn outer_names(&mut self, graph: &Operator, invocation: &Invocation) {
        let subgraphs = self.subgraphs;
        for name in subgraphs.outer(graph) {
            if let Some(symbol) = self.symbols.get_mut(&name.text) {
                symbol.used = true;
            } else if let Some(outer) = &mut self.outer {
                outer.push(name.clone());
            } else if self.reported.insert(name.text.clone()) {
                let near = self.symbols.nearest(&name.text);
                self.report(say::undeclared_outer(name.span, &name.text, invocation.span, near.as_deref()));
            }
        }
    }
}
