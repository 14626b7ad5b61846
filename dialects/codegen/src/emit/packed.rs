//! Copies of operands, made where loops begin that read them again and again in another order than that in which they lie.

use super::kernel::{Extent, Kernel, Tile};
use super::values::Values;
use crate::Error;
use crate::nest::Nest;
use crate::nest::element::Element;
use crate::nest::packed::Packed;
use crate::nest::schedule::{Loop, Pack, Schedule};
use crate::nest::search::choose;
use crate::views::elements;
use skriptnd_mlir::ir::{Builder, Context, Type, Value, types};
use skriptnd_mlir::ops::{affine, arith, memref};

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
        values.flat.push(None);
        values.strides.push(Vec::new());
        values.plain.push(None);
        values.read_at(packed.number, memory, arith::subi(&self.builder, self.builder.index(0)?, begin)?);
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
        let extent = |dim: usize| if packed.moves(dim) { tile.extents[dim] } else { Extent::Known(1) };
        let copied = Tile::whole(tile.base.clone(), (0..tile.extents.len()).map(extent).collect(), None);
        let values = Values { spans: None, ..self.values.clone() };
        Kernel { nest: &nest, values: &values, ..self }.loops(nest.schedule.around(), copied)
    }
}

/// Memory for the copies that a nest of a kernel makes of an operand, a part for each range of its loops.
#[derive(Clone, Copy)]
pub(super) struct Copies {
    /// The number of the nest.
    pub nest: usize,
    /// The operand.
    pub operand: usize,
    element: Element,
    /// How many elements each range has, and how many ranges there are at most.
    counts: [i64; 2],
}

impl Copies {
    /// Those of the nests of a kernel, whose loops are cut into so many ranges at most.
    pub fn of(nests: &[Nest], ranges: i64) -> Result<Vec<Copies>, Error> {
        let mut copies = Vec::new();
        for (number, nest) in nests.iter().enumerate() {
            let (_, all) = Packed::all(&nest.space, &nest.schedule).map_err(|(_, reason)| Error::malformed(reason))?;
            copies.extend(all.into_iter().map(|packed| Copies {
                nest: number,
                operand: packed.source.0,
                element: packed.element,
                counts: [packed.elements, ranges],
            }));
        }
        Ok(copies)
    }

    /// The type of the memory for all ranges.
    pub fn kind(self, context: &Context) -> Result<Type<'_>, Error> {
        let [count, ranges] = self.counts;
        let kind = u64::try_from(count.saturating_mul(ranges)).ok();
        let kind = types::memref(elements::r#type(context, self.element)?, &[kind]);
        kind.ok_or_else(|| Error::malformed("no memory for copies"))
    }

    /// The part of a range.
    pub fn part<'c: 'a, 'a>(
        self,
        builder: Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        range: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let [count, _] = self.counts;
        let begin = arith::muli(&builder, range, builder.index(count)?)?;
        Ok(memref::elements_at(&builder, memory, begin, count)?)
    }
}
