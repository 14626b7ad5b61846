//! From a group and its schedule to the loops of a kernel.

use super::access::{Access, Step};
use super::body::{self, Combiner, Point};
use super::group::{Group, Source, Stage};
use super::schedule::Schedule;
use crate::Error;
use crate::structured::static_shape;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{affine, arith, memref, vector};
use std::collections::HashMap;

/// Vectors along the vectorized dimension: offset from the tile's start, and lanes.
pub(super) type Pieces = Vec<(i64, i64)>;

/// Operations that one iteration of the innermost loop may have when loops are unrolled into it.
const MOST_UNROLLED: i64 = 160;

/// Cuts `extent` elements into vectors of at most `lanes`, each a power of two long.
pub(super) fn pieces(extent: i64, lanes: i64) -> Pieces {
    let mut pieces = Pieces::new();
    let (mut offset, mut length) = (0, lanes.max(1));
    while offset < extent {
        while length > extent - offset {
            length /= 2;
        }
        pieces.push((offset, length));
        offset += length;
    }
    pieces
}

/// Emits one kernel.
pub struct Kernel<'k, 'c, 'a> {
    /// What is computed.
    pub group: &'k Group<'c, 'a>,
    /// How.
    pub schedule: &'k Schedule,
    /// Where operations go.
    pub builder: Builder<'c, 'a>,
    /// What it takes from outside.
    pub values: &'k Values<'c, 'a>,
    /// Where dimensions end of which only the run knows that.
    pub ends: &'k [Option<Value<'c, 'a>>],
    /// Whether the target has fused multiply-add instructions.
    pub fused: bool,
}

/// Values inside a kernel by the keys of those outside that they stand for. A memref may be in both: a body can fetch
/// elements of an operand.
#[derive(Default)]
pub struct Values<'c, 'a> {
    /// Memrefs that are accessed by addresses, with one dimension.
    pub flat: HashMap<usize, Value<'c, 'a>>,
    /// Scalars and memrefs as bodies use them.
    pub plain: HashMap<usize, Value<'c, 'a>>,
}

/// A tile of the parallel dimensions.
#[derive(Clone)]
pub(super) struct Tile<'c, 'a> {
    /// The first index of each dimension; reduced ones are added as their loops open.
    pub base: Vec<Value<'c, 'a>>,
    /// Rows.
    pub rows: i64,
    /// Vectors of a row.
    pub pieces: Pieces,
}

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Emits the loops.
    pub fn emit(&mut self) -> Result<(), Error> {
        let zero = self.builder.index(0)?;
        let tile = Tile { base: vec![zero; self.group.extents.len()], rows: 1, pieces: pieces(1, 1) };
        self.loops(&self.schedule.order.clone(), tile)
    }

    pub(super) fn loops(&mut self, order: &[usize], tile: Tile<'c, 'a>) -> Result<(), Error> {
        let Some((&dim, inner)) = order.split_first() else { return self.tile(tile) };
        let extent = self.group.extents[dim];
        if Some(dim) == self.schedule.vector {
            let (length, lanes) = (self.schedule.tile, self.schedule.lanes);
            self.parts(inner, dim, length, tile, |tile, part| tile.pieces = pieces(part, lanes))
        } else if let Some((_, rows)) = self.schedule.rows.filter(|(rows, _)| *rows == dim) {
            self.parts(inner, dim, rows, tile, |tile, part| tile.rows = part)
        } else if extent == 1 && self.ends[dim].is_none() {
            self.loops(inner, tile)
        } else {
            self.parts(inner, dim, 1, tile, |_, _| ())
        }
    }

    /// A loop over the full parts of a dimension, and what remains behind it.
    fn parts(
        &mut self,
        inner: &[usize],
        dim: usize,
        length: i64,
        tile: Tile<'c, 'a>,
        set: impl Fn(&mut Tile<'c, 'a>, i64),
    ) -> Result<(), Error> {
        if let Some(end) = self.ends[dim] {
            return self.open_parts(inner, dim, (end, length), &tile, set);
        }
        let extent = self.group.extents[dim];
        let full = extent / length * length;
        let mut part = tile.clone();
        set(&mut part, length);
        if full == length {
            self.loops(inner, part)?;
        } else if full > 0 {
            self.looped(inner, dim, (full, length), part)?;
        }
        if full < extent {
            let mut rest = tile;
            set(&mut rest, extent - full);
            rest.base[dim] = self.builder.index(full)?;
            self.loops(inner, rest)?;
        }
        Ok(())
    }

    fn looped(&mut self, inner: &[usize], dim: usize, range: (i64, i64), tile: Tile<'c, 'a>) -> Result<(), Error> {
        let Kernel { group, schedule, values, ends, fused, .. } = *self;
        self.builder.count::<Error>(range.0, range.1, &[], |builder, index, _| {
            let mut tile = tile;
            tile.base[dim] = index;
            Kernel { group, schedule, builder, values, ends, fused }.loops(inner, tile)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn tile(&mut self, tile: Tile<'c, 'a>) -> Result<(), Error> {
        let finished = match (self.combiner(), self.group.reduced.contains(&true)) {
            (Some(combiner), _) => self.dot(&tile, combiner)?,
            (None, true) => {
                let initial = self.initial(&tile)?;
                self.reduce(&self.schedule.reductions.clone(), &tile, initial)?
            }
            (None, false) => {
                let chained = self.chained_in(&tile)?;
                self.evaluate(&self.group.main, &tile, &chained)?
            }
        };
        let mut values = finished;
        for stage in &self.group.epilogues {
            let chained: Vec<_> = values.into_iter().map(Some).collect();
            values = self.evaluate(stage, &tile, &chained)?;
        }
        self.store(&tile, &values)
    }

    fn combiner(&self) -> Option<Combiner> {
        self.schedule.dot.then(|| body::combiner(&self.group.main)).flatten()
    }

    pub(super) fn output_element(&self) -> Type<'c> {
        types::element(self.group.output.0.r#type())
    }

    /// For bodies without a reduction that read what they write.
    fn chained_in(&mut self, tile: &Tile<'c, 'a>) -> Result<Vec<Option<Value<'c, 'a>>>, Error> {
        let reads = self.group.main.sources.iter().any(|source| matches!(source, Source::Chain));
        match reads {
            true => Ok(self.initial(tile)?.into_iter().map(Some).collect()),
            false => Ok(vec![None; self.points(tile)]),
        }
    }

    fn points(&self, tile: &Tile<'c, 'a>) -> usize {
        usize::try_from(tile.rows).unwrap_or(1) * tile.pieces.len()
    }

    /// The accumulators before the reduction.
    pub(super) fn initial(&mut self, tile: &Tile<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        if let Some(stage) = &self.group.init {
            return self.evaluate(stage, tile, &vec![None; self.points(tile)]);
        }
        let (memory, access) = &self.group.output;
        let (memory, access) = (*memory, access.clone());
        let mut loads = Loads::default();
        let mut values = Vec::new();
        for row in 0..tile.rows {
            for &piece in &tile.pieces {
                let value = self.load(&mut loads, memory, &access, tile, row, piece)?;
                values.push(self.builder.broadcast(value, piece.1)?);
            }
        }
        Ok(values)
    }

    /// The reduction loops from `dims` inwards.
    fn reduce(
        &mut self,
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some((&dim, inner)) = dims.split_first() else {
            let chained: Vec<_> = carried.into_iter().map(Some).collect();
            return self.evaluate(&self.group.main, tile, &chained);
        };
        let extent = self.group.extents[dim];
        let is_open = inner.iter().chain([&dim]).any(|&dim| self.ends[dim].is_some());
        let work = inner.iter().fold(extent, |work, &dim| work.saturating_mul(self.group.extents[dim]));
        let points = i64::try_from(self.points(tile)).unwrap_or(MOST_UNROLLED);
        if work.saturating_mul(points) <= MOST_UNROLLED && !self.group.indexed && !is_open {
            return self.unrolled(dim, inner, tile, carried);
        }
        let Kernel { group, schedule, values, ends, fused, .. } = *self;
        self.over(dim, &carried, |builder, index, carried| {
            let mut tile = tile.clone();
            tile.base[dim] = index;
            Kernel { group, schedule, builder, values, ends, fused }.reduce(inner, &tile, carried.to_vec())
        })
    }

    fn unrolled(
        &mut self,
        dim: usize,
        inner: &[usize],
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let mut carried = carried;
        for index in 0..self.group.extents[dim] {
            let mut tile = tile.clone();
            tile.base[dim] = self.builder.index(index)?;
            carried = self.reduce(inner, &tile, carried)?;
        }
        Ok(carried)
    }

    /// One stage at all points of a tile.
    pub(super) fn evaluate(
        &mut self,
        stage: &Stage<'c, 'a>,
        tile: &Tile<'c, 'a>,
        chained: &[Option<Value<'c, 'a>>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let mut loads = Loads::default();
        let mut results = Vec::new();
        for row in 0..tile.rows {
            for &piece in &tile.pieces {
                let chain = chained.get(results.len()).copied().flatten();
                let mut arguments = Vec::new();
                for source in &stage.sources {
                    arguments.push(match source {
                        Source::Memory(memory, access) => {
                            Some(self.load(&mut loads, *memory, access, tile, row, piece)?)
                        }
                        Source::Scalar(value) => self.values.plain.get(&value.key()).copied(),
                        Source::Chain => chain,
                        Source::Unused => None,
                    });
                }
                let indices = self.indices(tile, row, piece)?;
                let point =
                    Point { lanes: piece.1, captured: &self.values.plain, indices: &indices, fused: self.fused };
                results.push(body::evaluate(self.builder, stage.body, &arguments, &point)?);
            }
        }
        Ok(results)
    }

    /// Values of the dimensions for bodies that ask for them.
    fn indices(&mut self, tile: &Tile<'c, 'a>, row: i64, piece: (i64, i64)) -> Result<Vec<Value<'c, 'a>>, Error> {
        if !self.group.indexed {
            return Ok(Vec::new());
        }
        let mut indices = tile.base.clone();
        if let Some((dim, _)) = self.schedule.rows {
            indices[dim] = self.builder.index_plus(indices[dim], row)?;
        }
        if let Some(dim) = self.schedule.vector {
            let first = self.builder.index_plus(indices[dim], piece.0)?;
            indices[dim] = self.builder.broadcast(first, piece.1)?;
            if piece.1 > 1 {
                let r#type = types::lanes(types::index(self.builder.context()), piece.1);
                let lanes = vector::step(&self.builder, r#type)?;
                indices[dim] = arith::addi(&self.builder, indices[dim], lanes)?;
            }
        }
        Ok(indices)
    }

    /// The address of a point: that of the tile's first point, found once, and a constant.
    fn address(
        &mut self,
        loads: &mut Loads<'c, 'a>,
        access: &Access,
        tile: &Tile<'c, 'a>,
        row: i64,
        lane: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let base = match loads.bases.get(&identity(access)) {
            Some(base) => *base,
            None => {
                let base = self.base(access, tile)?;
                loads.bases.insert(identity(access), base);
                base
            }
        };
        Ok(self.builder.index_plus(base, row * self.row_distance(access) + lane * self.lane_distance(access))?)
    }

    fn base(&mut self, access: &Access, tile: &Tile<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        Ok(affine::apply(&self.builder, &access.map(), &tile.base)?)
    }

    fn row_distance(&self, access: &Access) -> i64 {
        self.schedule.rows.map_or(0, |(dim, _)| access.steps[dim].linear().unwrap_or(0))
    }

    fn lane_distance(&self, access: &Access) -> i64 {
        let tile = self.schedule.tile;
        self.schedule.vector.map_or(0, |dim| match access.steps[dim] {
            Step::Linear(distance) => distance,
            Step::Panel { .. } => access.steps[dim].in_tile(tile).unwrap_or(0),
        })
    }

    fn load(
        &mut self,
        loads: &mut Loads<'c, 'a>,
        memory: Value<'c, 'a>,
        access: &Access,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: (i64, i64),
    ) -> Result<Value<'c, 'a>, Error> {
        let lane = if self.lane_distance(access) == 0 { (0, 1) } else { piece };
        let key = (identity(access), row * i64::from(self.row_distance(access) != 0), lane);
        if let Some(value) = loads.values.get(&key) {
            return Ok(*value);
        }
        let source = self.memory(memory)?;
        let address = self.address(loads, access, tile, row, lane.0)?;
        let element = types::element(memory.r#type());
        let value = match lane.1 {
            1 => memref::load(&self.builder, source, &[address])?,
            lanes => vector::load(&self.builder, source, &[address], types::lanes(element, lanes))?,
        };
        loads.values.insert(key, value);
        Ok(value)
    }

    fn memory(&self, memory: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let flat = self.values.flat.get(&memory.key()).copied();
        flat.ok_or_else(|| Error::malformed("a kernel without one of its operands"))
    }

    fn store(&mut self, tile: &Tile<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Error> {
        let (memory, access) = self.group.output.clone();
        let target = self.memory(memory)?;
        let mut values = values.iter();
        let mut loads = Loads::default();
        for row in 0..tile.rows {
            for &piece in &tile.pieces {
                let Some(&value) = values.next() else { return Ok(()) };
                let address = self.address(&mut loads, &access, tile, row, piece.0)?;
                match piece.1 {
                    1 => memref::store(&self.builder, value, target, &[address])?,
                    _ => vector::store(&self.builder, value, target, &[address])?,
                }
            }
        }
        Ok(())
    }
}

/// What was already loaded for a tile.
#[derive(Default)]
struct Loads<'c, 'a> {
    /// By access, row and piece.
    values: HashMap<(usize, i64, (i64, i64)), Value<'c, 'a>>,
    /// Addresses of the tile's first point by access.
    bases: HashMap<usize, Value<'c, 'a>>,
}

/// Tells accesses of a group apart.
fn identity(access: &Access) -> usize {
    std::ptr::from_ref(access) as usize
}

/// The elements of a memref's memory as one dimension, from its own offset on.
pub fn flattened<'c: 'a, 'a>(builder: Builder<'c, 'a>, memory: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let kind = memory.r#type();
    let malformed = || Error::malformed(format!("an operand of type {kind}"));
    let (_, offset) = types::strides(kind).ok_or_else(malformed)?;
    let count = elements(kind).ok_or_else(malformed)?;
    let flat = types::strided_memref(types::element(kind), &[count], &[1], offset).ok_or_else(malformed)?;
    Ok(memref::reinterpret_cast(&builder, memory, flat)?)
}

/// From the first element of a memref to its last, so many elements; none where only a run knows that.
pub fn elements(kind: Type<'_>) -> Option<i64> {
    let (strides, _) = types::strides_with_open_offset(kind)?;
    let distances = static_shape(kind)?.into_iter().zip(strides).map(|(extent, stride)| (extent - 1).max(0) * stride);
    Some(1 + distances.sum::<i64>())
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn remainders_are_cut_into_powers_of_two() {
        assert_eq!(pieces(32, 16), [(0, 16), (16, 16)]);
        assert_eq!(pieces(27, 16), [(0, 16), (16, 8), (24, 2), (26, 1)]);
        assert_eq!(pieces(3, 1), [(0, 1), (1, 1), (2, 1)]);
        assert_eq!(pieces(0, 16), []);
    }
}
