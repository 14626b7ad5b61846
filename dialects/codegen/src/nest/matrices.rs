//! Products of matrices that registers hold: of some rows of groups of the input and of so many groups of some columns of the filter, which
//! are added to a matrix of sums. Two such registers beside and below each other use each factor twice.

use super::access::{Access, Step};
use super::atom::Atom;
use super::element::Element;
use super::schedule::{Schedule, Vectors};
use super::space::{Grouping, MOST_TERMS, Space};

/// Rows that a register has at most: of the input and of sums, or of groups of the filter.
pub const ROWS: i64 = 16;
/// Columns of the filter and of sums: the words of a row.
pub const COLUMNS: i64 = 16;
/// Registers of sums along rows, and along columns. With those of factors they are as many as there are.
pub const BESIDE: i64 = 2;

/// How the tile of a schedule lies in such registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matrices {
    /// What multiplies.
    pub function: &'static str,
    /// The dimension of groups.
    pub dim: usize,
    /// Elements of it that an instruction adds: groups of the same number each time.
    pub step: i64,
    /// Elements of a group.
    pub group: i64,
    /// Bytes of an element of the factors.
    pub bytes: i64,
    /// The type of sums.
    pub sum: Element,
    /// Elements of the dimension of groups whose products are one sum, which is added to others then; none where there is one.
    pub part: Option<i64>,
    /// The dimension of rows.
    pub rows: usize,
}

impl Matrices {
    /// That of a legal schedule, if its atom takes matrices.
    pub fn of(space: &Space, schedule: &Schedule) -> Option<Matrices> {
        let grouped = schedule.grouped()?;
        let (function, group) = (grouped.atom.function_of_matrices()?, grouped.atom.group);
        let step = step(space.dims[grouped.dim].extent, group)?;
        let bytes = grouped.atom.factors[0].element().bytes();
        let (sum, terms) = (grouped.atom.sum, terms(space));
        let part = (sum.is_real() && terms > MOST_TERMS).then_some(MOST_TERMS / step * step);
        Some(Matrices { function, dim: grouped.dim, step, group, bytes, sum, part, rows: schedule.rows()?.dim })
    }
}

/// Terms of a sum, of which only a run knows some extents.
fn terms(space: &Space) -> i64 {
    let most = |dim: usize| if space.dims[dim].is_open { i64::MAX } else { space.dims[dim].extent };
    space.dims_that_are(true).fold(1, |terms: i64, dim| terms.saturating_mul(most(dim)))
}

/// Elements that an instruction adds, as many each time: an extent is cut into as few equal parts of whole groups as there can be.
pub fn step(extent: i64, group: i64) -> Option<i64> {
    let groups = extent / group;
    let parts = ((groups + ROWS - 1) / ROWS..=groups).find(|parts| *parts > 0 && groups % parts == 0);
    parts.filter(|_| extent % group == 0).map(|parts| extent / parts)
}

/// Why products that an atom adds are not those of such matrices.
pub fn unfit(space: &Space, schedule: &Schedule, atom: &Atom, grouping: &Grouping<'_>) -> Option<String> {
    let name = atom.name;
    let (Some(vectors), Some(rows)) = (schedule.vectors(), schedule.rows()) else {
        return Some(format!("{name} needs rows and vectors"));
    };
    let extent = space.dims[grouping.dim].extent;
    let [(_, input), (_, filter)] = grouping.factors;
    if step(extent, grouping.size).is_none() {
        return Some(format!("{name} takes equal parts of whole groups, which {extent} elements don't have"));
    }
    if vectors.lanes != COLUMNS || vectors.tile > BESIDE * COLUMNS || rows.count > BESIDE * ROWS {
        let (most, columns) = (BESIDE * ROWS, BESIDE * COLUMNS);
        return Some(format!("{name} has tiles of {most} rows and {columns} columns in vectors of {COLUMNS} at most"));
    }
    if schedule.unrolled() > 0 {
        return Some(format!("{name} is in no loop that is unrolled"));
    }
    if grouping.is_apart || input.steps[rows.dim].linear().is_none() || filter.steps[rows.dim].moves() {
        return Some(format!("{name} multiplies rows of the input with the same filter"));
    }
    if !has_whole_columns(space, (filter, grouping), (vectors, COLUMNS)) {
        return Some(format!("{name} takes whole columns of {COLUMNS} words"));
    }
    if grouping.sum.is_real() && terms(space) > MOST_TERMS * MOST_TERMS / 2 {
        return Some(format!("{name} adds up few sums of {MOST_TERMS} products"));
    }
    (!space.further.is_empty()).then(|| format!("{name} gives one sum"))
}

/// Whether all of so many columns beside each other are in memory, also behind the last one of the filter.
pub fn has_whole_columns(
    space: &Space,
    (filter, grouping): (&Access, &Grouping<'_>),
    (vectors, columns): (Vectors, i64),
) -> bool {
    let Step::Panel { outer, .. } = filter.steps[grouping.dim] else { return false };
    let extent = space.dims[vectors.dim].extent;
    let needed = (extent + columns - 1) / columns * columns * grouping.size;
    match filter.steps[vectors.dim] {
        Step::Linear(distance) => distance == grouping.size && outer >= needed,
        Step::Panel { size, inner, .. } => inner == grouping.size && size % columns == 0 && outer == size * inner,
        Step::Open(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_equal_parts_of_whole_groups() {
        let steps = [64, 768, 144, 96, 100, 68, 4, 24, 28].map(|extent| step(extent, 4));
        assert_eq!(steps, [64, 64, 48, 48, 20, 4, 4, 24, 28].map(Some));
        assert_eq!([0, 3, 66].map(|extent| step(extent, 4)), [None; 3]);
    }
}
