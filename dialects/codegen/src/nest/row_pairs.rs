//! Products of pairs of rows of the input and pairs of columns of the filter.

use super::matrices::has_whole_columns;
use super::schedule::Schedule;
use super::space::{Grouping, Space};

/// Columns, and rows, of a vector of sums.
pub const PAIR: i64 = 2;

/// Whether rows of the input are multiplied with the same filter, of which whole pairs of columns are in memory.
pub fn fits(space: &Space, schedule: &Schedule, grouping: &Grouping<'_>) -> bool {
    let [_, (_, filter)] = grouping.factors;
    let has_rows = schedule.rows().is_some_and(|rows| filter.steps[rows.dim].moves());
    let columns = schedule.vectors().map(|vectors| (vectors, PAIR.max(vectors.lanes)));
    let is_whole = columns.is_some_and(|columns| has_whole_columns(space, (filter, grouping), columns));
    !grouping.is_apart && !has_rows && is_whole && space.further.is_empty()
}
