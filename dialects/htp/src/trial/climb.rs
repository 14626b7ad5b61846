//! Changes a graph, step by step, until a rule's condition holds on it: conditions that few random graphs meet are met all the
//! same.

use super::solve::{Solver, nearness};
use super::{Matching, Random, nodes};
use crate::apply::{Channels, Encoding, Environment, Evaluation, plan_replacement};
use crate::direct::{NodeId, PlainGraph};
use crate::grammar::model::{DType, Expr, ExprKind, Property, Reduction, Rule};
use crate::trial::hints::Hints;
use strum::VariantArray;

/// Changes that are tried on one graph.
const STEPS: usize = 200;

/// Indices that have steps of their own, at most.
const MOST_CHANNELS: usize = 64;

/// Changes a graph until the condition holds, or nothing has helped for long.
pub fn climb(matching: &mut Matching<'_>, rule: &Rule, environment: &Environment, hints: &Hints, random: &mut Random) {
    let mut best = score(matching, rule, environment);
    for _ in 0..STEPS {
        if best >= 1.0 || environment.work.is_over() {
            return;
        }
        let before = matching.graph.clone();
        if random.below(3) == 0 {
            change(matching, hints, random);
        } else {
            solve(matching, rule, environment, random);
        }
        let reached = score(matching, rule, environment);
        if reached >= best {
            best = reached;
        } else {
            matching.graph = before;
        }
    }
}

/// How far a rule applies: 1 where its condition holds and its replacement is defined.
fn score(matching: &Matching<'_>, rule: &Rule, environment: &Environment) -> f64 {
    let bindings = matching.bindings(rule);
    let met = of_condition(&Evaluation::new(&matching.graph, &bindings, environment), &rule.constraint);
    let is_defined =
        || plan_replacement(&rule.replacement, &rule.package, &matching.graph, &bindings, environment).is_some();
    if met >= 1.0 && is_defined() { 1.0 } else { 0.9 * met }
}

/// How far a condition is met: 1 where it holds.
fn of_condition(evaluation: &Evaluation<'_, PlainGraph>, condition: &Expr) -> f64 {
    let each = |operands: &[Expr]| operands.iter().map(|operand| of_condition(evaluation, operand)).collect::<Vec<_>>();
    match &condition.kind {
        ExprKind::Reduce(Reduction::And, operands) => each(operands).iter().sum::<f64>() / operands.len() as f64,
        ExprKind::Reduce(Reduction::Or, operands) => each(operands).into_iter().fold(0.0, f64::max),
        ExprKind::Compare(comparison, first, second) => {
            nearness(*comparison, evaluation.evaluate(first), evaluation.evaluate(second))
        }
        _ => f64::from(u8::from(evaluation.holds(condition))),
    }
}

fn solve(matching: &mut Matching<'_>, rule: &Rule, environment: &Environment, random: &mut Random) {
    let bindings = matching.bindings(rule);
    let mut solver = Solver { graph: &mut matching.graph, bindings: &bindings, environment, random };
    solver.make(&rule.constraint, true);
    if solver.random.below(2) == 0 {
        solver.fit(&rule.replacement, &mut Vec::new());
        solver.take_root(&rule.replacement);
    }
}

/// Changes something of a node: extents, type, quantization, elements.
fn change(matching: &mut Matching<'_>, hints: &Hints, random: &mut Random) {
    let graph = &mut matching.graph;
    let ids = graph.order().to_vec();
    let (Some(id), Some(other)) = (random.choose(&ids), random.choose(&ids)) else { return };
    let (of, other) = (id.output(0), other.output(0));
    match random.below(10) {
        0 | 1 => {
            let known = random.choose(&hints.extents).unwrap_or(1);
            let extent = random.choose(&[known, known, 1, 2, 3, 4, 8, 32, 64, 128, 256, 1024]).unwrap_or(1);
            nodes::set_extent(graph, of, random.below(4) as f64, extent as f64);
        }
        2 => copy_dims(graph, id, other.node),
        3 => {
            let rank = random.choose(&[4, 4, 1, 2, 3, 5]).unwrap_or(4);
            nodes::set_property(graph, of, Property::Rank, f64::from(rank));
        }
        4 | 5 => change_type(graph, id, hints, random),
        6 => copy_output(graph, id, other.node),
        // What was there takes the root's place only where it is like the root.
        7 => copy_output(graph, id, matching.root.node),
        // Strides and windows of 1 fit everywhere.
        8 => nodes::set_dims(graph, of, vec![1; 4]),
        _ => {
            let known = random.choose(&hints.numbers).unwrap_or(0.0);
            let value = random.choose(&[known, known, 0.0, 1.0, -1.0, 2.0]).unwrap_or(0.0);
            nodes::set_element(graph, of, random.below(4) as f64, value);
        }
    }
}

fn copy_dims(graph: &mut PlainGraph, to: NodeId, from: NodeId) {
    let dims = graph.node(from).outputs[0].dims.clone();
    nodes::set_dims(graph, to.output(0), dims);
}

fn copy_output(graph: &mut PlainGraph, to: NodeId, from: NodeId) {
    let encoding = graph.node(from).outputs[0].encoding.clone();
    copy_dims(graph, to, from);
    nodes::set_encoding(graph, to.output(0), encoding);
}

fn change_type(graph: &mut PlainGraph, id: NodeId, hints: &Hints, random: &mut Random) {
    let any = random.choose(&DType::VARIANTS[1..]).unwrap_or(DType::Float32);
    let dtype = random.choose(&hints.dtypes).filter(|_| random.below(2) == 0).unwrap_or(any);
    let known = random.choose(&hints.numbers).unwrap_or(0.0);
    let steps = [0.5, 1.0, 0.25, 1.0 / 256.0, 1.0 / 65536.0, known.abs().max(f64::from(f32::MIN_POSITIVE))];
    let step = random.choose(&steps).unwrap_or(0.5);
    let zero = random.choose(&[0, 0, 128, known as i32]).unwrap_or(0);
    let (zero, step) = (zero.clamp(0, 127), step as f32);
    let encoding = match random.below(8) {
        0 => {
            Encoding::of_integers(4, random.below(2) == 0, random.below(2) == 0).map(|of| of.with_step(zero % 8, step))
        }
        1 => per_channel(Encoding::new(dtype, zero, step), &graph.node(id).outputs[0].dims, random),
        _ => None,
    };
    nodes::set_encoding(graph, id.output(0), encoding.unwrap_or(Encoding::new(dtype, zero, step)));
}

/// With steps of their own for the indices of a dimension.
fn per_channel(encoding: Encoding, dims: &[u64], random: &mut Random) -> Option<Encoding> {
    let axis = random.below(dims.len().max(1));
    let count =
        dims.get(axis).and_then(|extent| usize::try_from(*extent).ok()).filter(|count| *count <= MOST_CHANNELS)?;
    let (zero, step) = encoding.zero_offset().zip(encoding.step_size()).filter(|_| encoding.dtype().is_quantized())?;
    let each = (0..count).map(|index| (zero, step * (1 + index % 3) as f32)).collect();
    Some(encoding.with_channels(Channels { axis, each }))
}
