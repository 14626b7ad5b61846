//! Rows that several groups have in common: each group touches of what another one writes only what belongs to its row. So
//! all of them may be computed for one row after the other, and what only they need has room for one row.

use super::group::{Group, Source};
use super::order::{base, root};
use crate::nest::access::{Access, Step};
use crate::structured::volume;
use skriptnd_mlir::ir::Value;
use std::collections::HashSet;

/// Elements that a row has to have: shorter ones are computed better all at once.
const SHORTEST: i64 = 32;

/// The dimensions of each group that are common loops, outermost first; none where the groups have no rows in common.
/// Dimensions of extent 1 are gone before.
pub fn common(groups: &[Group<'_, '_>]) -> Option<Vec<Vec<usize>>> {
    let largest = groups.iter().map(points).max()?;
    let first = groups.first()?;
    let mut rows: Vec<Vec<Option<usize>>> = vec![outer_dims(first, largest).into_iter().map(Some).collect()];
    for (number, group) in groups.iter().enumerate().skip(1) {
        let free = outer_dims(group, largest);
        let found = (0..rows[0].len()).map(|row| corresponding(&groups[..number], &rows, row, group, &free));
        rows.push(found.collect());
    }
    let kept: Vec<usize> = (0..rows[0].len()).filter(|&row| rows.iter().all(|dims| dims[row].is_some())).collect();
    let rows: Vec<Vec<usize>> =
        rows.into_iter().map(|dims| kept.iter().filter_map(|&row| dims[row]).collect()).collect();
    let length = |group: &Group<'_, '_>, dims: &[usize]| {
        points(group) / volume(&dims.iter().map(|&dim| group.extents[dim]).collect::<Vec<_>>()).max(1)
    };
    let longest = groups.iter().zip(&rows).map(|(group, dims)| length(group, dims)).max()?;
    (!kept.is_empty() && longest >= SHORTEST && are_separate(groups, &rows)).then_some(rows)
}

/// Points of the iteration space.
fn points(group: &Group<'_, '_>) -> i64 {
    volume(&group.extents)
}

/// Parallel dimensions, the farthest first, without those along which vectors go.
fn outer_dims(group: &Group<'_, '_>, largest: i64) -> Vec<usize> {
    let distance = |dim: usize| group.accesses().filter_map(|access| access.steps[dim].linear()).max().unwrap_or(0);
    // Of a row's single numbers there are no vectors.
    let is_large = points(group) > largest / 4;
    let moved = |access: &Access| {
        volume(
            &(0..group.extents.len())
                .filter(|&dim| access.steps[dim].moves())
                .map(|dim| group.extents[dim])
                .collect::<Vec<_>>(),
        )
    };
    let most = group.accesses().map(moved).max().unwrap_or(1);
    let is_vector = |dim: usize| {
        let mut near = group.accesses().filter(|access| access.steps[dim] == Step::Linear(1));
        is_large && near.any(|access| moved(access) == most)
    };
    let mut dims: Vec<usize> = (0..group.extents.len()).filter(|&dim| !group.reduced[dim] && !is_vector(dim)).collect();
    dims.sort_by_key(|&dim| std::cmp::Reverse(distance(dim)));
    dims
}

/// The dimension of a group that walks memory as a row of the groups before it does.
fn corresponding(
    before: &[Group<'_, '_>],
    rows: &[Vec<Option<usize>>],
    row: usize,
    group: &Group<'_, '_>,
    free: &[usize],
) -> Option<usize> {
    for (other, dims) in before.iter().zip(rows) {
        let Some(dim) = dims[row] else { continue };
        for (memory, access) in touched(other) {
            if !access.steps[dim].moves() {
                continue;
            }
            let own = touched(group).into_iter().filter(|(own, _)| base(*own).key() == base(memory).key());
            for (_, own) in own {
                let fits = |&&candidate: &&usize| {
                    own.steps[candidate] == access.steps[dim]
                        && group.extents[candidate] == other.extents[dim]
                        && group.open[candidate].is_some() == other.open[dim].is_some()
                };
                if let Some(found) = free.iter().find(fits) {
                    return Some(*found);
                }
            }
        }
    }
    None
}

/// All memory with how it is accessed; what is written is the last.
fn touched<'g, 'c: 'a, 'a>(group: &'g Group<'c, 'a>) -> Vec<(Value<'c, 'a>, &'g Access)> {
    group.stages().flat_map(|stage| stage.memory()).chain([(group.output.0, &group.output.1)]).collect()
}

/// Whether every group touches only the same row of what one writes and another one reads or writes.
fn are_separate(groups: &[Group<'_, '_>], rows: &[Vec<usize>]) -> bool {
    let written: HashSet<usize> = groups.iter().map(|group| root(group.output.0).key()).collect();
    written.into_iter().all(|key| {
        let touching: Vec<usize> = (0..groups.len())
            .filter(|&number| touched(&groups[number]).iter().any(|(memory, _)| root(*memory).key() == key))
            .collect();
        if touching.len() < 2 {
            return true;
        }
        let accesses = touching.iter().flat_map(|&number| {
            let of = touched(&groups[number]).into_iter().filter(|(memory, _)| root(*memory).key() == key);
            of.map(move |(memory, access)| (number, base(memory).key(), access)).collect::<Vec<_>>()
        });
        let accesses: Vec<(usize, usize, &Access)> = accesses.collect();
        let bases: HashSet<usize> = accesses.iter().map(|(_, base, _)| *base).collect();
        bases.len() == 1 && (0..rows[0].len()).all(|row| is_digit(groups, rows, row, &accesses))
    })
}

/// Whether the index of a row is a digit of every address: then different rows have different addresses.
fn is_digit(groups: &[Group<'_, '_>], rows: &[Vec<usize>], row: usize, accesses: &[(usize, usize, &Access)]) -> bool {
    let Some(&(first, _, access)) = accesses.first() else { return true };
    let digit = Digit::of(&groups[first], access, rows[first][row]);
    digit.is_some_and(|digit| {
        accesses.iter().all(|(number, _, access)| {
            let (group, dim) = (&groups[*number], rows[*number][row]);
            Digit::of(group, access, dim) == Some(digit) && digit.is_apart(group, access, dim)
        })
    })
}

/// A digit of addresses: the place `step` has `count` values, or the place is the highest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digit {
    step: i64,
    count: Option<i64>,
}

impl Digit {
    /// What a dimension is in the addresses of an access.
    pub fn of(group: &Group<'_, '_>, access: &Access, dim: usize) -> Option<Digit> {
        let step = access.steps[dim].linear().filter(|step| *step > 0)?;
        Some(Digit { step, count: group.open[dim].is_none().then_some(group.extents[dim]) })
    }

    /// Whether a step does not change this digit or a lower one.
    fn is_above(self, step: i64) -> bool {
        self.count.is_some_and(|count| count > 0 && step % (self.step * count) == 0)
    }

    /// Whether the digit is the index of this dimension alone.
    fn is_apart(self, group: &Group<'_, '_>, access: &Access, dim: usize) -> bool {
        let mut low = if self.is_above(access.offset) { 0 } else { access.offset };
        for other in (0..group.extents.len()).filter(|&other| other != dim) {
            match access.steps[other] {
                Step::Linear(step) if step < 0 => return false,
                Step::Linear(step) if step == 0 || self.is_above(step) => {}
                Step::Linear(_) if group.open[other].is_some() => return false,
                Step::Linear(step) => low += step * (group.extents[other] - 1).max(0),
                Step::Panel { .. } => return false,
            }
        }
        (0..self.step).contains(&low)
    }

    /// An address without the digit.
    pub fn drop_from(self, access: &mut Access, dim: usize) {
        let without = |step: i64| match self.count {
            Some(count) if self.is_above(step) => step / count.max(1),
            _ => step,
        };
        access.offset = without(access.offset);
        for step in &mut access.steps {
            if let Step::Linear(distance) = step {
                *distance = without(*distance);
            }
        }
        access.steps[dim] = Step::Linear(0);
    }
}

/// Whether a source reads memory, or what was in the output.
pub fn reads_output(group: &Group<'_, '_>) -> bool {
    group.init.is_none() && group.main.sources.iter().any(|source| matches!(source, Source::Chain))
}
