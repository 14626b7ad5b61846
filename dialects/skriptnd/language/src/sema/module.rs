//! Checks of the definitions of a module: sub-graphs before what invokes them, for they may use its names.

use super::checker::Checker;
use super::diagnostics as say;
use super::names::{Meaning, Names};
use super::subgraphs::{Found, Subgraphs};
use crate::library::Library;
use skriptnd_source::diagnostics::Diagnostics;
use skriptnd_syntax::ast::{Module, Operator, OperatorKind};
use std::collections::{HashMap, HashSet};

/// Checks every definition of one module.
pub(super) fn check(library: &Library, path: &str, module: &Module) -> Found {
    let (mut diagnostics, mut names) = (Diagnostics::default(), Names::default());
    for import in &module.imports {
        names.occurs(import.span, Meaning::Module(import.to_string().into()));
    }
    let mut seen: HashMap<&str, &Operator> = HashMap::new();
    let mut subgraphs = Graphs { library, path, module, found: Subgraphs::default() }.check();
    for (number, operator) in module.operators.iter().enumerate() {
        if let Some(first) = seen.insert(&operator.name.text, operator) {
            diagnostics.push(say::duplicate_operator(operator.name.span, &operator.name.text, first.name.span));
        }
        names.occurs(operator.name.span, Meaning::Operator(format!("{path}.{}", operator.name.text).into()));
        let found = subgraphs.take(operator).unwrap_or_else(|| {
            let mut checker = Checker::new(library, (path, module), operator, &subgraphs);
            checker.definition();
            checker.finish()
        });
        diagnostics.extend(found.diagnostics);
        names.append(found.names, number);
    }
    names.sort();
    Found { diagnostics, names }
}

/// The sub-graphs of a module that are being checked.
struct Graphs<'a> {
    library: &'a Library,
    path: &'a str,
    module: &'a Module,
    found: Subgraphs<'a>,
}

impl<'a> Graphs<'a> {
    /// Checks the sub-graphs, those that others invoke first.
    fn check(mut self) -> Subgraphs<'a> {
        // Only the main module has graphs, and it can't be imported.
        let graphs = self.module.operators.iter().filter(|operator| operator.kind == OperatorKind::Graph);
        let graphs: HashMap<&str, &Operator> = graphs.map(|graph| (&*graph.name.text, graph)).collect();
        if graphs.len() < 2 {
            return self.found;
        }
        let mut visited = HashSet::new();
        for operator in &self.module.operators {
            for name in invoked(operator).filter(|name| *name != &*operator.name.text) {
                self.visit(&graphs, name, &mut visited);
            }
        }
        self.found
    }

    fn visit(&mut self, graphs: &HashMap<&str, &'a Operator>, name: &str, visited: &mut HashSet<&'a str>) {
        // An explicit stack: sub-graphs may invoke each other as deeply as the text is long.
        let mut pending: Vec<(&Operator, bool)> = graphs.get(name).map(|graph| (*graph, false)).into_iter().collect();
        while let Some((graph, ready)) = pending.pop() {
            if ready {
                self.check_one(graph);
            } else if visited.insert(&graph.name.text) {
                pending.push((graph, true));
                pending.extend(invoked(graph).filter_map(|name| graphs.get(name)).map(|inner| (*inner, false)));
            }
        }
    }

    fn check_one(&mut self, graph: &'a Operator) {
        let mut checker = Checker::new(self.library, (self.path, self.module), graph, &self.found);
        checker.outer = Some(Vec::new());
        checker.definition();
        let outer = checker.outer.take().unwrap_or_default();
        let found = checker.finish();
        self.found.add(graph, outer, found);
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
