//! Products that an atom adds to a sum in groups. What it multiplies are words: the elements of a group of the input, the
//! same for all lanes, and those of as many groups of the filter as there are lanes.

use super::chains::Count;
use super::kernel::{Kernel, Tile};
use super::values::Loads;
use crate::Error;
use crate::nest::access::Access;
use crate::nest::alignment;
use crate::nest::atom::{Atom, Factors, Fit, Form};
use crate::nest::element::Number;
use crate::nest::parts::Piece;
use crate::nest::space::Grouping;
use crate::views::elements;
use skriptnd_mlir::ir::{Builder, Type, Value, types};
use skriptnd_mlir::ops::{arith, llvm, memref, vector};

/// Bits of a word: a group is as wide as the sum that its products are added to.
const WORD: u32 = 32;

/// Groups that an iteration may add, the best number first.
const TOGETHER: [i64; 4] = [4, 5, 3, FEW_TOGETHER];
const FEW_TOGETHER: i64 = 2;
/// Groups that are loaded at once.
pub(super) const PAIR: i64 = 2;
/// Words of the input that more of them have at most: registers hold them until they are multiplied.
const MOST_WORDS: i64 = 72;
/// The same for those that are loaded in pairs, whose numbers are even.
const PAIRED_TOGETHER: [i64; 5] = [10, 8, 6, 4, FEW_TOGETHER];
const MOST_PAIRED_WORDS: i64 = 84;

/// How products are added.
pub(super) struct Groups<'k> {
    grouping: Grouping<'k>,
    atom: &'static Atom,
    fit: Fit,
}

impl<'k> Groups<'k> {
    /// What is added.
    pub(super) fn grouping(&self) -> &Grouping<'k> {
        &self.grouping
    }

    /// The function for products of so many groups alone, if there is one.
    pub(super) fn products(&self, lanes: i64) -> Option<&'static str> {
        let mut products = self.atom.vectors()?.products.iter();
        products.find(|(own, _)| *own == lanes).map(|(_, name)| *name)
    }

    /// Groups of input and filter in the order in which the atom takes them.
    pub(super) fn ordered<T>(&self, input: T, filter: T) -> [T; 2] {
        if self.fit.is_swapped { [filter, input] } else { [input, filter] }
    }
}

impl<'k, 'c: 'a, 'a> Kernel<'k, 'c, 'a> {
    /// How the kernel adds groups of products, if it does.
    pub(super) fn groups(self) -> Option<Groups<'k>> {
        let atom = self.nest.schedule.grouped()?.atom;
        let grouping = self.nest.space.grouping()?;
        let fit = atom.fit(grouping.numbers, grouping.sum)?;
        Some(Groups { grouping, atom, fit })
    }

    /// How whole vectors of groups are multiplied, element by element, where an atom takes them as they are.
    pub(super) fn groups_of_vectors(self) -> Option<Groups<'k>> {
        let grouping = self.nest.space.grouping()?;
        let atom = Atom::best_for(self.target, grouping.numbers, grouping.sum, true)?;
        let fit = atom.fit(grouping.numbers, grouping.sum)?;
        let mut factors = atom.factors;
        if fit.is_swapped {
            factors.reverse();
        }
        (factors == grouping.numbers).then_some(Groups { grouping, atom, fit })
    }

    /// Rows of a tile that have a filter of their own.
    fn filter_rows(self, groups: &Groups<'_>, tile: &Tile<'c, 'a>) -> i64 {
        if self.has_rows(groups.grouping.factors[1].1) { tile.rows } else { 1 }
    }

    /// The loop over the groups along the first of `dims`, and what fills no group.
    pub(super) fn over_groups(
        self,
        dims: &[usize],
        tile: &Tile<'c, 'a>,
        mut carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (Some((&dim, inner)), Some(groups)) = (dims.split_first(), self.groups()) else { return Ok(carried) };
        let (extent, size) = (self.nest.space.dims[dim].extent, groups.grouping.size);
        let full = extent / size * size;
        let at = |index: Value<'c, 'a>, products| {
            let mut tile = Tile { products, ..tile.clone() };
            tile.base[dim] = index;
            tile
        };
        if dims.len() <= self.nest.schedule.unrolled() {
            for first in (0..full / size).map(|group| group * size) {
                carried = self.reduce(inner, &at(self.builder.index(first)?, None), carried)?;
            }
        } else if full > 0 {
            let is_paired = inner.is_empty() && self.has_pairs(&groups, tile)?;
            let together = self.together(full / size, is_paired);
            let each = if is_paired && together % PAIR == 0 { PAIR } else { 1 };
            let count = Count::Known(full / size / together);
            let steps = (self.builder.index(size * together)?, count, self.terms(inner, together));
            let ends = [self.builder.index(0)?, self.builder.index(full)?];
            carried = self.sum(ends, steps, &carried, &|kernel, index, carried| {
                (0..together / each).try_fold(carried.to_vec(), |carried, part| {
                    let tile = at(kernel.builder.index_plus(index, part * each * size)?, None);
                    match each {
                        PAIR => kernel.add_pair(&groups, &tile, carried),
                        _ => kernel.reduce(inner, &tile, carried),
                    }
                })
            })?;
        }
        if full < extent {
            carried = self.reduce(inner, &at(self.builder.index(full)?, Some(extent - full)), carried)?;
        }
        Ok(carried)
    }

    /// How many groups an iteration adds: where instructions are put together when code is made, and wait for what is loaded before,
    /// those of one group fill the gaps of another.
    fn together(self, groups: i64, is_paired: bool) -> i64 {
        let rows = self.nest.schedule.rows().map_or(1, |rows| rows.count);
        let lanes = self.nest.schedule.vectors().map_or(1, |vectors| vectors.lanes);
        let panels = self.nest.space.grouping().and_then(|grouping| self.panels(grouping.factors[0].1));
        let words = rows * panels.map_or(1, |(size, _)| lanes / size);
        let fits = |together: &i64| {
            let has_registers = *together == FEW_TOGETHER || words * together <= MOST_WORDS;
            self.target.is_hexagon() && groups % together == 0 && groups > *together && has_registers
        };
        let fits_in_pairs = |together: &i64| {
            let has_registers = *together == FEW_TOGETHER || words * together <= MOST_PAIRED_WORDS;
            groups % together == 0 && has_registers
        };
        let paired = PAIRED_TOGETHER.into_iter().filter(|_| is_paired).find(fits_in_pairs);
        paired.or_else(|| TOGETHER.into_iter().find(fits)).unwrap_or(1)
    }

    /// Adds the products of a group at all points of a tile.
    pub(super) fn add_groups(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        sums: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        if groups.grouping.is_apart {
            return self.add_own_groups(groups, tile, sums);
        }
        if self.has_parts(groups, tile) {
            return self.add_parts(groups, tile, sums);
        }
        let mut loads = Loads::default();
        let mut filters = Vec::new();
        for row in 0..self.filter_rows(groups, tile) {
            for &piece in &tile.pieces {
                filters.push(self.filter_groups(groups, &mut loads, tile, row, piece)?);
            }
        }
        let (mut sums, mut results) = (sums.iter(), Vec::new());
        for row in 0..tile.rows {
            let input = self.input_group(groups, &mut loads, tile, (row, 0))?;
            let own = if filters.len() > tile.pieces.len() { row } else { 0 };
            let first = usize::try_from(own).unwrap_or(0) * tile.pieces.len();
            for (&filter, &sum) in filters[first..].iter().take(tile.pieces.len()).zip(&mut sums) {
                results.push(self.multiply_add(groups, sum, input, filter)?);
            }
        }
        Ok(results)
    }

    /// The same where each lane has groups of its own.
    fn add_own_groups(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        sums: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let add = |((row, piece), sum): ((i64, Piece), &Value<'c, 'a>)| {
            let input = self.own_groups(groups, tile, row, piece)?;
            let filter = self.repeated_filter(groups, tile, row, piece)?;
            self.add_own(groups, *sum, &input, &filter)
        };
        self.rows_and_pieces(tile).zip(sums).map(add).collect()
    }

    /// A group of the input as a word, `further` elements behind that of the row, the elements that there are not as zeros.
    pub(super) fn input_group(
        self,
        groups: &Groups<'_>,
        loads: &mut Loads<'c, 'a>,
        tile: &Tile<'c, 'a>,
        (row, further): (i64, i64),
    ) -> Result<Value<'c, 'a>, Error> {
        if let Some(word) = tile.words.get(&(row, further)) {
            return Ok(*word);
        }
        let (operand, access) = groups.grouping.factors[0];
        let (memory, element) = (self.memory(operand)?, self.element(operand)?);
        let address = self.address(loads, (operand, access), tile, row, Piece::ELEMENT)?;
        let address = self.builder.index_plus(address, further)?;
        let size = groups.grouping.size;
        let kind = types::lanes(element, size);
        let missing = tile.products.map_or(0, |products| size - products);
        let elements = match tile.products {
            Some(_) if missing > self.nest.space.operands[operand].room() => {
                return self.short_group(groups, (memory, address), missing);
            }
            // What is read behind the elements is multiplied by zeros of the filter.
            _ => {
                let alignment = self.alignment((operand, access), tile, row, Piece::ELEMENT);
                let bytes = groups.grouping.numbers[0].element().bytes();
                let alignment = alignment.map(|own| alignment::divisor(own, further * bytes));
                vector::load(&self.builder, (memory, address), kind, alignment)?
            }
        };
        let words = self.words(groups, elements, 0)?;
        Ok(vector::extract(&self.builder, words, 0)?)
    }

    /// A group of the input as a word with zeros in place of the elements that are missing.
    fn short_group(
        self,
        groups: &Groups<'_>,
        (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
        missing: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let Grouping { size, dim, .. } = groups.grouping;
        if self.nest.space.dims[dim].extent >= size && !self.target.aligns_tensors() {
            let address = self.builder.index_plus(address, -missing)?;
            let kind = types::lanes(types::element(memory.r#type()), size);
            let elements = vector::load(&self.builder, (memory, address), kind, None)?;
            return self.last_word(groups, elements, missing);
        }
        let elements = self.first_elements((memory, address), size - missing, size)?;
        let words = self.words(groups, elements, 0)?;
        Ok(vector::extract(&self.builder, words, 0)?)
    }

    /// So many elements of a group, and zeros behind them.
    pub(super) fn first_elements(
        self,
        (memory, address): (Value<'c, 'a>, Value<'c, 'a>),
        count: i64,
        size: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let mut elements = self.builder.broadcast(self.zero(types::element(memory.r#type()))?, size)?;
        for place in 0..count {
            let one = memref::load(&self.builder, memory, &[self.builder.index_plus(address, place)?])?;
            elements = vector::insert(&self.builder, one, elements, place)?;
        }
        Ok(elements)
    }

    /// The last elements of a group as a word with zeros behind them, without so many before that another group has.
    fn last_word(self, groups: &Groups<'_>, elements: Value<'c, 'a>, before: i64) -> Result<Value<'c, 'a>, Error> {
        let words = self.words(groups, elements, 0)?;
        let word = vector::extract(&self.builder, words, 0)?;
        let bits = self.builder.integer(self.word(), before * i64::from(WORD) / groups.grouping.size)?;
        Ok(arith::shrui(&self.builder, word, bits)?)
    }

    /// Groups of the filter as words, one per lane.
    pub(super) fn filter_groups(
        self,
        groups: &Groups<'_>,
        loads: &mut Loads<'c, 'a>,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Value<'c, 'a>, Error> {
        let (operand, access): (usize, &Access) = groups.grouping.factors[1];
        let address = self.address(loads, (operand, access), tile, row, piece)?;
        let kind = types::lanes(self.element(operand)?, piece.lanes * groups.grouping.size);
        let alignment = self.alignment((operand, access), tile, row, piece);
        let elements = vector::load(&self.builder, (self.memory(operand)?, address), kind, alignment)?;
        let words = self.words(groups, elements, 1)?;
        // A zero times what fills up a group may be no number.
        let (Some(products), Number::BFloat | Number::Real(_)) = (tile.products, groups.grouping.numbers[1]) else {
            return Ok(words);
        };
        let bits = products * i64::from(WORD) / groups.grouping.size;
        let mask = self.builder.integer(self.word(), (1 << bits) - 1)?;
        let mask = vector::broadcast(&self.builder, mask, words.r#type())?;
        Ok(arith::andi(&self.builder, words, mask)?)
    }

    pub(super) fn word(self) -> Type<'c> {
        types::integer(self.builder.context(), WORD)
    }

    /// Elements of a factor, extended to those of the atom, as a vector of words.
    pub(super) fn words(
        self,
        groups: &Groups<'_>,
        elements: Value<'c, 'a>,
        factor: usize,
    ) -> Result<Value<'c, 'a>, Error> {
        let count = types::shape(elements.r#type()).and_then(|shape| *shape.first()?).unwrap_or(1);
        let number = groups.grouping.numbers[factor];
        let wide = groups.atom.factors[factor].element();
        let extended = match number.element() == wide {
            true => elements,
            false => {
                let kind = types::vector(elements::r#type(self.builder.context(), wide)?, &[count]);
                let extend = if matches!(number, Number::Unsigned(_)) { arith::extui } else { arith::extsi };
                extend(&self.builder, elements, kind)?
            }
        };
        let count = count / groups.grouping.size.unsigned_abs();
        Ok(vector::bitcast(&self.builder, extended, types::vector(self.word(), &[count]))?)
    }

    /// The sums of some lanes, by vectors of lengths that the atom has.
    pub(super) fn multiply_add(
        self,
        groups: &Groups<'_>,
        sum: Value<'c, 'a>,
        input: Value<'c, 'a>,
        filter: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let intrinsics = groups.atom.vectors().map_or(&[][..], |vectors| vectors.intrinsics);
        let lanes = types::shape(sum.r#type()).and_then(|shape| *shape.first()?).unwrap_or(1);
        let lanes = i64::try_from(lanes).unwrap_or(1);
        let call = intrinsics.iter().find(|(width, _)| *width >= lanes).or(intrinsics.last());
        let &call = call.ok_or_else(|| Error::malformed(format!("{} adds no groups", groups.atom.name)))?;
        let (builder, width) = (self.builder, call.0);
        if width == lanes {
            return self.call(groups, call, [sum, input, filter]);
        }
        if width > lanes {
            let input = if groups.grouping.is_apart { self.widened(input, width)? } else { input };
            let wide = [self.widened(sum, width)?, input, self.widened(filter, width)?];
            let wide = self.call(groups, call, wide)?;
            let is_vector = sum.r#type().is_vector();
            return Ok(if is_vector {
                vector::slice(&builder, wide, 0, lanes)
            } else {
                vector::extract(&builder, wide, 0)
            }?);
        }
        let mut result = sum;
        for first in (0..lanes / width).map(|part| part * width) {
            let part = |value| vector::slice(&builder, value, first, width);
            let input = if groups.grouping.is_apart { part(input)? } else { input };
            let part = self.call(groups, call, [part(sum)?, input, part(filter)?])?;
            result = vector::insert_slice(&builder, part, result, first)?;
        }
        Ok(result)
    }

    /// A vector of more lanes, those behind zeros.
    fn widened(self, value: Value<'c, 'a>, lanes: i64) -> Result<Value<'c, 'a>, Error> {
        let element = types::element(value.r#type());
        let zeros = self.builder.broadcast(self.zero(element)?, lanes)?;
        Ok(match value.r#type().is_vector() {
            true => vector::insert_slice(&self.builder, value, zeros, 0)?,
            false => vector::insert(&self.builder, value, zeros, 0)?,
        })
    }

    /// One instruction, and where it only multiplies the sum.
    fn call(
        self,
        groups: &Groups<'_>,
        (lanes, name): (i64, &str),
        [sum, input, filter]: [Value<'c, 'a>; 3],
    ) -> Result<Value<'c, 'a>, Error> {
        let Groups { atom, .. } = groups;
        let builder: Builder<'c, 'a> = self.builder;
        let taken = atom.vectors().map(|vectors| vectors.factors);
        let is_vector = taken == Some(Factors::VectorAndWord) || input.r#type().is_vector();
        let words = if is_vector { input } else { builder.broadcast(input, lanes)? };
        let mut factors = groups.ordered(words, filter);
        if taken == Some(Factors::Elements) {
            let element = elements::r#type(builder.context(), atom.factors[0].element())?;
            let kind = types::lanes(element, lanes * atom.group);
            for factor in &mut factors {
                *factor = vector::bitcast(&builder, *factor, kind)?;
            }
        }
        let [a, b] = factors;
        match &atom.form {
            Form::Accumulate(_) => Ok(llvm::call_intrinsic(&builder, name, &[sum, a, b], sum.r#type())?),
            Form::Fused | Form::Elementwise | Form::Products(_) | Form::Matrices(_) | Form::RowPairs(_) => {
                let products = llvm::call_intrinsic(&builder, name, &[a, b], sum.r#type())?;
                Ok(arith::addi(&builder, sum, products)?)
            }
        }
    }
}
