//! What becomes of sums where the target has no vectors for it: they go to memory, and a loop takes one after the other. LLVM would take vectors
//! apart, and make code for each lane.

use super::kernel::{Kernel, Tile};
use super::lanes::known_mask;
use super::values::Values;
use crate::Error;
use crate::nest::Nest;
use crate::nest::computation::Instruction;
use crate::nest::element::Element;
use crate::nest::op::Op;
use crate::nest::parts::Piece;
use crate::nest::schedule::Form;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{arith, memref, vector};

/// Bits of the longest integers that vectors have.
const WORD: u32 = 32;

/// Sums from which results follow at once: instructions of one stand beside those of others.
const TOGETHER: i64 = 4;

/// The sums of a row of a tile.
struct Sums<'c, 'a> {
    memory: Value<'c, 'a>,
    /// Where they begin.
    first: Value<'c, 'a>,
    /// The dimension along which they lie.
    dim: usize,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Whether stages behind sums in vectors compute with integers that no vectors have.
    fn finishes_one_by_one(self) -> bool {
        let space = &self.nest.space;
        // Sums of which words are cut, LLVM computes in words.
        let is_sum = |op: Op| matches!(op, Op::AddI | Op::SubI | Op::ExtSI | Op::ExtUI);
        let has_bits = |element: &Element| matches!(element, Element::Integer(bits) if *bits > WORD);
        let is_long = |it: &Instruction| !is_sum(it.op) && it.results.iter().any(has_bits);
        let mut instructions = space.epilogues.iter().flat_map(|stage| &stage.computation.instructions);
        let vectors =
            self.nest.schedule.vectors().filter(|vectors| vectors.lanes > 1 && !space.dims[vectors.dim].is_reduced);
        // Loops around several nests would make memory each time.
        self.target.isa.only_words && vectors.is_some() && space.shared() == 0 && instructions.any(is_long)
    }

    /// Memory for the sums of a tile, as one of the values that the kernel works on, if it needs that.
    pub(super) fn with_sums(self, values: Values<'c, 'a>) -> Result<Values<'c, 'a>, Error> {
        let Some(vectors) = self.nest.schedule.vectors().filter(|_| self.finishes_one_by_one()) else {
            return Ok(values);
        };
        let rows = self.nest.schedule.rows().map_or(1, |rows| rows.count);
        let count = u64::try_from(rows * vectors.tile).ok();
        let kind =
            types::memref(self.accumulator()?, &[count]).ok_or_else(|| Error::malformed("no memory for sums"))?;
        let sums = memref::alloca(&self.builder, kind, self.target.alignment())?;
        Ok(Values { sums: Some(sums), ..values })
    }

    /// Computes and stores what follows from the sums of a tile, one after the other. False where that is done in vectors.
    pub(super) fn finish_one_by_one(self, tile: &Tile<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<bool, Error> {
        let (Some(memory), Some(vectors)) = (self.values.sums, self.nest.schedule.vectors()) else { return Ok(false) };
        let last = tile.pieces.last().copied().unwrap_or(Piece::ELEMENT);
        if last.is_masked() && known_mask(tile) != Some(last.filled) {
            return Ok(false);
        }
        self.put_sums_of_tile(memory, tile, values)?;
        let lanes = last.offset + last.filled;
        let kernel = Kernel { nest: &self.nest_of_elements(), ..self };
        let range = |end: i64| Ok::<_, Error>([self.builder.index(0)?, self.builder.index(end)?]);
        self.builder.count_between::<Error>(range(tile.rows)?, 1, &[], |builder, row, _| {
            let mut first = Tile { rows: 1, pieces: vec![Piece::ELEMENT], mask: None, behind: 0, ..tile.clone() };
            if let Some(rows) = self.nest.schedule.rows() {
                first.base[rows.dim] = arith::addi(&builder, first.base[rows.dim], row)?;
            }
            let place = arith::muli(&builder, row, builder.index(vectors.tile)?)?;
            let sums = Sums { memory, first: place, dim: vectors.dim };
            let full = lanes / TOGETHER * TOGETHER;
            for (range, step) in [([0, full], TOGETHER), ([full, lanes], 1)] {
                let range = [builder.index(range[0])?, builder.index(range[1])?];
                builder.count_between::<Error>(range, step, &[], |builder, lane, _| {
                    kernel.at(builder).finish_elements(&sums, &first, (lane, step))?;
                    Ok(Vec::new())
                })?;
            }
            Ok(Vec::new())
        })?;
        Ok(true)
    }

    fn put_sums_of_tile(
        self,
        memory: Value<'c, 'a>,
        tile: &Tile<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let width = self.nest.schedule.vectors().map_or(0, |vectors| vectors.tile);
        for ((row, piece), value) in self.rows_and_pieces(tile).zip(values) {
            let place = self.builder.index(row * width + piece.offset)?;
            match piece.lanes {
                1 => memref::store(&self.builder, *value, memory, &[place])?,
                _ => vector::store(&self.builder, *value, (memory, place), None)?,
            }
        }
        Ok(())
    }

    /// What follows from so many sums from one on.
    fn finish_elements(
        self,
        sums: &Sums<'c, 'a>,
        tile: &Tile<'c, 'a>,
        (lane, count): (Value<'c, 'a>, i64),
    ) -> Result<(), Error> {
        let builder = &self.builder;
        let mut finished = Vec::new();
        for further in 0..count {
            let lane = builder.index_plus(lane, further)?;
            let mut own = tile.clone();
            own.base[sums.dim] = arith::addi(builder, own.base[sums.dim], lane)?;
            let sum = memref::load(builder, sums.memory, &[arith::addi(builder, sums.first, lane)?])?;
            let results = self.finished(&own, vec![sum])?;
            finished.push((own, results));
        }
        // Nothing is known to lie elsewhere than what is written.
        finished.iter().try_for_each(|(own, results)| self.store(own, results))
    }

    /// The nest without vectors and rows.
    fn nest_of_elements(self) -> Nest {
        let mut nest = self.nest.clone();
        for own in nest.schedule.loops.iter_mut().filter(|own| own.step != 1) {
            own.step = 1;
            own.form = match own.form {
                Form::Vectors(_) => Form::Elements,
                form => form,
            };
        }
        nest
    }
}
