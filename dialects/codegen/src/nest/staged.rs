//! What of its operands a kernel copies to VTCM, tile by tile: vectors that it reads again and again, or in order.

use super::access::{Access, Step};
use super::cost::cost;
use super::legal::check;
use super::schedule::{Form, Kind, Loop, Schedule, Vectors};
use super::space::{Operand, Space};
use crate::target::Target;

/// Bytes of which tiles, and their places in VTCM, are multiples: those of a vector.
pub const LINE: i64 = 128;
/// Bytes that a tile has at least, of what is loaded again and of what is loaded once: fewer are read as fast where they are.
const LEAST_BYTES: i64 = 1024;
const LEAST_BYTES_ONCE: i64 = 4096;
/// How many times the loads of what is loaded again are its elements, at least.
const LEAST_LOADS: i64 = 2;
/// Loops whose order is tried out, and how many times the cost of the best order another one may have.
const MOST_LOOPS: usize = 5;
const MARGIN: f64 = 1.05;

/// VTCM that kernels may take, and how it is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vtcm {
    /// Bytes that a kernel may take.
    pub bytes: i64,
    /// Whether the DMA copies, while the kernel computes; else instructions do, before.
    pub by_dma: bool,
}

/// Tiles of an operand that are in VTCM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// Which.
    pub operand: usize,
    /// Elements from the first one of a tile to its last.
    pub span: i64,
    /// Elements that the place of a tile has.
    pub place: i64,
    /// How many tiles there are at a time: two, where the next one is copied meanwhile.
    pub places: i64,
    /// Bytes of all places.
    pub bytes: i64,
}

/// What a kernel has in VTCM.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Staging {
    /// Operands that are copied before the loops.
    pub whole: Vec<Tiles>,
    /// Operands that are copied tile by tile, all with as many places.
    pub streamed: Vec<Tiles>,
    /// The loop whose iterations have one tile each, by its place among the parallel ones from 1 on.
    pub depth: usize,
    /// Bytes that would have been enough for a tile of some operand; none where no operand is worth it.
    pub least: Option<i64>,
    /// Bytes that the kernel loads from VTCM.
    loaded: i64,
}

/// A way to have an operand in VTCM.
#[derive(Debug, Clone, Copy)]
struct Way {
    tiles: Tiles,
    depth: usize,
    /// Elements that are copied in all.
    copied: i64,
}

impl Way {
    /// What is better comes first: to copy while computing, then to copy once, then to copy and wait in each iteration.
    fn rank(&self) -> (i64, i64, i64) {
        let kind = match (self.depth, self.tiles.places) {
            (0, _) => 1,
            (_, 1) => 2,
            _ => 0,
        };
        (kind, self.copied, self.tiles.bytes)
    }
}

/// Why what a kernel reads is not in VTCM as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWhole {
    /// It reads no vectors, or none of memory that only it reads and no index chooses.
    NoVectors,
    /// Most of what lies between the elements that it reads are others.
    Scattered,
    /// It would take so many bytes.
    NoRoom(i64),
}

impl Staging {
    /// That of a kernel of a single nest, whose loops one thread goes through.
    pub fn of(space: &Space, schedule: &Schedule, vtcm: Vtcm) -> Staging {
        let mut staging = Staging::default();
        let mut operands = vectors(space, schedule);
        let loaded = |operand: &(usize, &Access)| loaded(space, schedule, *operand);
        operands.sort_by_key(|operand| std::cmp::Reverse(loaded(operand)));
        let mut left = vtcm.bytes;
        for (operand, access) in operands {
            let ways = ways(space, schedule, (operand, access));
            let least = ways.iter().map(|way| way.tiles.bytes).min();
            staging.least = staging.least.into_iter().chain(least).min();
            let fits = |way: &&Way| way.tiles.bytes <= left && staging.takes(way);
            if let Some(way) = ways.iter().filter(fits).min_by_key(|way| way.rank()).copied() {
                left -= way.tiles.bytes;
                staging.loaded = staging.loaded.saturating_add(loaded(&(operand, access)));
                staging.add(way);
            }
        }
        staging
    }

    /// That of a kernel which has all vectors that it reads in VTCM as a whole.
    ///
    /// # Errors
    /// Where it reads none that can be there, or there is no room for them.
    pub fn whole(space: &Space, schedule: &Schedule, vtcm: Vtcm) -> Result<Staging, NotWhole> {
        let mut staging = Staging::default();
        for (operand, access) in vectors(space, schedule) {
            let whole = span(space, schedule, access, 0).filter(|whole| 2 * touched(space, access) >= *whole);
            let way = way(space, (operand, whole.ok_or(NotWhole::Scattered)?), (0, 0), 1);
            staging.loaded = staging.loaded.saturating_add(loaded(space, schedule, (operand, access)));
            staging.add(way);
        }
        let taken = staging.tiles().map(|tiles| tiles.bytes).fold(0, i64::saturating_add);
        match taken {
            0 => Err(NotWhole::NoVectors),
            _ if taken > vtcm.bytes => Err(NotWhole::NoRoom(taken)),
            _ => Ok(staging),
        }
    }

    /// What is better comes first: what loads more from there, then what waits for less before the loops, then what takes less.
    fn rank(&self) -> (std::cmp::Reverse<i64>, i64, i64) {
        let sum = |tiles: &[Tiles]| tiles.iter().map(|tiles| tiles.bytes).sum::<i64>();
        (std::cmp::Reverse(self.loaded), sum(&self.whole), sum(&self.streamed))
    }

    /// Whether there is nothing in VTCM.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.streamed.is_empty()
    }

    /// The operands with tiles in VTCM.
    pub fn tiles(&self) -> impl Iterator<Item = &Tiles> {
        self.whole.iter().chain(&self.streamed)
    }

    /// Whether tiles of an operand can be copied with those that there are: one loop waits for all.
    fn takes(&self, way: &Way) -> bool {
        let same = |first: &Tiles| self.depth == way.depth && first.places == way.tiles.places;
        way.depth == 0 || self.streamed.first().is_none_or(same)
    }

    fn add(&mut self, way: Way) {
        if way.depth == 0 {
            self.whole.push(way.tiles);
        } else {
            self.depth = way.depth;
            self.streamed.push(way.tiles);
        }
    }
}

/// The schedule with its parallel loops in the order in which most is in VTCM, of those that cost hardly more: the tiles in registers stay
/// what they are. And the bytes that would be enough for a tile in some of them.
pub fn arranged(space: &Space, schedule: Schedule, vtcm: Vtcm, target: &Target) -> (Schedule, Option<i64>) {
    let parallel = schedule.around();
    if parallel.len() > MOST_LOOPS {
        return (schedule, None);
    }
    let reduced = &schedule.loops[parallel.len()..];
    let of = |loops: Vec<Loop>| Schedule { loops: [&loops, reduced].concat(), packs: Vec::new() };
    let most = cost(space, &schedule, target) * MARGIN;
    let is_good = |other: &Schedule| check(space, other).is_ok() && cost(space, other, target) <= most;
    let panels = by_panels(space, &schedule);
    let others = [parallel].into_iter().chain(panels.as_deref()).flat_map(orders);
    let others = others.map(of).filter(is_good);
    let mut least = None;
    let all = std::iter::once(schedule.clone()).chain(others).map(|order| {
        let staging = Staging::of(space, &order, vtcm);
        least = least.into_iter().chain(staging.least).min();
        (staging.rank(), order)
    });
    let best = all.min_by_key(|(rank, _)| *rank).map(|(_, order)| order);
    (best.unwrap_or(schedule), least)
}

/// The parallel loops with one more over whole panels, where vectors of an operand lie in panels that are wider than a tile: a part of one does not
/// lie in one piece.
fn by_panels(space: &Space, schedule: &Schedule) -> Option<Vec<Loop>> {
    let vectors = schedule.vectors().filter(|vectors| vectors.lanes > 1)?;
    let panel = |access: &Access| match access.steps[vectors.dim] {
        Step::Panel { size, .. } if size > vectors.tile && size % vectors.tile == 0 => Some(size),
        _ => None,
    };
    let step = space.reads().find_map(|(_, access)| panel(access))?;
    let parallel = schedule.around();
    let is_single = parallel.iter().filter(|own| own.dim == vectors.dim).count() == 1;
    let block = Loop { dim: vectors.dim, step, kind: Kind::Parallel, form: Form::Elements };
    is_single.then(|| [&[block], parallel].concat())
}

/// All orders of loops in which those along one dimension keep theirs.
fn orders(loops: &[Loop]) -> Vec<Vec<Loop>> {
    if loops.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in loops.iter().enumerate() {
        if loops[..place].iter().all(|before| before.dim != first.dim) {
            let rest = [&loops[..place], &loops[place + 1..]].concat();
            all.extend(orders(&rest).into_iter().map(|rest| [vec![*first], rest].concat()));
        }
    }
    all
}

/// Whether the kernel reads memory of a single place in each iteration, where nothing is written.
fn can_move(space: &Space, operand: usize, access: &Access) -> bool {
    let is_memory = matches!(space.operands.get(operand), Some(Operand::Passed { strides: None, .. }));
    let is_single = space.walked().filter(|(walked, _)| *walked == operand).count() == 1;
    let is_apart = space.is_only_read(operand) && !space.is_fetched(operand);
    let is_known = |(step, dim): (&Step, &super::space::Dim)| match *step {
        Step::Linear(distance) => distance == 0 || distance > 0 && !dim.is_open,
        Step::Panel { outer, inner, .. } => outer >= 0 && inner >= 0 && !dim.is_open,
        Step::Open(_) => false,
    };
    is_memory
        && is_single
        && is_apart
        && access.open_offset.is_none()
        && access.steps.iter().zip(&space.dims).all(is_known)
}

fn bytes(space: &Space, operand: usize) -> i64 {
    space.element(operand).map_or(1, |element| element.bytes())
}

/// The operands whose vectors could be in VTCM. Single numbers are read faster where caches keep them.
fn vectors<'s>(space: &'s Space, schedule: &Schedule) -> Vec<(usize, &'s Access)> {
    let is_plain = schedule.packs.is_empty() && schedule.blocks().is_none();
    let is_whole = |vectors: &Vectors| vectors.lanes > 1 && space.shared() == 0 && is_plain;
    let Some(vectors) = schedule.vectors().filter(is_whole) else { return Vec::new() };
    let group = schedule.grouped().map(|grouped| grouped.atom.group);
    let are_vectors = |access: &Access| {
        let distance = access.steps[vectors.dim].in_tile(vectors.tile);
        distance == Some(1) || distance.is_some() && distance == group
    };
    let can_be_there = |(operand, access): &(usize, &Access)| are_vectors(access) && can_move(space, *operand, access);
    space.reads().filter(can_be_there).collect()
}

/// Bytes that are loaded of an operand in all.
fn loaded(space: &Space, schedule: &Schedule, (operand, access): (usize, &Access)) -> i64 {
    loads(space, schedule, access).saturating_mul(bytes(space, operand))
}

/// Elements that are read of an operand, each once.
fn touched(space: &Space, access: &Access) -> i64 {
    let moved = access.steps.iter().zip(&space.dims).filter(|(step, _)| step.moves());
    moved.map(|(_, dim)| dim.extent).fold(1, i64::saturating_mul)
}

/// How often elements are loaded: once for all points of a tile in registers that read the same one.
fn loads(space: &Space, schedule: &Schedule, access: &Access) -> i64 {
    let along = |(dim, step): (usize, &Step)| match step.moves() {
        true => space.dims[dim].extent,
        false => divided_up(space.dims[dim].extent, schedule.tile(dim)),
    };
    access.steps.iter().enumerate().map(along).fold(1, i64::saturating_mul)
}

fn divided_up(number: i64, by: i64) -> i64 {
    number.saturating_add(by - 1) / by.max(1)
}

/// All ways to have tiles of an operand in VTCM that are worth it.
fn ways(space: &Space, schedule: &Schedule, (operand, access): (usize, &Access)) -> Vec<Way> {
    let Some(whole) = span(space, schedule, access, 0) else { return Vec::new() };
    let mut ways = Vec::new();
    let is_loaded_again = loads(space, schedule, access) >= LEAST_LOADS * whole;
    let least = if is_loaded_again { LEAST_BYTES } else { LEAST_BYTES_ONCE };
    if is_loaded_again && 2 * touched(space, access) >= whole {
        ways.push(way(space, (operand, whole), (0, whole), 1));
    }
    let mut copies = 1i64;
    for (place, own) in schedule.around().iter().enumerate() {
        let tiles = divided_up(extent(space, schedule, place, own.dim), own.step);
        copies = copies.saturating_mul(tiles);
        let Some(tile) = span(space, schedule, access, place + 1) else { continue };
        let copied = copies.saturating_mul(tile);
        // Windows lap over, and what loops around others read is copied again: that is no longer in order.
        let is_in_order = copied.saturating_mul(4) <= whole.saturating_mul(5);
        if !space.dims[own.dim].is_open && access.steps[own.dim].moves() && tiles > 1 && is_in_order {
            ways.extend([2, 1].map(|places| way(space, (operand, tile), (place + 1, copied), places)));
        }
    }
    ways.retain(|way| way.tiles.span.saturating_mul(bytes(space, operand)) >= least);
    ways
}

/// The way to have so many tiles of a span.
fn way(space: &Space, (operand, span): (usize, i64), (depth, copied): (usize, i64), places: i64) -> Way {
    let (bytes, line) = (bytes(space, operand), LINE / bytes(space, operand).clamp(1, LINE));
    // A tile begins within a line, and vectors may reach into the next one behind it.
    let place = divided_up(span.saturating_add(line), line).saturating_add(1).saturating_mul(line);
    let taken = place.saturating_mul(bytes).saturating_mul(places);
    Way { tiles: Tiles { operand, span, place, places, bytes: taken }, depth, copied }
}

/// How far a dimension goes within so many of the parallel loops.
fn extent(space: &Space, schedule: &Schedule, depth: usize, dim: usize) -> i64 {
    let around = schedule.around()[..depth].iter().rev().find(|own| own.dim == dim);
    around.map_or(space.dims[dim].extent, |own| own.step.min(space.dims[dim].extent))
}

/// Elements from the first to the last one that is read within so many of the parallel loops; none where it differs from iteration to
/// iteration, beyond what remains at the end.
fn span(space: &Space, schedule: &Schedule, access: &Access, depth: usize) -> Option<i64> {
    let along = |(dim, step): (usize, &Step)| {
        let length = extent(space, schedule, depth, dim);
        match *step {
            Step::Linear(distance) => Some((length - 1).max(0).saturating_mul(distance)),
            Step::Open(_) => None,
            Step::Panel { size, outer, inner } => {
                let blocks = schedule.around()[..depth].iter().filter(|own| own.dim == dim);
                let is_even = |unit: i64| blocks.clone().all(|own| own.step % unit == 0);
                if is_even(size) {
                    let panels = divided_up(length, size);
                    Some((panels - 1).saturating_mul(outer).saturating_add((size - 1) * inner))
                } else {
                    (size % length == 0 && is_even(length)).then(|| (length - 1) * inner)
                }
            }
        }
    };
    let mut last = 0i64;
    for step in access.steps.iter().enumerate() {
        last = last.saturating_add(along(step)?);
    }
    Some(last + 1)
}

#[cfg(test)]
mod tests;
