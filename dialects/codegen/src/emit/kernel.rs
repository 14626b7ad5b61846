//! From a nest to the loops of a kernel.

use super::body::{self, Point};
use super::span::{Cut, Span};
use super::values::{Loads, Values, identity};
use crate::Error;
use crate::nest::Nest;
use crate::nest::access::Access;
use crate::nest::atom::Fused;
use crate::nest::computation::Combined;
use crate::nest::parts::{Piece, masked_pieces, pieces};
use crate::nest::schedule::Tail;
use crate::nest::space::{Operand, Source, Stage};
use crate::views::elements;
use skriptnd_mlir::ir::{Attribute, Builder, Type, Value, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{scf, vector};
use std::collections::HashMap;

/// Vectors that may be alive where a computation goes step by step at several points.
const MOST_ALIVE: usize = 16;
/// Vectors for which a number is prepared that all of them are divided by.
const LONG: i64 = 4;

/// Emits one kernel.
#[derive(Clone, Copy)]
pub struct Kernel<'k, 'c, 'a> {
    /// What is computed, and how.
    pub nest: &'k Nest,
    /// Where operations go.
    pub builder: Builder<'c, 'a>,
    /// What it takes from outside.
    pub values: &'k Values<'c, 'a>,
    /// The attribute by which zeros of both signs are the same.
    pub any_zero: Attribute<'c>,
    /// What products and sums the target fuses.
    pub fused: Fused,
}

/// A tile of the parallel dimensions.
#[derive(Clone)]
pub(super) struct Tile<'c, 'a> {
    /// The first index of each dimension; reduced ones are added as their loops open.
    pub base: Vec<Value<'c, 'a>>,
    /// Rows.
    pub rows: i64,
    /// Vectors of a row.
    pub pieces: Vec<Piece>,
    /// Which lanes of masked vectors stand for elements.
    pub mask: Option<Value<'c, 'a>>,
    /// How many products groups have, where that is less than an atom adds.
    pub products: Option<i64>,
    /// The part of the parallel loops from here inwards that is done, where it is not all.
    pub span: Option<Span<'c, 'a>>,
    /// Elements that are the same at all points of the innermost loop, by their accesses.
    pub fixed: HashMap<usize, Value<'c, 'a>>,
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// Emits the loops, inside of those along shared dimensions; of these in a span where it is not all that is done.
    pub fn emit(self, shared: &[Value<'c, 'a>], span: Option<Span<'c, 'a>>) -> Result<(), Error> {
        let mut base = vec![self.builder.index(0)?; self.nest.space.dims.len()];
        base[..shared.len()].copy_from_slice(shared);
        let (pieces, fixed) = (vec![Piece::ELEMENT], HashMap::new());
        let tile = Tile { base, rows: 1, pieces, mask: None, products: None, span, fixed };
        self.loops(&self.nest.schedule.order, tile)
    }

    /// The same kernel at another place.
    pub(super) fn at(self, builder: Builder<'c, 'a>) -> Self {
        Kernel { builder, ..self }
    }

    pub(super) fn loops(self, order: &[usize], mut tile: Tile<'c, 'a>) -> Result<(), Error> {
        let Some((&dim, inner)) = order.split_first() else { return self.tile(&tile) };
        if inner.is_empty() && !self.nest.space.has_reduction() {
            tile.fixed = self.fixed(dim, &tile)?;
        }
        let schedule = &self.nest.schedule;
        if let Some(vectors) = schedule.vectors.filter(|vectors| vectors.dim == dim) {
            if vectors.is_scalable {
                return self.scalable_parts(inner, vectors, &tile);
            }
            let cut = if vectors.tail == Tail::Mask { masked_pieces } else { pieces };
            let set = |tile: &mut Tile<'c, 'a>, part| tile.pieces = cut(part, vectors.lanes);
            self.parts(inner, dim, vectors.tile, tile, set)
        } else if let Some(rows) = schedule.rows.filter(|rows| rows.dim == dim) {
            self.parts(inner, dim, rows.count, tile, |tile, part| tile.rows = part)
        } else {
            self.parts(inner, dim, 1, tile, |_, _| ())
        }
    }

    /// Loads what is the same at all points of the innermost loop: LLVM can't, as it does not know that nothing in the loop
    /// writes it.
    fn fixed(self, dim: usize, tile: &Tile<'c, 'a>) -> Result<HashMap<usize, Value<'c, 'a>>, Error> {
        let (mut loads, mut fixed) = (Loads::default(), HashMap::new());
        // A tile has points along all of these.
        let schedule = &self.nest.schedule;
        let vectors = schedule.vectors.map(|vectors| vectors.dim);
        let inside: Vec<usize> = [dim].into_iter().chain(vectors).chain(schedule.rows.map(|rows| rows.dim)).collect();
        let is_fixed = |access: &Access| inside.iter().all(|&dim| !access.steps[dim].moves());
        for (operand, access) in self.nest.space.main.memory() {
            if self.nest.space.is_only_read(operand) && is_fixed(access) {
                let value = self.load(&mut loads, operand, access, tile, 0, Piece::ELEMENT)?;
                fixed.insert(identity(access), value);
            }
        }
        Ok(fixed)
    }

    /// A loop over the full parts of a dimension, and what remains behind it.
    fn parts(
        self,
        inner: &[usize],
        dim: usize,
        length: i64,
        tile: Tile<'c, 'a>,
        set: impl Fn(&mut Tile<'c, 'a>, i64),
    ) -> Result<(), Error> {
        if let Some(end) = self.values.ends[dim] {
            return self.open_parts(inner, dim, (end, length), &tile, set);
        }
        if let Some(cut) = self.cut(dim, tile.span)? {
            return self.cut_parts(inner, dim, (cut, length), tile, set);
        }
        let extent = self.nest.space.dims[dim].extent;
        let full = extent / length * length;
        let mut part = tile.clone();
        set(&mut part, length);
        if full == length {
            self.loops(inner, part)?;
        } else if full > 0 {
            self.looped(inner, dim, (full, length), part)?;
        }
        if full < extent {
            self.loops(inner, self.rest(dim, [full, extent], tile, set)?)?;
        }
        Ok(())
    }

    /// The tile of what remains behind the full parts of a dimension.
    fn rest(
        self,
        dim: usize,
        [full, extent]: [i64; 2],
        tile: Tile<'c, 'a>,
        set: impl Fn(&mut Tile<'c, 'a>, i64),
    ) -> Result<Tile<'c, 'a>, Error> {
        let mut rest = tile;
        set(&mut rest, extent - full);
        rest.base[dim] = self.builder.index(full)?;
        // In a rest of rows, masked vectors keep their mask.
        let masked = rest.pieces.last().filter(|piece| piece.is_masked() && self.nest.schedule.is_vectorized(dim));
        if let Some(piece) = masked {
            let filled = self.builder.index(piece.filled)?;
            rest.mask = Some(vector::create_mask(&self.builder, filled, piece.lanes)?);
        }
        Ok(rest)
    }

    /// The same for the part of a dimension that a span has.
    fn cut_parts(
        self,
        inner: &[usize],
        dim: usize,
        (cut, length): (Cut<'c, 'a>, i64),
        tile: Tile<'c, 'a>,
        set: impl Fn(&mut Tile<'c, 'a>, i64),
    ) -> Result<(), Error> {
        let extent = self.nest.space.dims[dim].extent;
        let full = extent / length * length;
        let range = cut.elements(self.builder, self.builder.index(full)?)?;
        self.builder.count_between::<Error>(range, length, &[], |builder, index, _| {
            let mut part = tile.clone();
            set(&mut part, length);
            part.base[dim] = index;
            part.span = cut.within(builder, index)?;
            self.at(builder).loops(inner, part)?;
            Ok(Vec::new())
        })?;
        if full < extent {
            let units = self.builder.index(full / length)?;
            let reaches = arith::cmpi(&self.builder, IntegerPredicate::Sgt, cut.range[1], units)?;
            let branch = scf::r#if(&self.builder, reaches, &[])?;
            let kernel = self.at(branch.then);
            let mut rest = kernel.rest(dim, [full, extent], tile, set)?;
            rest.span = cut.within(branch.then, rest.base[dim])?;
            kernel.loops(inner, rest)?;
            scf::r#yield(&branch.then, &[])?;
            scf::r#yield(&branch.otherwise, &[])?;
        }
        Ok(())
    }

    fn looped(self, inner: &[usize], dim: usize, range: (i64, i64), tile: Tile<'c, 'a>) -> Result<(), Error> {
        self.builder.count::<Error>(range.0, range.1, &[], |builder, index, _| {
            let mut tile = tile;
            tile.base[dim] = index;
            self.at(builder).loops(inner, tile)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn tile(self, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let space = &self.nest.space;
        let mut values = match (self.dot_dimension(), space.has_reduction()) {
            (Some((dim, combined)), _) => self.dot(dim, tile, combined)?,
            (None, true) => {
                let begun = self.begin_groups(tile, self.initial(tile)?)?;
                let reduced = self.reduce(&self.nest.schedule.reductions, tile, begun)?;
                self.end_groups(tile, reduced)?
            }
            (None, false) => self.evaluate(&space.main, tile, &self.chained_in(tile)?)?,
        };
        for stage in &space.epilogues {
            let chained: Vec<_> = values.into_iter().map(Some).collect();
            values = self.evaluate(stage, tile, &chained)?;
        }
        self.store(tile, &values)
    }

    /// The vectorized dimension if it is reduced, and how vectors of partial results are combined.
    fn dot_dimension(self) -> Option<(usize, Combined)> {
        let dim = self.nest.schedule.vectors?.dim;
        let is_reduced = self.nest.space.dims[dim].is_reduced;
        let main = &self.nest.space.main.computation;
        let combined = || main.combiner().map(Combined::By).or_else(|| main.search().map(Combined::Search));
        is_reduced.then(combined).flatten().map(|combined| (dim, combined))
    }

    /// The type of an operand's elements, or its own.
    pub(super) fn element(self, operand: usize) -> Result<Type<'c>, Error> {
        match self.nest.space.operands.get(operand) {
            Some(Operand::Passed { element: Some(element), .. } | Operand::Private { element: Some(element), .. }) => {
                Ok(elements::r#type(self.builder.context(), *element)?)
            }
            _ => Err(Error::malformed("a kernel without one of its operands")),
        }
    }

    /// The type of an accumulator, which is another than that of the output where stages behind change it.
    pub(super) fn accumulator(self) -> Result<Type<'c>, Error> {
        let main = &self.nest.space.main.computation;
        let element = main.type_of(main.result).ok_or_else(|| Error::malformed("a reduction that computes nothing"))?;
        Ok(elements::r#type(self.builder.context(), element)?)
    }

    /// For computations without a reduction that read what they write.
    fn chained_in(self, tile: &Tile<'c, 'a>) -> Result<Vec<Option<Value<'c, 'a>>>, Error> {
        let reads = self.nest.space.main.sources.contains(&Source::Chain) || !self.nest.space.further.is_empty();
        match reads {
            true => Ok(self.initial(tile)?.into_iter().map(Some).collect()),
            false => Ok(vec![None; points(tile)]),
        }
    }

    /// The accumulators before the reduction: those of the first output at all points, and behind them those of further ones.
    pub(super) fn initial(self, tile: &Tile<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
        if let Some(stage) = &self.nest.space.init {
            return self.evaluate(stage, tile, &vec![None; points(tile)]);
        }
        let mut loads = Loads::default();
        let mut values = Vec::new();
        for (memory, access) in self.nest.space.outputs() {
            for row in 0..tile.rows {
                for &piece in &tile.pieces {
                    let value = self.load(&mut loads, *memory, access, tile, row, piece)?;
                    values.push(self.builder.broadcast(value, piece.width())?);
                }
            }
        }
        Ok(values)
    }

    /// The reduction loops from `dims` inwards.
    pub(super) fn reduce(
        self,
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let Some((&dim, inner)) = dims.split_first() else {
            if let Some(groups) = self.groups() {
                return self.add_groups(&groups, tile, &carried);
            }
            let chained: Vec<_> = carried.into_iter().map(Some).collect();
            return self.evaluate(&self.nest.space.main, tile, &chained);
        };
        if self.nest.schedule.grouped_along(dim).is_some() {
            return self.over_groups(dims, tile, carried);
        }
        if dims.len() <= self.nest.schedule.unrolled {
            return self.unrolled(dim, inner, tile, carried);
        }
        let range = [self.builder.index(0)?, self.end(dim)?];
        let steps = (self.builder.index(1)?, self.count(dim), self.terms(inner, 1));
        self.sum(range, steps, &carried, &|kernel, index, carried| {
            let mut tile = tile.clone();
            tile.base[dim] = index;
            kernel.reduce(inner, &tile, carried.to_vec())
        })
    }

    fn unrolled(
        self,
        dim: usize,
        inner: &[usize],
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let mut carried = carried;
        for index in 0..self.nest.space.dims[dim].extent {
            let mut tile = tile.clone();
            tile.base[dim] = self.builder.index(index)?;
            carried = self.reduce(inner, &tile, carried)?;
        }
        Ok(carried)
    }

    /// One stage at all points of a tile.
    pub(super) fn evaluate(
        self,
        stage: &Stage,
        tile: &Tile<'c, 'a>,
        chained: &[Option<Value<'c, 'a>>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        // Accumulators leave no registers for several points.
        let alive = stage.computation.most_alive();
        let together = if self.nest.space.has_reduction() { 1 } else { (MOST_ALIVE / alive.max(1)).max(1) };
        let mut loads = Loads::default();
        let mut results: Vec<Vec<Value<'c, 'a>>> = Vec::new();
        let (all, mut points) = (points(tile), Vec::new());
        for row in 0..tile.rows {
            for &piece in &tile.pieces {
                let at = results.len() + points.len();
                let chain = |number: usize| chained.get(at + number * all).copied().flatten();
                let mut arguments = Vec::new();
                for source in &stage.sources {
                    arguments.push(match source {
                        Source::Memory(memory, access) => {
                            Some(self.load(&mut loads, *memory, access, tile, row, piece)?)
                        }
                        Source::Scalar(operand) => self.values.plain.get(*operand).copied().flatten(),
                        Source::Chain => chain(0),
                        Source::Further(number) => chain(number + 1),
                        Source::Unused => None,
                    });
                }
                let indices = self.indices(tile, row, piece)?;
                let mask = tile.mask.filter(|_| piece.is_masked());
                let (values, any_zero, fused) = (self.values, self.any_zero, self.fused);
                let (lanes, is_long) = (piece.width(), self.is_long());
                points.push(Point { arguments, lanes, mask, values, indices, fused, is_long, any_zero });
                if points.len() >= together {
                    results.extend(body::evaluate(self.builder, &stage.computation, &points)?);
                    points.clear();
                }
            }
        }
        results.extend(body::evaluate(self.builder, &stage.computation, &points)?);
        let given = 1 + stage.computation.further.len();
        Ok((0..given).flat_map(|number| results.iter().map(move |point| point[number])).collect())
    }

    /// Whether what is the same for all lanes is so for many vectors.
    fn is_long(self) -> bool {
        let vectors = self.nest.schedule.vectors;
        vectors.is_some_and(|vectors| self.nest.space.dims[vectors.dim].extent >= LONG * vectors.lanes)
    }

    /// Values of the dimensions for computations that ask for them.
    fn indices(self, tile: &Tile<'c, 'a>, row: i64, piece: Piece) -> Result<Vec<Value<'c, 'a>>, Error> {
        if !self.nest.space.is_indexed() {
            return Ok(Vec::new());
        }
        let mut indices = tile.base.clone();
        if let Some(rows) = self.nest.schedule.rows {
            indices[rows.dim] = self.builder.index_plus(indices[rows.dim], row)?;
        }
        if let Some(vectors) = self.nest.schedule.vectors {
            let first = self.lanes_further(indices[vectors.dim], piece, 1)?;
            indices[vectors.dim] = self.builder.broadcast(first, piece.width())?;
            if piece.lanes > 1 {
                let r#type = types::lanes(types::index(self.builder.context()), piece.width());
                let lanes = vector::step(&self.builder, r#type)?;
                indices[vectors.dim] = arith::addi(&self.builder, indices[vectors.dim], lanes)?;
            }
        }
        Ok(indices)
    }
}

pub(super) fn points(tile: &Tile<'_, '_>) -> usize {
    usize::try_from(tile.rows).unwrap_or(1) * tile.pieces.len()
}

pub(super) fn mask<'c, 'a>(tile: &Tile<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    tile.mask.ok_or_else(|| Error::malformed("a masked vector without a mask"))
}
