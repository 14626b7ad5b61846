//! What products of matrices that registers hold are expected to cost.

use super::cost::{ISSUED, ITERATION, Judge, Parts};
use super::matrices::{BESIDE, Matrices, ROWS};

/// Cycles in which a vector of the sums of a part is stored and added to others.
const ADDED: f64 = 3.0;
/// Cycles until the result of a product can be added to by the next.
const LATENCY: f64 = 52.0;

impl Judge<'_> {
    /// The sums of a tile: each row of a register takes a cycle, that of sums is stored, and loaded by what goes on with it.
    pub(super) fn matrices(&self, matrices: &Matrices, rows: f64, vectors: &Parts) -> f64 {
        let columns = vectors.points.min(BESIDE as f64);
        let others = self.schedule.reductions().into_iter().filter(|dim| *dim != matrices.dim);
        let others: f64 = others.map(|dim| self.extent(dim)).product();
        let steps = others * self.extent(matrices.dim) / matrices.step as f64;
        let depth = (matrices.step / matrices.group) as f64;
        let loads = (rows + depth * columns) / ISSUED;
        // Registers with sums are few, where rows are.
        let chained = LATENCY.max(rows.min((BESIDE * ROWS) as f64) * columns);
        let parts = matrices.part.map_or(0.0, |part| others * (self.extent(matrices.dim) / part as f64).ceil());
        steps * (chained.max(loads) + ITERATION) + (2.0 + ADDED * parts) * rows * vectors.points
    }
}
