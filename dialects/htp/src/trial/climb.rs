//! Changes a graph, step by step, until a rule's condition holds on it: conditions that few random graphs meet are met all the
//! same.

use super::{Matching, Random};
use crate::apply::plan::{CONST_OP, SHAPE_OP};
use crate::apply::{Elements, Encoding, Environment, Evaluation, Scalar, plan_replacement};
use crate::direct::{NodeId, PlainGraph};
use crate::grammar::model::{DType, Expr, ExprKind, Reduction, Rule};
use crate::trial::hints::Hints;
use strum::VariantArray;

/// Changes that are tried on one graph.
const STEPS: usize = 200;

/// Changes a graph until the condition holds, or nothing has helped for long.
pub fn climb(matching: &mut Matching<'_>, rule: &Rule, environment: &Environment, hints: &Hints, random: &mut Random) {
    let mut best = score(matching, rule, environment);
    for _ in 0..STEPS {
        if best >= 1.0 || environment.work.is_over() {
            return;
        }
        let before = matching.graph.clone();
        change(&mut matching.graph, hints, random);
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
        ExprKind::Compare(_, first, second) if !evaluation.holds(condition) => {
            match (evaluation.evaluate(first).and_then(real), evaluation.evaluate(second).and_then(real)) {
                // Nearer is better, but never as good as met.
                (Some(first), Some(second)) if first != second => 0.5 / (1.0 + (first - second).abs().ln_1p()),
                _ => 0.0,
            }
        }
        _ => f64::from(u8::from(evaluation.holds(condition))),
    }
}

fn real(value: Scalar) -> Option<f64> {
    match value {
        Scalar::Int(value) => Some(f64::from(value)),
        Scalar::Size(value) => Some(value as f64),
        Scalar::Float(value) => Some(f64::from(value)),
        Scalar::Bool(_) | Scalar::DType(_) => None,
    }
}

/// Changes something of a node: extents, type, quantization, elements.
fn change(graph: &mut PlainGraph, hints: &Hints, random: &mut Random) {
    let nodes = graph.order().to_vec();
    let (Some(id), Some(other)) = (random.choose(&nodes), random.choose(&nodes)) else { return };
    match random.below(8) {
        0 | 1 => change_extent(graph, id, hints, random),
        2 => {
            let dims = graph.node(other).outputs[0].dims.clone();
            set_dims(graph, id, dims);
        }
        3 => change_rank(graph, id, random),
        4 | 5 => change_type(graph, id, hints, random),
        6 => {
            let output = graph.node(other).outputs[0].clone();
            if has_any_type(graph, id) && graph.node(other).elements.is_none() {
                graph.node_mut(id).outputs[0] = output;
            }
        }
        _ => change_elements(graph, id, hints, random),
    }
}

/// Constants and shapes have types of their own.
fn has_any_type(graph: &PlainGraph, id: NodeId) -> bool {
    !matches!(graph.node(id).op.as_deref(), Some(CONST_OP | SHAPE_OP))
}

fn set_dims(graph: &mut PlainGraph, id: NodeId, dims: Vec<u64>) {
    if graph.node(id).elements.is_none() {
        graph.node_mut(id).outputs[0].dims = dims;
    }
}

fn change_extent(graph: &mut PlainGraph, id: NodeId, hints: &Hints, random: &mut Random) {
    let mut dims = graph.node(id).outputs[0].dims.clone();
    let known = random.choose(&hints.extents).unwrap_or(1);
    let value = random.choose(&[known, known, 1, 2, 3, 4, 8, 32, 64, 128, 256, 1024]).unwrap_or(1);
    let place = random.below(dims.len());
    if let Some(extent) = dims.get_mut(place) {
        *extent = value;
    }
    set_dims(graph, id, dims);
}

fn change_rank(graph: &mut PlainGraph, id: NodeId, random: &mut Random) {
    let mut dims = graph.node(id).outputs[0].dims.clone();
    let rank = random.choose(&[4, 4, 1, 2, 3, 5]).unwrap_or(4);
    dims.resize(rank, 1);
    set_dims(graph, id, dims);
}

fn change_type(graph: &mut PlainGraph, id: NodeId, hints: &Hints, random: &mut Random) {
    if !has_any_type(graph, id) {
        return;
    }
    let any = random.choose(&DType::VARIANTS[1..]).unwrap_or(DType::Float32);
    let dtype = random.choose(&hints.dtypes).filter(|_| random.below(2) == 0).unwrap_or(any);
    let known = random.choose(&hints.numbers).unwrap_or(0.0);
    let steps = [0.5, 1.0, 0.25, 1.0 / 256.0, 1.0 / 65536.0, known.abs().max(f64::from(f32::MIN_POSITIVE))];
    let step = random.choose(&steps).unwrap_or(0.5);
    let zero = random.choose(&[0, 0, 128, known as i32]).unwrap_or(0);
    graph.node_mut(id).outputs[0].encoding = Encoding::new(dtype, zero.clamp(0, 127), step as f32);
}

/// Makes an input of the graph a constant, or changes an element of one.
fn change_elements(graph: &mut PlainGraph, id: NodeId, hints: &Hints, random: &mut Random) {
    let node = graph.node(id);
    let is_constant = node.elements.is_some();
    if node.op.is_some() && !is_constant {
        return;
    }
    let known = random.choose(&hints.numbers).unwrap_or(0.0);
    let value = random.choose(&[known, known, 0.0, 1.0, -1.0, 2.0]).unwrap_or(0.0);
    let mut elements = match &node.elements {
        Some(Elements::Reals(values)) => values.clone(),
        Some(Elements::Ints(values)) => values.iter().map(|value| *value as f64).collect(),
        None => vec![0.0; 1 + random.below(4)],
    };
    let place = random.below(elements.len());
    if let Some(element) = elements.get_mut(place) {
        *element = value;
    }
    let elements = match random.below(2) {
        0 => Elements::Ints(elements.into_iter().map(|value| value as i64).collect()),
        _ => Elements::Reals(elements),
    };
    let node = graph.node_mut(id);
    node.op = Some(CONST_OP.to_owned());
    node.outputs[0] = crate::apply::plan::array_output(&elements);
    node.elements = Some(elements);
}
