//! From a nest to the loops of a kernel.

use super::apart::{self, Form};
use super::body::{self, Computed, Point};
use super::span::{Cut, Span};
use super::values::{Loads, Values, Words, identity};
use crate::Error;
use crate::nest::Nest;
use crate::nest::access::Access;
use crate::nest::atom::Fused;
use crate::nest::computation::{Combined, Ref};
use crate::nest::decided::{Decided, Deciding};
use crate::nest::parts::{Piece, masked_pieces, pieces};
use crate::nest::schedule::{self, Lanes, Loop, Tail};
use crate::nest::space::{Source, Stage};
use crate::target::Target;
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
    /// For what code is made.
    pub target: &'k Target,
}

/// A loop, and those within it.
pub(super) type Place<'n> = (&'n Loop, &'n [Loop]);

/// How far a dimension goes.
#[derive(Clone, Copy)]
pub(super) enum Extent<'c, 'a> {
    /// So many elements.
    Known(i64),
    /// To an index that only the run knows.
    Open(Value<'c, 'a>),
}

/// A tile of the parallel dimensions.
#[derive(Clone)]
pub(super) struct Tile<'c, 'a> {
    /// The first index of each dimension; reduced ones are added as their loops open.
    pub base: Vec<Value<'c, 'a>>,
    /// How far the loops that are still to come go along each dimension, from there on.
    pub extents: Vec<Extent<'c, 'a>>,
    /// Rows.
    pub rows: i64,
    /// Vectors of a row.
    pub pieces: Vec<Piece>,
    /// Which lanes of masked vectors stand for elements.
    pub mask: Option<Value<'c, 'a>>,
    /// By how many elements the vectors of a rest begin before a multiple of their lanes, whole ones that repeat what others compute.
    pub behind: i64,
    /// How many products groups have, where that is less than an atom adds.
    pub products: Option<i64>,
    /// Groups of the input that were loaded with others.
    pub words: Words<'c, 'a>,
    /// The part of the parallel loops from here inwards that is done, where it is not all.
    pub span: Option<Span<'c, 'a>>,
    /// Elements that are the same at all points of the innermost loop, by their accesses.
    pub fixed: HashMap<usize, Value<'c, 'a>>,
}

impl<'c, 'a> Tile<'c, 'a> {
    /// All of the loops, or a span of them, from an index of each dimension on.
    pub(super) fn whole(base: Vec<Value<'c, 'a>>, extents: Vec<Extent<'c, 'a>>, span: Option<Span<'c, 'a>>) -> Self {
        let (pieces, words, fixed) = (vec![Piece::ELEMENT], Words::new(), HashMap::new());
        Tile { base, extents, rows: 1, pieces, mask: None, behind: 0, products: None, words, span, fixed }
    }
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// Emits the loops, inside of those along shared dimensions, for so many indices of a block where it is not whole; of these in a span
    /// where it is not all that is done.
    pub fn emit(
        self,
        (shared, count): (&[Value<'c, 'a>], Option<Extent<'c, 'a>>),
        span: Option<Span<'c, 'a>>,
    ) -> Result<(), Error> {
        let mut base = vec![self.builder.index(0)?; self.nest.space.dims.len()];
        base[..shared.len()].copy_from_slice(shared);
        let ends = self.values.ends.iter().zip(&self.nest.space.dims);
        let extents = ends.map(|(end, dim)| end.map_or(Extent::Known(dim.extent), Extent::Open));
        let mut extents: Vec<_> = extents.collect();
        if let Some((count, within)) = count.zip(self.nest.space.rest()) {
            extents[within.dim] = match count {
                Extent::Known(count) => Extent::Known(count * within.each),
                Extent::Open(count) => {
                    Extent::Open(arith::muli(&self.builder, count, self.builder.index(within.each)?)?)
                }
            };
        }
        let tile = Tile::whole(base, extents, span);
        self.tell_rows(self.nest.schedule.rows().map_or(1, |rows| rows.count))?;
        let values = self.with_sums(self.with_columns(self.with_whole(&tile)?, &tile)?)?;
        Kernel { values: &values, ..self }.decided(tile)
    }

    /// The same kernel at another place.
    pub(super) fn at(self, builder: Builder<'c, 'a>) -> Self {
        Kernel { builder, ..self }
    }

    pub(super) fn loops(self, loops: &[Loop], mut tile: Tile<'c, 'a>) -> Result<(), Error> {
        if let Some(pack) = self.pack_before(loops) {
            return self.loops_with_copy(pack, loops, tile);
        }
        let Some((own, inner)) = loops.split_first() else { return self.tile(&tile) };
        if inner.is_empty() && !self.nest.space.has_reduction() {
            tile.fixed = self.fixed(own.dim, &tile)?;
        }
        match (own.form, self.nest.schedule.vectors()) {
            (schedule::Form::Vectors(Lanes { is_scalable: true, .. }), Some(vectors)) => {
                self.scalable_parts(inner, vectors, &tile)
            }
            _ => self.parts((own, inner), tile),
        }
    }

    /// Loads what is the same at all points of the innermost loop: LLVM can't, as it does not know that nothing in the loop
    /// writes it.
    fn fixed(self, dim: usize, tile: &Tile<'c, 'a>) -> Result<HashMap<usize, Value<'c, 'a>>, Error> {
        let (mut loads, mut fixed) = (Loads::default(), HashMap::new());
        // A tile has points along all of these.
        let schedule = &self.nest.schedule;
        let vectors = schedule.vectors().map(|vectors| vectors.dim);
        let inside: Vec<usize> = [dim].into_iter().chain(vectors).chain(schedule.rows().map(|rows| rows.dim)).collect();
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
    fn parts(self, (own, inner): Place<'_>, tile: Tile<'c, 'a>) -> Result<(), Error> {
        let length = match tile.extents[own.dim] {
            Extent::Open(end) => return self.open_parts((own, inner), end, &tile),
            Extent::Known(length) => length,
        };
        if let Some(staged) = self.streamed((own, inner)) {
            return self.streamed_parts(staged, (own, inner), (length, &tile));
        }
        if let Some(cut) = self.cut((own, inner), tile.span)? {
            return self.cut_parts((own, inner), (cut, length), tile);
        }
        let full = length / own.step * own.step;
        let part = self.part(own, &tile, own.step);
        let start = tile.base[own.dim];
        let range = [start, self.builder.index_plus(start, full)?];
        if full > 0 && self.by_blocks((own, inner), range, &tile)? {
            // Whole tiles are done so.
        } else if full == own.step {
            self.loops(inner, part)?;
        } else if full > 0 {
            self.iterations((start, full / own.step), (own.step, inner.is_empty()), |kernel, index| {
                let mut part = part.clone();
                part.base[own.dim] = index;
                kernel.loops(inner, part)
            })?;
        }
        if full < length {
            let rest = self.rest(own, [full, length], &tile)?;
            self.with_rows(own, rest.rows, || self.loops(inner, rest))?;
        }
        Ok(())
    }

    /// A loop of so many iterations from an index on. Hexagon's loops without branches, which are innermost ones, count iterations: LLVM
    /// finds them where the counter goes by 1.
    fn iterations(
        self,
        (start, count): (Value<'c, 'a>, i64),
        (step, is_innermost): (i64, bool),
        body: impl FnOnce(Self, Value<'c, 'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let is_counted = self.target.is_hexagon() && step > 1 && is_innermost && !self.nest.space.has_reduction();
        let range = match is_counted {
            true => [self.builder.index(0)?, self.builder.index(count)?],
            false => [start, self.builder.index_plus(start, count * step)?],
        };
        self.builder.count_between::<Error>(range, if is_counted { 1 } else { step }, &[], |builder, index, _| {
            let index = match is_counted {
                true => arith::addi(&builder, start, arith::muli(&builder, index, builder.index(step)?)?)?,
                false => index,
            };
            body(self.at(builder), index)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The tile of so many elements of a dimension: a block, which a loop further in goes over, vectors, or rows.
    pub(super) fn part(self, own: &Loop, tile: &Tile<'c, 'a>, length: i64) -> Tile<'c, 'a> {
        let mut part = tile.clone();
        match own.form {
            _ if !self.is_innermost(own) => part.extents[own.dim] = Extent::Known(length),
            schedule::Form::Vectors(Lanes { count, tail: Tail::Mask, .. }) => {
                let lanes = if length == self.masked_lanes(count) { length } else { count };
                part.pieces = masked_pieces(length, lanes, self.target.isa.only_whole);
            }
            schedule::Form::Vectors(Lanes { count, .. }) => part.pieces = pieces(length, count),
            schedule::Form::Elements | schedule::Form::Groups(_) if own.step != 1 => part.rows = length,
            schedule::Form::Elements | schedule::Form::Groups(_) => {}
        }
        part
    }

    /// Whether no other loop goes over what an iteration leaves of the dimension.
    pub(super) fn is_innermost(self, own: &Loop) -> bool {
        self.nest.schedule.innermost(own.dim) == Some(own)
    }

    /// The tile of what remains behind the full parts of a dimension.
    pub(super) fn rest(self, own: &Loop, [full, length]: [i64; 2], tile: &Tile<'c, 'a>) -> Result<Tile<'c, 'a>, Error> {
        if let Some(overlap) = self.overlap(own, [full, length], tile) {
            return overlap;
        }
        let mut rest = self.part(own, tile, length - full);
        rest.base[own.dim] = self.builder.index_plus(tile.base[own.dim], full)?;
        // In a rest of rows, masked vectors keep their mask.
        let cuts_vectors = self.is_innermost(own) && matches!(own.form, schedule::Form::Vectors(_));
        let masked = rest.pieces.last().filter(|piece| piece.is_masked() && cuts_vectors);
        if let Some(piece) = masked {
            let filled = self.builder.index(piece.filled)?;
            rest.mask = Some(vector::create_mask(&self.builder, filled, piece.lanes)?);
        }
        Ok(rest)
    }

    /// The same for the part of a dimension that a span has.
    fn cut_parts(
        self,
        (own, inner): Place<'_>,
        (cut, length): (Cut<'c, 'a>, i64),
        tile: Tile<'c, 'a>,
    ) -> Result<(), Error> {
        let full = length / own.step * own.step;
        let range = cut.elements(self.builder, self.builder.index(full)?)?;
        if !self.by_blocks((own, inner), range, &tile)? {
            self.builder.count_between::<Error>(range, own.step, &[], |builder, index, _| {
                let mut part = self.part(own, &tile, own.step);
                part.base[own.dim] = index;
                part.span = cut.within(builder, index)?;
                self.at(builder).loops(inner, part)?;
                Ok(Vec::new())
            })?;
        }
        if full < length {
            let units = self.builder.index(full / own.step)?;
            let reaches = arith::cmpi(&self.builder, IntegerPredicate::Sgt, cut.range[1], units)?;
            let branch = scf::r#if(&self.builder, reaches, &[])?;
            let kernel = self.at(branch.then);
            let mut rest = kernel.rest(own, [full, length], &tile)?;
            rest.span = cut.within(branch.then, rest.base[own.dim])?;
            kernel.with_rows(own, rest.rows, || kernel.loops(inner, rest))?;
            scf::r#yield(&branch.then, &[])?;
            scf::r#yield(&branch.otherwise, &[])?;
        }
        Ok(())
    }

    /// Rows and pieces of a tile, in the order of its points.
    pub(super) fn rows_and_pieces<'t>(
        self,
        tile: &'t Tile<'c, 'a>,
    ) -> impl Iterator<Item = (i64, Piece)> + use<'t, 'c, 'a> {
        (0..tile.rows).flat_map(|row| tile.pieces.iter().map(move |piece| (row, *piece)))
    }

    fn tile(self, tile: &Tile<'c, 'a>) -> Result<(), Error> {
        let space = &self.nest.space;
        if self.multiply_matrices(tile)? {
            return Ok(());
        }
        if let Some(sums) = self.sum_rows(tile)? {
            return self.store(tile, &sums);
        }
        let values = match (self.dot_dimension(), space.has_reduction()) {
            (Some((dim, combined)), _) => self.dot(dim, tile, combined)?,
            (None, true) => match self.multiply_row_pairs(tile)? {
                Some(sums) => sums,
                None => self.reduce(&self.nest.schedule.reductions(), tile, self.begun(tile)?)?,
            },
            (None, false) => self.evaluate(&space.main, tile, &self.chained_in(tile)?)?,
        };
        self.finish_block(tile, values)
    }

    /// The vectorized dimension if it is reduced, and how vectors of partial results are combined.
    fn dot_dimension(self) -> Option<(usize, Combined)> {
        let dim = self.nest.schedule.vectors()?.dim;
        let is_reduced = self.nest.space.dims[dim].is_reduced;
        let main = &self.nest.space.main.computation;
        let combined = || self.nest.space.combiner().map(Combined::By).or_else(|| main.search().map(Combined::Search));
        is_reduced.then(combined).flatten().map(|combined| (dim, combined))
    }

    /// The type of an operand's elements, or its own.
    pub(super) fn element(self, operand: usize) -> Result<Type<'c>, Error> {
        let element = self.nest.space.element(operand);
        let element = element.ok_or_else(|| Error::malformed("a kernel without one of its operands"))?;
        Ok(elements::r#type(self.builder.context(), element)?)
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
        self.stored(tile)
    }

    /// The reduction loops from `dims` inwards.
    pub(super) fn reduce(
        self,
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        if let Some(scaled) = self.scale_behind(dims) {
            return self.scale_sums(scaled, dims, tile, carried);
        }
        let is_first = dims.len() == self.nest.schedule.reductions().len();
        if let Some(results) = if is_first { self.slide(tile, &carried)? } else { None } {
            return Ok(results);
        }
        if let Some(dots) = self.last_columns(tile).filter(|_| is_first) {
            return self.with_last_columns(&dots, tile, &carried);
        }
        if let Some(groups) = self.groups().filter(|_| is_first) {
            if let Some(windows) = self.windows(&groups, tile.rows) {
                return self.add_windows(&groups, &windows, tile, carried);
            }
        }
        let Some((&dim, inner)) = dims.split_first() else { return self.add(tile, carried) };
        if self.nest.schedule.grouped_along(dim).is_some() {
            return self.over_groups(dims, tile, carried);
        }
        if dims.len() <= self.nest.schedule.unrolled() {
            return self.unrolled(dim, inner, tile, carried);
        }
        let range = self.reduced_range(dim, tile)?;
        let terms = if self.scale_behind(inner).is_some() { 1 } else { self.terms(inner, self.own_terms()) };
        self.sum(range, (self.builder.index(1)?, self.count(dim), terms), &carried, &|kernel, index, carried| {
            let mut tile = tile.clone();
            tile.base[dim] = index;
            kernel.reduce(inner, &tile, carried.to_vec())
        })
    }

    /// What stands within all reduction loops: the terms of a tile's points are added, and what sums have so far is written where that is wanted.
    fn add(self, tile: &Tile<'c, 'a>, carried: Vec<Value<'c, 'a>>) -> Result<Vec<Value<'c, 'a>>, Error> {
        let groups = self.groups();
        self.fetch_next_panel(tile, groups.as_ref().map_or(1, |groups| groups.grouping().size))?;
        if let Some(groups) = groups {
            return self.add_groups(&groups, tile, &carried);
        }
        let chained: Vec<_> = carried.into_iter().map(Some).collect();
        let mut results = self.evaluate(&self.nest.space.main, tile, &chained)?;
        let on_the_way = self.nest.space.on_the_way();
        let written = results.split_off(results.len() - on_the_way.len() * points(tile));
        self.store_to(on_the_way, tile, &written)?;
        Ok(results)
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
        let together =
            if self.nest.space.has_reduction() { self.looked_up(stage) } else { (MOST_ALIVE / alive.max(1)).max(1) };
        let (mut loads, mut computed) = (Loads::default(), Computed::default());
        let mut results: Vec<Vec<Value<'c, 'a>>> = Vec::new();
        let (all, mut points) = (points(tile), Vec::new());
        for row in 0..tile.rows {
            for &piece in &tile.pieces {
                let at = results.len() + points.len();
                let chain = |number: usize| chained.get(at + number * all).copied().flatten();
                let point = self.point(stage, tile, (row, piece), &mut loads, &chain)?;
                let dim = self.nest.schedule.vectors().map(|vectors| vectors.dim);
                let form = dim.and_then(|dim| Form::of(&self.nest.space, stage, (piece, dim), self.target));
                if let Some(form) = form {
                    results.push(apart::evaluate(
                        self.builder,
                        (&stage.computation, &self.nest.space.operands),
                        &point,
                        form,
                    )?);
                    continue;
                }
                points.push(point);
                if points.len() >= together {
                    results.extend(body::evaluate(self.builder, &stage.computation, &points, &mut computed)?);
                    points.clear();
                }
            }
        }
        results.extend(body::evaluate(self.builder, &stage.computation, &points, &mut computed)?);
        let given = 1 + stage.computation.further.len();
        Ok((0..given).flat_map(|number| results.iter().map(move |point| point[number])).collect())
    }

    /// What a stage is computed on at a piece of a row. `chain` gives the accumulator of a number there.
    fn point(
        self,
        stage: &Stage,
        tile: &Tile<'c, 'a>,
        (row, piece): (i64, Piece),
        loads: &mut Loads<'c, 'a>,
        chain: &dyn Fn(usize) -> Option<Value<'c, 'a>>,
    ) -> Result<Point<'k, 'c, 'a>, Error> {
        let mut argument = |(number, source): (usize, &Source)| match source {
            Source::Memory(memory, access) => {
                let loaded = self.load(loads, *memory, access, tile, row, piece)?;
                self.as_taken(stage, Ref::Argument(number), loaded).map(Some)
            }
            Source::Scalar(operand) => Ok(self.values.plain.get(*operand).copied().flatten()),
            Source::Chain => Ok(chain(0)),
            Source::Further(number) => Ok(chain(number + 1)),
            Source::Unused => Ok(None),
        };
        let decided = |deciding| Decided::new(&self.nest.space, &stage.computation, deciding, row);
        Ok(Point {
            arguments: stage.sources.iter().enumerate().map(&mut argument).collect::<Result<_, _>>()?,
            lanes: piece.width(),
            mask: tile.mask.filter(|_| piece.is_masked()),
            values: self.values,
            indices: self.indices(tile, row, piece)?,
            fused: self.fused,
            is_long: self.is_long(),
            has_division: !self.target.is_hexagon(),
            are_bytes_narrow: self.target.isa.only_whole && piece.lanes > 1,
            lookup: self.target.lookup(),
            any_zero: self.any_zero,
            decided: self.deciding(stage, tile).map(decided),
        })
    }

    /// What a stage takes values by, if that is decided in each row. Of what remains where only a run knows the end, no index is known.
    fn deciding(self, stage: &Stage, tile: &Tile<'c, 'a>) -> Option<Deciding> {
        let rows = self.nest.schedule.rows()?;
        let is_rest = self.nest.space.dims[rows.dim].is_open && tile.rows < rows.count;
        Deciding::of(&self.nest.space, &stage.computation)
            .filter(|deciding| !is_rest && deciding.is_decided_by(rows, &self.nest.space))
    }

    /// Whether what is the same for all lanes is so for many vectors.
    fn is_long(self) -> bool {
        let vectors = self.nest.schedule.vectors();
        vectors.is_some_and(|vectors| self.nest.space.dims[vectors.dim].extent >= LONG * vectors.lanes)
    }

    /// Values of the dimensions for computations that ask for them.
    fn indices(self, tile: &Tile<'c, 'a>, row: i64, piece: Piece) -> Result<Vec<Value<'c, 'a>>, Error> {
        if !self.nest.space.is_indexed() {
            return Ok(Vec::new());
        }
        let mut indices = tile.base.clone();
        if let Some(rows) = self.nest.schedule.rows() {
            indices[rows.dim] = self.builder.index_plus(indices[rows.dim], row)?;
        }
        if let Some(vectors) = self.nest.schedule.vectors() {
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
