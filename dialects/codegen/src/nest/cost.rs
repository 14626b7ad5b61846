//! What a schedule is expected to cost on a target, in cycles of a processor that starts two vector operations and two
//! loads at once. Costs are compared with each other; as forecasts of time they are rough.

use super::access::{Access, Step};
use super::atom::{Atom, Fused};
use super::computation::Computation;
use super::copies::copying;
use super::decided::Deciding;
use super::dots::Dots;
use super::element::Number;
use super::legal::{crosses, tile_points};
use super::matrices::Matrices;
use super::packed::Packed;
use super::parts::{masked_pieces, pieces, shorter};
use super::row_pairs::PAIR;
use super::rows_of_bytes::RowsOfBytes;
use super::scaled::Scaled;
use super::schedule::{Schedule, Tail, Vectors};
use super::space::{Dim, Space, Stage};
use super::windows::Overlap;
use crate::target::Target;
use std::borrow::Cow;

/// Operations on registers, or loads, that start in a cycle.
pub(super) const ISSUED: f64 = 2.0;
/// Loads that start in a cycle where each is a line of the cache.
const LOADED_LINES: f64 = 1.25;
/// Bytes of a lane as vectors are counted.
pub const LANE_BYTES: i64 = 4;
/// Stores that start in a cycle.
const STORES: f64 = 1.0;
/// Cycles until the result of an operation can be used by the next.
pub(super) const LATENCY: f64 = 4.0;
/// Cycles that an iteration of a loop takes beside its body.
pub(super) const ITERATION: f64 = 1.0;
/// Cycles that a tile takes beside its points.
const TILE: f64 = 4.0;
/// Cycles in which a vector's lanes become one value.
const FOLD: f64 = 8.0;
/// What masked accesses cost in whole ones.
const MASKED: f64 = 1.5;
/// Caches in sizes of the first, and the bytes that come from behind them in a cycle.
const CACHES: [(f64, f64); 2] = [(1.0, 16.0), (8.0, 8.0)];
/// The first cache, in parts of that, and the bytes that come from behind it in a cycle: few enough to be seen where a cycle has many products, or many loads.
const NEAREST: (f64, f64) = (0.125, 32.0);
/// Up to so many of the first caches what a kernel touches is near, in the second one.
const NEAR: f64 = 6.0;
/// Cycles in which groups of which each lane has its own are loaded and put together, for a vector of them.
const APART: f64 = 1.75;
/// Cycles that a load takes from products of several instructions, where few registers make loads as many as products.
const BESIDE: f64 = 0.25;
/// Registers for scalars where products have columns without vectors.
const SCALARS: f64 = 28.0;
/// Bytes of a line of the cache.
pub(super) const LINE: i64 = 64;
/// Sets of the first cache, and lines in each: lines that are multiples of `SETS` apart share one.
const SETS: usize = 64;
const WAYS: usize = 8;
/// Cycles that a load takes whose line others of its set have pushed out.
pub(super) const EVICTED: f64 = 0.5;

/// Cycles in which registers that hold matrices are told how many rows they have.
const CONFIGURED: f64 = 300.0;

/// The forecast for a schedule, which must be legal.
pub fn cost(space: &Space, schedule: &Schedule, target: &Target) -> f64 {
    let (reading, packs) = Packed::all(space, schedule).unwrap_or_else(|_| (Cow::Borrowed(space), Vec::new()));
    copying(space, schedule, &packs) + cost_of_loops(&reading, schedule, (target, &packs))
}

/// The forecast for loops that read copies.
fn cost_of_loops(space: &Space, schedule: &Schedule, (target, packs): (&Target, &[Packed])) -> f64 {
    let scaled = Scaled::of(space).and_then(|scaled| Some((scaled.around(schedule)?, scaled)));
    let scaled = scaled.map(|(around, scaled)| (scaled, around));
    let judge = Judge { space, schedule, target, packs, fused: space.fused(target), scaled };
    let has_matrices = Matrices::of(space, schedule).is_some();
    let has_groups = schedule.grouped().is_some() && !target.isa.only_whole && !has_matrices;
    let caches = CACHES.into_iter().chain((has_groups || judge.is_lane_by_lane()).then_some(NEAREST));
    let traffic = caches.map(|(size, bytes)| judge.traffic(size * target.cache_bytes as f64) / bytes);
    judge.computing() + traffic.sum::<f64>() + if has_matrices { CONFIGURED } else { 0.0 }
}

pub(super) struct Judge<'n> {
    pub(super) space: &'n Space,
    pub(super) schedule: &'n Schedule,
    pub(super) target: &'n Target,
    /// What is copied of the operands before.
    pub(super) packs: &'n [Packed],
    pub(super) fused: Fused,
    /// How sums are scaled, if they are, and how many reductions go around that.
    pub(super) scaled: Option<(Scaled, usize)>,
}

/// Parts of one size of a dimension: how many there are, and how many vectors or rows each has.
pub(super) struct Parts {
    count: f64,
    pub(super) points: f64,
    masked: bool,
}

impl Judge<'_> {
    pub(super) fn extent(&self, dim: usize) -> f64 {
        self.space.dims[dim].extent as f64
    }

    /// Whether each lane has factors of its own, as in a depthwise convolution: a cycle has few products of what is loaded for it. Of tensors
    /// that are not near, what lies beside each other comes fastest, in whichever order it is used.
    fn is_lane_by_lane(&self) -> bool {
        let vectors = self.schedule.vectors().filter(|vectors| !self.space.dims[vectors.dim].is_reduced);
        let moves = |dim: usize| self.space.main.memory().all(|(_, access)| access.steps[dim].moves());
        let is_lane_by_lane = self.space.is_contraction() && vectors.is_some_and(|vectors| moves(vectors.dim));
        is_lane_by_lane && !self.target.isa.only_whole && self.touched() <= NEAR * self.target.cache_bytes as f64
    }

    fn computing(&self) -> f64 {
        let tiled = |dim: usize| self.schedule.is_vectorized(dim) || self.is_row(dim);
        let others = self.space.dims_that_are(false).filter(|dim| !tiled(*dim));
        let others: f64 = others.map(|dim| self.extent(dim)).product();
        let mut cycles = 0.0;
        for rows in self.row_parts() {
            for vectors in self.vector_parts() {
                cycles += rows.count * vectors.count * self.tile(rows.points, &vectors);
            }
        }
        others * cycles
    }

    fn is_row(&self, dim: usize) -> bool {
        self.schedule.rows().is_some_and(|rows| rows.dim == dim)
    }

    /// Lanes of a vector and elements of a tile on most processors.
    fn usual(&self, vectors: Vectors) -> (i64, i64) {
        let scale = self.target.isa.scalable().filter(|_| vectors.is_scalable).map_or(1, |(_, scale)| scale);
        (vectors.lanes * scale, vectors.tile * scale)
    }

    fn row_parts(&self) -> Vec<Parts> {
        let Some(rows) = self.schedule.rows() else { return vec![Parts { count: 1.0, points: 1.0, masked: false }] };
        let Dim { extent, is_open, .. } = self.space.dims[rows.dim];
        let part = |count: f64, rows: i64| Parts { count, points: rows as f64, masked: false };
        if is_open && !self.target.isa.only_whole {
            // Of each shorter part there is one or none.
            let rest = shorter(rows.count).map(|rows| part(0.5, rows));
            return [part(self.whole_parts(extent, rows.count), rows.count)].into_iter().chain(rest).collect();
        }
        let full = part((extent / rows.count) as f64, rows.count);
        let rest = extent % rows.count;
        [full].into_iter().chain((rest > 0).then(|| part(1.0, rest))).collect()
    }

    /// Whole parts of an open dimension, on an average.
    fn whole_parts(&self, extent: i64, each: i64) -> f64 {
        (extent as f64 / each as f64 - (each - 1) as f64 / (2 * each) as f64).max(0.5)
    }

    /// Of the vectorized dimension if it is parallel.
    fn vector_parts(&self) -> Vec<Parts> {
        let one = || vec![Parts { count: 1.0, points: 1.0, masked: false }];
        let Some(vectors) = self.schedule.vectors() else { return one() };
        if self.space.dims[vectors.dim].is_reduced {
            return one();
        }
        let extent = self.space.dims[vectors.dim].extent;
        // Lanes of narrow elements take several registers where they are computed.
        let registers = |lanes: i64| (lanes / self.space.lanes_of_results(self.target)).max(1) as f64;
        let own = registers(vectors.lanes);
        let points = (vectors.tile / vectors.lanes) as f64 * own;
        let (lanes, tile) = self.usual(vectors);
        let full = Parts { count: (extent / tile) as f64, points, masked: false };
        let is_masked = vectors.tail == Tail::Mask;
        if self.space.dims[vectors.dim].is_open {
            // The rest may be nearly a vector.
            let elements = Parts { count: (vectors.lanes - 1) as f64, points: 1.0, masked: false };
            let masked = |points: f64| Parts { count: 1.0, points, masked: true };
            return match is_masked {
                true if self.target.isa.masks_words => {
                    let full = Parts { count: self.whole_parts(extent, tile), ..full };
                    let single = Parts { count: (points - 1.0) / 2.0, points: 1.0, masked: false };
                    vec![full, single, masked(1.0)]
                }
                true => vec![full, masked(own)],
                false => vec![full, elements],
            };
        }
        let rest = extent % tile;
        if vectors.is_scalable {
            // One masked vector after the other.
            let masked = Parts { count: (rest as f64 / lanes as f64).ceil(), points: own, masked: true };
            return vec![full, masked];
        }
        let cut = match is_masked {
            true => masked_pieces(rest, lanes, self.target.isa.only_whole),
            false => pieces(rest, lanes),
        };
        let masked = cut.iter().any(|piece| piece.is_masked());
        let whole = || cut.iter().map(|piece| registers(piece.lanes)).sum();
        let points = || self.points_of_dots(rest).unwrap_or_else(whole);
        let rest = (rest > 0).then(|| Parts { count: 1.0, points: points(), masked });
        [full].into_iter().chain(rest).collect()
    }

    /// The points of a rest whose last columns are added up by themselves: they are that part of a vector of words that they take of its time.
    fn points_of_dots(&self, rest: i64) -> Option<f64> {
        let dots = Dots::of(self.space, self.schedule, self.target)?;
        let part = dots.packets() / dots.packets_by_words();
        Some((rest - dots.columns) as f64 / self.target.isa.lanes() as f64 + part)
    }

    /// One tile with all its reductions.
    fn tile(&self, rows: f64, vectors: &Parts) -> f64 {
        let points = rows * vectors.points;
        let has_reduction = self.space.has_reduction();
        let mut cycles = TILE + self.stored(points, self.space.finished()) * if vectors.masked { MASKED } else { 1.0 };
        let around = self.space.init.iter().chain(&self.space.epilogues);
        cycles += around.map(|stage| self.stage(stage, rows, vectors)).sum::<f64>();
        let main = &self.space.main;
        if !has_reduction {
            return cycles + self.stage(main, rows, vectors);
        }
        match self.dot() {
            Some(dim) => cycles + self.dot_tile(dim, rows),
            None => cycles + self.reduced(rows, vectors) + self.between_blocks(points),
        }
    }

    /// What accumulators are stored and loaded again, where a reduced dimension has blocks.
    fn between_blocks(&self, points: f64) -> f64 {
        let blocks = self.schedule.blocks().map_or(1.0, |(dim, each)| (self.extent(dim) / each as f64).ceil());
        (blocks - 1.0) * (TILE + 2.0 * self.stored(points, self.space.finished()))
    }

    fn stored<'o>(&self, points: f64, outputs: impl IntoIterator<Item = &'o (usize, Access)>) -> f64 {
        let apart = |access: &Access| {
            self.schedule.vectors().is_some_and(|vectors| {
                !self.space.dims[vectors.dim].is_reduced && matches!(access.steps[vectors.dim], Step::Linear(2..))
            })
        };
        let lanes = self.schedule.vectors().map_or(1, |vectors| vectors.lanes) as f64;
        let stores = outputs.into_iter().map(|(_, access)| if apart(access) { 2.0 * lanes } else { 1.0 });
        points * stores.sum::<f64>() / STORES
    }

    fn dot(&self) -> Option<usize> {
        self.schedule.vectors().map(|vectors| vectors.dim).filter(|dim| self.space.dims[*dim].is_reduced)
    }

    pub(super) fn reduced(&self, rows: f64, vectors: &Parts) -> f64 {
        if let Some(own) = self.schedule.vectors().and_then(|vectors| RowsOfBytes::of(self.space, vectors.dim)) {
            return rows * vectors.points * (own.operations() as f64 / ISSUED).max(own.vectors() as f64);
        }
        if let Some(matrices) = Matrices::of(self.space, self.schedule) {
            return self.matrices(&matrices, rows, vectors);
        }
        if let Some((scaled, around)) = &self.scaled {
            return self.scaled(scaled, *around, rows, vectors);
        }
        let points = rows * vectors.points;
        let iterations = |dim: &usize| self.schedule.iterations(self.space, *dim) as f64;
        let iterations: f64 = self.schedule.reductions().iter().map(iterations).product();
        let work = match self.schedule.grouped() {
            Some(grouped) => self.grouped(grouped.atom, rows, vectors),
            None => self.main(rows, vectors),
        };
        let work = work + self.stored(points, self.space.on_the_way());
        // What is loaded for one row is used at once.
        let loaded = if rows > 1.0 { vectors.points } else { 1.0 };
        let spilled = (points + loaded + 1.0 - self.registers()).max(0.0);
        let whole = tile_points(self.schedule) as f64;
        let looped = if self.schedule.unrolled() == self.schedule.reductions().len() { 0.0 } else { ITERATION };
        // Code for the rest of rows is code once more.
        let rest = if points < whole { 0.01 } else { 0.0 };
        iterations
            * (work.max(LATENCY) + 2.0 * spilled / ISSUED + EVICTED * self.evicted(rows) + self.jumps() + looped + rest)
    }

    /// Registers for a tile: single products have those of scalars.
    fn registers(&self) -> f64 {
        let is_single = self.schedule.vectors().is_some_and(|vectors| vectors.lanes == 1);
        if is_single { SCALARS } else { self.target.isa.registers as f64 }
    }

    /// Rows of inputs, read element by element, whose lines do not stay in the first cache together.
    pub(super) fn evicted(&self, rows: f64) -> f64 {
        let inputs = self.space.main.memory().filter_map(|(operand, access)| {
            let distance = access.steps[self.schedule.rows()?.dim].linear()?;
            let moves = self.schedule.vectors().is_some_and(|vectors| access.steps[vectors.dim].moves());
            let bytes = self.space.element(operand)?.bytes();
            let is_within = |step: Step| matches!(step, Step::Linear(own) if own > 0 && own * bytes < LINE);
            let near = |dim: &usize| is_within(access.steps[*dim]) && self.space.dims[*dim].extent > 1;
            let is_walked = self.schedule.reductions().iter().any(near);
            (is_walked && !moves && distance != 0).then_some(distance * bytes)
        });
        let evicted = inputs.map(|distance| {
            let mut sets = [0; SETS];
            for row in 0..rows as i64 {
                sets[usize::try_from((row * distance).div_euclid(LINE)).unwrap_or(0) % SETS] += 1;
            }
            sets.into_iter().filter(|lines| *lines > WAYS).sum::<usize>()
        });
        evicted.sum::<usize>() as f64
    }

    fn dot_tile(&self, dim: usize, rows: f64) -> f64 {
        let Some(vectors) = self.schedule.vectors() else { return 0.0 };
        let extent = self.space.dims[dim].extent;
        let others: f64 =
            self.schedule.reductions().iter().filter(|other| **other != dim).map(|dim| self.extent(*dim)).product();
        let width = (vectors.tile / vectors.lanes) as f64;
        let pass = |points: f64| {
            let parts = Parts { count: 1.0, points, masked: false };
            self.stage(&self.space.main, rows, &parts).max(LATENCY) + ITERATION
        };
        let (lanes, tile) = self.usual(vectors);
        let mut rest = pieces(extent % tile, lanes).len() as f64;
        if vectors.tail == Tail::Mask && rest > 0.0 {
            rest = MASKED;
        }
        if self.space.dims[dim].is_open {
            // Half a tile of vectors, and half a vector of elements.
            let elements = if vectors.tail == Tail::Mask { MASKED } else { lanes as f64 / 2.0 };
            rest = (width - 1.0) / 2.0 + elements;
        }
        let spilled = (rows * width + width + 1.0 - self.target.isa.registers as f64).max(0.0);
        let full = (extent / tile) as f64 * (pass(width) + spilled);
        let rest = if rest > 0.0 { pass(rest) } else { 0.0 };
        others * (full + rest) + rows * (FOLD + width + rest)
    }

    /// The reduction at the points of a tile, once. What iterations that are unrolled load again, as windows beside each other do, is loaded
    /// once if there are registers for it.
    fn main(&self, rows: f64, vectors: &Parts) -> f64 {
        let main = &self.space.main;
        let work = self.work(main, rows, vectors);
        let loads =
            main.memory().map(|(_, access)| self.loads(access, self.shared_rows(access, rows, vectors), vectors));
        work.max(loads.sum::<f64>() / self.loaded())
    }

    /// The rows of an operand that an iteration loads, on an average.
    fn shared_rows(&self, access: &Access, rows: f64, vectors: &Parts) -> f64 {
        let window = self.schedule.reductions().last().copied().filter(|_| self.schedule.unrolled() > 0);
        let shared = window.and_then(|window| Overlap::of(self.space, self.schedule, (access, window), rows));
        match shared {
            Some(shared) if shared.kept(vectors.points) <= self.target.isa.registers as f64 => {
                shared.distinct / shared.taps
            }
            _ => rows,
        }
    }

    /// Vectors that are loaded in a cycle.
    fn loaded(&self) -> f64 {
        if self.target.isa.lanes() * LANE_BYTES >= LINE { LOADED_LINES } else { ISSUED }
    }

    /// One stage at the points of a tile.
    pub(super) fn stage(&self, stage: &Stage, rows: f64, vectors: &Parts) -> f64 {
        let loads: f64 = stage.memory().map(|(_, access)| self.loads(access, rows, vectors)).sum();
        self.work(stage, rows, vectors).max(loads / ISSUED)
    }

    /// The operations of a stage at the points of a tile.
    fn work(&self, stage: &Stage, rows: f64, vectors: &Parts) -> f64 {
        let operations = f64::from(operations(&stage.computation, self.fused));
        // Where rows decide which values are taken, these are computed once.
        let times = if self.is_decided(stage) { vectors.points } else { rows * vectors.points };
        operations * times / ISSUED
    }

    fn is_decided(&self, stage: &Stage) -> bool {
        let deciding = Deciding::of(self.space, &stage.computation);
        let rows = self.schedule.rows();
        deciding.zip(rows).is_some_and(|(deciding, rows)| deciding.is_decided_by(rows, self.space))
    }

    /// The groups of a tile: their products are added for so many vectors, and elements that are narrower than the atom's are
    /// widened.
    fn grouped(&self, atom: &Atom, rows: f64, vectors: &Parts) -> f64 {
        let Some(grouping) = self.space.grouping() else { return self.stage(&self.space.main, rows, vectors) };
        let lanes = self.schedule.vectors().map_or(1, |vectors| vectors.lanes.min(self.target.isa.lanes()));
        let pair = PAIR as f64;
        let (rows, calls) = match atom.function_of_row_pairs() {
            // Each takes two columns of two rows, which are put together.
            Some(_) => ((rows / pair).ceil() * pair, lanes as f64 / (pair * pair) + 1.0 / (pair * vectors.points)),
            None => (rows, (lanes as f64 / atom.widest() as f64).ceil()),
        };
        let widened = |number: Number| if atom.factors.contains(&number) { 0.0 } else { 1.0 };
        let [input, filter] = grouping.numbers.map(widened);
        let products = rows * vectors.points * calls * atom.operations();
        let around = rows * input + vectors.points * filter;
        if grouping.is_apart {
            // Elements of each group are loaded one vector after the other, and put together.
            return (products / ISSUED).max(self.own_groups(rows) * vectors.points * APART);
        }
        let loads: f64 = self.space.main.memory().map(|(_, access)| self.loads(access, rows, vectors)).sum();
        let has_few = atom.operations() > 1.0 && self.target.isa.registers < 32;
        let beside = if has_few { loads * BESIDE } else { 0.0 };
        ((products + around) / ISSUED + beside).max(loads / ISSUED)
    }

    /// Rows of groups of a tile in an iteration: windows that are unrolled have those in common that they share.
    fn own_groups(&self, rows: f64) -> f64 {
        let windows = self.schedule.reductions().len() - usize::from(self.space.grouping().is_some());
        let is_shared = self.schedule.unrolled() > windows
            && self.schedule.rows().is_some_and(|rows| self.space.shared_groups() == Some(rows.dim));
        let others = self.schedule.reductions().into_iter().filter(|dim| self.schedule.grouped_along(*dim).is_none());
        let along: f64 = others.map(|dim| self.extent(dim)).product();
        if is_shared { (rows + along - 1.0) / along } else { rows }
    }

    pub(super) fn loads(&self, access: &Access, rows: f64, vectors: &Parts) -> f64 {
        let along = |moves: bool, count: f64| if moves { count } else { 1.0 };
        let row = self.schedule.rows().is_some_and(|rows| access.steps[rows.dim].in_tile(rows.count) != Some(0));
        let lane = self.schedule.vectors().is_some_and(|vectors| access.steps[vectors.dim].moves());
        let apart = self.schedule.vectors().map_or(1.0, |vectors| match access.steps[vectors.dim] {
            Step::Linear(-1) => 2.0,
            Step::Linear(2) => 3.0,
            // Each of two vectors has half of the panels.
            step if step.spread(vectors.lanes) == Some(2) => 2.0,
            // Shuffles of a transposition.
            _ if crosses(self.space, access, vectors.dim, self.schedule.rows()) => {
                1.0 + f64::from(vectors.lanes.ilog2())
            }
            _ => 1.0,
        });
        let points = self.schedule.vectors().map_or(vectors.points, |own| match access.steps[own.dim] {
            // What is the same for all lanes of a panel, or for all panels.
            Step::Panel { size, inner: 0, .. } => {
                (vectors.points * self.target.isa.lanes() as f64 / size as f64).ceil()
            }
            Step::Panel { size, outer: 0, .. } => {
                vectors.points.min((size as f64 / self.target.isa.lanes() as f64).ceil())
            }
            _ => vectors.points,
        });
        along(row, rows) * along(lane, points) * apart * if vectors.masked && lane { MASKED } else { 1.0 }
    }
}

/// Operations that a computation costs at each point.
pub(super) fn operations(computation: &Computation, fused: Fused) -> u32 {
    let mut count = 0;
    for (number, instruction) in computation.instructions.iter().enumerate() {
        let is_fused = computation.added_product(number).is_some_and(|product| fused.has(product));
        count += if is_fused { 0 } else { instruction.op.facts().cost };
    }
    count
}

/// Rows and vectors of the tile of accumulators that is best for so many rows of a product.
pub fn accumulator_tile(target: &Target, rows: i64) -> (i64, i64) {
    let judged = [2, 4].into_iter().map(|vectors| {
        let most = ((target.isa.registers - vectors - 1) / vectors).max(1);
        let count = super::parts::even_share(rows, most);
        let points = (count * vectors) as f64;
        let loads = (count + vectors) as f64;
        let iteration = (points / ISSUED).max(loads / ISSUED).max(LATENCY) + ITERATION;
        (iteration / points, (count, vectors))
    });
    let best = judged.min_by(|(a, _), (b, _)| a.total_cmp(b));
    best.map_or((1, 1), |(_, tile)| tile)
}

#[cfg(test)]
mod tests {
    use crate::nest::search::choose;
    use crate::nest::testing::{product, targets};

    #[test]
    fn rows_that_share_a_set_of_the_cache_are_few() {
        let rows = |k: i64| choose(&product(1024, 1024, k), &targets()[0]).rows().map_or(1, |rows| rows.count);
        assert!(rows(1024) <= 8 && rows(2048) <= 8, "{} and {} rows", rows(1024), rows(2048));
        assert!(rows(1000) > 8 && rows(512) > 8, "{} and {} rows", rows(1000), rows(512));
    }
}
