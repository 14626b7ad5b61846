//! Which loop of a kernel several processes share, and which part of its weights each of them reads then.

use super::access::{Access, Step};
use super::legal::check;
use super::parallel::{LEAST_CYCLES, Level, Parallel};
use super::scaled::Scaled;
use super::schedule::{Form, Kind, Schedule};
use super::space::Space;
use super::{Nest, cost::cost};
use crate::target::Target;
use std::collections::HashMap;

/// Why each process needs all weights of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// The loops over channels go around several nests, or there are none.
    NoLoop,
    /// Only a run knows how many elements there are.
    Open,
    /// All channels are one tile of the kernel.
    OneTile,
}

impl std::fmt::Display for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Whole::NoLoop => "no loop over output channels has weights of its own",
            Whole::Open => "only a run knows its extents; give them with --bind",
            Whole::OneTile => "all output channels are one tile of its code",
        })
    }
}

/// A part of some memory: of the blocks along one of its strides those that a share of a loop needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Elements from one block to the next.
    pub stride: i64,
    /// Blocks that there are.
    pub extent: i64,
    /// The loop that is shared.
    pub share: Share,
    /// From the elements of the loop to blocks, one step after the other.
    pub path: Vec<Scale>,
}

/// From a range of indices to one of others: divided and multiplied, and rounded to whole units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Indices before for each between.
    pub divisor: i64,
    /// Indices behind for each between.
    pub factor: i64,
    /// Of which the range begins and ends at multiples.
    pub unit: i64,
    /// Indices that there are behind.
    pub extent: i64,
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
        let own = schedule.parallel().iter().find(|own| own.dim == dim)?;
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
        (!is_scalable && share.units() > 1).then_some(share)
    }

    /// A schedule with tiles of one unit.
    pub fn narrowed(self, mut schedule: Schedule) -> Schedule {
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

    /// What of memory with an access the share needs; none where that is no range along one stride.
    pub fn part(self, space: &Space, access: &Access) -> Option<Part> {
        let whole = Part { stride: 0, extent: self.extent, share: self, path: Vec::new() };
        whole.read_along(space, self.dim, access)
    }

    /// The parallel loop whose units threads of a process share as well.
    pub fn parallel(self, nest: &Nest, target: &Target) -> Parallel {
        let cycles = cost(&nest.space, &nest.schedule, target) / self.units() as f64;
        let grain = (LEAST_CYCLES / cycles.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, self.units() as f64);
        let levels = vec![Level { dim: self.dim, unit: self.unit }];
        Parallel { levels, grain: grain as i64, scaling: (0, Vec::new()) }
    }
}

impl Part {
    /// The loop of a kernel that writes the memory with this access that goes along the stride, and the part with the step to its
    /// elements, of which the kernel does whole units; none where there is no such loop.
    pub fn written_along(&self, space: &Space, schedule: &Schedule, access: &Access) -> Option<(Share, Part)> {
        let fits = |dim: &usize| {
            let step = linear(access, *dim).filter(|step| *step > 0 && self.stride % step == 0)?;
            let factor = self.stride / step;
            let extent = space.dims[*dim].extent;
            (!space.dims[*dim].is_open && (extent + factor - 1) / factor == self.extent).then_some((*dim, factor))
        };
        let mut found: Vec<_> = space.dims_that_are(false).filter_map(|dim| fits(&dim)).collect();
        found.sort_by_key(|(_, factor)| *factor);
        let (dim, factor) = *found.first()?;
        let own = Share::of(space, schedule, dim, 1)?;
        let mut part = self.clone();
        part.path.push(Scale { divisor: 1, factor, unit: own.unit, extent: own.extent });
        Some((own, Part { extent: own.extent, ..part }))
    }

    /// The part of memory that a kernel reads by an access, if this is the part of its loop along a dimension.
    pub fn read_along(&self, space: &Space, dim: usize, access: &Access) -> Option<Part> {
        let mut part = self.clone();
        match access.steps[dim] {
            Step::Linear(stride) if stride > 0 => part.stride = stride,
            Step::Panel { size, outer, .. } => {
                (part.stride, part.extent) = (outer, (self.extent + size - 1) / size);
                part.path.push(Scale { divisor: size, factor: 1, unit: 1, extent: part.extent });
            }
            _ => return None,
        }
        let within = |other: usize| match access.steps[other] {
            Step::Linear(step) => Some((step.abs(), step.abs() * (space.dims[other].extent - 1))),
            Step::Panel { size, outer, inner } => {
                let last = space.dims[other].extent - 1;
                Some((outer.abs(), last / size * outer.abs() + last.min(size - 1) * inner.abs()))
            }
            Step::Open { .. } => None,
        };
        let others = (0..space.dims.len()).filter(|other| *other != dim).map(within).collect::<Option<Vec<_>>>()?;
        let inside: i64 = others.iter().filter(|(step, _)| *step < part.stride).map(|(_, last)| last).sum();
        let own = if let Step::Panel { size, inner, .. } = access.steps[dim] { (size - 1) * inner.abs() } else { 0 };
        let is_apart = |(step, _): &&(i64, i64)| *step < part.stride || *step > part.stride * (part.extent - 1);
        (access.offset == 0 && inside + own < part.stride && others.iter().all(|other| is_apart(&other)))
            .then_some(part)
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

/// What of each memory is needed, as long as all who read it agree.
#[derive(Debug, Default)]
pub struct Needed(HashMap<usize, Option<Part>>);

impl Needed {
    /// Notes what someone reads of a memory, of which that is the key: a part, or all.
    pub fn read(&mut self, memory: usize, part: Option<Part>) {
        match self.0.get_mut(&memory) {
            Some(known) if *known == part => {}
            Some(known) => *known = None,
            None => drop(self.0.insert(memory, part)),
        }
    }

    /// The part of a memory that is needed, if not all of it.
    pub fn part(&self, memory: usize) -> Option<&Part> {
        self.0.get(&memory)?.as_ref()
    }
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

    #[test]
    fn a_part_goes_back_to_what_writes_it() {
        let share = Share { dim: 0, extent: 200, unit: 32 };
        // Seven panels of 32 channels with 9 elements each.
        let access = |steps: &[Step]| Access { offset: 0, steps: steps.to_vec() };
        let mut read = product(200, 9, 1);
        read.dims.truncate(2);
        let (extents, panel) = ([200, 9], Step::Panel { size: 32, outer: 288, inner: 1 });
        read.dims.iter_mut().zip(extents).for_each(|(dim, extent)| dim.extent = extent);
        let part = share.part(&read, &access(&[panel, Step::Linear(32)])).unwrap();
        assert_eq!((part.stride, part.extent), (288, 7));
        assert_eq!(part.path, [Scale { divisor: 32, factor: 1, unit: 1, extent: 7 }]);
        // Within a block, or apart from all: another memory is needed as a whole.
        assert_eq!(share.part(&read, &access(&[panel, Step::Linear(288)])), None);
        assert_eq!(share.part(&read, &access(&[Step::Linear(1), Step::Linear(1)])), None);
        assert!(share.part(&read, &access(&[Step::Linear(9), Step::Linear(1)])).is_some());
    }

    #[test]
    fn memory_whose_readers_differ_is_needed_as_a_whole() {
        let share = Share { dim: 0, extent: 8, unit: 4 };
        let part = |stride| Some(Part { stride, extent: 8, share, path: Vec::new() });
        let mut needed = Needed::default();
        for (memory, stride) in [(1, 3), (1, 3), (2, 3), (2, 4)] {
            needed.read(memory, part(stride));
        }
        needed.read(3, part(1));
        needed.read(3, None);
        assert_eq!([1, 2, 3, 4].map(|memory| needed.part(memory).is_some()), [true, false, false, false]);
    }
}
