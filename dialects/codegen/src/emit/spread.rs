//! Vectors with several panels of what is read: the channels of several pixels, which are the same for all of them, or of every second
//! one. Of two vectors, each panel goes to one of two others: those of even numbers, and those of odd ones.

use super::kernel::{Kernel, Tile};
use super::values::constant_index;
use crate::Error;
use crate::nest::access::{Access, Step};
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::{Type, Value, types};
use skriptnd_mlir::ops::{llvm, memref, vector};
use std::borrow::Cow;

/// Sends panels of two whole vectors of bytes to two vectors.
const DEAL: &str = "llvm.hexagon.V6.vdealvdd.128B";
/// Words of a whole vector.
const WORDS: i64 = 32;
/// Bytes of a word, and bits of it.
const WORD: i64 = 4;
const WORD_BITS: u32 = 32;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// How many times as far as they are long the panels lie apart of which a vector has several; none where it has one or less.
    pub(super) fn spread(self, access: &Access) -> Option<i64> {
        let vectors = self.nest.schedule.vectors()?;
        access.steps[vectors.dim].spread(vectors.lanes)
    }

    /// The access to the first lanes of vectors: they begin with panels where they have several.
    pub(super) fn first_lanes<'n>(self, access: &'n Access) -> Cow<'n, Access> {
        let Some(vectors) = self.nest.schedule.vectors() else { return Cow::Borrowed(access) };
        let step = access.steps[vectors.dim];
        let between = step.between(vectors.tile, vectors.lanes).filter(|_| step.in_tile(vectors.tile).is_none());
        match between {
            Some(times) => {
                let mut own = access.clone();
                own.steps[vectors.dim] = Step::Linear(times);
                Cow::Owned(own)
            }
            None => Cow::Borrowed(access),
        }
    }

    /// The lanes of a piece whose first one is at an address.
    pub(super) fn load_spread(
        self,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        (address, row, piece): (Value<'c, 'a>, i64, Piece),
        times: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let size = match self.nest.schedule.vectors().map(|vectors| access.steps[vectors.dim]) {
            Some(Step::Panel { size, .. }) => size,
            _ => return Err(Error::malformed("lanes without panels")),
        };
        let element = self.element(operand)?;
        let bytes = self.nest.space.element(operand).map_or(WORD, |element| element.bytes());
        let whole = self.target.isa.lanes() * WORD / bytes;
        let load = |address: Value<'c, 'a>, lanes: i64, alignment: Option<i64>| {
            let kind = types::lanes(element, types::Width { lanes, is_scalable: false });
            vector::load(&self.builder, (self.memory(operand)?, address), kind, alignment).map_err(Error::from)
        };
        let alignment = self.alignment((operand, access), tile, row, piece);
        if times == 0 {
            let panel = load(address, size.max(whole), alignment)?;
            let order: Vec<i64> = (0..piece.lanes).map(|lane| lane % size).collect();
            return Ok(vector::shuffle(&self.builder, [panel; 2], &order)?);
        }
        let phase = self.phase(access, tile, size);
        let moved = phase * size * bytes;
        let alignment = alignment.map(|own| crate::nest::alignment::divisor(own, moved));
        let first = self.builder.index_plus(address, -phase * size)?;
        let begin = load(first, piece.lanes, alignment)?;
        let last = (piece.filled - 1) / size * times * size + (piece.filled - 1) % size + phase * size;
        let end = match last < piece.lanes {
            // What is behind the elements that there are is not read.
            true => begin,
            false => load(self.builder.index_plus(first, piece.lanes)?, piece.lanes, alignment)?,
        };
        self.dealt([begin, end], (size, whole), element, phase)
    }

    /// The lanes of a piece of panels all lanes of which are one element.
    pub(super) fn load_panels(
        self,
        operand: usize,
        address: Value<'c, 'a>,
        piece: Piece,
        (size, apart): (i64, i64),
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, memory) = (&self.builder, self.memory(operand)?);
        let mut whole = builder.broadcast(self.zero(self.element(operand)?)?, piece.width())?;
        for first in (0..piece.filled).step_by(usize::try_from(size).unwrap_or(1)) {
            let address = builder.index_plus(address, (piece.offset + first) / size * apart)?;
            let own = builder.broadcast(memref::load(builder, memory, &[address])?, size)?;
            whole = vector::insert_slice(builder, own, whole, first)?;
        }
        Ok(whole)
    }

    /// By how many panels a vector begins behind one of even number that others begin with: so both are of the same two.
    fn phase(self, access: &Access, tile: &Tile<'c, 'a>, size: i64) -> i64 {
        let near = self.nest.schedule.reductions().into_iter().filter(|dim| access.steps[*dim] == Step::Linear(size));
        let panels: i64 = near.filter_map(|dim| constant_index(tile.base[dim])).sum();
        panels.rem_euclid(2)
    }

    /// The panels of two vectors that have even numbers, or odd ones.
    pub(super) fn dealt(
        self,
        [begin, end]: [Value<'c, 'a>; 2],
        (size, whole): (i64, i64),
        element: Type<'c>,
        phase: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        let lanes = lanes(begin);
        if lanes != whole || size >= whole {
            let order: Vec<i64> = (0..lanes).map(|lane| (2 * (lane / size) + phase) * size + lane % size).collect();
            return Ok(vector::shuffle(builder, [begin, end], &order)?);
        }
        let word = types::integer(builder.context(), WORD_BITS);
        let width = |lanes| types::Width { lanes, is_scalable: false };
        let words = |value| vector::bitcast(builder, value, types::lanes(word, width(WORDS)));
        let bytes = size * WORDS * WORD / whole;
        let panels = [words(end)?, words(begin)?, builder.integer(word, -bytes)?];
        let both = llvm::call_intrinsic(builder, DEAL, &panels, types::lanes(word, width(2 * WORDS)))?;
        let own = vector::slice(builder, both, phase * WORDS, WORDS)?;
        Ok(vector::bitcast(builder, own, types::lanes(element, width(lanes)))?)
    }
}

fn lanes(vector: Value<'_, '_>) -> i64 {
    let lanes = types::shape(vector.r#type()).and_then(|shape| *shape.first()?);
    lanes.and_then(|lanes| i64::try_from(lanes).ok()).unwrap_or(1)
}
