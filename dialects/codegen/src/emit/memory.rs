//! What a kernel loads and stores, and the addresses of that.

use super::kernel::{Kernel, Tile, points};
use super::values::{Lanes, Loads, constant_index, identity};
use super::woven::Rows;
use crate::Error;
use crate::nest::access::{Access, Open, Step};
use crate::nest::alignment;
use crate::nest::computation::Ref;
use crate::nest::parts::Piece;
use crate::nest::space::{Operand, Stage};
use skriptnd_mlir::ir::{Type, Value, types};
use skriptnd_mlir::ops::{affine, arith, vector};

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The address of a point: that of the tile's first point, found once, and how far it is from there.
    pub(super) fn address(
        self,
        loads: &mut Loads<'c, 'a>,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Value<'c, 'a>, Error> {
        let base = match loads.bases.get(&identity(access)) {
            Some(base) => *base,
            None => {
                let mut base = affine::apply(&self.builder, &self.first_lanes(access).map(), &tile.base)?;
                for (dim, stride, factor) in access.open() {
                    base = self.farther(base, tile.base[dim], (operand, stride, factor))?;
                }
                if let Some(Open { stride, factor, .. }) = access.open_offset {
                    base = self.farther(base, self.builder.index(1)?, (operand, stride, factor))?;
                }
                if let Some(shift) = self.values.shifts.get(&operand) {
                    base = arith::addi(&self.builder, base, *shift)?;
                }
                loads.bases.insert(identity(access), base);
                base
            }
        };
        let lane = self.lane_distance(access);
        let offset = self.woven(access, piece).map_or(piece.offset * lane, |woven| woven.distance(piece.offset));
        let base = match self.nest.schedule.vectors().map(|vectors| access.steps[vectors.dim]) {
            Some(Step::Open(Open { stride, factor, .. })) if piece.offset > 0 => {
                self.farther(base, self.builder.index(piece.offset)?, (operand, stride, factor))?
            }
            _ => base,
        };
        let (base, constant) = match self.nest.schedule.rows().map(|rows| (access.steps[rows.dim], rows.count)) {
            Some((Step::Open(Open { stride, factor, .. }), _)) if row > 0 => {
                (self.farther(base, self.builder.index(row)?, (operand, stride, factor))?, 0)
            }
            step => (base, row * step.and_then(|(step, count)| step.in_tile(count)).unwrap_or(0)),
        };
        match piece.is_scalable {
            true => self.lanes_further(self.builder.index_plus(base, constant)?, piece, lane),
            false => Ok(self.builder.index_plus(base, constant + offset)?),
        }
    }

    /// An address or an index and that of the first lane of a piece, the lanes being so far apart.
    pub(super) fn lanes_further(
        self,
        start: Value<'c, 'a>,
        piece: Piece,
        distance: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let offset = piece.offset * distance;
        match piece.is_scalable && offset != 0 {
            true => Ok(arith::addi(&self.builder, start, self.scaled(offset)?)?),
            false => Ok(self.builder.index_plus(start, offset)?),
        }
    }

    /// An address, and `count` times so many strides of an operand.
    fn farther(
        self,
        address: Value<'c, 'a>,
        count: Value<'c, 'a>,
        (operand, stride, factor): (usize, usize, i64),
    ) -> Result<Value<'c, 'a>, Error> {
        let stride = self.values.strides.get(operand).and_then(|strides| strides.get(stride));
        let stride = *stride.ok_or_else(|| Error::malformed("a kernel without one of its strides"))?;
        let distance = match factor {
            1 => stride,
            factor => arith::muli(&self.builder, stride, self.builder.index(factor)?)?,
        };
        Ok(arith::addi(&self.builder, address, arith::muli(&self.builder, count, distance)?)?)
    }

    /// Of how many bytes the address of a point is a multiple, where memory begins at such places.
    pub(super) fn alignment(
        self,
        (operand, access): (usize, &Access),
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Option<i64> {
        let (whole, bytes) = (self.begin(operand)?, self.nest.space.element(operand)?.bytes());
        let known = |dim: usize| tile.base.get(dim).copied().and_then(constant_index);
        let elements = alignment::elements(self.nest, access, (row, piece), (tile.behind, known));
        (!piece.is_scalable).then_some(alignment::divisor(whole, elements * bytes))
    }

    /// Of how many bytes the address is a multiple at which the memory of an operand begins, where the target has such places for it.
    pub(super) fn begin(self, operand: usize) -> Option<i64> {
        let is_whole = matches!(self.nest.space.operands[operand], Operand::Passed { is_moved: false, .. });
        (is_whole && self.target.aligns_tensors()).then(|| self.target.alignment())
    }

    /// Whether rows lie apart.
    pub(super) fn has_rows(self, access: &Access) -> bool {
        self.nest.schedule.rows().is_some_and(|rows| access.steps[rows.dim].in_tile(rows.count) != Some(0))
    }

    /// Whether lanes lie apart.
    fn has_lanes(self, access: &Access) -> bool {
        self.nest.schedule.vectors().is_some_and(|vectors| access.steps[vectors.dim].moves())
    }

    /// How far the elements of neighbouring lanes are apart, where that is known.
    pub(super) fn lane_distance(self, access: &Access) -> i64 {
        self.nest.schedule.vectors().map_or(0, |vectors| match access.steps[vectors.dim] {
            Step::Linear(distance) => distance,
            step => step.between(vectors.tile, vectors.lanes).unwrap_or(0),
        })
    }

    /// What a computation takes of a vector that was loaded: the bits of reals of which it uses nothing else. LLVM loads these as words where
    /// they are cast at once; there may be no vectors of reals.
    pub(super) fn as_taken(self, stage: &Stage, argument: Ref, loaded: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let is_real = types::element(loaded.r#type()) == types::f32(self.builder.context());
        let is_cast = is_real && self.target.isa.only_words && stage.computation.is_cast_only(argument);
        Ok(match types::with_lanes_of(loaded.r#type(), self.word()).filter(|_| is_cast) {
            Some(words) => vector::bitcast(&self.builder, loaded, words)?,
            None => loaded,
        })
    }

    /// An element of a row, or those of a vector, if nothing has loaded them before.
    pub(super) fn load(
        self,
        loads: &mut Loads<'c, 'a>,
        operand: usize,
        access: &Access,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Value<'c, 'a>, Error> {
        if let Some(value) = tile.fixed.get(&identity(access)) {
            return Ok(*value);
        }
        let piece = if self.has_lanes(access) { piece } else { Piece::ELEMENT };
        let key = (identity(access), row * i64::from(self.has_rows(access)), piece);
        let is_known = loads.values.contains_key(&key);
        if let Some(rows) = self.crossing((operand, access), tile, row, piece).filter(|_| !is_known) {
            let loaded = self.load_across(loads, operand, access, tile, (rows, piece))?;
            loads.values.extend((rows.offset..).zip(loaded).map(|(row, value)| ((key.0, row, piece), value)));
        }
        if let Some(value) = loads.values.get(&key) {
            return Ok(*value);
        }
        let memory = self.memory(operand)?;
        let address = self.address(loads, (operand, access), tile, row, piece)?;
        let is_vector = piece.lanes > 1;
        let value = if let Some(panels) = self.panels(access).filter(|_| is_vector) {
            self.load_panels(operand, address, piece, panels)?
        } else if let Some(times) = self.spread(access).filter(|_| is_vector) {
            self.load_spread((operand, access), tile, (address, row, piece), times)?
        } else if let Some(woven) = self.woven(access, piece).filter(|_| is_vector) {
            self.load_woven(tile, piece, Rows { woven, memory, address, behind: None })?
        } else {
            let alignment = self.alignment((operand, access), tile, row, piece);
            let lanes = Lanes { memory, address, distance: self.lane_distance(access), alignment };
            self.load_piece(tile, piece, self.element(operand)?, lanes)?
        };
        loads.values.insert(key, value);
        Ok(value)
    }

    /// Zero, as an element.
    pub(super) fn zero(self, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let zero = if element.is_float() { self.builder.real(element, 0.0) } else { self.builder.integer(element, 0) };
        Ok(zero?)
    }

    /// The elements of an operand as one dimension.
    pub(super) fn memory(self, operand: usize) -> Result<Value<'c, 'a>, Error> {
        let flat = self.values.flat.get(operand).copied().flatten();
        flat.ok_or_else(|| Error::malformed("a kernel without one of its operands"))
    }

    /// How many elements behind a row of results are results of rows that are stored after it.
    fn room(self, access: &Access, tile: &Tile<'c, 'a>, row: i64) -> i64 {
        self.rows_behind(access, tile).map_or(0, |length| (tile.rows - 1 - row) * length)
    }

    /// Stores the results of a tile: all of an output, one after the other.
    pub(super) fn store(self, tile: &Tile<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Error> {
        self.store_to(self.nest.space.finished(), tile, values)
    }

    /// The same for some of the outputs.
    pub(super) fn store_to<'o>(
        self,
        outputs: impl IntoIterator<Item = &'o (usize, Access)>,
        tile: &Tile<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let mut loads = Loads::default();
        let mut given = values.chunks(points(tile));
        for (operand, access) in outputs {
            let (target, own) = (self.memory(*operand)?, given.next().unwrap_or_default());
            if self.store_joined((*operand, access), tile, own)? {
                continue;
            }
            let mut values = own.iter();
            for row in 0..tile.rows {
                for &piece in &tile.pieces {
                    let Some(&value) = values.next() else { break };
                    let address = self.address(&mut loads, (*operand, access), tile, row, piece)?;
                    if let Some(woven) = self.woven(access, piece) {
                        let behind = self.behind((*operand, access), tile, row, piece);
                        self.store_woven(piece, value, Rows { woven, memory: target, address, behind })?;
                        continue;
                    }
                    let alignment = self.alignment((*operand, access), tile, row, piece);
                    let lanes = Lanes { memory: target, address, distance: self.lane_distance(access), alignment };
                    if self.goes_to_another_nest(*operand, piece, lanes) {
                        self.store_parts(piece, value, lanes, 0)?;
                        continue;
                    }
                    self.store_piece(tile, piece, value, lanes, self.room(access, tile, row))?;
                }
            }
        }
        Ok(())
    }
}
