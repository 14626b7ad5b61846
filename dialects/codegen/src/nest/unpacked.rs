//! Weights of few bits that many rows are multiplied by become reals once for a block of rows: a part of a panel at a time, in memory
//! that stays in the nearest cache, with the sums of the block beside it.

use super::computation::{Computation, Ref};
use super::op::Op;
use super::scaled::Scaled;
use super::schedule::{Form, Kind, Schedule, Tail};
use super::space::{Source, Space, Stage};
use crate::target::Target;

/// Rows from which on weights are worth to be unpacked.
const LEAST_ROWS: i64 = 32;
/// Bytes that the sums of a block may have, and elements along the reduced dimensions that a part of a panel has: no sum of a part
/// has more terms.
const MOST_SUMS: i64 = 16 << 10;
const MOST_TERMS: i64 = 256;
const LEAST_TERMS: i64 = 32;
/// Bytes of a real.
const REAL: i64 = 4;

/// How weights are unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The dimension of the rows, those of a tile and those of a block.
    pub rows: (usize, i64, i64),
    /// Columns of a tile.
    pub columns: i64,
    /// The loop over groups, if there is one, and how many of them a part has.
    pub groups: Option<(usize, i64)>,
    /// The dimension within a group, and how many of its elements a part has.
    pub within: (usize, i64),
    /// Gives the weights at a point, each of which is multiplied by a factor.
    pub weights: Stage,
    /// The numbers of these factors among the sources of the main stage.
    pub factors: Vec<usize>,
    /// The number of the scale.
    pub scale: usize,
}

impl Unpacked {
    /// That of a kernel whose panels go around its rows; none where there are few of them, or the target keeps no memory on its stack.
    pub fn of(space: &Space, schedule: &Schedule, target: &Target) -> Option<Unpacked> {
        let scaled = Scaled::of(space).filter(|_| target.has_threads())?;
        let (vectors, rows) = (schedule.vectors()?, schedule.rows()?);
        let own = schedule.parallel().last().filter(|own| own.dim == rows.dim && own.form == Form::Elements)?;
        let is_single = schedule.loops.iter().filter(|other| other.dim == rows.dim && other.kind == Kind::Parallel).count() == 1;
        let is_plain = !vectors.is_scalable && !space.dims[vectors.dim].is_reduced && own.step > 1 && vectors.tail == Tail::Split;
        let known = space.dims[rows.dim];
        let reductions = schedule.reductions();
        let (groups, within) = match (scaled.around(schedule)?, reductions.as_slice()) {
            (0, [within]) => (None, *within),
            (1, [groups, within]) => (Some(*groups), *within),
            _ => return None,
        };
        if !is_plain || !is_single || !known.is_open && known.extent < LEAST_ROWS || reductions.iter().any(|dim| space.dims[*dim].is_open) {
            return None;
        }
        let (weights, factors) = weights(&scaled)?;
        let most = MOST_TERMS / factors.len() as i64;
        let part = |extent: i64, most: i64| (1..=most.max(1)).rev().find(|part| extent % part == 0);
        let length = part(space.dims[within].extent, most)?;
        let count = groups.map(|dim| part(space.dims[dim].extent, if length == space.dims[within].extent { most / length } else { 1 }));
        let terms = length * count.flatten().unwrap_or(1);
        let (_, scale) = space.main.computation.scaled_sum()?;
        let tiles = (MOST_SUMS / (vectors.tile * REAL * rows.count)).min((known.extent / rows.count).max(1)).max(1);
        let all = space.dims[within].extent * groups.map_or(1, |dim| space.dims[dim].extent);
        let fits = terms >= LEAST_TERMS && all / terms <= MOST_TERMS;
        fits.then_some(Unpacked {
            rows: (rows.dim, rows.count, tiles * rows.count),
            columns: vectors.tile,
            groups: groups.map(|dim| (dim, count.flatten().unwrap_or(1))),
            within: (within, length),
            weights,
            factors,
            scale,
        })
    }

    /// Points of a part along the reduced dimensions.
    pub fn points(&self) -> i64 {
        self.within.1 * self.groups.map_or(1, |(_, count)| count)
    }

    /// Elements of the memory that holds the weights of a part, and of that for the sums of a block.
    pub fn elements(&self) -> [i64; 2] {
        [self.points() * self.factors.len() as i64 * self.columns, self.rows.2 * self.columns]
    }
}

/// The stage that gives the weights, with the numbers of the factors that they are multiplied by.
fn weights(scaled: &Scaled) -> Option<(Stage, Vec<usize>)> {
    let Stage { computation, sources } = &scaled.terms;
    let mut pairs = Vec::new();
    for product in computation.instructions.iter().filter(|instruction| instruction.op == Op::MulF) {
        let pair: [Ref; 2] = product.operands.as_slice().try_into().ok()?;
        let place = pair.iter().position(|operand| matches!(operand, Ref::Argument(_)))?;
        let (Ref::Argument(factor), weight @ Ref::Result(..)) = (pair[place], pair[1 - place]) else { return None };
        pairs.push((factor, weight));
    }
    let (first, further) = pairs.split_first()?;
    let mut own = Computation {
        result: first.1,
        further: further.iter().map(|(_, weight)| *weight).collect(),
        ..computation.clone()
    };
    own.drop_unused();
    let factors: Vec<usize> = pairs.iter().map(|(factor, _)| *factor).collect();
    let unused = |(number, source): (usize, &Source)| match source {
        Source::Memory(..) if !factors.contains(&number) => source.clone(),
        _ => Source::Unused,
    };
    let sources = sources.iter().enumerate().map(unused).collect();
    Some((Stage { computation: own, sources }, factors))
}
