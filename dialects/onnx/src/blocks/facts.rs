//! What is known of the tensors that statements go to.

use super::Part;
use crate::scope::Scope;
use crate::translate::{reads, target_names};
use skriptnd_syntax::build::{Element, Expression, Extent, Graph, Port};
use std::collections::{HashMap, HashSet};

/// The type of a tensor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Type {
    /// The type of its elements.
    pub element: Element,
    /// Its extents.
    pub extents: Vec<Expression>,
}

/// What is known of the tensors of a graph.
#[derive(Debug)]
pub(super) struct Facts {
    /// All tensors there are.
    tensors: HashSet<String>,
    types: HashMap<String, Type>,
    /// Constants, with their elements.
    pub constants: HashMap<String, (Port, Expression)>,
    /// Those that are read from files.
    pub variables: HashSet<String>,
    /// The modules that the statements are of.
    pub scopes: Vec<Scope>,
    /// The number of the last statement that reads a tensor; beyond all of outputs.
    last_read: HashMap<String, usize>,
}

impl Facts {
    /// Those of a graph with these statements.
    pub fn of(graph: &Graph, parts: &[Part], scopes: &[Scope], mut types: HashMap<String, Type>) -> Facts {
        let constants = graph.constants.iter().map(|(port, _)| port);
        let ports = graph.inputs.iter().chain(&graph.variables).chain(constants).chain(&graph.outputs);
        types.extend(ports.filter_map(|port| Some((port.name.clone(), type_of(port)?))));
        let mut tensors: HashSet<String> = types.keys().cloned().collect();
        let mut last_read = HashMap::new();
        for (at, Part { statement, .. }) in parts.iter().enumerate() {
            tensors.extend(statement.targets.iter().flat_map(target_names).map(str::to_owned));
            // `x.shape[0]` reads `x`.
            reads::of_statement(statement, &mut |name| {
                last_read.insert(name.split_once('.').map_or(name, |(base, _)| base).to_owned(), at);
            });
        }
        last_read.extend(graph.outputs.iter().map(|port| (port.name.clone(), usize::MAX)));
        Facts {
            tensors,
            types,
            constants: graph.constants.iter().map(|constant| (constant.0.name.clone(), constant.clone())).collect(),
            variables: graph.variables.iter().map(|port| port.name.clone()).collect(),
            scopes: scopes.to_vec(),
            last_read,
        }
    }

    /// Whether a name is a tensor's, not an extent's.
    pub fn is_tensor(&self, name: &str) -> bool {
        self.tensors.contains(name)
    }

    /// The type of a tensor, where it is known before a run.
    pub fn type_of(&self, name: &str) -> Option<&Type> {
        self.types.get(name)
    }

    /// Whether a tensor is read by a statement with that number, or behind it.
    pub fn is_read_from(&self, name: &str, number: usize) -> bool {
        self.last_read.get(name).is_some_and(|last| *last >= number)
    }
}

/// The type that is declared; none where only data tell it.
fn type_of(port: &Port) -> Option<Type> {
    let extent = |extent: &Extent| match extent {
        Extent::Known(value, _) => Some(value.clone()),
        Extent::Found(_) => None,
    };
    Some(Type { element: port.element, extents: port.extents.iter().map(extent).collect::<Option<_>>()? })
}
