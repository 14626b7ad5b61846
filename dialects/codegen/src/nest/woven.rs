//! Lanes of several rows in a vector: rows that are shorter than vectors lie apart in memory, with something else between them, are
//! one element each, repeated, or columns, whose elements are apart.

use super::access::Step;

/// Lanes that go over rows of a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Woven {
    /// Elements of a row.
    pub size: i64,
    /// How far rows are apart; 0 where all are the same.
    pub apart: i64,
    /// How far the elements of a row are apart: 1, or 0 where all are the same; more in a column.
    pub within: i64,
}

/// Rows at most as many times their length apart: of what is between them all is read.
const MOST_APART: i64 = 8;
/// Lanes that may be the same element, one behind the other.
const MOST_REPEATED: i64 = 8;
/// Elements of a column at most: as many vectors are loaded, and put together two and two.
const MOST_IN_COLUMN: i64 = 8;

impl Woven {
    /// How the lanes of a vector lie, if rows fill it evenly.
    pub fn of(step: Step, lanes: i64) -> Option<Woven> {
        let Step::Panel { size, outer: apart, inner: within } = step else { return None };
        let fits = size > 0 && size < lanes && lanes % size == 0;
        let is_row = within == 1 && apart % size == 0 && (0..=MOST_APART * size).contains(&apart);
        let is_column = within > 1 && apart == 1 && size.count_ones() == 1 && (2..=MOST_IN_COLUMN).contains(&size);
        let own = Woven { size, apart, within };
        Woven::repeated(step).or((is_row || is_column).then_some(own)).filter(|_| fits)
    }

    /// Whether the rows are columns, which are only read so.
    pub fn has_columns(self) -> bool {
        self.within > 1
    }

    /// How the lanes of a vector of any length lie, if each element is repeated a power of two times.
    pub fn repeated(step: Step) -> Option<Woven> {
        let Step::Panel { size, outer: 1, inner: 0 } = step else { return None };
        let is_repeated = size.count_ones() == 1 && size <= MOST_REPEATED;
        is_repeated.then_some(Woven { size, apart: 1, within: 0 })
    }

    /// How far a lane is from the first one.
    pub fn distance(self, lane: i64) -> i64 {
        lane / self.size * self.apart + lane % self.size * self.within
    }

    /// Elements from the first to the last of so many lanes.
    pub fn span(self, lanes: i64) -> i64 {
        // Where all rows are the same, the last lane of the first one is the last.
        self.distance(lanes - 1).max((self.size - 1).min(lanes - 1) * self.within) + 1
    }

    /// Where vectors of `whole` lanes begin that have all of so many lanes, none of them behind the last one where these are many.
    pub fn windows(self, lanes: i64, whole: i64) -> Vec<i64> {
        let span = self.span(lanes);
        (0..span).step_by(usize::try_from(whole).unwrap_or(1)).map(|start| start.min((span - whole).max(0))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_all_lanes_and_nothing_behind_them() {
        for (size, apart) in [(32, 64), (32, 32), (8, 24), (64, 128), (16, 128), (4, 4), (16, 0)] {
            let woven = Woven::of(Step::Panel { size, outer: apart, inner: 1 }, 128).unwrap();
            for lanes in (size..=128).step_by(size as usize) {
                let (span, windows) = (woven.span(lanes), woven.windows(lanes, 128));
                for lane in 0..lanes {
                    let distance = woven.distance(lane);
                    let has = |start: &i64| (*start..*start + 128).contains(&distance);
                    assert!(distance < span && windows.iter().any(has), "{woven:?}, lane {lane}");
                }
                let most = windows.iter().map(|start| start + 128).max().unwrap();
                assert!(most <= span.max(128), "{woven:?}: {windows:?} of {span}");
            }
        }
    }

    #[test]
    fn rows_that_fill_no_vector_are_not_woven() {
        let of = |size, outer, inner| Woven::of(Step::Panel { size, outer, inner }, 128);
        assert_eq!((of(37, 74, 1), of(128, 256, 1), of(32, 40, 1), of(32, 64, 2)), (None, None, None, None));
        assert_eq!((of(3, 1, 64), of(16, 1, 64), of(4, 2, 64)), (None, None, None));
        assert_eq!(of(4, 1, 64).map(|own| (own.has_columns(), own.distance(6))), Some((true, 129)));
        assert_eq!(Woven::of(Step::Linear(1), 128), None);
    }

    #[test]
    fn elements_are_repeated() {
        let of = |size, outer| Woven::of(Step::Panel { size, outer, inner: 0 }, 16);
        assert_eq!((of(3, 1), of(16, 1), of(2, 2)), (None, None, None));
        let twice = of(2, 1).unwrap();
        assert_eq!((0..6).map(|lane| twice.distance(lane)).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
        assert_eq!((twice.span(16), twice.span(1), of(8, 1).unwrap().span(16)), (8, 1, 2));
    }
}
