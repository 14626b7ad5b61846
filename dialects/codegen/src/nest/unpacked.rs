//! Weights of few bits that many rows are multiplied by become reals once for a block of rows: a part of a panel at a time, in memory
//! that stays in the nearest cache, with the sums of the block beside it.

use super::computation::{Computation, Ref};
use super::op::Op;
use super::scaled::Scaled;
use super::schedule::{Rows, Schedule};
use super::space::{MOST_TERMS, Source, Space, Stage};
use crate::target::Target;

/// Rows from which on weights are worth to be unpacked.
pub const LEAST_ROWS: i64 = 32;
/// Bytes that the weights of a part of a panel may have, and the sums of a block: they lie on the stack.
const MOST_WEIGHTS: i64 = 32 << 10;
const MOST_SUMS: i64 = 16 << 10;
/// Elements along the reduced dimensions that a part has at least; a chain may have so many terms at most.
const LEAST_TERMS: i64 = 32;
/// Bytes of a real.
const REAL: i64 = 4;

/// How weights are unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// The dimension of the rows, those of a tile and the most of a block.
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
        let vectors = schedule.vectors().filter(|own| !own.is_scalable && !space.dims[own.dim].is_reduced)?;
        let rows = schedule.rows().filter(|rows| has_many(space, schedule, *rows))?;
        let reductions = schedule.reductions();
        let (groups, within) = match (scaled.around(schedule)?, reductions.as_slice()) {
            (0, [within]) => (None, *within),
            (1, [groups, within]) => (Some(*groups), *within),
            _ => return None,
        };
        if reductions.iter().any(|dim| space.dims[*dim].is_open) {
            return None;
        }
        let (weights, factors) = weights(&scaled)?;
        let (_, scale) = space.main.computation.scaled_sum()?;
        let extents = [groups.map_or(1, |dim| space.dims[dim].extent), space.dims[within].extent];
        let each = factors.len() as i64;
        let [count, length] = part(extents, MOST_TERMS.min(MOST_WEIGHTS / (REAL * vectors.tile)) / each)?;
        let parts = extents[0] / count * (extents[1] / length);
        let most = MOST_SUMS / (vectors.tile * REAL * rows.count);
        let tiles = (space.dims[rows.dim].extent / rows.count).clamp(1, most.max(1));
        let fits = each * count * length >= LEAST_TERMS && parts <= MOST_TERMS;
        fits.then_some(Unpacked {
            rows: (rows.dim, rows.count, tiles * rows.count),
            columns: vectors.tile,
            groups: groups.map(|dim| (dim, count)),
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

/// Whether a loop over tiles of many rows is the innermost of those over parallel dimensions, and the only one over rows.
fn has_many(space: &Space, schedule: &Schedule, rows: Rows) -> bool {
    let known = space.dims[rows.dim];
    let loops = schedule.around();
    let is_innermost = loops.last().is_some_and(|own| own.dim == rows.dim);
    let is_single = loops.iter().filter(|own| own.dim == rows.dim).count() == 1;
    is_innermost && is_single && (known.is_open || known.extent >= LEAST_ROWS)
}

/// The largest part of so many groups of some elements each that has at most so many elements, of several groups only whole ones.
fn part([groups, length]: [i64; 2], most: i64) -> Option<[i64; 2]> {
    let divisor = |extent: i64, most: i64| (1..=most.max(1)).rev().find(|part| extent % part == 0);
    let own = divisor(length, most)?;
    let count = divisor(groups, if own == length { most / own } else { 1 })?;
    Some([count, own])
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

#[cfg(test)]
mod tests {
    use super::super::plain::weighted;
    use super::super::search::choose;
    use super::super::testing::targets;
    use super::*;

    /// Points of a part, rows of a block and factors, where weights are unpacked.
    fn plan(target: &Target, rows: i64, depth: i64, form: (i64, u32)) -> Option<(i64, i64, usize)> {
        let space = weighted(rows, 1024, depth, form);
        let unpacked = Unpacked::of(&space, &choose(&space, target), target)?;
        let [weights, sums] = unpacked.elements();
        assert!(REAL * weights <= MOST_WEIGHTS && REAL * sums <= MOST_SUMS, "{target}: {weights} and {sums} reals");
        Some((unpacked.points(), unpacked.rows.2 / unpacked.rows.1, unpacked.factors.len()))
    }

    #[test]
    fn many_rows_have_weights_unpacked_in_parts_that_are_short_sums() {
        for target in &targets()[..3] {
            for (depth, group, bits) in [(4096, 32, 8), (4096, 32, 4), (4096, 4096, 8), (96, 32, 4)] {
                let (points, tiles, factors) = plan(target, 128, depth, (group, bits)).unwrap();
                let terms = points * factors as i64;
                assert!((LEAST_TERMS..=MOST_TERMS).contains(&terms), "{target}: {depth} in {group}: {terms} terms");
                assert!(tiles > 1 && factors == (8 / bits) as usize);
            }
            assert_eq!(plan(target, 8, 4096, (32, 8)), None);
            // Sums of a prime number of terms have no parts.
            assert_eq!(plan(target, 128, 4099, (4099, 8)), None);
        }
        assert_eq!(plan(&targets()[4], 128, 4096, (32, 8)), None);
    }
}
