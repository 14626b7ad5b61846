//! What is done with the values of a tile behind the loops that compute them.

use super::kernel::{Kernel, Tile};
use crate::Error;
use crate::nest::Nest;
use crate::nest::branch::Branch;
use crate::nest::parts::Piece;
use crate::nest::space::Stage;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::scf;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// All loops. Where a number decides what follows from sums, vectors of Hexagon have no registers for these and for what they are limited by:
    /// there are loops for either.
    pub(super) fn decided(self, tile: Tile<'c, 'a>) -> Result<(), Error> {
        let Nest { space, schedule } = self.nest;
        let branches = space.epilogues.iter().map(Branch::of).enumerate();
        let mut branches = branches.filter_map(|(number, branch)| Some((number, branch?)));
        let Some((number, branch)) = branches.next().filter(|_| self.target.isa.only_whole) else {
            return self.all_loops(tile);
        };
        let made = scf::r#if(&self.builder, self.decision(&branch, &tile)?, &[])?;
        for (place, side) in [made.then, made.otherwise].into_iter().zip(branch.sides) {
            let mut nest = Nest { space: space.clone(), schedule: schedule.clone() };
            nest.space.epilogues[number] = side;
            Kernel { nest: &nest, ..self.at(place) }.all_loops(tile.clone())?;
            scf::r#yield(&place, &[])?;
        }
        Ok(())
    }

    /// The number that decides.
    fn decision(self, branch: &Branch, tile: &Tile<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let one = Tile { rows: 1, pieces: vec![Piece::ELEMENT], mask: None, ..tile.clone() };
        let condition = self.evaluate(&branch.condition, &one, &[None])?;
        condition.first().copied().ok_or_else(|| Error::malformed("a branch without a condition"))
    }

    /// Computes what follows from the accumulators of a tile, and stores it.
    pub(super) fn finish(self, tile: &Tile<'c, 'a>, values: Vec<Value<'c, 'a>>) -> Result<(), Error> {
        self.store(tile, &self.finished(tile, values)?)
    }

    /// What the stages behind a reduction make of the accumulators of a tile.
    pub(super) fn finished(
        self,
        tile: &Tile<'c, 'a>,
        mut values: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        for stage in &self.nest.space.epilogues {
            let Some(branch) = Branch::of(stage) else {
                values = self.goes_on(stage, tile, values)?;
                continue;
            };
            values = self.goes_on(&branch.before, tile, values)?;
            values = self.branch(&branch, tile, values)?;
            values = self.goes_on(&branch.behind, tile, values)?;
        }
        Ok(values)
    }

    fn goes_on(
        self,
        stage: &Stage,
        tile: &Tile<'c, 'a>,
        values: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let chained: Vec<_> = values.into_iter().map(Some).collect();
        self.evaluate(stage, tile, &chained)
    }

    /// The values themselves, or what a stage makes of them, as a number says that is the same for all.
    fn branch(
        self,
        branch: &Branch,
        tile: &Tile<'c, 'a>,
        values: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let condition = self.decision(branch, tile)?;
        let kinds: Vec<_> = values.iter().map(|value| value.r#type()).collect();
        let made = scf::r#if(&self.builder, condition, &kinds)?;
        scf::r#yield(&made.then, &values)?;
        let others = self.at(made.otherwise).goes_on(&branch.otherwise, tile, values)?;
        scf::r#yield(&made.otherwise, &others)?;
        Ok(made.operation.result_values())
    }
}
