//! Replacements built in the graph as they are read.

use super::facts::{Facts, Match};
use super::graph::{Computation, Node, NodeId, Output, PlainGraph};
use super::values::Value;
use crate::apply::plan::{CONST_OP, MAX_ELEMENTS, MAX_OUTPUTS, MAX_PARTS, OUT_OP, SHAPE_OP};
use crate::apply::{Argument, Elements, Encoding, Environment, Identity, NewSource, OutputDef, Scope, Subject};
use crate::grammar::model::*;
use std::collections::{HashMap, HashSet};

/// What an op gets from what is around it.
#[derive(Clone)]
pub(super) struct Around {
    pub output: OutputDef,
    pub outputs: usize,
    pub identity: Identity,
    /// What is split: the extents before any split, unless a modifier within has given others.
    pub unsplit: Option<Vec<u64>>,
}

pub(super) struct Builder<'a> {
    pub graph: &'a mut PlainGraph,
    pub found: &'a Match<'a>,
    environment: &'a Environment,
    package: &'a str,
    pub scopes: Vec<Scope>,
    /// Shapes, constants and slices made so far: each is there once.
    made: HashMap<Computation, NodeId>,
    /// How many nodes there were: those behind are new.
    before: usize,
    /// Parts that were built.
    parts: usize,
}

impl<'a> Builder<'a> {
    pub fn new(
        graph: &'a mut PlainGraph,
        found: &'a Match<'a>,
        environment: &'a Environment,
        package: &'a str,
    ) -> Self {
        let before = graph.ever();
        Builder { graph, found, environment, package, scopes: Vec::new(), made: HashMap::new(), before, parts: 0 }
    }

    pub fn whole(&mut self, replacement: &Replacement, output: &OutputDef) -> Option<Output> {
        let identity = self.graph.node(self.found.root.node).identity.clone();
        self.build(replacement, &Around { output: output.clone(), outputs: 1, identity, unsplit: None })
    }

    fn facts(&self) -> Facts<'_> {
        Facts { graph: self.graph, found: self.found, environment: self.environment, scopes: &self.scopes }
    }

    pub fn value(&self, expr: &Expr) -> Option<Value> {
        self.facts().value(expr)
    }

    pub fn operand(&self, operand: &OperandRef) -> Option<Output> {
        self.facts().operand(operand)
    }

    pub fn whole_number(&self, expr: &Expr) -> Option<i64> {
        i64::try_from(self.facts().whole(expr)?).ok()
    }

    pub fn output_def(&self, output: Output) -> OutputDef {
        self.graph.node(output.node).outputs[output.index].clone()
    }

    /// Whether tensors can be what all new nodes that an output needs say.
    pub fn is_valid(&self, output: Output) -> bool {
        let (mut pending, mut seen) = (vec![output.node], HashSet::new());
        while let Some(id) = pending.pop() {
            if id.0 >= self.before && seen.insert(id) {
                let node = self.graph.node(id);
                if !node.outputs.iter().all(OutputDef::is_valid) {
                    return false;
                }
                pending.extend(node.inputs.iter().map(|input| input.node));
            }
        }
        true
    }

    pub fn scope(&self, tag: &str) -> Option<Scope> {
        self.scopes.iter().rev().find(|scope| scope.tag == tag).cloned()
    }

    /// A new op, its name given with package.
    pub fn add(&mut self, op: &str, inputs: Vec<Output>, around: &Around) -> Output {
        let Around { output, outputs, identity, .. } = around.clone();
        let op = Some(op.to_owned());
        let node = Node { op, inputs, outputs: vec![output; outputs], elements: None, identity };
        self.graph.insert_before(self.found.root.node, node).output(0)
    }

    /// What the framework makes, once.
    pub fn add_once(&mut self, op: &str, inputs: &[Output], output: OutputDef, elements: Option<Elements>) -> Output {
        let node = Node::new(Some(op), inputs, output, elements);
        let graph = &mut *self.graph;
        let made = self.made.entry(node.computation());
        made.or_insert_with(|| graph.insert_before(self.found.root.node, node)).output(0)
    }

    fn begin_part(&mut self) -> Option<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS { None } else { self.environment.work.take() }
    }

    pub fn build(&mut self, part: &Replacement, around: &Around) -> Option<Output> {
        self.begin_part()?;
        match &part.kind {
            ReplacementKind::Existing(operand) => self.operand(operand),
            ReplacementKind::Op(name, operands) => {
                let inputs = self.inputs(operands, around)?;
                if let (OUT_OP, [of, which]) = (name.text.as_str(), &inputs[..]) {
                    let [0, 0, count, index] = self.output_def(*which).dims[..] else { return None };
                    return self.take_output(*of, usize::try_from(count).ok()?, usize::try_from(index).ok()?, around);
                }
                Some(self.add(&name.qualified(self.package), inputs, around))
            }
            ReplacementKind::MultiOut(count, index, name, operands) => {
                let (count, index) = (self.count_of(count, MAX_OUTPUTS)?, self.whole_number(index)?);
                let inputs = self.inputs(operands, around)?;
                let several = Around { outputs: count, ..around.clone() };
                let of = self.add(&name.qualified(self.package), inputs, &several);
                self.take_output(of, count, usize::try_from(index).ok()?, around)
            }
            ReplacementKind::Wrap(name, inner, always) => {
                let inner = self.build(inner, around)?;
                let name = name.qualified(self.package);
                if !always && self.graph.node(inner.node).op.as_ref() == Some(&name) {
                    return Some(inner);
                }
                let output = self.output_def(inner);
                Some(self.add(&name, vec![inner], &Around { output, outputs: 1, ..around.clone() }))
            }
            ReplacementKind::Constant(constant) => self.constant(constant),
            ReplacementKind::Modified(modifier, body) => {
                let around = self.modified(modifier, around)?;
                self.build(body, &around)
            }
            ReplacementKind::Select(condition, first, second) => {
                let holds = self.facts().truth(condition)?;
                self.build(if holds { first } else { second }, around)
            }
            ReplacementKind::AutoSplit(dimension, tag, size, body) => self.split(dimension, tag, size, body, around),
            ReplacementKind::Iterate(base, tag, low, high, body) => self.iterate(base, tag, low, high, body, around),
            ReplacementKind::IterInput(operand, tag) => {
                let step = self.scope(tag)?.start;
                let of = self.operand(operand)?;
                self.graph.node(of.node).inputs.get(usize::try_from(step).ok()?).copied()
            }
            ReplacementKind::Slice(operand, start, size) => {
                let operand = self.sliced(operand, around)?;
                let (start, size) = (self.build(start, around)?, self.build(size, around)?);
                self.slice(operand, start, size)
            }
            ReplacementKind::TypicalSlice(operand, tag, dimension) => {
                self.typical_slice(operand, tag, dimension.as_deref(), around)
            }
            ReplacementKind::ShapeFunction(function, tag, operands) => {
                self.called(function, tag.as_deref(), operands, around)
            }
            ReplacementKind::ExternalReplace(function) => self.external(function, around),
        }
    }

    fn inputs(&mut self, operands: &[Replacement], around: &Around) -> Option<Vec<Output>> {
        let around = Around { outputs: 1, ..around.clone() };
        operands.iter().map(|operand| self.build(operand, &around)).collect()
    }

    /// An output of an op that has `count` of them; that of a new op has the definition that is wanted here.
    fn take_output(&mut self, of: Output, count: usize, index: usize, around: &Around) -> Option<Output> {
        let is_new = of.node.0 >= self.before;
        let outputs = &mut self.graph.node_mut(of.node).outputs;
        if outputs.len() != count || index >= count {
            return None;
        }
        if is_new {
            outputs[index] = around.output.clone();
        }
        Some(of.node.output(index))
    }

    fn constant(&mut self, constant: &ConstantBuilder) -> Option<Output> {
        let elements = match constant {
            ConstantBuilder::Shape(extents) => {
                let dims = extents.iter().map(|e| u64::try_from(self.whole_number(e)?).ok()).collect::<Option<_>>()?;
                return Some(self.shape(dims));
            }
            ConstantBuilder::ShapeOf(operand) => {
                let dims = self.output_def(self.operand(operand)?).dims;
                return Some(self.shape(dims));
            }
            ConstantBuilder::ScalarFloat(value) => Elements::Reals(vec![self.real(value)?]),
            ConstantBuilder::ScalarInt(value) => Elements::Ints(vec![self.int(value)?]),
            ConstantBuilder::FilledFloat(value, count) => {
                Elements::Reals(vec![self.real(value)?; self.count_of(count, MAX_ELEMENTS)?])
            }
            ConstantBuilder::FilledInt(value, count) => {
                Elements::Ints(vec![self.int(value)?; self.count_of(count, MAX_ELEMENTS)?])
            }
            ConstantBuilder::Ints(values) => Elements::Ints(values.iter().map(|v| self.int(v)).collect::<Option<_>>()?),
        };
        Some(self.array(elements))
    }

    pub fn shape(&mut self, dims: Vec<u64>) -> Output {
        self.add_once(SHAPE_OP, &[], OutputDef { dims, encoding: Encoding::plain(DType::Int32) }, None)
    }

    pub fn array(&mut self, elements: Elements) -> Output {
        let (count, dtype) = match &elements {
            Elements::Ints(values) => (values.len(), DType::Int32),
            Elements::Reals(values) => (values.len(), DType::Float32),
        };
        let output = OutputDef { dims: vec![1, 1, 1, count as u64], encoding: Encoding::plain(dtype) };
        self.add_once(CONST_OP, &[], output, Some(elements))
    }

    fn real(&self, expr: &Expr) -> Option<f64> {
        match self.value(expr)?.cast(Type::Float)? {
            Value::Real(value) => Some(value.into()),
            _ => None,
        }
    }

    fn int(&self, expr: &Expr) -> Option<i64> {
        i64::try_from(self.value(expr)?.cast(Type::Int)?.whole()?).ok()
    }

    pub fn count_of(&self, expr: &Expr, most: i64) -> Option<usize> {
        self.whole_number(expr).filter(|count| (1..=most).contains(count)).and_then(|count| usize::try_from(count).ok())
    }

    fn called(
        &mut self,
        function: &str,
        tag: Option<&str>,
        operands: &[ApplyOperand],
        around: &Around,
    ) -> Option<Output> {
        let mut arguments = Vec::new();
        for operand in operands {
            arguments.push(match operand {
                ApplyOperand::Scalar(expr) => Argument::Scalar(self.value(expr)?.scalar()),
                ApplyOperand::Node(node) => {
                    let node = self.build(node, around)?;
                    self.argument(node)
                }
            });
        }
        let scope = match tag {
            Some(tag) => Some(self.scope(tag)?),
            None => None,
        };
        let dims = self.environment.functions.shape_of(function, scope.as_ref(), &arguments)?;
        Some(self.shape(dims))
    }

    fn argument(&self, output: Output) -> Argument {
        Argument::Node(self.output_def(output), self.graph.node(output.node).elements.clone())
    }

    fn external(&mut self, function: &str, around: &Around) -> Option<Output> {
        let root = self.graph.node(self.found.root.node).clone();
        let arguments = root.inputs.iter().map(|input| self.argument(*input)).collect();
        let subject = Subject { op: root.op?, output: self.output_def(self.found.root), inputs: arguments };
        let made = self.environment.functions.replacement(function, &subject)?;
        let mut outputs: Vec<Output> = Vec::new();
        let find = |outputs: &[Output], source: NewSource| match source {
            NewSource::Input(index) => root.inputs.get(index).copied(),
            NewSource::Node(index) => outputs.get(index).copied(),
        };
        for node in made.nodes {
            self.begin_part()?;
            let inputs = node.inputs.iter().map(|input| find(&outputs, *input)).collect::<Option<Vec<_>>>()?;
            let name = qualified(&node.op, self.package);
            outputs.push(match node.elements {
                Some(elements) => self.add_once(&name, &inputs, node.output, Some(elements)),
                None => self.add(&name, inputs, &Around { output: node.output, ..around.clone() }),
            });
        }
        find(&outputs, made.result)
    }
}
