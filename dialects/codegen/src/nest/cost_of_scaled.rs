//! What sums of products with weights of few bits are expected to cost.

use super::computation::Ref;
use super::cost::{EVICTED, ISSUED, ITERATION, Judge, LATENCY, Parts, operations};
use super::op::Op;
use super::scaled::{Scaled, chains};
use super::space::{Source, Stage};
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
        let own = self.of_all_rows(terms);
        let all = f64::from(operations(&terms.computation, self.fused));
        let made = own.0;
        let is_unpacked = Unpacked::of(self.space, self.schedule, self.target).is_some();
        // What is unpacked once is loaded for each tile.
        let own = if is_unpacked { (own.0 / UNPACKED, 1.0) } else { own };
        let operations = (all - made) * points + BESIDE * own.0 * vectors.points;
        let work = (operations / ISSUED).max(loads / ISSUED);
        // What is made of the weights stays for the next rows.
        let alive = points + own.1 * if rows > 1.0 { vectors.points } else { 1.0 } + 1.0;
        let spilled = (alive - self.target.isa.registers as f64).max(0.0);
        let looped = if self.schedule.unrolled() == reductions.len() { 0.0 } else { ITERATION };
        let extent = reductions.last().map_or(1, |dim| self.space.dims[*dim].extent);
        let chains = if around + 1 == reductions.len() { chains(points as i64, extent) as f64 } else { 1.0 };
        let waits = work.max(LATENCY / chains) + looped / chains;
        let sum = inner * (waits + 2.0 * spilled / ISSUED + EVICTED * self.evicted(rows));
        // The accumulators make room while products are added.
        outer * (sum + self.stage(scaling, rows, vectors) + 2.0 * points / ISSUED)
    }

    /// Of a stage, what the operations cost that are the same for all rows of a tile, and how many of their results others need.
    fn of_all_rows(&self, stage: &Stage) -> (f64, f64) {
        let rows = self.schedule.rows().map(|rows| rows.dim);
        let moves = |source: &Source| match source {
            Source::Memory(_, access) => rows.is_some_and(|dim| access.steps[dim].moves()),
            source => *source != Source::Unused,
        };
        let mut varies: Vec<bool> = Vec::new();
        let (mut cost, mut results) = (0.0, 0.0);
        for instruction in &stage.computation.instructions {
            let is_other = |value: &Ref| match value {
                Ref::Argument(number) => stage.sources.get(*number).is_some_and(moves),
                Ref::Result(by, _) => varies[*by],
                Ref::Operand(_) => false,
            };
            let own = instruction.operands.iter().any(is_other);
            let is_conversion = instruction.op == Op::SIToFP;
            varies.push(own);
            cost += if own { 0.0 } else { f64::from(instruction.op.facts().cost) };
            results += if is_conversion && !own { 1.0 } else { 0.0 };
        }
        (cost, results)
    }
}
