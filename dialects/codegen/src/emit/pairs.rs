//! Groups of the input that are loaded two at once: where each vector of the filter is multiplied with a group of every row, loads take as long as
//! products.

use super::groups::{Groups, PAIR};
use super::kernel::{Kernel, Tile};
use super::values::{Loads, Words};
use crate::Error;
use crate::nest::alignment::divisor;
use crate::nest::parts::Piece;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::vector;

/// Bytes that the registers for one number have together with their neighbours.
const DOUBLE_WORD: i64 = 8;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// Whether two groups of the input are a double word at all points of a tile, if the first ones are so many from the begin of their dimension.
    pub(super) fn has_pairs(self, groups: &Groups<'_>, tile: &Tile<'c, 'a>) -> Result<bool, Error> {
        let grouping = groups.grouping();
        let (place, number) = (grouping.factors[0], grouping.numbers[0]);
        let bytes = PAIR * grouping.size * number.element().bytes();
        let is_plain = place.1.steps[grouping.dim].linear() == Some(1) && !grouping.is_apart;
        if !self.target.aligns_tensors() || !is_plain || bytes != DOUBLE_WORD {
            return Ok(false);
        }
        let mut first = tile.clone();
        first.base[grouping.dim] = self.builder.index(0)?;
        let is_whole = |(row, further): (i64, i64)| {
            let own = self.alignment(place, &first, row, Piece::ELEMENT);
            own.is_some_and(|own| divisor(own, further * number.element().bytes()) % bytes == 0)
        };
        Ok(self.places_of_groups(groups, tile).into_iter().all(is_whole))
    }

    /// Adds the products of pairs that begin at the groups of a tile.
    pub(super) fn add_pair(
        self,
        groups: &Groups<'_>,
        tile: &Tile<'c, 'a>,
        carried: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, Error> {
        let (dim, size) = (groups.grouping().dim, groups.grouping().size);
        (0..).zip(self.pairs(groups, tile)?).try_fold(carried, |carried, (group, words)| {
            let mut own = Tile { words, ..tile.clone() };
            own.base[dim] = self.builder.index_plus(tile.base[dim], group * size)?;
            self.add_groups(groups, &own, &carried)
        })
    }

    /// The first and the second groups.
    fn pairs(self, groups: &Groups<'_>, tile: &Tile<'c, 'a>) -> Result<[Words<'c, 'a>; 2], Error> {
        let (place, size) = (groups.grouping().factors[0], groups.grouping().size);
        let (memory, element) = (self.memory(place.0)?, self.element(place.0)?);
        let (mut loads, mut pairs) = (Loads::default(), [Words::new(), Words::new()]);
        for (row, further) in self.places_of_groups(groups, tile) {
            let address = self.address(&mut loads, place, tile, row, Piece::ELEMENT)?;
            let address = self.builder.index_plus(address, further)?;
            let kind = types::lanes(element, PAIR * size);
            let pair = vector::load(&self.builder, (memory, address), kind, Some(DOUBLE_WORD))?;
            let words = self.words(groups, pair, 0)?;
            for (word, own) in (0..).zip(&mut pairs) {
                own.insert((row, further), vector::extract(&self.builder, words, word)?);
            }
        }
        Ok(pairs)
    }

    /// Where the groups of a tile begin, each once.
    fn places_of_groups(self, groups: &Groups<'_>, tile: &Tile<'c, 'a>) -> Vec<(i64, i64)> {
        let mut places: Vec<_> = self
            .rows_and_pieces(tile)
            .flat_map(|(row, piece)| self.behind_row(groups, piece).into_iter().map(move |further| (row, further)))
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}
