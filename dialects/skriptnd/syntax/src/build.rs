//! Graphs made by programs: typed pieces, and the text that the formatter would write of them (section 2.16).

use crate::ast::BinaryOp;
use crate::format;
use skriptnd_source::FileId;
use skriptnd_source::diagnostics::Diagnostics;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// An expression of a graph: a literal, a name, or what is made of others.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// `3`
    Int(i64),
    /// `0.5`; the infinities as well, but no NaN, which has no literal.
    Real(f64),
    /// `true`
    Bool(bool),
    /// `'LINEAR'`
    Text(String),
    /// A tensor, an extent, or a member of one such as `x.shape[0]`.
    Name(String),
    /// `[a, b]`
    List(Vec<Expression>),
    /// `a + b`
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `~`: an operand that is left out.
    Absent,
}

/// A name for a type of elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// `real`
    Real,
    /// `int`
    Int,
    /// `bool`
    Bool,
}

/// An extent of a declared tensor.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent {
    /// An expression, with the bound of the extent that it introduces.
    Known(Expression, Option<i64>),
    /// `~|bound`: only data tell it.
    Found(Expression),
}

/// A declared tensor of a graph, or of the result of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// Its extents.
    pub extents: Vec<Extent>,
}

/// An application of an operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Invocation {
    /// `module.operator`, or the name of a graph of the module.
    pub operator: String,
    /// Types given by name, in the order of declaration.
    pub dtypes: Vec<Element>,
    /// Attributes in the order in which they are written.
    pub attributes: Vec<(String, Expression)>,
    /// Operands.
    pub operands: Vec<Expression>,
}

/// Statements, and what they give to where they stand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// What is given.
    pub results: Vec<Expression>,
}

/// A value that a loop carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    /// Its name and type in the loop.
    pub port: Port,
    /// Its first value.
    pub first: Expression,
}

/// What a statement computes.
#[derive(Debug, Clone, PartialEq)]
pub enum Computation {
    /// An operator's results.
    Invocation(Invocation),
    /// An expression.
    Expression(Expression),
    /// `if c then { .. } else { .. }`
    Branch(Expression, Block, Block),
    /// `with .. for .. while .. do..(index -> count) { .. }`
    Loop(Loop),
}

/// A loop; each of its parts may miss.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// What each iteration gives to the next.
    pub carried: Vec<Carried>,
    /// Packs whose items the iterations take, by the names of the items.
    pub items: Vec<(String, Expression)>,
    /// What must hold for another iteration.
    pub condition: Option<Expression>,
    /// How many iterations there are at most.
    pub count: Option<Expression>,
    /// The name of the number of an iteration.
    pub index: Option<String>,
    /// What an iteration does.
    pub body: Block,
}

/// The target of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A new name.
    Name(String),
    /// A name with its type.
    Typed(Port),
    /// `[a, b]`: names for the items of a pack.
    Pack(Vec<String>),
    /// `ys..(n)`: a pack of so many items, or at most so many where only data tell.
    Items(String, Expression),
    /// `~`: a result that nothing reads.
    Ignored,
}

/// A statement: names for what is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// A name for each result.
    pub targets: Vec<Target>,
    /// What is computed.
    pub value: Computation,
}

/// A graph of a module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub inputs: Vec<Port>,
    /// What is read from files.
    pub variables: Vec<Port>,
    /// Small tensors that stand in the text, by their elements in row-major order.
    pub constants: Vec<(Port, Expression)>,
    /// What it gives.
    pub outputs: Vec<Port>,
    /// What it computes.
    pub statements: Vec<Statement>,
}

/// A module of graphs, the entry first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// The graphs.
    pub graphs: Vec<Graph>,
}

impl Expression {
    /// A name.
    pub fn name(name: impl Into<String>) -> Expression {
        Expression::Name(name.into())
    }

    /// A list of integers.
    pub fn ints(values: impl IntoIterator<Item = i64>) -> Expression {
        Expression::List(values.into_iter().map(Expression::Int).collect())
    }

    /// An operation on two expressions.
    pub fn binary(operation: BinaryOp, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operation, Box::new(left), Box::new(right))
    }

    /// What binds stronger than any operator stands without parentheses.
    fn is_primary(&self) -> bool {
        match self {
            Expression::Int(value) => *value >= 0,
            Expression::Real(value) => !value.is_sign_negative(),
            other => !matches!(other, Expression::Binary(..)),
        }
    }

    fn write_operand(&self, out: &mut String) {
        if self.is_primary() {
            return self.write(out);
        }
        out.push('(');
        self.write(out);
        out.push(')');
    }

    fn write(&self, out: &mut String) {
        match self {
            Expression::Int(value) => put(out, value),
            Expression::Real(value) if value.is_infinite() => out.push_str(if *value > 0.0 { "inf" } else { "-inf" }),
            Expression::Real(value) => put(out, format_args!("{value:?}")),
            Expression::Bool(value) => put(out, value),
            Expression::Text(value) => put(out, format_args!("'{value}'")),
            Expression::Name(name) => out.push_str(name),
            Expression::List(items) => {
                out.push('[');
                list(out, items, |out, item| item.write(out));
                out.push(']');
            }
            Expression::Binary(operation, left, right) => {
                left.write_operand(out);
                put(out, format_args!(" {} ", symbol(*operation)));
                right.write_operand(out);
            }
            Expression::Absent => out.push('~'),
        }
    }
}

fn symbol(operation: BinaryOp) -> &'static str {
    operation.symbol()
}

fn put(out: &mut String, value: impl fmt::Display) {
    // Writing to a string does not fail.
    _ = write!(out, "{value}");
}

fn list<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
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
}

impl Invocation {
    fn write(&self, out: &mut String) {
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
        out.push('(');
        list(out, &self.operands, |out, operand| operand.write(out));
        out.push(')');
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
        if !self.carried.is_empty() {
            out.push_str("with ");
            list(out, &self.carried, |out, carried| {
                carried.port.write(out);
                out.push_str(" = ");
                carried.first.write(out);
            });
            out.push(' ');
        }
        if !self.items.is_empty() {
            out.push_str("for ");
            list(out, &self.items, |out, (name, pack)| {
                put(out, format_args!("{name} : "));
                pack.write(out);
            });
            out.push(' ');
        }
        if let Some(condition) = &self.condition {
            out.push_str("while ");
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
            Computation::Loop(repeated) => inside(&repeated.body, found),
        }
    }
}

impl Graph {
    fn write(&self, out: &mut String) {
        put(out, format_args!("graph {} {{\n", self.name));
        let sections = [("input", &self.inputs), ("output", &self.outputs), ("variable", &self.variables)];
        for (section, ports) in sections.into_iter().filter(|(_, ports)| !ports.is_empty()) {
            section_of(out, section, ports, |out, port| port.write(out));
        }
        if !self.constants.is_empty() {
            section_of(out, "constant", &self.constants, |out, (port, value)| {
                port.write(out);
                out.push_str(" = ");
                value.write(out);
            });
        }
        out.push_str("@compose {\n");
        self.statements.iter().for_each(|statement| statement.write(out));
        out.push_str("}\n}\n");
    }
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
        let statements = self.graphs.iter().flat_map(|graph| &graph.statements);
        statements.for_each(|statement| statement.operators(&mut operators));
        let module = |operator: &&str| operator.rsplit_once('.').map(|(module, _)| module.to_owned());
        let modules: BTreeSet<String> = operators.iter().filter_map(module).collect();
        let mut out = String::new();
        for module in modules {
            put(&mut out, format_args!("import {module};\n"));
        }
        for graph in &self.graphs {
            out.push('\n');
            graph.write(&mut out);
        }
        format::format(file, &out)
    }
}
