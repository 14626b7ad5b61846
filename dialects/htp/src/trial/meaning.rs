//! Whether what a rule makes computes the same as its match, on random numbers.

use super::valid::{self, valid_graph};
use super::{LIMITS, Random, stand_ins};
use crate::apply::Environment;
use crate::direct::{self, PlainGraph};
use crate::engine::Limits;
use crate::grammar::model::{DType, Replacement, ReplacementKind, Rule};
use crate::settings::Settings;

/// The elements of a tensor, in row-major order.
pub type Values = Vec<f32>;

/// Computes graphs.
pub trait Evaluator {
    /// The outputs of a graph for its inputs, or why it can't be computed.
    fn evaluate(&self, graph: &PlainGraph, inputs: &[Values]) -> Result<Vec<Values>, String>;

    /// The same by code for a processor, which must give the same numbers; none where there is none, or no code for the graph.
    fn by_code(&self, _graph: &PlainGraph, _inputs: &[Values]) -> Option<Result<Vec<Values>, String>> {
        None
    }
}

/// What came of computing both sides of a rule.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// Both computed the same on so many graphs, on some of them by code as well.
    Same(usize, usize),
    /// They differ, and how.
    Differs(String),
    /// Nothing could be computed, and why.
    Unknown(String),
}

/// Graphs that both sides are computed on.
const GRAPHS: usize = 16;
/// Those of them that are computed by code as well, which has to be made for each.
const GRAPHS_BY_CODE: usize = 2;
/// Graphs that are made for that; the rule may not apply to all.
const ATTEMPTS: u64 = 120;
/// What results may depart from each other, of the greatest one: sums may be in another order.
const ROUNDING: f64 = 1e-4;
/// The same where something is of half precision.
const HALF_ROUNDING: f64 = 4e-3;

/// Computes a rule's match and its replacement on random numbers.
pub fn try_meaning(rule: &Rule, settings: &Settings, evaluator: &dyn Evaluator) -> Meaning {
    if let Some(op) = valid::unknown_op(&rule.pattern, &rule.package) {
        return Meaning::Unknown(format!("nothing is known of what `{op}` computes"));
    }
    let mut reason = NONE_APPLIED.to_owned();
    let (mut same, mut by_code) = (0, 0);
    // What a rule makes where one condition holds says nothing of what it makes elsewhere.
    let ways: &[_] = if chooses(&rule.replacement) { &[Some(true), Some(false)] } else { &[None] };
    for takes_first in ways {
        let before = same;
        for seed in 0..ATTEMPTS {
            if same - before == GRAPHS {
                break;
            }
            let has_code = same - before < GRAPHS_BY_CODE;
            match on_graph(rule, settings, (evaluator, has_code), *takes_first, &mut Random::new(seed + 1)) {
                Ok(Meaning::Same(graphs, coded)) => {
                    same += graphs;
                    by_code += coded;
                }
                Ok(Meaning::Unknown(why)) => reason = why,
                Ok(differs) => return differs,
                Err(error) => return Meaning::Unknown(error),
            }
        }
    }
    if same == 0 { Meaning::Unknown(reason) } else { Meaning::Same(same, by_code) }
}

const NONE_APPLIED: &str = "it applies to none of the graphs that were made to be computed";
const NONE_COMPUTED: &str = "no graph was found that its match can be computed in";

/// Whether a replacement is chosen by a condition, somewhere.
fn chooses(part: &Replacement) -> bool {
    matches!(part.kind, ReplacementKind::Select(..)) || part.kind.parts().into_iter().any(chooses)
}

/// How much greater some numbers are where something is quantized: types of 8 bits with the steps of these graphs end at 8.
const BEYOND: f32 = 16.0;

fn on_graph(
    rule: &Rule,
    settings: &Settings,
    (evaluator, has_code): (&dyn Evaluator, bool),
    takes_first: Option<bool>,
    random: &mut Random,
) -> Result<Meaning, String> {
    let environment = stand_ins::options(settings.environment()?, rule, random);
    let unknown = |reason: &str| Ok(Meaning::Unknown(reason.to_owned()));
    let Some(before) = valid_graph(rule, &environment, takes_first, random) else { return unknown(NONE_COMPUTED) };
    let Some(after) = applied_once(&before, rule, &environment) else { return unknown(NONE_APPLIED) };
    let inputs = inputs(&before, random);
    let Ok(expected) = evaluator.evaluate(&before, &inputs) else { return unknown(NONE_COMPUTED) };
    match evaluator.evaluate(&after, &inputs) {
        Ok(found) => {
            let sides = [(&before, expected.as_slice()), (&after, found.as_slice())];
            Ok(match departure([&before, &after], &expected, &found) {
                Some(at) => {
                    Meaning::Differs(format!("{}, more than {:.1e} apart", at.told("before", "behind it"), at.allowed))
                }
                None if has_code => by_code(evaluator, sides, &inputs),
                None => Meaning::Same(1, 0),
            })
        }
        Err(reason) => match valid::unknown_made(&after) {
            Some(op) => Ok(Meaning::Unknown(format!("nothing is known of what `{op}` computes"))),
            None => Ok(Meaning::Differs(format!("what it makes can't be computed: {reason}"))),
        },
    }
}

/// The graph behind one application of a rule; `None` if it does not apply.
fn applied_once(graph: &PlainGraph, rule: &Rule, environment: &Environment) -> Option<PlainGraph> {
    let mut changed = graph.clone();
    let once = Limits { applications: 1, ..LIMITS };
    // It stops at its limit.
    direct::run(&mut changed, std::slice::from_ref(rule), environment, once).err()?;
    changed.clean();
    Some(changed)
}

/// Numbers around 0, and some that are exactly 0; of those that are quantized some are beyond what quantized types have.
fn inputs(graph: &PlainGraph, random: &mut Random) -> Vec<Values> {
    let inputs = graph.order().iter().map(|id| graph.node(*id)).filter(|node| node.op.is_none());
    let mut outputs = graph.order().iter().flat_map(|id| &graph.node(*id).outputs);
    let is_quantized = outputs.any(|output| output.encoding.dtype().is_quantized());
    let mut number = || {
        let number = (random.below(12_001) as f32 - 6000.0) / 2000.0;
        if is_quantized && random.below(8) == 0 { number * BEYOND } else { number }
    };
    let count = |dims: &[u64]| dims.iter().product::<u64>();
    inputs.map(|node| (0..count(&node.outputs[0].dims)).map(|_| number()).collect()).collect()
}

/// Whether code computes the same of both sides.
fn by_code(evaluator: &dyn Evaluator, sides: [(&PlainGraph, &[Values]); 2], inputs: &[Values]) -> Meaning {
    let mut computed = 0;
    for (graph, expected) in sides {
        match evaluator.by_code(graph, inputs) {
            None => {}
            Some(Err(reason)) => return Meaning::Differs(format!("code for it fails: {reason}")),
            Some(Ok(found)) => match departure([graph; 2], expected, &found) {
                Some(at) => return Meaning::Differs(at.told("in the interpreter", "by code")),
                None => computed += 1,
            },
        }
    }
    Meaning::Same(1, usize::from(computed == 2))
}

/// Where numbers depart from each other.
struct Departure {
    /// The first result of the graph.
    result: String,
    /// The element, and the numbers.
    at: usize,
    numbers: [Option<f32>; 2],
    allowed: f64,
}

impl Departure {
    fn told(&self, one: &str, other: &str) -> String {
        let Departure { result, at, numbers, .. } = self;
        let [first, second] = numbers.map(|number| number.map_or("missing".to_owned(), |number| format!("{number:?}")));
        format!("of a result {result}, element {at} is {first} {one} and {second} {other}")
    }
}

/// Where what is found departs from what is expected, if it does.
fn departure(graphs: [&PlainGraph; 2], expected: &[Values], found: &[Values]) -> Option<Departure> {
    let (factor, steps) = tolerance(graphs);
    for (expected, found) in expected.iter().zip(found) {
        let finite = expected.iter().filter(|value| value.is_finite());
        let scale = finite.fold(1.0, |greatest: f64, value| greatest.max(f64::from(value.abs())));
        let allowed = factor * scale + steps;
        let departs = |at: &usize| {
            let (Some(one), Some(other)) = (expected.get(*at), found.get(*at)) else { return true };
            let same = one == other || (one.is_nan() && other.is_nan());
            // What is no number on one side departs, whatever is allowed.
            let near = f64::from((one - other).abs()) <= allowed;
            !(same || near)
        };
        if let Some(at) = (0..expected.len().max(found.len())).find(departs) {
            let numbers = [expected.get(at).copied(), found.get(at).copied()];
            let [graph, _] = graphs;
            let result = graph.outputs.first().map(|output| graph.node(output.node).outputs[output.index].to_string());
            return Some(Departure { result: result.unwrap_or_default(), at, numbers, allowed });
        }
    }
    None
}

/// What may differ, of the greatest value and in all: by the narrowest elements that there are.
fn tolerance(graphs: [&PlainGraph; 2]) -> (f64, f64) {
    let nodes = graphs.iter().flat_map(|graph| graph.order().iter().map(|id| graph.node(*id)));
    let encodings: Vec<_> = nodes.flat_map(|node| node.outputs.iter().map(|output| &output.encoding)).collect();
    let has_halves = encodings.iter().any(|encoding| encoding.dtype() == DType::Float16);
    let step = encodings.iter().map(|encoding| f64::from(encoding.largest_step())).fold(0.0, f64::max);
    (if has_halves { HALF_ROUNDING } else { ROUNDING }, 1.01 * step)
}
