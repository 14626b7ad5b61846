//! From the nodes of a graph to statements, one after the other: the extents of each result are known before the next node
//! is looked at, so what depends on extents is computed on the way ([`fold`]).

pub mod call;
pub mod fold;
mod literals;
pub mod names;
mod subgraphs;

use crate::constant::Constant;
use crate::extent::Extent;
use crate::file::ModelFile;
use crate::node::{Node, operator_of};
use crate::ops;
use crate::problem::Problem;
use crate::proto::{AttributeProto, FunctionProto, GraphProto, NodeProto};
use crate::value::{Tensor, Value};
use names::Names;
use skriptnd_syntax::build::{Computation, Expression, Port, Statement, Target};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Functions that call each other, and graphs in each other, are at most so deep.
const DEEPEST: usize = 64;

/// The attributes that a function was called with, by name.
pub(crate) type Given<'m> = HashMap<&'m str, &'m AttributeProto>;

/// What a graph's statements are made in.
#[derive(Debug)]
pub struct Translator<'m> {
    /// The file.
    pub file: &'m ModelFile,
    /// The versions of the sets of operators, by domain; inside of a function those that it names.
    versions: Vec<HashMap<&'m str, i64>>,
    /// What names stand for; inner graphs see those around them.
    scopes: Vec<HashMap<&'m str, Value>>,
    /// Names of the text.
    pub names: Names,
    /// Statements; those of inner blocks behind those around them.
    blocks: Vec<Vec<Statement>>,
    /// Tensors that go to files.
    pub variables: Vec<(Port, Arc<Constant>)>,
    /// Tensors that stand in the text.
    pub constants: Vec<(Port, Expression)>,
    /// What variables and constants there are for tensors of the model, by where their bytes lie.
    placed: HashMap<(usize, usize), String>,
    /// Greatest values of extents by name.
    pub bounds: HashMap<String, i64>,
    /// Bounds that were given, by names of the model.
    pub given_bounds: BTreeMap<String, i64>,
    /// Outputs.
    pub declared: HashSet<String>,
    /// What can't be said.
    pub problems: Vec<Problem>,
    depth: usize,
}

impl<'m> Translator<'m> {
    /// One for a file, with nothing in it.
    pub fn new(file: &'m ModelFile) -> Translator<'m> {
        let imports = file.model.opset_import.iter();
        Translator {
            file,
            versions: vec![imports.map(|set| (domain(&set.domain), set.version)).collect()],
            scopes: vec![HashMap::new()],
            names: Names::default(),
            blocks: vec![Vec::new()],
            variables: Vec::new(),
            constants: Vec::new(),
            placed: HashMap::new(),
            bounds: HashMap::new(),
            given_bounds: BTreeMap::new(),
            declared: HashSet::new(),
            problems: Vec::new(),
            depth: 0,
        }
    }

    /// Gives a name its value.
    pub fn define(&mut self, name: &'m str, value: Value) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, value);
        }
    }

    /// What a name stands for.
    pub fn lookup(&self, name: &str) -> Option<&Value> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// The statements of the outermost block.
    pub fn into_statements(mut self) -> (Vec<Statement>, Translator<'m>) {
        let statements = self.blocks.pop().unwrap_or_default();
        (statements, self)
    }

    pub(crate) fn push(&mut self, statement: Statement) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(statement);
        }
    }

    /// The greatest value of an extent, where it has one.
    pub fn greatest(&self, extent: &Extent) -> Option<i64> {
        extent.greatest(&|name| self.bounds.get(name).copied())
    }

    /// Translates the initializers and nodes of a graph in the scope there is; its nodes may refer to attributes that a
    /// function around it was given.
    pub fn body(&mut self, graph: &'m GraphProto, given: &HashMap<&'m str, &'m AttributeProto>) {
        for tensor in &graph.initializer {
            // Those among the inputs are defaults: who gave such an input another value has defined it.
            if self.scopes.last().is_some_and(|scope| scope.contains_key(tensor.name.as_str())) {
                continue;
            }
            match self.file.constant(tensor) {
                Ok(constant) => self.define(&tensor.name, Value::Tensor(Tensor::stored(Arc::new(constant)))),
                Err(reason) => self.problem_of(&tensor.name, reason),
            }
        }
        for sparse in &graph.sparse_initializer {
            let name = sparse.values.as_ref().map_or("", |values| values.name.as_str());
            self.problem_of(name, "sparse initializers are not read".into());
        }
        self.nodes(&graph.node, given);
    }

    fn problem_of(&mut self, name: &str, reason: String) {
        self.problems.push(Problem { node: Some(name.to_owned()), operator: None, reason });
    }

    fn nodes(&mut self, nodes: &'m [NodeProto], given: &Given<'m>) {
        for proto in nodes {
            if let Err(reason) = self.node(proto, given) {
                // What follows from a problem is none of its own.
                if let Some(reason) = reason {
                    let first = proto.output.iter().find(|output| !output.is_empty());
                    let name = if proto.name.is_empty() { first } else { Some(&proto.name) };
                    let operator = Some(operator_of(proto));
                    self.problems.push(Problem { node: name.cloned(), operator, reason });
                }
            }
        }
    }

    /// Translates a node and defines its results. `Err(None)` where an operand has not been translated.
    fn node(&mut self, proto: &'m NodeProto, given: &Given<'m>) -> Result<(), Option<String>> {
        let attributes = attributes_of(proto, given);
        let mut inputs = Vec::new();
        for name in &proto.input {
            match name.as_str() {
                "" => inputs.push(None),
                name => match self.lookup(name) {
                    Some(Value::Nothing) => inputs.push(None),
                    Some(value) => inputs.push(Some(value.clone())),
                    None if self.is_given(name) => return Err(None),
                    None => return Err(Some(format!("its operand `{name}` is given by nothing before it"))),
                },
            }
        }
        let domain = domain(&proto.domain);
        if let Some(function) = self.function(proto) {
            return self.call_function(function, proto, inputs, attributes).map_err(Some);
        }
        let version = self.versions.last().and_then(|versions| versions.get(domain)).copied();
        let version = version.ok_or_else(|| Some(format!("the file imports no operators of the domain `{domain}`")))?;
        let node = Node { proto, version, inputs, attributes };
        let begin = self.blocks.last().map_or(0, Vec::len);
        let results = match fold::fold(&node) {
            Some(results) => results,
            None => match self.structured(&node, given) {
                Some(outcome) => outcome?,
                None => ops::translate(self, &node).map_err(Some)?,
            },
        };
        self.name_results(proto, results, begin);
        Ok(())
    }

    /// Whether a name is a result that could not be translated, which has been said.
    fn is_given(&self, name: &str) -> bool {
        !self.problems.is_empty() && !name.is_empty()
    }

    /// Defines results, and calls what the node's statements give as the model does.
    fn name_results(&mut self, proto: &'m NodeProto, results: Vec<Value>, begin: usize) {
        for (name, mut value) in proto.output.iter().zip(results) {
            if name.is_empty() {
                continue;
            }
            if let Value::Tensor(Tensor { text: Some(Expression::Name(text)), .. }) = &mut value {
                if let Some(renamed) = self.rename(text, name, begin) {
                    *text = renamed;
                }
            }
            self.define(name, value);
        }
    }

    /// Gives what a statement behind `begin` computes a name like the model's, unless it has one of the model already.
    fn rename(&mut self, from: &str, like: &str, begin: usize) -> Option<String> {
        if from.starts_with(TEMPORARY) { self.renamed(from, like, begin) } else { None }
    }

    /// Gives what a statement of the innermost block computes, behind `begin`, another name.
    pub fn renamed(&mut self, from: &str, like: &str, begin: usize) -> Option<String> {
        let block = self.blocks.last()?;
        let is_target = |statement: &Statement| statement.targets.iter().flat_map(target_names).any(|name| name == from);
        if !block[begin..].iter().any(is_target) {
            return None;
        }
        let to = self.names.fresh(like);
        for statement in self.blocks.last_mut()?.iter_mut().skip(begin) {
            rename::statement(statement, from, &to);
        }
        Some(to)
    }

    fn function(&self, proto: &NodeProto) -> Option<&'m FunctionProto> {
        self.file.model.functions.iter().find(|function| {
            function.name == proto.op_type
                && domain(&function.domain) == domain(&proto.domain)
                && function.overload == proto.overload
        })
    }

    /// Translates the body of a function in place of a node that calls it.
    fn call_function(
        &mut self,
        function: &'m FunctionProto,
        proto: &'m NodeProto,
        inputs: Vec<Option<Value>>,
        mut attributes: HashMap<&'m str, &'m AttributeProto>,
    ) -> Result<(), String> {
        if self.depth >= DEEPEST {
            return Err(format!("functions call each other more than {DEEPEST} deep"));
        }
        for default in &function.attribute_proto {
            attributes.entry(&default.name).or_insert(default);
        }
        let mut scope = HashMap::new();
        let given = inputs.into_iter().chain(std::iter::repeat(None));
        for (name, value) in function.input.iter().zip(given) {
            scope.insert(name.as_str(), value.unwrap_or(Value::Nothing));
        }
        // A function sees none of the names around it.
        let around = std::mem::replace(&mut self.scopes, vec![scope]);
        let imports = function.opset_import.iter();
        self.versions.push(imports.map(|set| (domain(&set.domain), set.version)).collect());
        self.depth += 1;
        self.nodes(&function.node, &attributes);
        self.depth -= 1;
        self.versions.pop();
        let results: Vec<Option<Value>> = function.output.iter().map(|name| self.lookup(name).cloned()).collect();
        self.scopes = around;
        for (name, value) in proto.output.iter().zip(results) {
            if let (false, Some(value)) = (name.is_empty(), value) {
                self.define(name, value);
            }
        }
        Ok(())
    }
}

/// What names of statements begin with that are not yet named like the model's.
pub(crate) const TEMPORARY: &str = "tmp";

/// The domain of ONNX's own operators has two names.
fn domain(domain: &str) -> &str {
    if domain == "ai.onnx" { "" } else { domain }
}

/// The attributes of a node; those that refer to attributes of a function are what that was called with.
fn attributes_of<'m>(proto: &'m NodeProto, given: &Given<'m>) -> HashMap<&'m str, &'m AttributeProto> {
    let own = proto.attribute.iter().filter_map(|attribute| match attribute.ref_attr_name.as_str() {
        "" => Some((attribute.name.as_str(), attribute)),
        outer => given.get(outer).map(|found| (attribute.name.as_str(), *found)),
    });
    own.collect()
}

mod rename {
    //! Another name for what a statement gives, also where it is read.

    use skriptnd_syntax::build::{Block, Computation, Expression, Extent, Invocation, Statement, Target};

    pub(super) fn statement(statement: &mut Statement, from: &str, to: &str) {
        for target in &mut statement.targets {
            match target {
                Target::Name(name) => replace(name, from, to),
                Target::Typed(port) => replace(&mut port.name, from, to),
                Target::Items(name, length) => {
                    replace(name, from, to);
                    expression(length, from, to);
                }
                Target::Pack(names) => names.iter_mut().for_each(|name| replace(name, from, to)),
                Target::Ignored => {}
            }
        }
        match &mut statement.value {
            Computation::Invocation(invocation) => invoked(invocation, from, to),
            Computation::Expression(value) => expression(value, from, to),
            Computation::Branch(condition, then, otherwise) => {
                expression(condition, from, to);
                block(then, from, to);
                block(otherwise, from, to);
            }
            Computation::Loop(repeated) => {
                for carried in &mut repeated.carried {
                    expression(&mut carried.first, from, to);
                    carried.port.extents.iter_mut().for_each(|extent| match extent {
                        Extent::Known(value, _) | Extent::Found(value) => expression(value, from, to),
                    });
                }
                repeated.items.iter_mut().for_each(|(_, pack)| expression(pack, from, to));
                repeated.condition.iter_mut().chain(&mut repeated.count).for_each(|value| expression(value, from, to));
                block(&mut repeated.body, from, to);
            }
        }
    }

    fn block(block: &mut Block, from: &str, to: &str) {
        block.statements.iter_mut().for_each(|inner| statement(inner, from, to));
        block.results.iter_mut().for_each(|result| expression(result, from, to));
    }

    fn invoked(invocation: &mut Invocation, from: &str, to: &str) {
        invocation.attributes.iter_mut().for_each(|(_, value)| expression(value, from, to));
        invocation.operands.iter_mut().for_each(|operand| expression(operand, from, to));
    }

    fn expression(value: &mut Expression, from: &str, to: &str) {
        match value {
            Expression::Name(name) => replace(name, from, to),
            Expression::List(items) => items.iter_mut().for_each(|item| expression(item, from, to)),
            Expression::Binary(_, left, right) => {
                expression(left, from, to);
                expression(right, from, to);
            }
            _ => {}
        }
    }

    /// A name, or one with a member such as `x.shape[0]`.
    fn replace(name: &mut String, from: &str, to: &str) {
        if name == from {
            to.clone_into(name);
        } else if let Some(member) = name.strip_prefix(from).filter(|rest| rest.starts_with(['.', '['])) {
            *name = format!("{to}{member}");
        }
    }
}

/// The statements that something reads, in their order.
pub fn used(statements: Vec<Statement>, outputs: &[Port]) -> Vec<Statement> {
    needed(statements, outputs.iter().map(|port| port.name.clone()).collect())
}

/// The statements of a block that what it gives needs.
fn used_by(statements: Vec<Statement>, results: &[Expression]) -> Vec<Statement> {
    let mut read = HashSet::new();
    results
        .iter()
        .for_each(|result| reads::of_expression(result, &mut |name| _ = read.insert(base_of(name).to_owned())));
    needed(statements, read)
}

/// What a name such as `x.shape[0]` is a member of.
fn base_of(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

fn needed(statements: Vec<Statement>, mut read: HashSet<String>) -> Vec<Statement> {
    let mut kept: Vec<Statement> = Vec::new();
    for statement in statements.into_iter().rev() {
        let is_read = statement.targets.iter().flat_map(target_names).any(|name| read.contains(name));
        if is_read {
            reads::of_statement(&statement, &mut |name| _ = read.insert(base_of(name).to_owned()));
            kept.push(statement);
        }
    }
    kept.reverse();
    kept
}

fn target_names(target: &Target) -> Vec<&str> {
    match target {
        Target::Name(name) => vec![name],
        Target::Typed(port) => vec![&port.name],
        Target::Items(name, _) => vec![name],
        Target::Pack(names) => names.iter().map(String::as_str).collect(),
        Target::Ignored => Vec::new(),
    }
}

pub(crate) mod reads {
    //! The names that statements read.

    use super::{Computation, Statement, Target};
    use skriptnd_syntax::build::{Block, Expression, Extent, Port};

    pub(crate) fn of_statement(statement: &Statement, read: &mut impl FnMut(&str)) {
        statement.targets.iter().for_each(|target| match target {
            Target::Typed(port) => of_port(port, read),
            Target::Items(_, length) => of_expression(length, read),
            Target::Name(_) | Target::Pack(_) | Target::Ignored => {}
        });
        match &statement.value {
            Computation::Invocation(invocation) => {
                invocation.attributes.iter().for_each(|(_, value)| of_expression(value, read));
                invocation.operands.iter().for_each(|operand| of_expression(operand, read));
            }
            Computation::Expression(value) => of_expression(value, read),
            Computation::Branch(condition, then, otherwise) => {
                of_expression(condition, read);
                of_block(then, read);
                of_block(otherwise, read);
            }
            Computation::Loop(repeated) => {
                for carried in &repeated.carried {
                    of_expression(&carried.first, read);
                    of_port(&carried.port, read);
                }
                repeated.items.iter().for_each(|(_, pack)| of_expression(pack, read));
                repeated.condition.iter().chain(&repeated.count).for_each(|value| of_expression(value, read));
                of_block(&repeated.body, read);
            }
        }
    }

    fn of_block(block: &Block, read: &mut impl FnMut(&str)) {
        block.statements.iter().for_each(|statement| of_statement(statement, read));
        block.results.iter().for_each(|result| of_expression(result, read));
    }

    fn of_port(port: &Port, read: &mut impl FnMut(&str)) {
        port.extents.iter().for_each(|extent| match extent {
            Extent::Known(value, _) | Extent::Found(value) => of_expression(value, read),
        });
    }

    pub(super) fn of_expression(value: &Expression, read: &mut impl FnMut(&str)) {
        match value {
            Expression::Name(name) => read(name),
            Expression::List(items) => items.iter().for_each(|item| of_expression(item, read)),
            Expression::Binary(_, left, right) => {
                of_expression(left, read);
                of_expression(right, read);
            }
            _ => {}
        }
    }
}
