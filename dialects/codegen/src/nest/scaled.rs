//! Sums of products that are scaled: of weights that are stored in few bits, each group has a scale. Inside of loops along which
//! that is the same, products are added up, and their sum is scaled.

use super::computation::{Computation, Instruction, Ref};
use super::element::Element;
use super::op::Op;
use super::schedule::Schedule;
use super::space::{Rounding, Source, Space, Stage};

/// A sum that is scaled in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaled {
    /// Adds the products at a point to an accumulator.
    pub terms: Stage,
    /// Adds such a sum, the first further accumulator, times its scale to an accumulator.
    pub scaling: Stage,
}

impl Scaled {
    /// That of a space; none where the products of the main stage have no factor in common, or all is rounded as the formula
    /// says.
    pub fn of<V>(space: &Space<V>) -> Option<Scaled> {
        let main = &space.main;
        let accumulator = main.sources.len().checked_sub(1).filter(|at| main.sources[*at] == Source::Chain)?;
        let (sum, scale) = main.computation.scaled_sum().filter(|_| space.rounding == Rounding::Bounded)?;
        let terms = Stage { computation: main.computation.adding(sum)?, sources: without(&main.sources, scale) };
        let real = Element::Real(32);
        let scaling = Computation {
            arguments: vec![real; 3],
            instructions: vec![
                Instruction { op: Op::MulF, operands: vec![Ref::Argument(0), Ref::Argument(1)], results: vec![real] },
                Instruction { op: Op::AddF, operands: vec![Ref::Argument(2), Ref::Result(0, 0)], results: vec![real] },
            ],
            result: Ref::Result(1, 0),
            further: Vec::new(),
        };
        let is_single = [scale, accumulator].iter().all(|at| main.computation.arguments[*at] == real);
        let sources = vec![main.sources[scale].clone(), Source::Further(0), Source::Chain];
        is_single.then_some(Scaled { terms, scaling: Stage { computation: scaling, sources } })
    }

    /// Of the reduced dimensions of a schedule, outermost first, how many loops go around those along which the scale is the same;
    /// none where it is another one in each iteration of the innermost loop.
    pub fn around(&self, schedule: &Schedule) -> Option<usize> {
        let reductions = schedule.reductions();
        let moves = |dim: &usize| self.scaling.memory().any(|(_, access)| access.steps[*dim].moves());
        let around = reductions.iter().rposition(moves).map_or(0, |last| last + 1);
        (around < reductions.len()).then_some(around)
    }
}

/// Sums that a processor goes on with at once: an instruction that adds to one takes some cycles, in each of which others begin.
const AT_ONCE: i64 = 8;

/// How many sums each point of a tile has, so that there are enough, along an innermost dimension of so many terms: they become one
/// in the end.
pub fn chains(points: i64, extent: i64) -> i64 {
    let most = (AT_ONCE / points.max(1)).max(1);
    (1..=most).rev().find(|chains| chains.count_ones() == 1 && extent % chains == 0).unwrap_or(1)
}

/// The sources of a stage that does not read one of them.
fn without(sources: &[Source], argument: usize) -> Vec<Source> {
    let mut sources = sources.to_vec();
    sources[argument] = Source::Unused;
    sources
}

#[cfg(test)]
mod tests {
    use super::super::legal::check;
    use super::super::plain::{product, weighted};
    use super::super::search::{candidates, choose};
    use super::super::testing::targets;
    use super::*;

    #[test]
    fn sums_are_scaled_behind_their_groups() {
        for (bits, terms) in [(8, 1), (4, 2)] {
            let space = weighted(4, 256, 512, (32, bits));
            let scaled = Scaled::of(&space).unwrap();
            assert_eq!(scaled.terms.computation.terms(), terms);
            assert!(scaled.terms.computation.combiner().is_some() && space.combiner().is_some());
            assert!(scaled.terms.memory().all(|(operand, _)| operand != 3));
            for schedule in candidates(&space, &targets()[0]).iter().filter(|own| check(&space, own).is_ok()) {
                let is_dot = schedule.vectors().is_some_and(|vectors| space.dims[vectors.dim].is_reduced);
                assert!(is_dot || scaled.around(schedule) == Some(1), "{schedule:?}");
            }
        }
        assert_eq!(Scaled::of(&product(4, 256, 512)), None);
    }

    #[test]
    fn formulas_are_not_regrouped() {
        let mut space = weighted(4, 256, 512, (32, 8));
        space.rounding = Rounding::Formula;
        assert_eq!(Scaled::of(&space), None);
    }

    #[test]
    fn weights_are_read_once_into_as_many_sums_as_a_processor_has_at_once() {
        for target in &targets()[..3] {
            for (rows, bits) in [(1, 8), (1, 4), (3, 8), (128, 4)] {
                let schedule = choose(&weighted(rows, 4096, 4096, (32, bits)), target);
                assert_eq!(schedule.loops[0].dim, 1, "{target}: {rows} rows of {bits} bits: {schedule:?}");
                let vectors = schedule.vectors().unwrap();
                let rows = schedule.rows().map_or(1, |rows| rows.count);
                let points = vectors.tile / vectors.lanes * rows;
                assert!(points * chains(points, 32) >= AT_ONCE, "{target}: {schedule:?}");
            }
        }
    }
}
