//! From the nodes of a graph to statements, one after the other: the extents of each result are known before the next node
//! is looked at, so what depends on extents is computed on the way ([`fold`]).

pub mod call;
pub mod fold;
mod functions;
mod literals;
pub mod names;
mod parameters;
mod statements;
mod steps;
mod subgraphs;
pub(crate) mod weights;

use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::file::ModelFile;
use crate::made::Made;
use crate::node::{Node, name_of, operator_of};
use crate::problem::Problem;
use crate::proto::{AttributeProto, GraphProto, NodeProto};
use crate::scope::{Scope, filled};
use crate::value::{Tensor, Value};
use names::{Names, Side};
use skriptnd_syntax::build::{Expression, Port, Statement};
pub(crate) use statements::reads;
pub(crate) use statements::target_names;
pub use statements::used;
use statements::{rename, used_by};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Functions that call each other, and graphs in each other, are at most so deep.
const DEEPEST: usize = 64;

/// The attributes that a function was called with, by name.
pub(crate) type Given<'m> = HashMap<&'m str, &'m AttributeProto>;

/// What a node gives, or why that can't be said.
pub type Rules = for<'t, 'm, 'n> fn(&'t mut Translator<'m>, &'n Node<'m>) -> Result<Vec<Value>, String>;

/// What a graph's statements are made in.
#[derive(Debug)]
pub struct Translator<'m> {
    /// The file.
    pub file: &'m ModelFile,
    /// What operators are.
    rules: Rules,
    /// The versions of the sets of operators, by domain; inside of a function those that it names.
    versions: Vec<HashMap<&'m str, i64>>,
    /// What names stand for; inner graphs see those around them.
    scopes: Vec<HashMap<&'m str, Value>>,
    /// Names of the text.
    pub names: Names,
    /// Statements; those of inner blocks behind those around them.
    blocks: Vec<Vec<Statement>>,
    /// The modules that the statements of the outermost block are of, as far as they are known.
    origins: Vec<Option<Scope>>,
    /// What statements are made of.
    pub(crate) made: Made,
    /// The node whose statements are made, and its number there once it has one.
    maker: Option<(&'m NodeProto, Option<usize>)>,
    /// The node that is looked at.
    reader: Option<&'m NodeProto>,
    /// The modules that it is of.
    scope: Option<Scope>,
    /// The types of what statements give, by name.
    pub types: HashMap<String, (ElementType, Vec<Extent>)>,
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
    /// Tensors in the place of those that the model holds.
    pub given_weights: Option<&'m BTreeMap<String, Constant>>,
    /// Names of those that were taken, and of the model's own reals that stayed.
    weights: [HashSet<&'m str>; 2],
    /// Outputs.
    pub declared: HashSet<String>,
    /// What can't be said.
    pub problems: Vec<Problem>,
    /// What is computed otherwise than operators say.
    pub warnings: Vec<Problem>,
    /// Calls of functions so far.
    called: usize,
    /// Results that are doubles, which the language has not.
    pub doubles: Vec<String>,
    depth: usize,
}

impl<'m> Translator<'m> {
    /// One for a file, with nothing in it.
    pub fn new(file: &'m ModelFile, rules: Rules) -> Translator<'m> {
        let imports = file.model.opset_import.iter();
        Translator {
            file,
            rules,
            versions: vec![imports.map(|set| (domain(&set.domain), set.version)).collect()],
            scopes: vec![HashMap::new()],
            names: Names::default(),
            blocks: vec![Vec::new()],
            origins: Vec::new(),
            made: Made::default(),
            maker: None,
            reader: None,
            scope: None,
            types: HashMap::new(),
            variables: Vec::new(),
            constants: Vec::new(),
            placed: HashMap::new(),
            bounds: HashMap::new(),
            given_bounds: BTreeMap::new(),
            given_weights: None,
            weights: [HashSet::new(), HashSet::new()],
            declared: HashSet::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
            called: 0,
            doubles: Vec::new(),
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

    /// A name of the text for what the model calls so: of its own outputs, the one that is kept for it. What functions and inner
    /// graphs call so is another thing.
    pub(crate) fn name_of_result(&mut self, like: &str) -> String {
        match self.names.kept(Side::Output, like) {
            Some(kept) if self.depth == 0 => kept.to_owned(),
            _ => self.names.fresh(like),
        }
    }

    /// The statements of the outermost block, and the modules that they are of.
    pub fn into_statements(mut self) -> (Vec<(Statement, Scope)>, Translator<'m>) {
        let statements = self.blocks.pop().unwrap_or_default();
        self.origins.resize(statements.len(), Some(Scope::default()));
        let scopes = filled(&mut self.origins);
        (statements.into_iter().zip(scopes).collect(), self)
    }

    /// Keeps which modules the statements are of that were made for a node.
    fn place(&mut self) {
        if let [block] = &self.blocks[..] {
            self.origins.resize(block.len(), self.scope.clone());
        }
    }

    pub(crate) fn push(&mut self, mut statement: Statement) {
        if let Some((proto, number)) = &mut self.maker {
            statement.origin = Some(*number.get_or_insert_with(|| self.made.of_node(proto)));
        }
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
            match self.weight(tensor) {
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

    /// Keeps what a node computes here otherwise than its operator says.
    pub fn warn(&mut self, node: &Node<'_>, what: &str) {
        self.warnings.push(problem(node.proto, what.to_owned()));
    }

    /// Keeps the reason why an input or output is not taken.
    pub fn note(&mut self, name: &str, told: Result<(), String>) {
        if let Err(reason) = told {
            self.problem_of(name, reason);
        }
    }

    fn problem_of(&mut self, name: &str, reason: String) {
        self.problems.push(Problem { node: Some(name.to_owned()), operator: None, reason });
    }

    fn nodes(&mut self, nodes: &'m [NodeProto], given: &Given<'m>) {
        for proto in nodes {
            let around = self.scope.clone();
            self.scope = Scope::of(proto).or_else(|| around.clone());
            let (maker, reader) = (self.maker, self.reader.replace(proto));
            // What functions do is of the node that calls them: their own nodes are the same in each call.
            if self.versions.len() == 1 {
                self.maker = Some((proto, None));
            }
            // What follows from a problem is none of its own.
            if let Err(Some(reason)) = self.node(proto, given) {
                let reason = match self.maker {
                    Some((caller, _)) if !std::ptr::eq(caller, proto) => {
                        format!("{reason} (in the function that node `{}` calls)", name_of(caller))
                    }
                    _ => reason,
                };
                self.problems.push(problem(proto, reason));
            }
            self.place();
            self.reader = reader;
            if self.versions.len() == 1 {
                self.maker = maker;
            }
            self.scope = around;
        }
    }

    /// Translates a node and defines its results. `Err(None)` where an operand has not been translated.
    fn node(&mut self, proto: &'m NodeProto, given: &Given<'m>) -> Result<(), Option<String>> {
        let is_known = |name: &&String| self.scopes.last().is_some_and(|scope| scope.contains_key(name.as_str()));
        if let Some(name) = proto.output.iter().find(is_known) {
            return Err(Some(format!("its result `{name}` is given before")));
        }
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
                None => {
                    let results = (self.rules)(self, &node).map_err(Some)?;
                    self.on_grids(&node, results)
                }
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
    fn name_results(&mut self, proto: &'m NodeProto, mut results: Vec<Value>, begin: usize) {
        for (at, name) in proto.output.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let Some(Value::Tensor(Tensor { text: Some(Expression::Name(text)), .. })) = results.get(at) else {
                continue;
            };
            let from = text.clone();
            if let Some(to) = self.rename(&from, name, begin) {
                self.rename_extents(&mut results, &from, &to);
            }
        }
        for (name, value) in proto.output.iter().zip(results).filter(|(name, _)| !name.is_empty()) {
            if matches!(&value, Value::Tensor(Tensor { element: ElementType::Double, known: None, .. })) {
                self.doubles.push(name.clone());
            }
            self.define(name, value);
        }
    }

    /// What results say of one that is called something else now.
    fn rename_extents(&mut self, results: &mut [Value], from: &str, to: &str) {
        let renamed = |symbol: &str| statements::renamed(symbol, from, to);
        results.iter_mut().for_each(|value| value.rename(&renamed));
        self.rename_bounds(&renamed);
    }

    fn rename_bounds(&mut self, renamed: &impl Fn(&str) -> Option<String>) {
        let moved: Vec<(String, i64)> =
            self.bounds.iter().filter_map(|(symbol, bound)| Some((renamed(symbol)?, *bound))).collect();
        self.bounds.extend(moved);
    }

    /// Gives the target of a statement behind `begin` a name like the model's.
    fn rename(&mut self, from: &str, like: &str, begin: usize) -> Option<String> {
        if !from.starts_with(TEMPORARY) || !self.computes(from, begin) {
            return None;
        }
        let to = self.name_of_result(like);
        self.replace(from, &to, begin);
        Some(to)
    }

    /// Whether a statement of the innermost block, behind `begin`, computes what is called so.
    pub fn computes(&self, name: &str, begin: usize) -> bool {
        let block = self.blocks.last().map_or(&[][..], |block| &block[begin..]);
        block.iter().flat_map(|statement| &statement.targets).flat_map(target_names).any(|target| target == name)
    }

    /// Gives what statements of the innermost block compute, behind `begin`, another name.
    fn replace(&mut self, from: &str, to: &str, begin: usize) {
        if let Some(known) = self.types.remove(from) {
            self.types.insert(to.to_owned(), known);
        }
        let block = self.blocks.last_mut().into_iter().flatten();
        block.skip(begin).for_each(|statement| rename::statement(statement, from, to));
    }

    /// Gives what a statement of the innermost block computes another name, which what it is the value of has from then on.
    pub fn renamed_everywhere(&mut self, from: &str, to: &str) {
        self.replace(from, to, 0);
        let other = |symbol: &str| statements::renamed(symbol, from, to);
        self.scopes.iter_mut().flat_map(HashMap::values_mut).for_each(|value| value.rename(&other));
        self.rename_bounds(&other);
    }
}

/// What is to be said of a node, by its name, or by what it gives where it has none.
fn problem(proto: &NodeProto, reason: String) -> Problem {
    Problem { node: Some(name_of(proto)), operator: Some(operator_of(proto)), reason }
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
