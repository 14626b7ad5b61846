//! Copies of operands, made where loops begin that read them again and again in another order than that in which they lie.

use super::kernel::{Extent, Kernel, Tile};
use super::values::{Values, Words};
use crate::Error;
use crate::nest::Nest;
use crate::nest::packed::Packed;
use crate::nest::parts::Piece;
use crate::nest::schedule::{Loop, Pack, Schedule};
use crate::nest::search::choose;
use skriptnd_mlir::ops::{affine, arith};
use std::collections::HashMap;

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// What is copied before the first of some loops, if something is.
    pub(super) fn pack_before(self, loops: &[Loop]) -> Option<&'k Pack> {
        let schedule = &self.nest.schedule;
        schedule.packs.first().filter(|pack| pack.depth + loops.len() == schedule.around().len())
    }

    /// Copies an operand, and goes on with the loops that read the copy.
    pub(super) fn loops_with_copy(self, pack: &Pack, loops: &[Loop], tile: Tile<'c, 'a>) -> Result<(), Error> {
        let malformed = || Error::malformed("a copy that can't be");
        let Nest { space, schedule } = self.nest;
        let packed = Packed::of(space, schedule, *pack).map_err(|_| malformed())?;
        let memory = *self.values.packs.get(&pack.operand).ok_or_else(malformed)?;
        let begin = affine::apply(&self.builder, &packed.target.map(), &tile.base)?;
        let mut values = self.values.clone();
        values.flat.push(Some(memory));
        values.strides.push(Vec::new());
        values.plain.push(None);
        values.shifts.insert(packed.number, arith::subi(&self.builder, self.builder.index(0)?, begin)?);
        let schedule = Schedule { packs: schedule.packs[1..].to_vec(), ..schedule.clone() };
        let nest = Nest { space: packed.reading(space), schedule };
        let kernel = Kernel { nest: &nest, values: &values, ..self };
        kernel.copy_packed(&packed, &tile)?;
        kernel.loops(loops, tile)
    }

    /// The copy, as a nest of its own.
    fn copy_packed(self, packed: &Packed, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let length = |dim: usize| match tile.extents[dim] {
            Extent::Known(length) => Some(length),
            Extent::Open(_) => None,
        };
        let space = packed.copying(&self.nest.space, length);
        let schedule = choose(&space, self.target);
        let nest = Nest { space, schedule };
        let all = nest.space.dims.iter().zip(&tile.extents).enumerate();
        let extent = |(dim, (own, extent)): (usize, (_, &Extent<'c, 'a>))| {
            let _: &crate::nest::space::Dim = own;
            if packed.moves(dim) { *extent } else { Extent::Known(1) }
        };
        let extents = all.map(extent).collect();
        let copied = Tile {
            base: tile.base.clone(),
            extents,
            rows: 1,
            pieces: vec![Piece::ELEMENT],
            mask: None,
            behind: 0,
            products: None,
            words: Words::new(),
            span: None,
            fixed: HashMap::new(),
        };
        let values = Values { spans: None, ..self.values.clone() };
        Kernel { nest: &nest, values: &values, ..self }.loops(nest.schedule.around(), copied)
    }
}
