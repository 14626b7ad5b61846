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

/// The sources of a stage that does not read one of them.
fn without(sources: &[Source], argument: usize) -> Vec<Source> {
    let mut sources = sources.to_vec();
    sources[argument] = Source::Unused;
    sources
}
