//! Which loop of a kernel several processes share.

use super::access::Access;
use super::legal::check;
use super::parallel::{LEAST_CYCLES, Level, MOST_PARTS, MOST_RANGES, Parallel};
use super::scaled::Scaled;
use super::schedule::{Form, Kind, Schedule};
use super::space::Space;
use super::{Nest, cost::cost};
use crate::target::Target;

/// Why each process needs all weights of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// The loops over channels go around several nests, or there are none.
    NoLoop,
    /// Only a run knows how many elements there are.
    Open,
    /// All channels are one tile of the kernel.
    OneTile,
    /// No loop that prepares them goes along channels.
    Prepared,
}

impl std::fmt::Display for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Whole::NoLoop => "no loop over output channels has weights of its own",
            Whole::Open => "only a run knows its extents; give them with --bind",
            Whole::OneTile => "all output channels are one tile of its code",
            Whole::Prepared => "no loop that prepares them goes along output channels",
        })
    }
}

/// The loop of a kernel that processes share, in whole tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Share {
    /// Along which dimension it goes.
    pub dim: usize,
    /// The dimension's extent.
    pub extent: i64,
    /// Elements of the dimension in a unit, which is not cut.
    pub unit: i64,
}

impl Share {
    /// That of a kernel with a schedule along a dimension, with at least so many units where smaller tiles have them: no tile makes a
    /// difference to what is computed, but of sums that are scaled, of which small tiles have several. None where there are no two.
    pub fn of(space: &Space, schedule: &Schedule, dim: usize, wanted: i64) -> Option<Share> {
        let own = schedule.around().iter().find(|own| own.dim == dim)?;
        let extent = space.dims[dim].extent;
        let mut share = Share { dim, extent, unit: own.step };
        let is_single = schedule.innermost(dim) == Some(own) && Scaled::of(space).is_none();
        while is_single && share.units() < wanted && share.unit > 1 {
            let smaller = Share { unit: (share.unit + 1) / 2, ..share };
            if check(space, &smaller.narrowed(schedule.clone())).is_err() {
                break;
            }
            share = smaller;
        }
        let is_scalable = schedule.vectors().is_some_and(|vectors| vectors.dim == dim && vectors.is_scalable);
        let is_legal = || check(space, &share.narrowed(schedule.clone())).is_ok();
        (!is_scalable && share.units() > 1 && is_legal()).then_some(share)
    }

    /// A schedule with tiles of one unit, and no copies and blocks of sums.
    pub fn narrowed(self, schedule: Schedule) -> Schedule {
        let mut schedule = schedule.in_one_block();
        if let Some(own) = schedule.loops.iter_mut().find(|own| own.dim == self.dim && own.kind == Kind::Parallel) {
            own.step = self.unit;
            if let Form::Vectors(lanes) = &mut own.form {
                lanes.count = lanes.count.min(self.unit);
            }
        }
        schedule
    }

    /// How many units there are.
    pub fn units(&self) -> i64 {
        (self.extent + self.unit - 1) / self.unit
    }

    /// The parallel loop whose units threads of a process share as well.
    pub fn parallel(self, nest: &Nest, target: &Target) -> Parallel {
        let cycles = cost(&nest.space, &nest.schedule, target) / self.units() as f64;
        let grain = (LEAST_CYCLES / cycles.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, self.units() as f64);
        let levels = vec![Level { dim: self.dim, unit: self.unit }];
        let ranges = if nest.has_parts() { MOST_PARTS } else { MOST_RANGES };
        Parallel { levels, ranges, grain: grain as i64, scaling: (0, Vec::new()) }
    }
}

/// The dimension of a product with weights along which each element needs weights of its own: that of the output's channels. `is_weight`
/// says which operands are weights. None where there is no such product.
///
/// # Errors
/// Where each process needs all weights.
pub fn channels(space: &Space, is_weight: &dyn Fn(usize) -> bool) -> Result<Option<usize>, Whole> {
    let weights: Vec<&Access> = space.main.memory().filter(|(it, _)| is_weight(*it)).map(|it| it.1).collect();
    let is_factor = |access: &&&Access| space.dims_that_are(true).any(|dim| access.steps[dim].moves());
    let Some(factor) = weights.iter().find(is_factor) else { return Ok(None) };
    let parallel: Vec<usize> = space.dims_that_are(false).collect();
    let is_known = |dim: &usize| !space.dims[*dim].is_open && space.outputs().all(|(_, it)| linear(it, *dim).is_some());
    if !parallel.iter().all(is_known) {
        return Err(Whole::Open);
    }
    let moves = |dim: &usize| {
        let is_written_apart = space.outputs().all(|(_, access)| linear(access, *dim).is_some_and(|step| step != 0));
        factor.steps[*dim].moves() && is_written_apart && space.dims[*dim].extent > 1
    };
    let longest = parallel.into_iter().filter(moves).max_by_key(|dim| (space.dims[*dim].extent, *dim));
    longest.map(Some).ok_or(Whole::NoLoop)
}

fn linear(access: &Access, dim: usize) -> Option<i64> {
    access.steps[dim].linear()
}

/// Where elements lie that a share of a loop writes, for those who gather them: words that `skriptnd.h` describes.
pub fn written(space: &Space, share: Share, access: &Access, element_bytes: i64) -> Option<Vec<i64>> {
    let others = space.dims_that_are(false).filter(|dim| *dim != share.dim && space.dims[*dim].extent != 1);
    let mut words = vec![element_bytes, share.unit, share.extent, linear(access, share.dim)?];
    for dim in others {
        words.extend([space.dims[dim].extent, linear(access, dim)?]);
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::plain::weighted;
    use crate::nest::search::choose;
    use crate::nest::testing::{product, targets};

    /// Which operands of a product are weights.
    fn second(space: &Space) -> usize {
        space.main.memory().nth(1).map_or(0, |(operand, _)| operand)
    }

    #[test]
    fn channels_are_the_dimension_that_weights_and_results_have() {
        let space = product(6, 512, 9);
        let weights = second(&space);
        let access = space.main.memory().nth(1).unwrap().1;
        let dim = channels(&space, &|operand| operand == weights).unwrap().unwrap();
        assert!(access.steps[dim].moves() && !space.dims[dim].is_reduced);
        assert_eq!(channels(&space, &|_| false), Ok(None));
        let mut open = space.clone();
        open.dims[dim].is_open = true;
        assert_eq!(channels(&open, &|operand| operand == weights), Err(Whole::Open));
    }

    #[test]
    fn sums_that_are_scaled_keep_their_tiles() {
        let space = weighted(1, 64, 256, (32, 8));
        let schedule = choose(&space, &targets()[1]);
        let share = Share::of(&space, &schedule, 1, 64).unwrap();
        assert_eq!((share.unit, share.narrowed(schedule.clone())), (schedule.tile(1), schedule));
    }

    #[test]
    fn there_are_as_many_units_as_are_wanted_where_tiles_may_be_smaller() {
        for target in targets() {
            let space = product(8, 64, 64);
            let weights = second(&space);
            let dim = channels(&space, &|operand| operand == weights).unwrap().unwrap();
            let schedule = choose(&space, &target);
            let Some(share) = Share::of(&space, &schedule, dim, 6) else { continue };
            assert!(share.units() >= 2 && share.unit * share.units() >= share.extent, "{target}");
            assert_eq!(check(&space, &share.narrowed(schedule.clone())), Ok(()), "{target}");
            let one = Share { unit: share.extent, ..share };
            assert_eq!(one.units(), 1);
        }
    }
}
