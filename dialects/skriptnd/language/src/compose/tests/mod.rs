//! Composition of small models with results worked out by hand.

mod control_flow;
mod diagnostics;
mod dynamic;
mod hostile;
mod models;
mod scale;
mod scopes;
mod shapes;

use super::extent::Extent;
use super::graph::{Argument, Graph, OperationKind, Region};
use super::{ComposeOptions, Definitions, compose};
use crate::library::Library;
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::Diagnostic;

struct Text<'a>(&'a str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.to_owned())))
    }
}

pub(crate) fn definitions(text: &str) -> Definitions {
    let (definitions, diagnostics) = Library::load(&Text(text));
    let messages: Vec<&String> = diagnostics.iter().map(|d| &d.message).collect();
    assert!(!diagnostics.has_errors(), "the test's model does not parse: {messages:?}\n{text}");
    definitions.into()
}

pub(super) fn composed_with(text: &str, options: &ComposeOptions) -> Graph {
    let (graph, diagnostics) = compose(&definitions(text), options);
    let messages: Vec<&String> = diagnostics.iter().map(|d| &d.message).collect();
    graph.unwrap_or_else(|| panic!("{messages:?}\n{text}"))
}

pub(super) fn composed(text: &str) -> Graph {
    composed_with(text, &ComposeOptions::default())
}

/// Errors, with the text at their place.
pub(super) fn errors_with(text: &str, options: &ComposeOptions) -> Vec<(Diagnostic, String)> {
    let definitions = definitions(text);
    let (graph, diagnostics) = compose(&definitions, options);
    assert!(graph.is_none() || !diagnostics.has_errors(), "a graph in spite of errors");
    let place = |diagnostic: &Diagnostic| {
        let file = definitions.sources.file(diagnostic.span.file).expect("a file");
        file.text[diagnostic.span.start as usize..diagnostic.span.end as usize].to_owned()
    };
    diagnostics.iter().map(|diagnostic| (diagnostic.clone(), place(diagnostic))).collect()
}

pub(super) fn errors(text: &str) -> Vec<(Diagnostic, String)> {
    errors_with(text, &ComposeOptions::default())
}

/// The one error that the model has: its message and the text at its place.
pub(super) fn error(text: &str) -> (Diagnostic, String) {
    let mut errors = errors(text);
    let messages: Vec<&String> = errors.iter().map(|(d, _)| &d.message).collect();
    assert_eq!(errors.len(), 1, "{messages:?}\n{text}");
    errors.remove(0)
}

/// Shapes of the tensors of an output: `2x3`.
pub(super) fn shapes(graph: &Graph, output: &str) -> Vec<String> {
    let port = graph.outputs.iter().find(|port| port.name == output).expect("the output");
    let text = |extents: &[Extent]| extents.iter().map(ToString::to_string).collect::<Vec<_>>().join("x");
    port.tensors.items().iter().map(|id| text(&graph.tensor(*id).ty.shape)).collect()
}

/// The operators of a region in order, those of inner regions in brackets.
pub(super) fn operators(region: &Region) -> String {
    let names = region.operations.iter().map(|operation| match &operation.kind {
        OperationKind::Operator(call) => call.operator.to_string(),
        OperationKind::If { arms, otherwise } => {
            let arms = arms.iter().map(|(c, t)| format!("[{}][{}]", operators(c), operators(t)));
            format!("if{}[{}]", arms.collect::<String>(), operators(otherwise))
        }
        OperationKind::Loop(inner) => {
            let condition = inner.condition.as_ref().map_or_else(String::new, |c| format!("[{}]", operators(c)));
            format!("loop{condition}[{}]", operators(&inner.body))
        }
    });
    names.collect::<Vec<_>>().join(" ")
}

/// The names of an argument's tensors.
pub(super) fn names(graph: &Graph, argument: &Argument) -> Vec<String> {
    argument.items().iter().map(|id| graph.tensor(*id).name.clone()).collect()
}

/// Operators that most tests need.
pub(super) const OPERATORS: &str = "
    operator inc { @input { x: real[s..]; } @output { y: real[s..]; } @lower { y[i..] = x[i..] + 1.0, i < s; } }
    operator add { @input { x: real[s..]; z: real[s..]; } @output { y: real[s..]; }
        @lower { y[i..] = x[i..] + z[i..], i < s; } }
    operator less { @input { x: real[]; z: real[]; } @output { y: bool[]; } @lower { y[] = x[] < z[]; } }
    operator scale { @attrib { f: real; } @input { x: real[s..]; } @output { y: real[s..]; }
        @lower { y[i..] = x[i..] * f, i < s; } }
";

/// A graph with the operators above; `blocks` are its blocks.
pub(super) fn graph(blocks: &str) -> String {
    format!("{OPERATORS} graph G {{ {blocks} }}")
}
