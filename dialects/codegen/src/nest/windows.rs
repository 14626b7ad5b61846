//! Windows that overlap: what the rows of a tile read of an operand in the iterations of a window, which is the same for several rows.

use super::access::Access;
use super::schedule::Schedule;
use super::space::Space;
use crate::target::Target;

/// Registers of processors on which sums leave them for what is kept.
const FEW: i64 = 16;
/// How many times as many values as there are registers are kept at most.
const MOST_KEPT: f64 = 1.5;

/// What the rows of a tile read.
pub struct Overlap {
    rows: f64,
    /// Iterations of the window.
    pub taps: f64,
    /// Different elements.
    pub distinct: f64,
}

impl Overlap {
    /// Of an operand along a window; none where rows begin between its elements.
    pub fn of(space: &Space, schedule: &Schedule, (access, window): (&Access, usize), rows: f64) -> Option<Overlap> {
        let along = |dim: usize| access.steps[dim].linear().filter(|distance| *distance > 0);
        let (row, tap, taps) = (along(schedule.rows()?.dim)?, along(window)?, space.dims[window].extent);
        // Rows begin so many steps of the window apart.
        let apart = (row % tap == 0).then(|| (row / tap).min(taps) as f64)?;
        Some(Overlap { rows, taps: taps as f64, distinct: (rows - 1.0) * apart + taps as f64 })
    }

    /// Values of all of that and of the sums, of so many vectors.
    pub fn kept(&self, vectors: f64) -> f64 {
        (self.distinct + self.rows) * vectors
    }
}

/// Whether a window must not be unrolled: LLVM loads what several rows read once, and keeps that instead of sums.
pub fn is_crowded(space: &Space, schedule: &Schedule, target: &Target) -> bool {
    let (registers, lanes) = (target.isa.registers, target.isa.lanes());
    let (Some(vectors), Some(rows)) = (schedule.vectors(), schedule.rows()) else { return false };
    let Some(&window) = schedule.reductions().last() else { return false };
    let (vectors, rows) = ((vectors.tile / lanes.max(1)) as f64, rows.count as f64);
    let is_crowded = |access: &Access| {
        let overlap = Overlap::of(space, schedule, (access, window), rows);
        let overlap = overlap.filter(|overlap| overlap.distinct < overlap.rows * overlap.taps);
        overlap.is_some_and(|overlap| overlap.kept(vectors) > MOST_KEPT * registers as f64)
    };
    let may_be = lanes > 1 && registers <= FEW && space.is_contraction() && schedule.grouped().is_none();
    may_be && space.main.memory().any(|(_, access)| is_crowded(access))
}
