//! Which loops of a kernel are parallel: they are counted in units, which several threads share as ranges.

use super::Nest;
use super::cost::cost;
use super::schedule::{Kind, Loop, Schedule};
use super::space::{Dim, Space};
use crate::target::Target;

/// Cycles that a range takes at least, some four microseconds: to hand it to another thread takes up to one.
pub const LEAST_CYCLES: f64 = 14000.0;
/// Units with which there is enough to share for many threads, and no further loop has to be cut.
const ENOUGH_UNITS: i64 = 64;
/// Ranges of a loop at most: a thread of many cores has several, to take of those of others.
pub const MOST_RANGES: i64 = 128;
/// The same where each has memory of its own that is too large for a thread's stack.
pub const MOST_PARTS: i64 = 32;

/// A parallel loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Along which dimension; of several nests, along that of each.
    pub dim: usize,
    /// Elements of the dimension in a unit, which is not cut: those of a tile.
    pub unit: i64,
}

/// The parallel loops of a kernel, outermost first. A range is a part of the units of all of them together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parallel {
    /// The loops.
    pub levels: Vec<Level>,
    /// How many ranges there are at most.
    pub ranges: i64,
    /// How many units a range has at least, where the open dimensions of `scaling` have the extent 1; with longer ones, fewer.
    pub grain: i64,
    /// Open dimensions within a unit, of the nest of this number.
    pub scaling: (usize, Vec<usize>),
}

impl Parallel {
    /// The parallel loops of the nests of a kernel; none where too little is computed in them for two ranges of as many cycles as each
    /// has at least.
    pub fn of(nests: &[Nest], target: &Target, least_cycles: f64) -> Option<Parallel> {
        let first = nests.first().filter(|_| target.has_threads())?;
        let levels = match first.space.shared() {
            0 if nests.len() == 1 => levels(&first.space, &first.schedule),
            shared => (0..shared).map(|dim| Level { dim, unit: first.space.block_along(dim) }).collect(),
        };
        let costs: Vec<f64> = nests.iter().map(|nest| cost(&nest.space, &nest.schedule, target)).collect();
        let heaviest = (0..nests.len()).max_by(|a, b| costs[*a].total_cmp(&costs[*b]))?;
        let dims = &nests[heaviest].space.dims;
        let is_scaling = |dim: &usize| dims[*dim].is_open && levels.iter().all(|level| level.dim != *dim);
        let scaling: Vec<usize> = (0..dims.len()).filter(is_scaling).collect();
        let typical: f64 = scaling.iter().map(|dim| dims[*dim].extent as f64).product();
        // Costs are those of one iteration of the loops around several nests.
        let counted = if first.space.shared() == 0 { units(&first.space, &levels) } else { 1.0 };
        let cycles = costs.iter().sum::<f64>() / counted / typical;
        let grain = (least_cycles / cycles.max(f64::MIN_POSITIVE)).ceil().max(1.0);
        let most = if levels.iter().any(|level| first.space.dims[level.dim].is_open) || !scaling.is_empty() {
            f64::INFINITY
        } else {
            units(&first.space, &levels)
        };
        let is_worth = !levels.is_empty() && 2.0 * grain <= most && grain < i64::MAX as f64;
        let has_parts = nests.iter().any(Nest::has_parts);
        let ranges = if has_parts { MOST_PARTS } else { MOST_RANGES };
        is_worth.then_some(Parallel { levels, ranges, grain: grain as i64, scaling: (heaviest, scaling) })
    }

    /// How many ranges there are at most of a nest in these loops.
    pub fn most_ranges(&self, space: &Space) -> i64 {
        let is_open = self.levels.iter().any(|level| space.dims[level.dim].is_open) || !self.scaling.1.is_empty();
        if is_open { self.ranges } else { (units(space, &self.levels) as i64 / self.grain).clamp(1, self.ranges) }
    }
}

/// The loops of a nest from the outermost one inwards, until there are enough units whatever open extents are.
fn levels(space: &Space, schedule: &Schedule) -> Vec<Level> {
    let is_scalable = |dim: usize| schedule.vectors().is_some_and(|vectors| vectors.dim == dim && vectors.is_scalable);
    let (mut levels, mut count) = (Vec::new(), 1i64);
    // What is copied is for one range, and so are blocks of sums.
    let inside = schedule.packs.first().map(|pack| pack.depth);
    let loops = &schedule.around()[..inside.unwrap_or(usize::MAX).min(schedule.around().len())];
    for (place, &Loop { dim, step: unit, kind, .. }) in loops.iter().enumerate() {
        if kind != Kind::Parallel {
            break;
        }
        // What is within a block is not shared.
        let is_outermost = !loops[..place].iter().any(|around| around.dim == dim);
        if !is_outermost || is_scalable(dim) {
            continue;
        }
        if count >= ENOUGH_UNITS {
            break;
        }
        let Dim { extent, is_open, .. } = space.dims[dim];
        if is_open || extent > unit {
            levels.push(Level { dim, unit });
        }
        if !is_open {
            count = count.saturating_mul(units_along(extent, unit));
        }
    }
    levels
}

/// Units that threads can share of a nest, counted up to as many as are enough for many threads.
pub fn shareable(space: &Space, schedule: &Schedule) -> i64 {
    (units(space, &levels(space, schedule)) as i64).min(ENOUGH_UNITS)
}

/// Units of all levels together, with estimates of open extents.
fn units(space: &Space, levels: &[Level]) -> f64 {
    levels.iter().map(|level| units_along(space.dims[level.dim].extent, level.unit) as f64).product()
}

fn units_along(extent: i64, unit: i64) -> i64 {
    (extent + unit - 1) / unit.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::schedule::Form;
    use crate::nest::search::choose;
    use crate::nest::testing::{product, targets};

    fn parallel(space: Space, target: &Target) -> Option<Parallel> {
        let schedule = choose(&space, target);
        Parallel::of(&[Nest { space, schedule }], target, LEAST_CYCLES)
    }

    #[test]
    fn what_takes_long_is_shared_at_whole_tiles() {
        for target in targets().iter().filter(|target| target.has_threads()) {
            assert_eq!(parallel(product(4, 4, 4), target), None, "{target}");
            let space = product(512, 512, 512);
            let schedule = choose(&space, target);
            let found = parallel(space, target).unwrap();
            assert!(found.levels.iter().all(|level| level.unit == schedule.tile(level.dim)), "{found:?}");
            assert_eq!(found.scaling.1, [0usize; 0]);
        }
    }

    #[test]
    fn blocks_are_shared_as_a_whole() {
        let own = |dim: usize, step: i64| Loop { dim, step, kind: Kind::Parallel, form: Form::Elements };
        let of =
            |loops: &[Loop]| levels(&product(512, 512, 512), &Schedule { loops: loops.to_vec(), packs: Vec::new() });
        let levels = of(&[own(1, 256), own(0, 8), own(1, 32)]);
        assert_eq!(levels, [Level { dim: 1, unit: 256 }, Level { dim: 0, unit: 8 }]);
        // A block that is all of a dimension is no level, and what is within it neither.
        assert_eq!(of(&[own(1, 512), own(0, 8), own(1, 32)]), [Level { dim: 0, unit: 8 }]);
    }

    #[test]
    fn targets_without_threads_share_nothing() {
        let bare = targets().into_iter().filter(|target| !target.has_threads());
        assert!(bare.into_iter().all(|target| parallel(product(512, 512, 512), &target).is_none()));
    }
}
