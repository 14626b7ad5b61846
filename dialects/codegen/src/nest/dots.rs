//! The last columns of a product, which fill only a small part of a vector of words: of each, the elements that are multiplied lie beside
//! each other in the input, so that whole vectors of them are multiplied at once, as many products as there are bytes. What remains is to add up
//! their words.

use super::rows_of_bytes::WORDS;
use super::schedule::Schedule;
use super::space::Space;
use crate::target::Target;

/// Columns that there are at most.
const MOST_COLUMNS: i64 = 8;
/// Vectors of a column of the filter at most: all are code.
const MOST_VECTORS: i64 = 16;
/// Bytes of a vector.
pub const BYTES: i64 = 128;
/// Bytes of a word.
pub const WORD: i64 = 4;
/// Packets in which the words of a vector become one sum.
const FOLD: i64 = 2;

/// The last columns of a product of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dots {
    /// How many columns there are.
    pub columns: i64,
    /// Reduced dimensions along which the elements of the input lie beside each other, the innermost first, with their distances.
    pub run: Vec<(usize, i64)>,
    /// The others.
    pub around: Vec<usize>,
    /// Elements along the first ones.
    pub length: i64,
    /// How many times they are walked.
    pub times: i64,
}

impl Dots {
    /// Those of a schedule.
    pub fn of(space: &Space, schedule: &Schedule, target: &Target) -> Option<Dots> {
        schedule.grouped().and_then(|_| Dots::along(space, schedule.vectors()?.dim, target))
    }

    /// The columns behind the last whole vector of words along a dimension, if there are few.
    pub fn along(space: &Space, dim: usize, target: &Target) -> Option<Dots> {
        let grouping = space.grouping()?;
        let (input, known) = (grouping.factors[0].1, space.dims[dim]);
        let columns = known.extent % WORDS;
        let is_shared = !grouping.is_apart && !input.steps[dim].moves() && grouping.size == WORD;
        let is_known = !known.is_open && space.dims_that_are(true).all(|dim| !space.dims[dim].is_open);
        if !target.isa.only_whole || !is_shared || !is_known || !(1..=MOST_COLUMNS).contains(&columns) {
            return None;
        }
        let (mut run, mut length) = (vec![(grouping.dim, 1)], space.dims[grouping.dim].extent);
        let next = |length: i64, run: &[(usize, i64)]| {
            let is_in = |dim: usize| run.iter().any(|(own, _)| *own == dim);
            space.dims_that_are(true).find(|dim| !is_in(*dim) && input.steps[*dim].linear() == Some(length))
        };
        while let Some(dim) = next(length, &run) {
            run.push((dim, length));
            length *= space.dims[dim].extent;
        }
        let around: Vec<usize> =
            space.dims_that_are(true).filter(|dim| run.iter().all(|(own, _)| own != dim)).collect();
        let times = around.iter().map(|dim| space.dims[*dim].extent).product();
        let is_whole = space.dims[grouping.dim].extent % WORD == 0;
        let dots = Dots { columns, run, around, length, times };
        (is_whole && dots.all_vectors() <= MOST_VECTORS && dots.is_worth()).then_some(dots)
    }

    /// Vectors of a run.
    pub fn vectors(&self) -> i64 {
        (self.length + BYTES - 1) / BYTES
    }

    /// Vectors of a column of the filter.
    pub fn all_vectors(&self) -> i64 {
        self.times * self.vectors()
    }

    /// Packets that a row takes.
    pub fn packets(&self) -> f64 {
        (self.all_vectors() * (self.columns + 1) + self.columns * FOLD) as f64
    }

    /// The same for its products word by word, of which a packet has two.
    pub fn packets_by_words(&self) -> f64 {
        (self.times * self.length / WORD) as f64 / 2.0
    }

    fn is_worth(&self) -> bool {
        self.packets() < self.packets_by_words()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::product_of_bytes;
    use super::*;

    #[test]
    fn few_columns_behind_whole_vectors_are_added_up_by_themselves() {
        let target = Target::named(Some("hexagon-unknown-linux-musl"), Some("hexagonv66+hvxv66+hvx-length128b"));
        let of = |n: i64, k: i64| {
            let space = product_of_bytes(63, n, k);
            Dots::along(&space, 1, &target).map(|dots| (dots.columns, dots.length, dots.all_vectors()))
        };
        assert_eq!((of(65, 128), of(37, 360)), (Some((1, 128, 1)), Some((5, 360, 3))));
        // All columns fill vectors, too many are left, too few products are, or some are in no whole group.
        assert_eq!((of(64, 128), of(48, 128), of(37, 8), of(65, 126)), (None, None, None, None));
    }
}
