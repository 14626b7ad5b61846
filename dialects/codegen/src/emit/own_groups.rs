//! Groups of the input of which each lane has its own, as in a depthwise convolution: their elements lie in vectors apart from each
//! other, and are put together to words. Windows of several rows have groups in common, which are put together once.

use super::groups::Groups;
use super::kernel::{Kernel, Tile};
use super::values::{Loads, constant_index};
use crate::Error;
use crate::nest::access::{Access, Step};
use crate::nest::cost::LANE_BYTES;
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{llvm, vector};
use std::collections::{BTreeMap, HashMap};

/// Puts the elements of two vectors, of so many bytes, beside each other in two others.
const SHUFFLE: &str = "llvm.hexagon.V6.vshuffvdd.128B";
/// Words of a vector, and elements that are put together to one.
const WORDS: i64 = 32;
const GROUP: usize = 4;
/// The place of no lane, in the order of those of a shuffle.
const NOTHING: i64 = -1;

/// Products that are added to the sums of a row: its number, and the first index along each reduced dimension.
type Window = (i64, Vec<(usize, i64)>);
/// Where a group begins in the input, in elements and in strides that only a run knows, and how many elements of it there are.
type Place = ([i64; 2], Option<i64>);

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The windows of all rows of a tile by the groups of the input that they read, where all of them are code.
    pub(super) fn windows(self, groups: &Groups<'_>, rows: i64) -> Option<BTreeMap<Place, Vec<Window>>> {
        let (schedule, grouping) = (&self.nest.schedule, groups.grouping());
        let dims = schedule.reductions();
        let access = grouping.factors[0].1;
        if !grouping.is_apart || schedule.unrolled() != dims.len() || access.open_strides() > 1 {
            return None;
        }
        let step = |dim: usize| match access.steps[dim] {
            Step::Linear(distance) => Some([distance, 0]),
            Step::Open(open) => Some([0, open.factor]),
            Step::Panel { .. } => None,
        };
        let further =
            |place: [i64; 2], [known, open]: [i64; 2], count: i64| [place[0] + count * known, place[1] + count * open];
        let mut indices: Vec<(Place, Vec<(usize, i64)>)> = vec![(([0; 2], None), Vec::new())];
        for dim in dims {
            let (extent, distance) = (self.nest.space.dims[dim].extent, step(dim)?);
            let length = if dim == grouping.dim { grouping.size } else { 1 };
            let along = |(place, first): &(Place, Vec<(usize, i64)>), index: i64| {
                let rest = Some(extent - index).filter(|left| *left < length).or(place.1);
                ((further(place.0, distance, index), rest), [first.as_slice(), &[(dim, index)]].concat())
            };
            let firsts = (0..extent).step_by(usize::try_from(length).ok()?);
            indices = indices.iter().flat_map(|own| firsts.clone().map(move |index| along(own, index))).collect();
        }
        let apart = match schedule.rows() {
            Some(rows) => step(rows.dim)?,
            None => [0; 2],
        };
        let mut windows: BTreeMap<Place, Vec<Window>> = BTreeMap::new();
        for row in 0..rows {
            for ((place, rest), first) in &indices {
                windows.entry((further(*place, apart, row), *rest)).or_default().push((row, first.clone()));
            }
        }
        Some(windows)
    }

    /// Adds the products of windows to the sums of a tile.
    pub(super) fn add_windows(
        self,
        groups: &Groups<'_>,
        windows: &BTreeMap<Place, Vec<Window>>,
        tile: &Tile<'c, 'a>,
        mut sums: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (mut filters, mut is_empty) = (HashMap::new(), vec![self.nest.space.begins_with_zero(); sums.len()]);
        for ((_, products), windows) in windows {
            for (column, &piece) in tile.pieces.iter().enumerate() {
                let mut words = None;
                for (row, first) in windows {
                    let mut at = Tile { products: *products, ..tile.clone() };
                    for (dim, index) in first {
                        at.base[*dim] = self.builder.index(*index)?;
                    }
                    let input = match &words {
                        Some(words) => words,
                        None => words.insert(self.own_groups(groups, &at, *row, piece)?),
                    };
                    let filter = match filters.get(&(first, column)) {
                        Some(filter) => filter,
                        None => {
                            let loaded = self.repeated_filter(groups, &at, *row, piece)?;
                            filters.entry((first, column)).or_insert(loaded)
                        }
                    };
                    let point = usize::try_from(*row).unwrap_or(0) * tile.pieces.len() + column;
                    sums[point] = match is_empty[point] {
                        true => self.own_products(groups, sums[point], input, filter)?,
                        false => self.add_own(groups, sums[point], input, filter)?,
                    };
                    is_empty[point] = false;
                }
            }
        }
        Ok(sums)
    }

    /// Whether products are added vector of words by vector of words: where lanes of several panels have groups of their own, or not all
    /// stand for elements.
    pub(super) fn has_parts(self, groups: &Groups<'_>, tile: &Tile<'c, 'a>) -> bool {
        let is_masked = tile.pieces.iter().any(|piece| piece.is_masked() && piece.lanes > WORDS);
        self.panels(groups.grouping().factors[0].1).is_some() || self.target.isa.only_whole && is_masked
    }

    /// The length of the panels all lanes of which are the same, and how far apart these are.
    pub(super) fn panels(self, access: &Access) -> Option<(i64, i64)> {
        let vectors = self.nest.schedule.vectors()?;
        match access.steps[vectors.dim] {
            step @ Step::Panel { size, .. } => Some((size, step.for_panels(vectors.lanes)?)),
            _ => None,
        }
    }

    /// How many elements behind that of a row the groups of each vector of words are.
    pub(super) fn behind_row(self, groups: &Groups<'_>, piece: Piece) -> Vec<i64> {
        let panels = self.panels(groups.grouping().factors[0].1);
        let of = |part: i64| panels.map_or(0, |(size, apart)| (piece.offset + part * WORDS) / size * apart);
        (0..(piece.lanes / WORDS).max(1)).map(of).collect()
    }

    /// Adds the products of a group at all points of a tile, vector of words by vector of words.
    pub(super) fn add_parts(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        sums: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (mut loads, mut results, mut known) = (Loads::default(), Vec::new(), HashMap::new());
        for ((row, piece), sum) in self.rows_and_pieces(tile).zip(sums) {
            let mut input = Vec::new();
            for further in self.behind_row(groups, piece) {
                let group = match known.get(&(row, further)) {
                    Some(group) => *group,
                    None => self.input_group(groups, &mut loads, tile, (row, further))?,
                };
                known.insert((row, further), group);
                input.push(group);
            }
            let filter = self.repeated_filter(groups, tile, row, piece)?;
            results.push(self.add_own(groups, *sum, &input, &filter)?);
        }
        Ok(results)
    }

    /// Adds the products of each lane's own group to a vector of sums: those of vectors of words of which some lane stands for an element.
    pub(super) fn add_own(
        self,
        groups: &Groups<'_>,
        sum: Value<'c, 'a>,
        input: &[Value<'c, 'a>],
        filter: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let mut result = sum;
        if let ([input], [filter], false) = (input, filter, self.target.isa.only_whole) {
            return self.multiply_add(groups, sum, *input, *filter);
        }
        for ((part, &input), &filter) in (0..).zip(input).zip(filter) {
            let own = vector::slice(&self.builder, result, part * WORDS, WORDS)?;
            let own = self.multiply_add(groups, own, input, filter)?;
            result = vector::insert_slice(&self.builder, own, result, part * WORDS)?;
        }
        Ok(result)
    }

    /// The first products of sums that begin with zeros.
    fn own_products(
        self,
        groups: &Groups<'_>,
        zeros: Value<'c, 'a>,
        input: &[Value<'c, 'a>],
        filter: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let Some(name) = groups.products(WORDS) else { return self.add_own(groups, zeros, input, filter) };
        let mut result = zeros;
        for ((part, &input), &filter) in (0..).zip(input).zip(filter) {
            let own = llvm::call_intrinsic(&self.builder, name, &groups.ordered(input, filter), input.r#type())?;
            result = vector::insert_slice(&self.builder, own, result, part * WORDS)?;
        }
        Ok(result)
    }

    /// The elements of groups of the input, each a vector of all lanes: as many as there are.
    fn elements_of_groups(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (builder, grouping) = (&self.builder, groups.grouping());
        let (operand, access) = grouping.factors[0];
        let load = |place: i64| {
            let mut at = tile.clone();
            at.base[grouping.dim] = match constant_index(tile.base[grouping.dim]) {
                Some(index) => builder.index(index + place)?,
                None => builder.index_plus(tile.base[grouping.dim], place)?,
            };
            self.load(&mut Loads::default(), operand, access, &at, row, piece)
        };
        (0..tile.products.unwrap_or(grouping.size)).map(load).collect()
    }

    /// Groups of the input as vectors of words, as many as have lanes that stand for elements.
    pub(super) fn own_groups(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        if !self.target.isa.only_whole {
            let elements = self.elements_of_groups(groups, tile, row, piece)?;
            return Ok(vec![self.side_by_side(groups, &elements, piece)?]);
        }
        // Lanes that stand for no element are not stored.
        let is_spread = self.spread(groups.grouping().factors[0].1).is_some();
        let whole = if is_spread { piece } else { Piece { filled: piece.lanes, ..piece } };
        let loaded = self.elements_of_groups(groups, tile, row, whole)?;
        // What is missing is multiplied with zeros.
        let first = loaded.first().copied().into_iter().cycle();
        let words_of = |own| vector::bitcast(&self.builder, own, types::lanes(self.word(), words(WORDS)));
        let elements: Vec<_> =
            loaded.iter().copied().chain(first).take(GROUP).map(words_of).collect::<Result<_, _>>()?;
        let elements: [_; GROUP] =
            elements.try_into().map_err(|_| Error::malformed("groups that are no words of bytes"))?;
        let count = usize::try_from((piece.filled + WORDS - 1) / WORDS).unwrap_or(GROUP);
        Ok(self.interleaved(elements)?[..count.min(GROUP)].to_vec())
    }

    /// Of the elements of groups, each a vector of all lanes, one vector of words. What is missing is multiplied with zeros.
    fn side_by_side(
        self,
        groups: &Groups<'_>,
        elements: &[Value<'c, 'a>],
        piece: Piece,
    ) -> Result<Value<'c, 'a>, Error> {
        let (builder, lanes, size) = (&self.builder, piece.lanes, groups.grouping().size);
        let count = i64::try_from(elements.len()).unwrap_or(size);
        if lanes == 1 {
            let mut group = builder.broadcast(self.zero(elements[0].r#type())?, size)?;
            for (place, &element) in (0..).zip(elements) {
                group = vector::insert(builder, element, group, place)?;
            }
            return Ok(vector::extract(builder, self.words(groups, group, 0)?, 0)?);
        }
        let (mut parts, mut length) = (elements.to_vec(), lanes);
        while length < lanes * size / 2 {
            let both: Vec<i64> = (0..2 * length).collect();
            let one: Vec<i64> = (0..length).chain((0..length).map(|_| NOTHING)).collect();
            let join = |pair: &[Value<'c, 'a>]| match pair {
                [first, second] => vector::shuffle(builder, [*first, *second], &both),
                others => vector::shuffle(builder, [others[0], others[0]], &one),
            };
            parts = parts.chunks(2).map(join).collect::<Result<_, _>>()?;
            length *= 2;
        }
        let place = |place: i64| if place < count { place * lanes } else { 0 };
        let order: Vec<i64> = (0..lanes).flat_map(|lane| (0..size).map(move |own| place(own) + lane)).collect();
        let both = match parts[..] {
            // LLVM would take the elements from two registers, which takes some processors three operations.
            [first, second] if 2 * length == LANE_BYTES * self.target.isa.lanes() => {
                let all: Vec<i64> = (0..2 * length).collect();
                let both = self.settled(vector::shuffle(builder, [first, second], &all)?)?;
                [both, both]
            }
            [first, second] => [first, second],
            _ => [parts[0], parts[0]],
        };
        let group = vector::shuffle(builder, both, &order)?;
        self.words(groups, group, 0)
    }

    /// Of four vectors of bytes, four vectors of words that have a byte of each.
    fn interleaved(self, [a, b, c, d]: [Value<'c, 'a>; GROUP]) -> Result<[Value<'c, 'a>; GROUP], Error> {
        let [low, high] = self.shuffled([a, b], 1)?;
        let [further_low, further_high] = self.shuffled([c, d], 1)?;
        let [first, second] = self.shuffled([low, further_low], 2)?;
        let [third, fourth] = self.shuffled([high, further_high], 2)?;
        Ok([first, second, third, fourth])
    }

    /// Parts of two vectors, of so many bytes, beside each other.
    pub(super) fn shuffled(self, [first, second]: [Value<'c, 'a>; 2], bytes: i64) -> Result<[Value<'c, 'a>; 2], Error> {
        let builder = &self.builder;
        let arguments = [second, first, builder.integer(self.word(), -bytes)?];
        let both = llvm::call_intrinsic(builder, SHUFFLE, &arguments, types::lanes(self.word(), words(2 * WORDS)))?;
        Ok([vector::slice(builder, both, 0, WORDS)?, vector::slice(builder, both, WORDS, WORDS)?])
    }

    /// Groups of the filter for all lanes of a piece that stand for elements, as vectors of words.
    pub(super) fn repeated_filter(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        if !self.target.isa.only_whole {
            return Ok(vec![self.filter_groups(groups, &mut Loads::default(), tile, row, piece)?]);
        }
        let (builder, grouping) = (&self.builder, groups.grouping());
        let (operand, access): (usize, &Access) = grouping.factors[1];
        let address = self.address(&mut Loads::default(), (operand, access), tile, row, piece)?;
        let alignment = self.alignment((operand, access), tile, row, piece);
        let size = self.repeated(access, piece.lanes, grouping.size);
        let kind = types::lanes(self.element(operand)?, words(WORDS * grouping.size));
        let mut vectors: Vec<Value<'c, 'a>> = Vec::new();
        for part in 0..(piece.filled + WORDS - 1) / WORDS {
            let first = size.map_or(part * WORDS, |size| part * WORDS % size);
            if first == 0 && part > 0 {
                vectors.push(vectors[0]);
                continue;
            }
            let address = builder.index_plus(address, first * grouping.size)?;
            let loaded = vector::load(builder, (self.memory(operand)?, address), kind, alignment)?;
            let own = vector::bitcast(builder, loaded, types::lanes(self.word(), words(WORDS)))?;
            vectors.push(match size.filter(|size| *size < WORDS) {
                Some(size) => {
                    let order: Vec<i64> = (0..WORDS).map(|lane| lane % size).collect();
                    vector::shuffle(builder, [own, own], &order)?
                }
                None => own,
            });
        }
        Ok(vectors)
    }

    /// After how many lanes of a vector a filter begins anew, if it does.
    fn repeated(self, access: &Access, lanes: i64, group: i64) -> Option<i64> {
        match access.steps[self.nest.schedule.vectors()?.dim] {
            step @ Step::Panel { size, .. } if step.repeats(lanes, group) => Some(size),
            _ => None,
        }
    }
}

fn words(lanes: i64) -> types::Width {
    types::Width { lanes, is_scalable: false }
}
