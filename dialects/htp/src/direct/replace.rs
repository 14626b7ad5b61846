//! Matching and replacing, straight from the definition.

use super::graph::{Node, NodeId, PlainGraph};
use crate::apply::plan::{CONST_OP, SHAPE_OP, shape_output};
use crate::apply::{Bindings, Elements, Encoding, Evaluation, Graph, Options, OutputDef, Scalar};
use crate::grammar::model::*;
use std::collections::BTreeMap;

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Sweeps over the graph in one pass.
    pub sweeps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { sweeps: 100 }
    }
}

/// Rules that still apply at the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotEnding {
    /// Indices of the rules.
    pub rules: Vec<usize>,
}

/// Applies the rules, pass by pass; returns how often each was applied.
pub fn run(
    graph: &mut PlainGraph,
    rules: &[Rule],
    package: &str,
    options: &Options,
    limits: Limits,
) -> Result<BTreeMap<usize, usize>, NotEnding> {
    let mut passes: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, rule) in rules.iter().enumerate() {
        passes.entry(rule.pass.number).or_default().push(index);
    }
    let mut counts = BTreeMap::new();
    clean(graph);
    for members in passes.values() {
        let mut sweeps = 0;
        loop {
            let applied = sweep(graph, rules, members, package, options);
            if applied.is_empty() {
                break;
            }
            sweeps += 1;
            graph.remove_dead();
            if sweeps > limits.sweeps {
                return Err(NotEnding { rules: applied });
            }
            for rule in applied {
                *counts.entry(rule).or_default() += 1;
            }
        }
        clean(graph);
    }
    Ok(counts)
}

fn clean(graph: &mut PlainGraph) {
    graph.remove_dead();
    graph.merge_common();
}

/// Tries the rules at each node that is there at the start, in order; returns those that were applied.
fn sweep(graph: &mut PlainGraph, rules: &[Rule], members: &[usize], package: &str, options: &Options) -> Vec<usize> {
    let mut applied = Vec::new();
    for root in graph.order().to_vec() {
        let found = members.iter().find(|index| replace_at(graph, &rules[**index], root, package, options));
        applied.extend(found);
    }
    applied
}

fn replace_at(graph: &mut PlainGraph, rule: &Rule, root: NodeId, package: &str, options: &Options) -> bool {
    let mut tags = Vec::new();
    if !matches(graph, &rule.pattern, root, package, &mut tags) {
        return false;
    }
    let bindings = Bindings { root, tags };
    if !(Evaluation { graph, bindings: &bindings, options }).holds(&rule.constraint) {
        return false;
    }
    let output = graph.node(root).output.clone();
    // Built in a copy: a replacement that turns out to be undefined leaves nothing behind.
    let mut changed = graph.clone();
    let mut builder = Builder { graph: &mut changed, bindings: &bindings, options, package };
    match builder.build(&rule.replacement, &output) {
        Some(new) if new != root && changed.node(new).output == output => {
            changed.replace(root, new);
            *graph = changed;
            true
        }
        _ => false,
    }
}

fn matches<'r>(
    graph: &PlainGraph,
    pattern: &'r MatchOp,
    at: NodeId,
    package: &str,
    tags: &mut Vec<(&'r str, NodeId)>,
) -> bool {
    let node = graph.node(at);
    let count = pattern.operands.len();
    let fits = if pattern.open { node.inputs.len() >= count } else { node.inputs.len() == count };
    if node.op.as_deref() != Some(pattern.name.qualified(package).as_str()) || !fits {
        return false;
    }
    if pattern.tag.as_ref().is_some_and(|tag| !bind(tags, tag, at)) {
        return false;
    }
    let inputs = node.inputs.iter().copied();
    pattern.operands.iter().zip(inputs).all(|(operand, input)| match operand {
        MatchOperand::Tag(tag, _) => bind(tags, tag, input),
        MatchOperand::Op(op) => matches(graph, op, input, package, tags),
    })
}

/// Binds a tag, or compares with what it is bound to.
fn bind<'r>(tags: &mut Vec<(&'r str, NodeId)>, tag: &'r str, node: NodeId) -> bool {
    match tags.iter().find(|(bound, _)| *bound == tag) {
        Some((_, bound)) => *bound == node,
        None => {
            tags.push((tag, node));
            true
        }
    }
}

struct Builder<'a> {
    graph: &'a mut PlainGraph,
    bindings: &'a Bindings<'a, NodeId>,
    options: &'a Options,
    package: &'a str,
}

impl Builder<'_> {
    fn evaluate(&self, expr: &Expr) -> Option<Scalar> {
        Evaluation { graph: &*self.graph, bindings: self.bindings, options: self.options }.evaluate(expr)
    }

    fn operand(&self, operand: &OperandRef) -> Option<NodeId> {
        Evaluation { graph: &*self.graph, bindings: self.bindings, options: self.options }.operand(operand)
    }

    fn whole(&self, expr: &Expr) -> Option<i64> {
        match self.evaluate(expr)? {
            Scalar::Int(value) => Some(value.into()),
            Scalar::Size(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    fn add(&mut self, op: &str, inputs: Vec<NodeId>, output: OutputDef, elements: Option<Elements>) -> NodeId {
        self.graph.insert_before(self.bindings.root, Node { op: Some(op.to_owned()), inputs, output, elements })
    }

    fn build(&mut self, part: &Replacement, output: &OutputDef) -> Option<NodeId> {
        match &part.kind {
            ReplacementKind::Existing(operand) => self.operand(operand),
            ReplacementKind::Op(name, operands) => {
                let inputs = operands.iter().map(|o| self.build(o, output)).collect::<Option<Vec<_>>>()?;
                Some(self.add(&name.qualified(self.package), inputs, output.clone(), None))
            }
            ReplacementKind::Wrap(name, inner, always) => {
                let inner = self.build(inner, output)?;
                let name = name.qualified(self.package);
                if !always && self.graph.is_op(inner, &name) {
                    return Some(inner);
                }
                let output = self.graph.node(inner).output.clone();
                Some(self.add(&name, vec![inner], output, None))
            }
            ReplacementKind::Constant(constant) => self.constant(constant),
            ReplacementKind::Modified(modifier, body) => {
                let output = self.modified(modifier, output)?;
                self.build(body, &output)
            }
            ReplacementKind::Select(condition, first, second) => {
                let holds = self.evaluate(condition)? == Scalar::Bool(true);
                self.build(if holds { first } else { second }, output)
            }
            _ => None,
        }
    }

    fn modified(&mut self, modifier: &Modifier, outer: &OutputDef) -> Option<OutputDef> {
        let mut output = outer.clone();
        match modifier {
            Modifier::Size(shape) => {
                let shape = self.build(shape, outer)?;
                output.dims = self.graph.node(shape).output.dims.clone();
            }
            Modifier::Type(operand) => output.encoding = self.graph.node(self.operand(operand)?).output.encoding,
            Modifier::SameOutput(operand) => output = self.graph.node(self.operand(operand)?).output.clone(),
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let Scalar::DType(dtype) = self.evaluate(dtype)? else { return None };
                let Scalar::Int(zero_offset) = self.evaluate(zero_offset)? else { return None };
                let Scalar::Float(step_size) = self.evaluate(step_size)? else { return None };
                output.encoding = Encoding { dtype, zero_offset, step_size };
            }
            Modifier::ResizeDim(dimension, extent) => {
                let dimension = usize::try_from(self.whole(dimension)?).ok()?;
                let extent = u64::try_from(self.whole(extent)?).ok()?;
                *output.dims.get_mut(dimension)? = extent;
            }
            // A plain graph has no ids.
            Modifier::SameId(operand) => {
                self.operand(operand)?;
            }
            Modifier::MultiOut(_) | Modifier::SplitHistory(..) => return None,
        }
        Some(output)
    }

    fn constant(&mut self, constant: &ConstantBuilder) -> Option<NodeId> {
        let elements = match constant {
            ConstantBuilder::Shape(extents) => {
                let dims = extents.iter().map(|e| u64::try_from(self.whole(e)?).ok()).collect::<Option<_>>()?;
                return Some(self.add(SHAPE_OP, Vec::new(), shape_output(dims), None));
            }
            ConstantBuilder::ShapeOf(operand) => {
                let dims = self.graph.node(self.operand(operand)?).output.dims.clone();
                return Some(self.add(SHAPE_OP, Vec::new(), shape_output(dims), None));
            }
            ConstantBuilder::ScalarFloat(value) => Elements::Reals(vec![self.real(value)?]),
            ConstantBuilder::ScalarInt(value) => Elements::Ints(vec![self.int(value)?]),
            ConstantBuilder::FilledFloat(value, count) => Elements::Reals(vec![self.real(value)?; self.count(count)?]),
            ConstantBuilder::FilledInt(value, count) => Elements::Ints(vec![self.int(value)?; self.count(count)?]),
            ConstantBuilder::Ints(values) => Elements::Ints(values.iter().map(|v| self.int(v)).collect::<Option<_>>()?),
        };
        let (count, dtype) = match &elements {
            Elements::Ints(values) => (values.len(), DType::Int32),
            Elements::Reals(values) => (values.len(), DType::Float32),
        };
        let output = OutputDef { dims: vec![1, 1, 1, count as u64], encoding: Encoding::plain(dtype) };
        Some(self.add(CONST_OP, Vec::new(), output, Some(elements)))
    }

    fn real(&self, expr: &Expr) -> Option<f64> {
        match self.evaluate(expr)?.convert(Type::Float)? {
            Scalar::Float(value) => Some(value.into()),
            _ => None,
        }
    }

    fn int(&self, expr: &Expr) -> Option<i64> {
        match self.evaluate(expr)?.convert(Type::Int)? {
            Scalar::Int(value) => Some(value.into()),
            _ => None,
        }
    }

    fn count(&self, expr: &Expr) -> Option<usize> {
        self.whole(expr).filter(|count| (1..=1 << 20).contains(count)).and_then(|count| usize::try_from(count).ok())
    }
}
