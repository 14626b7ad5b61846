//! What statements are made of, and so the lines of the text.

use crate::node::{name_of, operator_of};
use crate::port::Port;
use crate::proto::NodeProto;
use skriptnd_source::origins::{Kind, Origin, Origins};
use skriptnd_source::{SourceFile, SourceMap, Span, clipped};
use skriptnd_syntax::ast::{self, Body, Component, ComponentValue};
use skriptnd_syntax::build::{Block, Computation, Operator, Statement};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Parts of a model by their numbers, which statements bear.
#[derive(Debug, Default)]
pub(crate) struct Made {
    parts: Vec<Origin>,
}

impl Made {
    /// A number for a node.
    pub fn of_node(&mut self, proto: &NodeProto) -> usize {
        // A node may be written out any number of times, with a name of any length.
        let kind = Kind::Node(clipped(&operator_of(proto)).into_owned());
        self.add(Origin { kind, name: clipped(&name_of(proto)).into_owned(), others: 0 })
    }

    /// A number for an output.
    pub fn of_output(&mut self, name: &str) -> usize {
        self.add(Origin { kind: Kind::Output, name: name.to_owned(), others: 0 })
    }

    fn add(&mut self, part: Origin) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// What the model calls that of which a statement is.
    pub fn name(&self, statement: &Statement) -> Option<&str> {
        statement.origin.map(|part| self.parts[part].name.as_str())
    }

    /// A number for what stands for several statements: the first part that is known, and how many there are more.
    pub fn joined<'s>(&mut self, statements: impl Iterator<Item = &'s Statement>) -> Option<usize> {
        let mut known = HashSet::new();
        let parts: Vec<usize> =
            statements.filter_map(|statement| statement.origin).filter(|part| known.insert(*part)).collect();
        let first = *parts.first()?;
        if parts.len() == 1 {
            return Some(first);
        }
        let all: usize = parts.iter().map(|part| 1 + self.parts[*part].others).sum();
        Some(self.add(Origin { others: all - 1, ..self.parts[first].clone() }))
    }
}

/// What the parts of a text were made of.
#[derive(Debug)]
pub(crate) struct Text<'m> {
    /// What the numbers of statements mean.
    pub made: &'m Made,
    /// The operators, in the order in which they stand there.
    pub operators: &'m [Operator],
    /// What the graph computes.
    pub statements: &'m [Statement],
    /// What a run is given, and gives.
    pub interface: [&'m [Port]; 2],
    /// What the model calls the graph's variables.
    pub weights: &'m HashMap<&'m str, &'m str>,
}

impl Text<'_> {
    /// What its lines were made of.
    pub fn origins(&self, text: &str) -> Origins {
        let mut sources = SourceMap::default();
        let file = sources.add("main.sknd", text);
        let (module, _) = skriptnd_syntax::parse(file, text);
        let Some(file) = sources.file(file) else { return Origins::default() };
        let mut lines = Lines { file, made: self.made, origins: Origins::default() };
        for operator in self.operators {
            let Some(definition) = module.operators.get(&operator.name) else { continue };
            let first = operator.statements.iter().find_map(|statement| statement.origin);
            lines.tell(definition.span, first);
            lines.statements(&operator.statements, definition.components.as_deref().unwrap_or_default());
        }
        for definition in module.operators.iter().filter(|operator| operator.kind == ast::OperatorKind::Graph) {
            self.declared(definition, &mut lines);
            lines.statements(self.statements, definition.components.as_deref().unwrap_or_default());
        }
        lines.origins
    }

    /// What the graph declares was declared by the model.
    fn declared(&self, graph: &ast::Operator, lines: &mut Lines<'_>) {
        let [inputs, outputs] = self.interface;
        let of_ports =
            |ports: &[Port], name: &str| ports.iter().find(|port| port.name == name).map(|port| port.onnx.clone());
        let of_weights = |name: &str| self.weights.get(name).map(|weight| (*weight).to_owned());
        for param in &graph.inputs {
            lines.declared(param, Kind::Input, of_ports(inputs, &param.name.text));
        }
        for param in &graph.outputs {
            lines.declared(param, Kind::Output, of_ports(outputs, &param.name.text));
        }
        for param in graph.variables.iter().chain(&graph.constants) {
            lines.declared(param, Kind::Weight, of_weights(&param.name.text));
        }
    }
}

/// The lines of a text, as far as it is known what they were made of.
struct Lines<'t> {
    file: &'t SourceFile,
    made: &'t Made,
    origins: Origins,
}

impl Lines<'_> {
    fn of(&self, span: Span) -> Range<usize> {
        let line = |offset: u32| self.file.line_of(offset as usize);
        line(span.start)..line(span.end.saturating_sub(1).max(span.start)) + 1
    }

    fn tell(&mut self, span: Span, part: Option<usize>) {
        if let Some(origin) = part.and_then(|part| self.made.parts.get(part)) {
            self.origins.tell(self.of(span), origin.clone());
        }
    }

    fn declared(&mut self, param: &ast::Param, kind: Kind, name: Option<String>) {
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            self.origins.tell(self.of(param.span), Origin { kind, name, others: 0 });
        }
    }

    /// Statements as they were built, and as the text has them; those in others come behind these.
    fn statements(&mut self, built: &[Statement], written: &[Component]) {
        for (built, written) in built.iter().zip(written) {
            self.tell(written.span, built.origin);
            match (&built.value, &written.value) {
                (Computation::Branch(_, then, otherwise), ComponentValue::Branch(branch)) => {
                    branch.arms.iter().for_each(|(_, arm)| self.block(then, arm));
                    self.block(otherwise, &branch.otherwise);
                }
                (Computation::Loop(built), ComponentValue::Loop(written)) => self.block(&built.body, &written.body),
                _ => {}
            }
        }
    }

    fn block(&mut self, built: &Block, written: &Body) {
        if let Body::Block(block) = written {
            self.statements(&built.statements, &block.components);
        }
    }
}
