//! Random graphs that a rule's pattern matches, and that compute something: shapes, types and parameters are as ops want them.

use super::climb::climb;
use super::{Hints, Matching, Random, nodes};
use crate::apply::plan::{CONST_OP, SHAPE_OP};
use crate::apply::{Elements, Encoding, Environment, OutputDef};
use crate::dialect::{operation_name, qualified_name};
use crate::direct::{Node, NodeId, Output, PlainGraph};
use crate::generated::definitions;
use crate::grammar::model::{DType, Expr, ExprKind, MatchOp, MatchOperand, Reduction, ReplacementKind, Rule};
use crate::grammar::vocabulary::DEFAULT_PACKAGE;
use std::collections::HashMap;

mod wanted;

use wanted::{Wanted, wanted};

/// The most elements of a tensor.
const MOST_ELEMENTS: u64 = 1 << 14;

/// The first op of a match that is none of the dialect's.
pub fn unknown_op(pattern: &MatchOp, package: &str) -> Option<String> {
    let name = pattern.name.qualified(package);
    if !is_known(&operation_name(&name)) {
        return Some(name);
    }
    pattern.operands.iter().find_map(|operand| match operand {
        MatchOperand::Op(op) => unknown_op(op, package),
        MatchOperand::Tag(..) => None,
    })
}

/// An op of a graph that is none of the dialect's.
pub fn unknown_made(graph: &PlainGraph) -> Option<String> {
    let mut ops = graph.order().iter().filter_map(|id| graph.node(*id).op.clone());
    ops.find(|op| !is_known(&operation_name(op))).map(|op| qualified_name(&op))
}

fn is_known(operation: &str) -> bool {
    definitions::ALL.iter().any(|known| known.name == operation)
}

/// A graph that takes and gives 32-bit floats; `None` where the match asks for what no graph of known ops has.
/// `takes_first` tells which side of what its replacement chooses between the rule is to take.
pub fn valid_graph(
    rule: &Rule,
    environment: &Environment,
    takes_first: Option<bool>,
    random: &mut Random,
) -> Option<PlainGraph> {
    let chosen = takes_first.map(|first| choosing(rule, first));
    let rule = chosen.as_ref().unwrap_or(rule);
    let hints = Hints::of(rule);
    let (graph, tags) = (PlainGraph::default(), HashMap::new());
    let mut maker = Maker { graph, tags, rule, hints: &hints, random };
    let dims = maker.any_dims();
    let encoding = maker.any_encoding();
    let root = maker.op(&rule.pattern, OutputDef { dims, encoding })?;
    let Maker { graph, tags, random, .. } = maker;
    let mut matching = Matching { graph, root, tags };
    if random.below(2) == 0 {
        let free = nodes::inputs(&matching.graph);
        climb(&mut matching, rule, environment, &hints, random);
        widen(&mut matching, &free, (rule, environment), random);
    }
    let Matching { mut graph, root, .. } = matching;
    let output = nodes::output(&graph, root)?.clone();
    let last = as_float(&mut graph, root, &output);
    graph.outputs.push(last);
    floats_only(&mut graph);
    let fits = |output: &OutputDef| output.dims.iter().product::<u64>() <= MOST_ELEMENTS;
    graph.order().iter().all(|id| graph.node(*id).outputs.iter().all(fits)).then_some(graph)
}

/// A rule that wants all conditions that its replacement chooses by to hold, or to fail.
fn choosing(rule: &Rule, first: bool) -> Rule {
    let mut conditions = vec![rule.constraint.clone()];
    let mut pending = vec![&rule.replacement];
    while let Some(part) = pending.pop() {
        if let ReplacementKind::Select(condition, ..) = &part.kind {
            let not = || Expr { kind: ExprKind::Not(condition.clone()), ..(**condition).clone() };
            conditions.push(if first { (**condition).clone() } else { not() });
        }
        pending.extend(part.kind.parts());
    }
    let kind = ExprKind::Reduce(Reduction::And, conditions);
    Rule { constraint: Expr { kind, ..rule.constraint.clone() }, ..rule.clone() }
}

/// Gives some constants of one element, that tensors have become, several along the last dimension: conditions often look at the
/// first one only.
fn widen(
    matching: &mut Matching<'_>,
    free: &[NodeId],
    (rule, environment): (&Rule, &Environment),
    random: &mut Random,
) {
    let depth = nodes::output(&matching.graph, matching.root).and_then(|root| root.dims.last().copied());
    let depth = depth.filter(|depth| (2..=MOST_ELEMENTS).contains(depth));
    let Some(depth) = depth.and_then(|depth| usize::try_from(depth).ok()) else { return };
    for id in free.iter().copied() {
        let node = matching.graph.node(id);
        let has_one = node.elements.is_some() && node.outputs[0].dims.iter().product::<u64>() == 1;
        if !has_one || random.below(2) == 0 {
            continue;
        }
        let before = matching.graph.clone();
        for index in 1..depth {
            nodes::set_element(&mut matching.graph, id.output(0), index as f64, random.below(9) as f64 - 4.0);
        }
        if !matching.condition_holds(rule, environment) {
            matching.graph = before;
        }
    }
}

fn qualified(op: &str) -> String {
    format!("{DEFAULT_PACKAGE}::{op}")
}

/// What a value stands for.
fn as_float(graph: &mut PlainGraph, of: Output, output: &OutputDef) -> Output {
    let op = match output.encoding.dtype() {
        DType::Float32 | DType::Unknown => return of,
        dtype if dtype.is_quantized() => "Dequantize",
        _ => "Cast",
    };
    let real = OutputDef { dims: output.dims.clone(), encoding: Encoding::plain(DType::Float32) };
    graph.add(Node::new(Some(&qualified(op)), &[of], real, None)).output(0)
}

/// Gives the graph 32-bit floats in place of inputs of other types, and makes those of them.
fn floats_only(graph: &mut PlainGraph) {
    for id in graph.order().to_vec() {
        let node = graph.node(id);
        let output = node.outputs[0].clone();
        let op = match output.encoding.dtype() {
            _ if node.op.is_some() => continue,
            DType::Float32 | DType::Unknown => continue,
            dtype if dtype.is_quantized() => "Quantize",
            _ => "Cast",
        };
        let real = OutputDef { dims: output.dims.clone(), encoding: Encoding::plain(DType::Float32) };
        let input = graph.insert_before(id, Node::new(None, &[], real, None));
        let node = graph.node_mut(id);
        node.op = Some(qualified(op));
        node.inputs = vec![input.output(0)];
    }
}

struct Maker<'a, 'r> {
    graph: PlainGraph,
    tags: HashMap<&'a str, Output>,
    rule: &'a Rule,
    hints: &'r Hints,
    random: &'r mut Random,
}

impl<'a> Maker<'a, '_> {
    fn any_dims(&mut self) -> Vec<u64> {
        let rank = self.random.choose(&[4, 4, 4, 2, 3]).unwrap_or(4);
        (0..rank).map(|_| self.extent()).collect()
    }

    fn extent(&mut self) -> u64 {
        let hint = if self.random.below(4) == 0 { self.random.choose(&self.hints.extents) } else { None };
        hint.filter(|extent| *extent <= 512).or_else(|| self.random.choose(&[1, 2, 3, 4, 5, 6])).unwrap_or(1)
    }

    fn any_encoding(&mut self) -> Encoding {
        let quantized = [DType::QUInt8, DType::QInt8, DType::QInt16];
        let hint = self.random.choose(&self.hints.dtypes).filter(|_| self.random.below(2) == 0);
        let other = self.random.choose(&quantized).filter(|_| self.random.below(4) == 0);
        let dtype = hint.or(other).unwrap_or(DType::Float32);
        let zero = if dtype == DType::QUInt8 { 128 } else { 0 };
        Encoding::new(dtype, zero, 0.0625)
    }

    fn op(&mut self, pattern: &'a MatchOp, output: OutputDef) -> Option<Output> {
        let name = pattern.name.qualified(&self.rule.package);
        let bare = name.strip_prefix(DEFAULT_PACKAGE)?.strip_prefix("::")?;
        let encoding = self.any_encoding();
        let (output, wanted) = wanted(bare, output, pattern.operands.len(), encoding, self.random)?;
        if wanted.len() < pattern.operands.len() || (!pattern.open && wanted.len() > pattern.operands.len()) {
            return None;
        }
        let mut inputs = Vec::with_capacity(wanted.len());
        let mut operands = pattern.operands.iter();
        for wanted in wanted {
            inputs.push(match operands.next() {
                Some(MatchOperand::Tag(tag, _)) => self.tag(tag, wanted)?,
                Some(MatchOperand::Op(inner)) => self.inner(inner, wanted)?,
                None => self.leaf(wanted),
            });
        }
        let node = self.graph.add(Node::new(Some(&name), &inputs, output, None)).output(0);
        if let Some(tag) = &pattern.tag {
            self.tags.insert(tag, node);
        }
        Some(node)
    }

    /// An op in the place of an operand.
    fn inner(&mut self, inner: &'a MatchOp, wanted: Wanted) -> Option<Output> {
        let bound = inner.tag.as_ref().and_then(|tag| self.tags.get(tag.as_str()).copied());
        match wanted {
            _ if bound.is_some() => bound,
            Wanted::Tensor(output) => self.op(inner, output),
            _ => None,
        }
    }

    fn tag(&mut self, tag: &'a str, wanted: Wanted) -> Option<Output> {
        if let Some(bound) = self.tags.get(tag).copied() {
            let fits = |output: &OutputDef| matches!(&wanted, Wanted::Tensor(wanted) if wanted == output);
            return nodes::output(&self.graph, bound).is_some_and(fits).then_some(bound);
        }
        let named = super::named(&self.rule.pattern, tag);
        let node = match named {
            Some(inner) => self.inner(inner, wanted)?,
            None => self.leaf(wanted),
        };
        self.tags.insert(tag, node);
        Some(node)
    }

    fn leaf(&mut self, wanted: Wanted) -> Output {
        let node = match wanted {
            Wanted::Tensor(output) => Node::new(None, &[], output, None),
            Wanted::Shape(dims) => {
                let output = OutputDef { dims, encoding: Encoding::plain(DType::Int32) };
                Node::new(Some(SHAPE_OP), &[], output, None)
            }
            Wanted::Ints(values, dims) => {
                let output = OutputDef { dims, encoding: Encoding::plain(DType::Int32) };
                Node::new(Some(CONST_OP), &[], output, Some(Elements::Ints(values)))
            }
            Wanted::Real(value, rank) => {
                let output = OutputDef { dims: vec![1; rank], encoding: Encoding::plain(DType::Float32) };
                Node::new(Some(CONST_OP), &[], output, Some(Elements::Reals(vec![value])))
            }
        };
        self.graph.add(node).output(0)
    }
}
