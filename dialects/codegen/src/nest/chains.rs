//! Sums of many terms (docs/semantics.md): no chain of additions in a lane has more than [`MOST_TERMS`], and sums of chains
//! neither, whose error is that of the longest chain. Where they are cut follows from the extents of the sum alone.

use super::computation::Combiner;
use super::element::Element;
use super::op::Op;
use super::schedule::Schedule;
use super::space::{MOST_TERMS, Space};

/// Iterations of a loop.
#[derive(Clone, Copy)]
pub enum Count {
    /// So many.
    Known(i64),
    /// As many as a run finds.
    Open,
    /// So many in all, of which so many are done at a time.
    Blocks(i64, i64),
}

impl Count {
    /// Those of the loop along a reduced dimension.
    pub fn of(space: &Space, schedule: &Schedule, dim: usize) -> Count {
        match schedule.blocks() {
            _ if space.dims[dim].is_open => Count::Open,
            Some((blocked, each)) if blocked == dim => Count::Blocks(space.dims[dim].extent, each),
            _ => Count::Known(schedule.iterations(space, dim)),
        }
    }

    /// Whether there are whole parts of a length only.
    pub fn is_even(self, part: i64) -> bool {
        match self {
            Count::Known(all) => all % part == 0,
            Count::Blocks(all, each) => all % part == 0 && each % part == 0,
            Count::Open => false,
        }
    }

    /// The lengths of the parts in which so many iterations are added up, each to one sum, short ones first; an iteration adds
    /// this number of terms to its sum.
    pub fn parts(self, terms: i64) -> Vec<i64> {
        let first = (MOST_TERMS / terms.max(1)).max(1);
        let (Count::Known(count) | Count::Blocks(count, _)) = self else { return vec![first, first * MOST_TERMS] };
        let (mut parts, mut left, mut length) = (Vec::new(), count, 1);
        let mut most = first;
        while left > most {
            // Parts of one length, if that can be.
            let own = (most / 2 + 1..=most).rev().find(|length| left % length == 0);
            let own = own.unwrap_or_else(|| quotient(left, quotient(left, most)));
            length *= own;
            parts.push(length);
            (left, most) = (quotient(left, own), MOST_TERMS);
        }
        parts
    }

    /// Terms that are added to what is carried around the loop.
    pub fn terms(self, terms: i64) -> i64 {
        let (Count::Known(count) | Count::Blocks(count, _)) = self else { return MOST_TERMS };
        let length = self.parts(terms).last().copied();
        length.map_or(count.saturating_mul(terms), |length| quotient(count, length))
    }
}

/// Rounded up.
fn quotient(number: i64, by: i64) -> i64 {
    number / by + i64::from(number % by > 0)
}

/// How terms are added, if real numbers are, and in any order.
pub fn sum_of_reals(space: &Space) -> Option<Combiner> {
    let main = &space.main.computation;
    let is_real = main.type_of(main.result).is_some_and(Element::is_real);
    space.combiner().filter(|combiner| is_real && combiner.op == Op::AddF)
}

/// Terms that the innermost iteration adds to each sum.
pub fn own_terms(space: &Space) -> i64 {
    i64::try_from(space.main.computation.terms()).unwrap_or(1)
}

/// Terms that loops along dimensions add to what they carry, where what stands in them adds so many.
pub fn terms(space: &Space, schedule: &Schedule, dims: &[usize], within: i64) -> i64 {
    dims.iter().rev().fold(within, |terms, dim| Count::of(space, schedule, *dim).terms(terms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_short_and_even() {
        assert_eq!(Count::Known(256).parts(1), [0i64; 0]);
        assert_eq!(Count::Known(512).parts(1), [256]);
        assert_eq!(Count::Known(1000).parts(1), [250]);
        assert_eq!(Count::Known(257).parts(1), [129]);
        assert_eq!(Count::Known(65_536).parts(1), [256]);
        assert_eq!(Count::Known(1 << 20).parts(1), [256, 65_536]);
        assert_eq!(Count::Known(512).parts(9), [16]);
        assert_eq!(Count::Known(3).parts(256), [1]);
        assert_eq!(Count::Open.parts(1), [256, 65_536]);
    }

    #[test]
    fn no_sum_has_more_terms_than_a_chain_may_have() {
        for count in [1, 2, 255, 256, 257, 1000, 4097, 65_537, 1 << 20, (1 << 24) + 1] {
            for terms in [1, 2, 9, 100, 255, 256] {
                let parts = Count::Known(count).parts(terms);
                let mut length = 1;
                for (number, part) in parts.iter().enumerate() {
                    let own = if number == 0 { terms } else { 1 };
                    assert!(
                        part % length == 0 && part / length * own <= MOST_TERMS.max(own),
                        "{count} {terms} {parts:?}"
                    );
                    length = *part;
                }
                assert!(Count::Known(count).terms(terms) <= MOST_TERMS, "{count} {terms} {parts:?}");
            }
        }
    }
}
