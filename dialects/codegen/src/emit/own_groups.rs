//! Groups of the input of which each lane has its own, as in a depthwise convolution: their elements lie in vectors apart from each
//! other, and are put together to words. Windows of several rows have groups in common, which are put together once.

use super::groups::Groups;
use super::kernel::{Kernel, Tile};
use super::values::{Loads, constant_index};
use crate::Error;
use crate::nest::access::{Access, Step};
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::{llvm, vector};
use std::collections::{BTreeMap, HashMap};

/// Puts the elements of two vectors, of so many bytes, beside each other in two others.
const SHUFFLE: &str = "llvm.hexagon.V6.vshuffvdd.128B";
/// Words of a vector, and elements that are put together to one.
const WORDS: i64 = 32;
const GROUP: usize = 4;

/// Products that are added to the sums of a row: its number, and the first index along each reduced dimension.
type Window = (i64, Vec<(usize, i64)>);
/// Where a group begins in the input, and how many elements of it there are.
type Place = (i64, Option<i64>);

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The windows of all rows of a tile by the groups of the input that they read, where all of them are code.
    pub(super) fn windows(self, groups: &Groups<'_>, rows: i64) -> Option<BTreeMap<Place, Vec<Window>>> {
        let (schedule, grouping) = (&self.nest.schedule, groups.grouping());
        let dims = schedule.reductions();
        grouping.apart.filter(|_| schedule.unrolled() == dims.len())?;
        let access = grouping.factors[0].1;
        let step = |dim: usize| access.steps[dim].linear();
        let mut indices: Vec<(Place, Vec<(usize, i64)>)> = vec![((0, None), Vec::new())];
        for dim in dims {
            let (extent, distance) = (self.nest.space.dims[dim].extent, step(dim)?);
            let length = if dim == grouping.dim { grouping.size } else { 1 };
            let along = |(place, first): &(Place, Vec<(usize, i64)>), index: i64| {
                let rest = Some(extent - index).filter(|left| *left < length).or(place.1);
                ((place.0 + index * distance, rest), [first.as_slice(), &[(dim, index)]].concat())
            };
            let firsts = (0..extent).step_by(usize::try_from(length).ok()?);
            indices = indices.iter().flat_map(|own| firsts.clone().map(move |index| along(own, index))).collect();
        }
        let apart = match schedule.rows() {
            Some(rows) => step(rows.dim)?,
            None => 0,
        };
        let mut windows: BTreeMap<Place, Vec<Window>> = BTreeMap::new();
        for row in 0..rows {
            for ((place, rest), first) in &indices {
                windows.entry((place + row * apart, *rest)).or_default().push((row, first.clone()));
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

    /// Groups of the input as vectors of words, as many as have lanes that stand for elements.
    pub(super) fn own_groups(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        row: i64,
        piece: Piece,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (builder, grouping) = (&self.builder, groups.grouping());
        let (operand, access) = grouping.factors[0];
        // Lanes that stand for no element are not stored.
        let whole = if self.spread(access).is_some() { piece } else { Piece { filled: piece.lanes, ..piece } };
        let mut elements = Vec::new();
        for place in 0..grouping.size {
            if tile.products.is_some_and(|products| place >= products) {
                // They are multiplied with zeros.
                elements.push(elements[0]);
                continue;
            }
            let mut at = tile.clone();
            at.base[grouping.dim] = match constant_index(tile.base[grouping.dim]) {
                Some(index) => builder.index(index + place)?,
                None => builder.index_plus(tile.base[grouping.dim], place)?,
            };
            let loaded = self.load(&mut Loads::default(), operand, access, &at, row, whole)?;
            elements.push(vector::bitcast(builder, loaded, types::lanes(self.word(), words(WORDS)))?);
        }
        let elements: [_; GROUP] =
            elements.try_into().map_err(|_| Error::malformed("groups that are no words of bytes"))?;
        let count = usize::try_from((piece.filled + WORDS - 1) / WORDS).unwrap_or(GROUP);
        Ok(self.interleaved(elements)?[..count.min(GROUP)].to_vec())
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
