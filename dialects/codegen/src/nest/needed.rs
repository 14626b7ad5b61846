//! Which part of its memory a share of a loop needs, followed backwards through the kernels that write it.

use super::access::{Access, Step};
use super::share::Share;
use super::space::Space;
use std::collections::HashMap;

/// Indices from a first one up to the one behind the last, as they follow from what a process does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// What of a loop belongs to a process.
    Own(Share),
    /// What belongs to the indices of another range.
    Scaled(Box<Range>, Scale),
    /// All from the first of several up to the last.
    Around(Vec<Range>),
}

/// From a range of indices to one of others, in whole units: multiplied, shifted and divided, no less than it takes and no further than
/// there are indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// By what first and last index are multiplied.
    pub factor: i64,
    /// What is added to the first and to the one behind the last then.
    pub shift: [i64; 2],
    /// By what both are divided.
    pub divisor: i64,
    /// Of which the range begins and ends at multiples.
    pub unit: i64,
    /// Indices that there are.
    pub extent: i64,
}

/// A part of some memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// After so many elements the range comes again; none where it is there once.
    pub period: Option<i64>,
    /// The elements that are needed, counted from the begin of the memory or of a period.
    pub range: Range,
}

/// Where a kernel reads or writes memory.
#[derive(Clone, Copy)]
pub struct Place<'s> {
    /// Where in the memory what the kernel is given begins.
    pub begin: i64,
    /// From there on.
    pub access: &'s Access,
}

/// What a kernel has to do so that a part of memory is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writing {
    /// A range of a loop.
    Loop(Share, Range),
    /// A range of a loop that there is when a dimension is cut into blocks of so many indices.
    Cut(usize, i64),
}

/// Elements from one index to the next, and how many indices there are.
type Walk = (i64, i64);

impl Range {
    /// The part of memory that a kernel reads which does this range along a dimension; none where that is no range.
    pub fn reads(&self, space: &Space, dim: usize, place: Place<'_>) -> Option<Part> {
        let walks = walks(space, place.access)?;
        let mut own = walks.iter().filter(|(of, _)| *of == dim).map(|(_, walk)| *walk);
        let (step, count) = own.next()?;
        let mut others: Vec<Walk> = own.collect();
        others.extend(walks.iter().filter(|(of, _)| *of != dim).map(|(_, walk)| *walk));
        others.retain(|(_, count)| *count > 1);
        others.sort_unstable();
        let (mut within, mut period) = (0, None);
        for (other, count_of_other) in others {
            if other <= step * (count - 1) + within {
                within += other * (count_of_other - 1);
            } else if other % *period.get_or_insert(other) != 0 {
                return None;
            }
        }
        let begin = period.map_or(place.begin, |period| place.begin % period);
        let extent = begin + step * (count - 1) + within + 1;
        let range = match place.access.steps[dim] {
            Step::Panel { size, .. } => {
                let panels = Scale { factor: 1, shift: [0, 0], divisor: size, unit: 1, extent: count };
                Range::Scaled(Box::new(self.clone()), panels)
            }
            _ => self.clone(),
        };
        let shift = [begin, begin + within + 1 - step];
        let elements = Scale { factor: step, shift, divisor: 1, unit: 1, extent };
        let is_apart = period.is_none_or(|period| extent <= period);
        is_apart.then(|| Part { period, range: Range::Scaled(Box::new(range), elements) })
    }
}

impl Part {
    /// What a kernel that writes memory there has to do for a part of it; `share` cuts one of its loops into units. None where it has
    /// to do all.
    pub fn written(
        &self,
        space: &Space,
        place: Place<'_>,
        mut share: impl FnMut(usize) -> Option<Share>,
    ) -> Option<Writing> {
        let mut inside = walks(space, place.access)?;
        let mut begin = place.begin;
        if let Some(period) = self.period {
            inside.retain(|(_, (step, _))| step % period != 0);
            begin %= period;
            let crosses = |(_, (step, count)): &&(usize, Walk)| period % step == 0 && step * (count - 1) >= period;
            if let Some((dim, (step, _))) = inside.iter().find(crosses) {
                return Some(Writing::Cut(*dim, period / step));
            }
        }
        let all: i64 = inside.iter().map(|(_, (step, count))| step * (count - 1)).sum();
        if self.period.is_some_and(|period| begin + all >= period) {
            return None;
        }
        // The longer the steps, the less is written besides.
        inside.sort_by_key(|(_, (step, _))| std::cmp::Reverse(*step));
        let is_even = |dim: usize| place.access.steps[dim].is_even() && !space.dims[dim].is_reduced;
        inside.into_iter().filter(|(dim, _)| is_even(*dim)).find_map(|(dim, (step, count))| {
            let own = share(dim)?;
            let within = all - step * (count - 1);
            let shift = [step - 1 - begin - within, -begin];
            let scale = Scale { factor: 1, shift, divisor: step, unit: own.unit, extent: own.extent };
            Some(Writing::Loop(own, Range::Scaled(Box::new(self.range.clone()), scale)))
        })
    }

    /// A part in which this and another one are; none where that is all of the memory.
    fn with(self, other: Part) -> Option<Part> {
        if self == other {
            return Some(self);
        }
        let Part { period, range } = self;
        let mut ranges = if let Range::Around(ranges) = range { ranges } else { vec![range] };
        if !ranges.contains(&other.range) {
            ranges.push(other.range);
        }
        (period == other.period).then_some(Part { period, range: Range::Around(ranges) })
    }
}

/// How an address goes along the dimensions that it depends on: each as one walk, or as two where it is cut into panels, of which the first
/// goes from one to the next. None where it goes backwards, or as only a run knows.
fn walks(space: &Space, access: &Access) -> Option<Vec<(usize, Walk)>> {
    let mut walks = Vec::new();
    if access.open_offset.is_some() {
        return None;
    }
    for (dim, (step, known)) in access.steps.iter().zip(&space.dims).enumerate().filter(|(_, (step, _))| step.moves()) {
        if known.is_open {
            return None;
        }
        match *step {
            Step::Linear(step) => walks.push((dim, (step, known.extent))),
            Step::Panel { size, outer, inner } => {
                walks.push((dim, (outer, (known.extent + size - 1) / size)));
                walks.push((dim, (inner, known.extent.min(size))));
            }
            Step::Open(_) => return None,
        }
    }
    walks.iter().all(|(_, (step, count))| *step > 0 && *count > 0).then_some(walks)
}

/// What of each memory is needed.
#[derive(Debug, Default)]
pub struct Needed(HashMap<usize, Option<Part>>);

impl Needed {
    /// Notes what someone reads of a memory, of which that is the key: a part, or all.
    pub fn read(&mut self, memory: usize, part: Option<Part>) {
        let both = match self.0.remove(&memory) {
            Some(known) => known.zip(part).and_then(|(known, part)| known.with(part)),
            None => part,
        };
        self.0.insert(memory, both);
    }

    /// The part of a memory that is needed, if not all of it.
    pub fn part(&self, memory: usize) -> Option<&Part> {
        self.0.get(&memory)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::testing::product;

    /// What a range is for a process, as code computes it.
    fn at(range: &Range, rank: i64, processes: i64) -> [i64; 2] {
        match range {
            Range::Own(share) => {
                [rank, rank + 1].map(|rank| (share.units() * rank / processes * share.unit).min(share.extent))
            }
            Range::Around(ranges) => {
                let all: Vec<_> = ranges.iter().map(|range| at(range, rank, processes)).collect();
                [all.iter().map(|it| it[0]).min().unwrap(), all.iter().map(|it| it[1]).max().unwrap()]
            }
            Range::Scaled(range, scale) => {
                let from = at(range, rank, processes);
                let moved = [0, 1].map(|end| (from[end] * scale.factor + scale.shift[end]).max(0));
                let up = |number: i64, divisor: i64| (number + divisor - 1) / divisor;
                let end = up(up(moved[1], scale.divisor), scale.unit) * scale.unit;
                [moved[0] / scale.divisor / scale.unit * scale.unit, end.min(scale.extent)]
            }
        }
    }

    /// A space of parallel dimensions.
    fn space(extents: &[i64]) -> Space {
        let mut space = product(8, 8, 8);
        let dim = space.dims.iter().copied().find(|dim| !dim.is_reduced).unwrap();
        space.dims = extents.iter().map(|extent| super::super::space::Dim { extent: *extent, ..dim }).collect();
        space
    }

    fn access(steps: &[i64]) -> Access {
        Access { offset: 0, open_offset: None, steps: steps.iter().map(|step| Step::Linear(*step)).collect() }
    }

    fn place(access: &Access) -> Place<'_> {
        Place { begin: 0, access }
    }

    fn units(unit: i64, extent: i64) -> impl Fn(usize) -> Option<Share> {
        move |dim| Some(Share { dim, extent, unit })
    }

    /// Elements of a memory that a process writes of those that it needs.
    fn check(part: &Part, space: &Space, (begin, steps): (i64, &[i64]), unit: i64) {
        let access = access(steps);
        let share = |dim: usize| Some(Share { dim, extent: space.dims[dim].extent, unit });
        let place = Place { begin, access: &access };
        let Some(Writing::Loop(own, range)) = part.written(space, place, share) else { panic!("{part:?}") };
        for rank in 0..3 {
            let (needed, done) = (at(&part.range, rank, 3), at(&range, rank, 3));
            let mut points = vec![Vec::new()];
            for dim in &space.dims {
                points = points
                    .iter()
                    .flat_map(|at| (0..dim.extent).map(|next| [at.as_slice(), &[next]].concat()))
                    .collect();
            }
            for point in points {
                let address = begin + point.iter().zip(steps).map(|(index, step)| index * step).sum::<i64>();
                let address = part.period.map_or(address, |period| address % period);
                let is_needed = needed[0] <= address && address < needed[1];
                let is_done = done[0] <= point[own.dim] && point[own.dim] < done[1];
                assert!(is_done || !is_needed, "{rank}: {point:?} of {range:?}");
            }
        }
    }

    #[test]
    fn a_part_goes_back_to_what_writes_it() {
        // Three panels of 4 channels with 5 elements each, of which the last has two channels.
        let share = Share { dim: 0, extent: 10, unit: 2 };
        let read = space(&[10, 5]);
        let panels = Access {
            offset: 0,
            open_offset: None,
            steps: vec![Step::Panel { size: 4, outer: 20, inner: 1 }, Step::Linear(4)],
        };
        let part = Range::Own(share).reads(&read, 0, place(&panels)).unwrap();
        assert_eq!(part.period, None);
        // Units of two channels: of 5 units, the second process has the second and the third.
        assert_eq!((0..3).map(|rank| at(&part.range, rank, 3)).collect::<Vec<_>>(), [[0, 20], [0, 40], [20, 60]]);
        // The packing writes panels; it reads padded rows, which are filled with zeros before, as one dimension, and copied.
        let pack = space(&[3, 5, 4]);
        check(&part, &pack, (0, &[20, 4, 1]), 1);
        let written = access(&[20, 4, 1]);
        let Some(Writing::Loop(own, range)) = part.written(&pack, place(&written), units(1, 3)) else { panic!() };
        assert_eq!((own.dim, at(&range, 2, 3)), (0, [1, 3]));
        let rows = range.reads(&pack, 0, place(&access(&[20, 1, 5]))).unwrap();
        assert_eq!((rows.period, at(&rows.range, 2, 3)), (None, [20, 60]));
        check(&rows, &space(&[60]), (0, &[1]), 7);
        check(&rows, &space(&[10, 5]), (0, &[5, 1]), 3);
        check(&rows, &space(&[9, 5]), (5, &[5, 1]), 2);
    }

    #[test]
    fn channels_beside_each_other_come_again_in_each_row() {
        // Five rows of 12 columns, of which 3 panels of 4 are packed.
        let share = Share { dim: 0, extent: 3, unit: 1 };
        let pack = space(&[3, 5, 4]);
        let columns = Range::Own(share).reads(&pack, 0, place(&access(&[4, 12, 1]))).unwrap();
        assert_eq!((columns.period, at(&columns.range, 1, 3)), (Some(12), [4, 8]));
        check(&columns, &space(&[5, 10]), (0, &[12, 1]), 3);
        check(&columns, &space(&[5, 9]), (1, &[12, 1]), 2);
        // What goes through all rows at once is cut at their ends.
        let flat = space(&[60]);
        assert_eq!(columns.written(&flat, place(&access(&[1])), units(1, 60)), Some(Writing::Cut(0, 12)));
        check(&columns, &space(&[12, 5]), (0, &[1, 12]), 4);
        // Columns of other rows, and rows whose ends are no ends of them.
        assert_eq!(columns.written(&space(&[60]), Place { begin: 3, access: &access(&[5]) }, units(1, 60)), None);
        assert_eq!(
            columns.written(&space(&[5, 10]), Place { begin: 3, access: &access(&[12, 1]) }, units(1, 10)),
            None
        );
    }

    #[test]
    fn what_is_read_beside_is_written_too() {
        // Of rows of three, the parts of a kernel that reads one and the next row.
        let share = Share { dim: 0, extent: 9, unit: 2 };
        let window = space(&[9, 2, 3]);
        let rows = Range::Own(share).reads(&window, 0, place(&access(&[3, 3, 1]))).unwrap();
        assert_eq!((0..3).map(|rank| at(&rows.range, rank, 3)).collect::<Vec<_>>(), [[0, 9], [6, 21], [18, 30]]);
        check(&rows, &space(&[10, 3]), (0, &[3, 1]), 4);
        let backwards = access(&[-3, 3, 1]);
        assert_eq!(Range::Own(share).reads(&window, 0, place(&backwards)), None);
    }

    #[test]
    fn several_readers_need_all_between() {
        let share = |unit| Share { dim: 0, extent: 8, unit };
        let part = |unit, period| Some(Part { period, range: Range::Own(share(unit)) });
        let mut needed = Needed::default();
        for (memory, unit, period) in
            [(1, 4, None), (1, 4, None), (2, 4, None), (2, 3, None), (3, 4, None), (3, 4, Some(9))]
        {
            needed.read(memory, part(unit, period));
        }
        assert_eq!(needed.part(1), part(4, None).as_ref());
        assert_eq!(at(&needed.part(2).unwrap().range, 1, 2), [3, 8]);
        needed.read(2, part(3, None));
        assert_eq!(at(&needed.part(2).unwrap().range, 0, 2), [0, 4]);
        needed.read(2, None);
        needed.read(2, part(4, None));
        assert_eq!([2, 3].map(|memory| needed.part(memory).is_some()), [false, false]);
    }
}
