//! Which dimension is vectorized, which is unrolled into a register tile, and in which order the loops stand.

use super::access::{Access, Step};
use super::body;
use super::group::{Group, Stage};
use crate::target::Target;
use skriptnd_mlir::ir::types;

/// Vectors of a tile without a reduction.
const ELEMENTWISE_VECTORS: i64 = 4;
/// Vectors of a row of accumulators.
const ROW_VECTORS: i64 = 2;
/// Vectors in flight for each row where the reduced dimension is vectorized.
const DOT_VECTORS: i64 = 2;

/// How a group is computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The vectorized dimension.
    pub vector: Option<usize>,
    /// Whether that dimension is reduced.
    pub dot: bool,
    /// Lanes of a vector.
    pub lanes: i64,
    /// Elements of the vectorized dimension in a tile.
    pub tile: i64,
    /// The dimension that is unrolled, and how many of its elements.
    pub rows: Option<(usize, i64)>,
    /// The other and these parallel dimensions, outermost first.
    pub order: Vec<usize>,
    /// Reduced dimensions, outermost first.
    pub reductions: Vec<usize>,
}

/// Rows and vectors of a tile of accumulators for so many rows.
pub fn accumulator_tile(target: &Target, rows: i64) -> (i64, i64) {
    let vectors = if rows >= 6 { ROW_VECTORS } else { 2 * ROW_VECTORS };
    let most = ((target.registers - vectors - 1) / vectors).max(1);
    (even_share(rows, most), vectors)
}

/// The largest size of parts of which `extent` needs the fewest.
fn even_share(extent: i64, most: i64) -> i64 {
    let parts = (extent + most - 1) / most.max(1);
    (extent + parts - 1) / parts.max(1)
}

impl Schedule {
    /// The schedule of a group on a target.
    pub fn choose(group: &Group<'_, '_>, target: &Target) -> Schedule {
        let vector = Chooser { group, target }.vector();
        let lanes = if vector.is_some() { target.lanes } else { 1 };
        let dot = vector.is_some_and(|dim| group.reduced[dim]);
        let chooser = Chooser { group, target };
        let rows = chooser.rows(vector, dot);
        let tile = vector.map_or(1, |dim| chooser.tile(dim, dot, rows.is_some()));
        let rows = rows.map(|dim| (dim, chooser.row_count(dim, dot, tile / lanes)));
        let order = chooser.order(vector.filter(|_| !dot), rows.map(|(dim, _)| dim));
        Schedule { vector, dot, lanes, tile, rows, order, reductions: chooser.reductions(vector.filter(|_| dot)) }
    }
}

struct Chooser<'g, 'c, 'a> {
    group: &'g Group<'c, 'a>,
    target: &'g Target,
}

impl<'c: 'a, 'a> Chooser<'_, 'c, 'a> {
    fn stages(&self) -> impl Iterator<Item = &Stage<'c, 'a>> {
        self.group.init.iter().chain([&self.group.main]).chain(&self.group.epilogues)
    }

    fn reads(&self) -> impl Iterator<Item = &Access> {
        self.stages().flat_map(|stage| stage.memory().map(|(_, access)| access).collect::<Vec<_>>())
    }

    fn vector(&self) -> Option<usize> {
        if self.target.lanes == 1 || !self.stages().all(|stage| body::is_vectorizable(stage.body)) {
            return None;
        }
        let booleans = |stage: &Stage<'c, 'a>| {
            stage.memory().any(|(value, _)| types::is_integer(types::element(value.r#type()), 1))
        };
        let output = types::element(self.group.output.0.r#type());
        if self.stages().any(booleans) || types::is_integer(output, 1) || !(output.is_float() || output.is_integer()) {
            return None;
        }
        let extent = |dim: &Option<usize>| dim.map_or(0, |dim| self.group.extents[dim]);
        let parallel = self.widest(|dim| !self.group.reduced[dim] && self.is_contiguous(dim));
        let reduced = self.widest(|dim| self.group.reduced[dim] && self.is_dot(dim));
        let prefer_parallel = extent(&parallel) >= self.target.lanes || extent(&reduced) <= extent(&parallel);
        if prefer_parallel { parallel } else { reduced }.filter(|dim| self.group.extents[*dim] > 1)
    }

    fn widest(&self, fits: impl Fn(usize) -> bool) -> Option<usize> {
        (0..self.group.extents.len()).filter(|&dim| fits(dim)).max_by_key(|&dim| self.group.extents[dim])
    }

    fn is_contiguous(&self, dim: usize) -> bool {
        let tile = self.panel(dim).unwrap_or(1);
        let near = |access: &Access| matches!(access.steps[dim].in_tile(tile), Some(0 | 1));
        let panels_fit = self.panel(dim).is_none_or(|panel| panel % self.target.lanes == 0);
        panels_fit && self.reads().all(near) && self.group.output.1.steps[dim].in_tile(tile) == Some(1)
    }

    fn is_dot(&self, dim: usize) -> bool {
        let near = |access: &Access| matches!(access.steps[dim], Step::Linear(0 | 1));
        !self.group.indexed
            && self.group.open[dim].is_none()
            && body::combiner(&self.group.main).is_some()
            && self.reads().all(near)
    }

    /// Length of the panels into which an operand cuts the dimension.
    fn panel(&self, dim: usize) -> Option<i64> {
        self.reads().find_map(|access| match access.steps[dim] {
            Step::Panel { size, .. } => Some(size),
            Step::Linear(_) => None,
        })
    }

    fn tile(&self, dim: usize, dot: bool, has_rows: bool) -> i64 {
        let vectors = match (dot, has_rows) {
            (true, _) => DOT_VECTORS,
            (false, true) => ROW_VECTORS,
            (false, false) => ELEMENTWISE_VECTORS,
        };
        self.panel(dim).unwrap_or(vectors * self.target.lanes)
    }

    /// The dimension to unroll: one along which an operand is used again.
    fn rows(&self, vector: Option<usize>, dot: bool) -> Option<usize> {
        if self.group.indexed {
            return None;
        }
        if !self.group.reduced.contains(&true) {
            return self.transposed().filter(|_| vector.is_none());
        }
        let steady = |access: &Access, dim: usize| access.steps[dim].linear().is_some();
        let reused = |dim: usize| {
            let shared = |access: &Access| !access.steps[dim].moves();
            dot || self.group.main.memory().any(|(_, access)| shared(access))
        };
        let fits = |&dim: &usize| {
            let accesses = || self.reads().chain([&self.group.output.1]);
            !self.group.reduced[dim]
                && Some(dim) != vector
                && accesses().all(|access| steady(access, dim))
                && reused(dim)
        };
        let distance = |dim: usize| self.group.output.1.steps[dim].linear().unwrap_or(0).abs();
        let score = |&dim: &usize| (self.group.extents[dim].min(8), std::cmp::Reverse(distance(dim)));
        (0..self.group.extents.len()).filter(fits).max_by_key(score)
    }

    /// Where neighbours in an input are far apart in the output, the dimension along which they are: unrolled, it uses
    /// all of each cache line that is loaded.
    fn transposed(&self) -> Option<usize> {
        let near = |access: &Access, dim: usize| access.steps[dim] == Step::Linear(1) && self.group.extents[dim] > 1;
        let steady =
            |dim: usize| self.reads().chain([&self.group.output.1]).all(|access| access.steps[dim].linear().is_some());
        let output = &self.group.output.1;
        (0..self.group.extents.len())
            .find(|&dim| !near(output, dim) && steady(dim) && self.reads().any(|access| near(access, dim)))
    }

    fn row_count(&self, dim: usize, dot: bool, vectors: i64) -> i64 {
        let extent = self.group.extents[dim];
        let most = match dot {
            true => self.target.streams,
            false => (self.target.registers - vectors - 1) / vectors.max(1),
        };
        match self.group.open[dim] {
            Some(_) => most.clamp(1, 16),
            None => even_share(extent, most.clamp(1, 16)).max(1),
        }
    }

    /// Parallel dimensions as they lie in the output. Weights that stay in the cache are walked for every tile of rows;
    /// others are walked once, panel by panel.
    fn order(&self, vector: Option<usize>, rows: Option<usize>) -> Vec<usize> {
        let distance = |dim: usize| match self.group.output.1.steps[dim] {
            Step::Linear(distance) => distance.abs(),
            Step::Panel { outer, .. } => outer.abs(),
        };
        let mut others: Vec<usize> = (0..self.group.extents.len())
            .filter(|&dim| !self.group.reduced[dim] && Some(dim) != vector && Some(dim) != rows)
            .collect();
        others.sort_by_key(|&dim| std::cmp::Reverse(distance(dim)));
        let Some(vector) = vector else { return others.into_iter().chain(rows).collect() };
        let cached = self.weights(vector, rows) <= self.target.cache_bytes;
        match cached {
            true => others.into_iter().chain(rows).chain([vector]).collect(),
            false => [vector].into_iter().chain(others).chain(rows).collect(),
        }
    }

    /// Bytes of the largest operand that is used again along the rows.
    fn weights(&self, vector: usize, rows: Option<usize>) -> i64 {
        let Some(rows) = rows else { return 0 };
        let bytes = |access: &Access| {
            let moving = (0..self.group.extents.len()).filter(|&dim| access.steps[dim].moves());
            moving.fold(4i64, |bytes, dim| bytes.saturating_mul(self.group.extents[dim]))
        };
        let again = |access: &&Access| access.steps[vector].moves() && !access.steps[rows].moves();
        self.group.main.memory().map(|(_, access)| access).filter(again).map(bytes).max().unwrap_or(0)
    }

    fn reductions(&self, innermost: Option<usize>) -> Vec<usize> {
        let mut dims: Vec<usize> =
            (0..self.group.extents.len()).filter(|&dim| self.group.reduced[dim] && Some(dim) != innermost).collect();
        let distance = |dim: usize| {
            let steps = self.group.main.memory().filter_map(|(_, access)| access.steps[dim].linear());
            steps.map(i64::abs).max().unwrap_or(0)
        };
        dims.sort_by_key(|&dim| std::cmp::Reverse(distance(dim)));
        dims.into_iter().chain(innermost).collect()
    }
}
