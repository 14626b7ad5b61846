//! The text of what programs build.

use super::{
    Attribute, Block, Computation, Condition, Element, Expression, Extent, Graph, Invocation, Loop, Module, Operator,
    Port, Statement, Target,
};
use crate::format;
use skriptnd_source::FileId;
use skriptnd_source::diagnostics::Diagnostics;
use std::collections::BTreeSet;
use std::fmt::{Display, Write};

pub(super) fn put(out: &mut String, value: impl Display) {
    // Writing to a string does not fail.
    _ = write!(out, "{value}");
}

pub(super) fn list<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        write(out, item);
    }
}

impl Element {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Element::Real => "real",
            Element::Int => "int",
            Element::Bool => "bool",
        }
    }
}

impl Extent {
    fn write(&self, out: &mut String) {
        match self {
            Extent::Known(value, bound) => {
                value.write(out);
                if let Some(bound) = bound {
                    put(out, format_args!("|{bound}"));
                }
            }
            Extent::Found(bound) => {
                out.push_str("~|");
                bound.write_operand(out);
            }
        }
    }
}

impl Port {
    fn write_type(&self, out: &mut String) {
        out.push_str(self.element.keyword());
        out.push('[');
        list(out, &self.extents, |out, extent| extent.write(out));
        out.push(']');
    }

    fn write(&self, out: &mut String) {
        put(out, format_args!("{}: ", self.name));
        self.write_type(out);
    }

    /// What a graph takes or gives, which may be a pack.
    fn write_in(&self, out: &mut String, graph: &Graph) {
        self.write(out);
        match graph.packs.iter().find(|(name, _)| *name == self.name) {
            Some((_, Some(length))) => {
                out.push_str("..(");
                length.write(out);
                out.push(')');
            }
            Some((_, None)) => out.push_str(".."),
            None => {}
        }
    }
}

impl Invocation {
    fn write(&self, out: &mut String) {
        if let Some(label) = &self.label {
            put(out, format_args!("{label}: "));
        }
        self.write_head(out);
        out.push('(');
        list(out, &self.operands, |out, operand| operand.write(out));
        out.push(')');
    }

    /// All but the operands.
    fn write_head(&self, out: &mut String) {
        out.push_str(&self.operator);
        if !self.dtypes.is_empty() {
            out.push('<');
            list(out, &self.dtypes, |out, element| out.push_str(element.keyword()));
            out.push('>');
        }
        if !self.attributes.is_empty() {
            out.push('{');
            list(out, &self.attributes, |out, (name, value)| {
                put(out, format_args!("{name}="));
                value.write(out);
            });
            out.push('}');
        }
    }

    /// Without operands, as a tensor's quantization is written.
    fn write_quantization(&self, out: &mut String) {
        let mut text = String::new();
        Invocation { label: None, operands: Vec::new(), ..self.clone() }.write(&mut text);
        out.push_str(text.trim_end_matches("()"));
    }
}

impl Block {
    fn write(&self, out: &mut String) {
        out.push_str("{\n");
        self.statements.iter().for_each(|statement| statement.write(out));
        out.push_str("yield ");
        list(out, &self.results, |out, result| result.write(out));
        out.push_str(";\n}");
    }
}

impl Loop {
    fn write(&self, out: &mut String) {
        self.write_carried(out);
        if !self.items.is_empty() {
            out.push_str("for ");
            list(out, &self.items, |out, (name, pack)| {
                put(out, format_args!("{name} : "));
                pack.write(out);
            });
            out.push(' ');
        }
        if let Some(condition) = self.condition.as_ref().filter(|_| !self.test_last) {
            condition.write(out);
            out.push(' ');
        }
        out.push_str("do");
        if self.count.is_some() || self.index.is_some() {
            out.push_str("..(");
            if let Some(index) = &self.index {
                put(out, format_args!("{index} -> "));
            }
            self.count.iter().for_each(|count| count.write(out));
            out.push(')');
        }
        out.push(' ');
        self.body.write(out);
        if let Some(condition) = self.condition.as_ref().filter(|_| self.test_last) {
            out.push(' ');
            condition.write(out);
        }
    }

    fn write_carried(&self, out: &mut String) {
        if self.carried.is_empty() {
            return;
        }
        out.push_str("with ");
        list(out, &self.carried, |out, carried| {
            match carried.is_typed {
                true => carried.port.write(out),
                false => out.push_str(&carried.port.name),
            }
            out.push_str(" = ");
            carried.first.write(out);
        });
        out.push(' ');
    }
}

impl Condition {
    fn write(&self, out: &mut String) {
        out.push_str("while ");
        match self {
            Condition::Expression(expression) => expression.write(out),
            Condition::Block(block) => block.write(out),
        }
    }
}

impl Statement {
    fn write(&self, out: &mut String) {
        list(out, &self.targets, |out, target| match target {
            Target::Name(name) => out.push_str(name),
            Target::Typed(port) => port.write(out),
            Target::Pack(names) => {
                out.push('[');
                list(out, names, |out, name| out.push_str(name));
                out.push(']');
            }
            Target::Items(name, length) => {
                put(out, format_args!("{name}..("));
                length.write(out);
                out.push(')');
            }
            Target::Ignored => out.push('~'),
        });
        out.push_str(" = ");
        match &self.value {
            Computation::Invocation(invocation) => invocation.write(out),
            Computation::Expression(expression) => expression.write(out),
            Computation::Branch(condition, then, otherwise) => {
                out.push_str("if ");
                condition.write(out);
                out.push_str(" then ");
                then.write(out);
                out.push_str(" else ");
                otherwise.write(out);
            }
            Computation::Loop(repeated) => repeated.write(out),
        }
        out.push_str(";\n");
    }

    /// The operators that it names, also inside.
    fn operators<'s>(&'s self, found: &mut Vec<&'s str>) {
        let inside = |block: &'s Block, found: &mut Vec<&'s str>| {
            block.statements.iter().for_each(|statement| statement.operators(found));
        };
        match &self.value {
            Computation::Invocation(invocation) => found.push(&invocation.operator),
            Computation::Expression(_) => {}
            Computation::Branch(_, then, otherwise) => {
                inside(then, found);
                inside(otherwise, found);
            }
            Computation::Loop(repeated) => {
                inside(&repeated.body, found);
                if let Some(Condition::Block(block)) = &repeated.condition {
                    inside(block, found);
                }
            }
        }
    }
}

impl Graph {
    fn write(&self, out: &mut String) {
        put(out, format_args!("graph {} {{\n", self.name));
        if !self.inputs.is_empty() {
            section_of(out, "input", &self.inputs, |out, port| {
                port.write_in(out, self);
                if let Some((_, value)) = self.defaults.iter().find(|(name, _)| *name == port.name) {
                    out.push_str(" = ");
                    value.write(out);
                }
            });
        }
        let sections = [("output", &self.outputs), ("variable", &self.variables)];
        for (section, ports) in sections.into_iter().filter(|(_, ports)| !ports.is_empty()) {
            section_of(out, section, ports, |out, port| port.write_in(out, self));
        }
        constants(out, &self.constants);
        if !self.asserts.is_empty() {
            section_of(out, "assert", &self.asserts, |out, (condition, message)| {
                condition.write(out);
                put(out, format_args!(": \"{message}\""));
            });
        }
        composition(out, &self.statements);
        if !self.updates.is_empty() {
            section_of(out, "update", &self.updates, |out, (variable, value)| {
                put(out, format_args!("{variable} = "));
                value.write(out);
            });
        }
        if !self.quantizations.is_empty() {
            section_of(out, "quantize", &self.quantizations, |out, (tensor, operator)| {
                put(out, format_args!("{tensor}: "));
                operator.write_quantization(out);
            });
        }
        out.push_str("}\n");
    }
}

impl Attribute {
    fn write(&self, out: &mut String) {
        put(out, format_args!("{}: {}{}", self.name, self.element.keyword(), if self.is_list { ".." } else { "" }));
    }
}

impl Operator {
    fn write(&self, out: &mut String) {
        put(out, format_args!("operator {} {{\n", self.name));
        if !self.attributes.is_empty() {
            section_of(out, "attrib", &self.attributes, |out, attribute| attribute.write(out));
        }
        for (section, ports) in [("input", &self.inputs), ("output", &self.outputs)] {
            if !ports.is_empty() {
                section_of(out, section, ports, |out, port| port.write(out));
            }
        }
        constants(out, &self.constants);
        composition(out, &self.statements);
        out.push_str("}\n");
    }
}

fn constants(out: &mut String, constants: &[(Port, Expression)]) {
    if !constants.is_empty() {
        section_of(out, "constant", constants, |out, (port, value)| {
            port.write(out);
            out.push_str(" = ");
            value.write(out);
        });
    }
}

fn composition(out: &mut String, statements: &[Statement]) {
    out.push_str("@compose {\n");
    statements.iter().for_each(|statement| statement.write(out));
    out.push_str("}\n");
}

fn section_of<T>(out: &mut String, name: &str, items: &[T], write: impl Fn(&mut String, &T)) {
    put(out, format_args!("@{name} {{\n"));
    for item in items {
        write(out, item);
        out.push_str(";\n");
    }
    out.push_str("}\n");
}

impl Module {
    /// The text, as the formatter leaves it.
    ///
    /// # Errors
    /// Where names are none of the language's.
    pub fn text(&self, file: FileId) -> Result<String, Diagnostics> {
        let mut operators = Vec::new();
        let inside = self.operators.iter().flat_map(|operator| &operator.statements);
        let statements = self.graphs.iter().flat_map(|graph| &graph.statements);
        inside.chain(statements).for_each(|statement| statement.operators(&mut operators));
        let quantizations = self.graphs.iter().flat_map(|graph| &graph.quantizations);
        operators.extend(quantizations.map(|(_, invocation)| invocation.operator.as_str()));
        let module = |operator: &&str| operator.rsplit_once('.').map(|(module, _)| module.to_owned());
        let modules: BTreeSet<String> =
            operators.iter().filter_map(module).chain(self.imports.iter().cloned()).collect();
        let mut out = String::new();
        for module in modules {
            put(&mut out, format_args!("import {module};\n"));
        }
        for definition in &self.copied {
            put(&mut out, format_args!("\n{definition}\n"));
        }
        for operator in &self.operators {
            out.push('\n');
            operator.write(&mut out);
        }
        for graph in &self.graphs {
            out.push('\n');
            graph.write(&mut out);
        }
        format::format(file, &out)
    }
}
