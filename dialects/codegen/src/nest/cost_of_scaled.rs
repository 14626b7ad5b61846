//! What sums of products with weights of few bits are expected to cost.

use super::computation::Ref;
use super::cost::{EVICTED, ISSUED, ITERATION, Judge, LATENCY, Parts, operations};
use super::element::Element;
use super::op::Op;
use super::scaled::{Scaled, chains};
use super::space::Stage;
use super::unpacked::Unpacked;

/// What an operation that makes a factor of a weight costs: most processors do some of these beside products.
const BESIDE: f64 = 0.5;
/// How many tiles use what is unpacked once, about.
const UNPACKED: f64 = 8.0;

impl Judge<'_> {
    /// Sums that are scaled, and inside the products that are added up: what is computed of weights alone is so for all rows.
    pub(super) fn scaled(&self, Scaled { terms, scaling }: &Scaled, around: usize, rows: f64, vectors: &Parts) -> f64 {
        let points = rows * vectors.points;
        let reductions = self.schedule.reductions();
        let iterations = |dims: &[usize]| dims.iter().map(|dim| self.extent(*dim)).product::<f64>();
        let (outer, inner) = (iterations(&reductions[..around]), iterations(&reductions[around..]));
        let loads: f64 = terms.memory().map(|(_, access)| self.loads(access, rows, vectors)).sum();
        let (made, weights) = of_weights(terms);
        let products = f64::from(operations(&terms.computation, self.fused)) - made;
        // What is unpacked once is loaded for each tile.
        let is_unpacked = Unpacked::of(self.space, self.schedule, self.target).is_some();
        let (made, weights) = if is_unpacked { (made / UNPACKED, 1.0) } else { (made, weights) };
        let work = ((products * points + BESIDE * made * vectors.points) / ISSUED).max(loads / ISSUED);
        // What is made of the weights stays for the next rows.
        let alive = points + weights * if rows > 1.0 { vectors.points } else { 1.0 } + 1.0;
        let spilled = (alive - self.target.isa.registers as f64).max(0.0);
        let looped = if self.schedule.unrolled() == reductions.len() { 0.0 } else { ITERATION };
        let extent = reductions.last().map_or(1, |dim| self.space.dims[*dim].extent);
        let chains = if around + 1 == reductions.len() { chains(points as i64, extent) as f64 } else { 1.0 };
        let waits = work.max(LATENCY / chains) + looped / chains;
        let sum = inner * (waits + 2.0 * spilled / ISSUED + EVICTED * self.evicted(rows));
        // The accumulators make room while products are added.
        outer * (sum + self.stage(scaling, rows, vectors) + 2.0 * points / ISSUED)
    }
}

/// What the operations of a stage cost that make factors of weights, which are integers, and how many factors it are.
fn of_weights(stage: &Stage) -> (f64, f64) {
    let computation = &stage.computation;
    let is_integer = |value: &Ref| matches!(computation.type_of(*value), Some(Element::Integer(_)));
    let mut is_made: Vec<bool> = Vec::new();
    let (mut cost, mut weights) = (0.0, 0.0);
    for instruction in &computation.instructions {
        let of_weights = |value: &Ref| match value {
            Ref::Result(by, _) => is_made[*by],
            value => is_integer(value),
        };
        let own = instruction.operands.iter().all(of_weights);
        is_made.push(own);
        cost += if own { f64::from(instruction.op.facts().cost) } else { 0.0 };
        weights += if own && matches!(instruction.op, Op::SIToFP | Op::UIToFP) { 1.0 } else { 0.0 };
    }
    (cost, weights)
}
