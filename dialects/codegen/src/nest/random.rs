//! Schedules at random, for tests: every legal one has to compute the same.

use super::atom::Atom;
use super::blocked;
use super::legal::{MOST_POINTS, check, panel};
use super::schedule::{Form, Grouped, Kind, Loop, Pack, Rows, Schedule, Tail, Vectors};
use super::search::choose;
use super::space::Space;
use crate::target::Target;

/// Proposals until one is legal.
const ATTEMPTS: usize = 200;

/// A legal schedule of a space; the same for the same seed.
pub fn random(space: &Space, target: &Target, seed: u64) -> Schedule {
    let key = u64::from_str_radix(&space.key(), 16).unwrap_or_default();
    let mut numbers = Numbers((seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ key) | 1);
    let mut proposals = (0..ATTEMPTS).map(|_| propose(space, target, &mut numbers));
    proposals.find(|proposal| check(space, proposal).is_ok()).unwrap_or_else(|| choose(space, target))
}

fn propose(space: &Space, target: &Target, numbers: &mut Numbers) -> Schedule {
    let dims = space.dims.len();
    let order = numbers.shuffled(space.dims_that_are(false).collect());
    let mut reductions = numbers.shuffled(space.dims_that_are(true).collect());
    let vectors = (dims > 0 && numbers.below(4) > 0).then(|| numbers.vectors(space, target));
    if let Some(dim) = vectors.map(|vectors| vectors.dim).filter(|dim| space.dims[*dim].is_reduced) {
        reductions.retain(|other| *other != dim);
        reductions.push(dim);
    }
    let rows = (dims > 0 && numbers.below(3) > 0)
        .then(|| Rows { dim: numbers.below(dims), count: numbers.up_to(MOST_POINTS / 8) });
    let unrolled = if numbers.below(2) == 0 { 0 } else { numbers.below(reductions.len() + 1) };
    let grouped = space.grouping().filter(|_| numbers.below(4) > 0).and_then(|grouping| {
        let atoms: Vec<_> = Atom::grouped_of(target).collect();
        atoms.get(numbers.below(atoms.len())).map(|&atom| Grouped { dim: grouping.dim, atom })
    });
    let first_unrolled = reductions.len() - unrolled;
    let mut loops: Vec<Loop> = order.into_iter().map(|dim| plain(dim, Kind::Parallel)).collect();
    let reduced = reductions.into_iter().enumerate();
    loops.extend(
        reduced.map(|(place, dim)| plain(dim, if place < first_unrolled { Kind::Reduce } else { Kind::Unroll })),
    );
    for own in &mut loops {
        if let Some(rows) = rows.filter(|rows| rows.dim == own.dim && own.kind == Kind::Parallel) {
            own.step = rows.count;
        }
        if let Some(grouped) = grouped.filter(|grouped| grouped.dim == own.dim) {
            own.form = Form::Groups(grouped.atom);
        }
        if let Some(vectors) = vectors.filter(|vectors| vectors.dim == own.dim) {
            (own.step, own.form) = (vectors.tile, vectors.form());
        }
    }
    numbers.block(&mut loops);
    let mut schedule = Schedule { loops, packs: Vec::new() };
    if unrolled == 0 && grouped.is_none() {
        numbers.block_sums(space, &mut schedule);
        numbers.pack(space, &mut schedule);
    }
    schedule
}

fn plain(dim: usize, kind: Kind) -> Loop {
    Loop { dim, step: 1, kind, form: Form::Elements }
}

/// Numbers without a pattern.
struct Numbers(u64);

impl Numbers {
    /// Vectors along a dimension, of which there is one at least.
    fn vectors(&mut self, space: &Space, target: &Target) -> Vectors {
        let dim = self.below(space.dims.len());
        let lanes = 1 << self.below(6);
        let tile = match panel(space, dim, lanes) {
            Some(size) => size,
            None => lanes * self.up_to(4),
        };
        let tail = if self.below(2) == 0 { Tail::Split } else { Tail::Mask };
        let is_scalable = target.isa.is_scalable() && self.below(2) == 0;
        Vectors { dim, lanes, tile, is_scalable, tail }
    }

    /// Puts loops over blocks around some of those over tiles.
    fn block(&mut self, loops: &mut Vec<Loop>) {
        while self.below(2) == 0 {
            let parallel = loops.iter().take_while(|own| own.kind == Kind::Parallel).count();
            if parallel == 0 {
                return;
            }
            let Loop { dim, step, .. } = loops[self.below(parallel)];
            let place = self.below(1 + loops.iter().position(|own| own.dim == dim).unwrap_or(0));
            let outermost = loops.iter().find(|own| own.dim == dim).map_or(step, |own| own.step);
            loops.insert(place, Loop { step: outermost * (1 + self.up_to(4)), ..plain(dim, Kind::Parallel) });
        }
    }

    /// Puts a loop over blocks of a reduced dimension among those around tiles.
    fn block_sums(&mut self, space: &Space, schedule: &mut Schedule) {
        let Some(dim) = schedule.reductions().first().copied().filter(|_| self.below(2) == 0) else { return };
        let step = blocked::unit(space, schedule, dim) * self.up_to(4);
        let place = self.below(1 + schedule.around().len());
        schedule.loops.insert(place, Loop { step, ..plain(dim, Kind::Reduce) });
    }

    /// Copies operands at some loops.
    fn pack(&mut self, space: &Space, schedule: &mut Schedule) {
        let around = schedule.around().len();
        let read = space.main.memory().map(|(operand, _)| operand).collect::<Vec<_>>();
        for operand in read.into_iter().filter(|_| space.has_reduction()) {
            if self.below(3) == 0 {
                schedule.packs.push(Pack { operand, depth: self.below(1 + around) });
            }
        }
        schedule.packs.sort_by_key(|pack| pack.depth);
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 20
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or_default()
    }

    fn up_to(&mut self, last: i64) -> i64 {
        1 + i64::try_from(self.next() % last.max(1).unsigned_abs()).unwrap_or_default()
    }

    fn shuffled(&mut self, mut items: Vec<usize>) -> Vec<usize> {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::testing::{targets, transposed_product};

    #[test]
    fn sums_in_blocks_and_copies_are_among_them() {
        let space = transposed_product(100, 96, 600);
        let all: Vec<Schedule> = (1..200).map(|seed| random(&space, &targets()[0], seed)).collect();
        let count = |is: &dyn Fn(&Schedule) -> bool| all.iter().filter(|schedule| is(schedule)).count();
        let blocked = count(&|schedule| schedule.blocks().is_some());
        let packed = count(&|schedule| !schedule.packs.is_empty());
        let both = count(&|schedule| schedule.blocks().is_some() && schedule.packs.len() > 1);
        assert!(blocked > 10 && packed > 20 && both > 0, "{blocked} {packed} {both}");
    }
}
