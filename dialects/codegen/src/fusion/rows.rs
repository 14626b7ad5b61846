//! Rows that several groups have in common: each group touches of what another one writes only what belongs to its row. So
//! all of them may be computed for one row after the other, and what only they need has room for one row.

use super::group::{self, Group};
use super::memory::{base, root, without_units};
use super::turned::is_turned;
use crate::nest::access::{Access, Step, Stride};
use crate::views::shapes::volume;
use skriptnd_mlir::ir::{Value, types};
use std::collections::HashSet;

/// Elements that rows have together.
const TOGETHER: i64 = 2048;

/// The same with products of matrices, which use what they load in each row.
const ROWS_TOGETHER: i64 = 8192;

/// Rows that fill the tiles of products, and that share enough.
const FEWEST_OF_PRODUCTS: i64 = 16;
const MOST_OF_PRODUCTS: i64 = 64;

/// Rows that are worth to be gone through together.
const FEWEST: i64 = 4;

/// Elements from one window to the next at most, where vectors go over windows.
const APART: i64 = 3;

/// Loops around all groups of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// The dimensions of each group, outermost first.
    pub dims: Vec<Vec<usize>>,
    /// How many indices of the innermost of them are gone through together.
    pub block: i64,
}

/// The common loops of some groups; none where they have no rows in common. Dimensions of extent 1 are gone before. Where every
/// reduction gives one element, all is one row, without a loop around it.
pub fn common(groups: &[Group<'_, '_>]) -> Option<Rows> {
    if groups.iter().all(|group| !group.space.has_reduction() || group.space.dims.iter().all(|dim| dim.is_reduced)) {
        return Some(Rows { dims: vec![Vec::new(); groups.len()], block: 1 });
    }
    let largest = groups.iter().map(|group| group.space.points()).max()?;
    let touching: Vec<Touching<'_, '_, '_>> = groups.iter().map(Touching::of).collect();
    let mut first = outer_dims(groups.first()?, largest);
    if is_turned(groups) {
        first.retain(|dim| shares_factor(&groups[0], *dim) && groups[0].space.output.1.steps[*dim] != Step::Linear(1));
    }
    let mut rows: Vec<Vec<Option<usize>>> = vec![first.into_iter().map(Some).collect()];
    for (number, own) in touching.iter().enumerate().skip(1) {
        let free = outer_dims(own.group, largest);
        let found = (0..rows[0].len()).map(|row| corresponding(&touching[..number], &rows, row, own, &free));
        rows.push(found.collect());
    }
    let kept: Vec<usize> = (0..rows[0].len()).filter(|&row| rows.iter().all(|dims| dims[row].is_some())).collect();
    let keep = |row: usize| rows.iter().filter_map(|dims| dims[row]).collect::<Vec<_>>();
    let kept: Vec<Vec<usize>> = kept.into_iter().map(keep).filter(|dims| is_separate(&touching, dims)).collect();
    let dims: Vec<Vec<usize>> =
        (0..groups.len()).map(|number| kept.iter().map(|dims| dims[number]).collect()).collect();
    let length = |(group, dims): (&Group<'_, '_>, &Vec<usize>)| {
        group.space.points() / volume(&dims.iter().map(|&dim| group.space.dims[dim].extent).collect::<Vec<_>>()).max(1)
    };
    let of_rows = groups.iter().zip(&dims).filter(|(group, _)| !group.space.is_contraction());
    let longest = of_rows.map(length).max()?;
    let rows = Rows { dims, block: 1 };
    let has_products = groups.iter().any(|group| group.space.is_contraction()) && !is_turned(groups);
    let is_open = |(group, dims): (&Group<'_, '_>, &Vec<usize>)| {
        (0..group.space.dims.len()).any(|dim| group.space.dims[dim].is_open && !dims.contains(&dim))
    };
    let wanted = match has_products {
        true if groups.iter().zip(&rows.dims).any(is_open) => FEWEST_OF_PRODUCTS,
        true => (ROWS_TOGETHER / longest.max(1)).clamp(FEWEST_OF_PRODUCTS, MOST_OF_PRODUCTS),
        false => TOGETHER / longest.max(1),
    };
    if kept.is_empty() || has_products && !rows.dims[0].last().is_some_and(|dim| shares_factor(&groups[0], *dim)) {
        return None;
    }
    let rows = rows.together(groups, wanted);
    (!has_products || rows.block > 1 || rows.dims[0].len() < kept.len()).then_some(rows)
}

/// Whether a product reads the same of a factor at all indices of a dimension.
fn shares_factor(product: &Group<'_, '_>, dim: usize) -> bool {
    product.space.main.memory().any(|(_, access)| !access.steps[dim].moves())
}

impl Rows {
    /// Goes through so many rows together: what one of them waits for, such as the next sum, others need not. Where the innermost loop is
    /// short, that are all of its rows, and of those around it perhaps several.
    fn together(mut self, groups: &[Group<'_, '_>], mut wanted: i64) -> Self {
        while let Some((extent, is_known)) = self.innermost(groups).filter(|_| wanted >= FEWEST) {
            if !is_known || extent > wanted {
                self.block = self.block_of(groups, is_known.then_some(extent), wanted);
                break;
            }
            self.dims.iter_mut().for_each(|dims| dims.truncate(dims.len() - 1));
            wanted /= extent;
        }
        self
    }

    /// How many indices of the innermost loop are gone through together, of so many if that is known, and at most as many as are wanted.
    fn block_of(&self, groups: &[Group<'_, '_>], extent: Option<i64>, wanted: i64) -> i64 {
        let innermost = self.dims.iter().filter_map(|dims| dims.last());
        if !groups.iter().zip(innermost).all(|(group, dim)| group.may_block(*dim)) {
            return 1;
        }
        let Some(extent) = extent else { return wanted };
        // Blocks that come out even need no code for a rest; others are as long as each other as far as they can.
        let divisor = (wanted * 3 / 4..=wanted).rev().find(|block| *block > 0 && extent % block == 0);
        let divided_up = |by: i64| (extent + by - 1) / by;
        divisor.unwrap_or_else(|| divided_up(divided_up(wanted)))
    }

    /// The extent of the innermost loop, and whether that is known.
    fn innermost(&self, groups: &[Group<'_, '_>]) -> Option<(i64, bool)> {
        let dims = self.dims.iter().filter_map(|dims| dims.last().copied());
        let mut extents = groups.iter().zip(dims).map(|(group, dim)| group.space.dims[dim]);
        extents.next().map(|dim| (dim.extent.max(1), !dim.is_open))
    }
}

/// Whether dimensions of groups, the first ones of each, are rows that they have in common where the groups' memory lies.
pub fn are_common(groups: &[Group<'_, '_>]) -> bool {
    let touching: Vec<Touching<'_, '_, '_>> = groups.iter().map(Touching::of).collect();
    let count = groups.first().map_or(0, |group| group.space.shared());
    let same = |row: usize| {
        let extent = |group: &Group<'_, '_>| group.space.dims[row].known_extent();
        groups.windows(2).all(|pair| extent(&pair[0]) == extent(&pair[1]))
    };
    (0..count).all(|row| same(row) && is_separate(&touching, &vec![row; groups.len()]))
}

/// Parallel dimensions, the farthest first, without those along which vectors go.
fn outer_dims(group: &Group<'_, '_>, largest: i64) -> Vec<usize> {
    let space = &group.space;
    let distance = |dim: usize| space.accesses().map(|access| access.steps[dim].typical()).max().unwrap_or(0);
    // Of a row's single numbers there are no vectors.
    let is_large = space.points() > largest / 4;
    let moved = |access: &Access| {
        let moving = space.dims.iter().zip(&access.steps).filter(|(_, step)| step.moves());
        volume(&moving.map(|(dim, _)| dim.extent).collect::<Vec<_>>())
    };
    let most = space.accesses().map(moved).max().unwrap_or(1);
    // Windows of which results lie beside each other are a few elements apart.
    let is_written = |dim: usize| space.output.1.steps[dim] == Step::Linear(1);
    let is_vector = |dim: usize| {
        let farthest = if is_written(dim) { APART } else { 1 };
        let is_near =
            |access: &Access| matches!(access.steps[dim], Step::Linear(step) if (1..=farthest).contains(&step));
        is_large && space.accesses().any(|access| is_near(access) && moved(access) == most)
    };
    let mut dims: Vec<usize> =
        (0..space.dims.len()).filter(|&dim| !space.dims[dim].is_reduced && !is_vector(dim)).collect();
    dims.sort_by_key(|&dim| std::cmp::Reverse(distance(dim)));
    dims
}

/// A group with all memory that it touches, each with the way there gone once.
struct Touching<'g, 'c, 'a> {
    group: &'g Group<'c, 'a>,
    memory: Vec<Touched<'g, 'c, 'a>>,
    /// The roots of what is written.
    written: Vec<usize>,
}

/// How memory is accessed.
struct Touched<'g, 'c, 'a> {
    /// Key of what it belongs to.
    root: usize,
    /// Key of what it begins at the begin of.
    base: usize,
    /// Key of what it has the strides of.
    strides: usize,
    memory: Value<'c, 'a>,
    access: &'g Access,
}

impl<'g, 'c: 'a, 'a> Touching<'g, 'c, 'a> {
    fn of(group: &'g Group<'c, 'a>) -> Self {
        let touched = group.walked().map(|(memory, access)| Touched {
            root: root(memory).key(),
            base: base(memory).key(),
            strides: without_units(memory).key(),
            memory,
            access,
        });
        Touching { group, memory: touched.collect(), written: group.roots_written().collect() }
    }

    /// The accesses to what has this root.
    fn within(&self, root: usize) -> impl Iterator<Item = &Touched<'g, 'c, 'a>> {
        self.memory.iter().filter(move |touched| touched.root == root)
    }
}

/// The dimension of a group that walks memory as a row of the groups before it does.
fn corresponding(
    before: &[Touching<'_, '_, '_>],
    rows: &[Vec<Option<usize>>],
    row: usize,
    own: &Touching<'_, '_, '_>,
    free: &[usize],
) -> Option<usize> {
    for (other, dims) in before.iter().zip(rows) {
        let Some(dim) = dims[row] else { continue };
        let fits = |ours: &Touched<'_, '_, '_>, theirs: &Touched<'_, '_, '_>, candidate: usize| {
            let (own, other) = (own.group.space.dims[candidate], other.group.space.dims[dim]);
            ours.walks_as(candidate, theirs, dim) && own.known_extent() == other.known_extent()
        };
        for theirs in other.memory.iter().filter(|theirs| theirs.access.steps[dim].moves()) {
            for ours in own.memory.iter().filter(|ours| ours.base == theirs.base) {
                if let Some(found) = free.iter().find(|candidate| fits(ours, theirs, **candidate)) {
                    return Some(*found);
                }
            }
        }
    }
    None
}

/// Whether every group touches only the same row of what one writes and another one reads or writes. `rows` are the
/// dimensions of the groups that are the row's.
fn is_separate(groups: &[Touching<'_, '_, '_>], rows: &[usize]) -> bool {
    let written: HashSet<usize> = groups.iter().flat_map(|group| group.written.iter().copied()).collect();
    written.into_iter().all(|root| {
        let accesses = groups
            .iter()
            .enumerate()
            .flat_map(|(number, group)| group.within(root).map(move |touched| (number, touched)));
        let accesses: Vec<(usize, &Touched<'_, '_, '_>)> = accesses.collect();
        let Some((first, others)) = accesses.split_first() else { return true };
        if others.iter().all(|(number, _)| *number == first.0) {
            return true;
        }
        others.iter().all(|(_, touched)| touched.base == first.1.base) && is_digit(groups, rows, &accesses)
    })
}

/// Whether the index of a row is a digit of every address: then different rows have different addresses.
fn is_digit(groups: &[Touching<'_, '_, '_>], rows: &[usize], accesses: &[(usize, &Touched<'_, '_, '_>)]) -> bool {
    let Some(&(first, touched)) = accesses.first() else { return true };
    let (dim, strides) = (rows[first], touched.strides);
    let goes_along_one = |&(number, other): &(usize, &Touched<'_, '_, '_>)| {
        other.strides == strides && other.walks_as(rows[number], touched, dim) && other.is_by_dimensions()
    };
    if accesses.iter().all(goes_along_one) {
        return true;
    }
    let digit = Digit::of(groups[first].group, touched.access, dim);
    digit.is_some_and(|digit| {
        accesses.iter().all(|&(number, Touched { access, .. })| {
            let (group, dim) = (groups[number].group, rows[number]);
            Digit::of(group, access, dim) == Some(digit) && digit.is_apart(group, access, dim)
        })
    })
}

impl Touched<'_, '_, '_> {
    /// Whether a dimension walks memory as another one does: by the same distance, or the stride of the same dimension.
    fn walks_as(&self, dim: usize, other: &Touched<'_, '_, '_>, its: usize) -> bool {
        match (self.access.steps[dim], other.access.steps[its]) {
            // Of the same memory, other dimensions have other strides.
            (own @ Step::Open(_), step @ Step::Open(_)) => {
                self.strides == other.strides && own.typical() == step.typical()
            }
            (own, step) => own == step,
        }
    }

    /// Whether each dimension is the index along one of the memory's. No index leaves its dimension, so those along one do not
    /// reach into another place of it.
    fn is_by_dimensions(&self) -> bool {
        let (Some(strides), Some(shape)) = (group::strides(self.memory), types::shape(self.memory.r#type())) else {
            return false;
        };
        let places = strides.into_iter().zip(shape).filter(|(_, extent)| *extent != Some(1));
        let mut strides: Vec<Stride> = places.map(|(stride, _)| stride).collect();
        let mut moving = self.access.steps.iter().filter(|step| step.moves());
        self.access.open_offset.is_none()
            && moving.all(|step| match strides.iter().position(|stride| stride.is(*step)) {
                Some(place) => {
                    strides.swap_remove(place);
                    true
                }
                None => false,
            })
    }
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
        Some(Digit { step, count: group.space.dims[dim].known_extent() })
    }

    /// Whether a step does not change this digit or a lower one.
    fn is_above(self, step: i64) -> bool {
        self.count.is_some_and(|count| count > 0 && step % (self.step * count) == 0)
    }

    /// Whether the digit is the index of this dimension alone.
    fn is_apart(self, group: &Group<'_, '_>, access: &Access, dim: usize) -> bool {
        let mut low = if self.is_above(access.offset) { 0 } else { access.offset };
        for other in (0..group.open.len()).filter(|&other| other != dim) {
            match access.steps[other] {
                Step::Linear(step) if step < 0 => return false,
                Step::Linear(step) if step == 0 || self.is_above(step) => {}
                Step::Linear(_) if group.space.dims[other].is_open => return false,
                Step::Linear(step) => low += step * (group.space.dims[other].extent - 1).max(0),
                Step::Open(_) | Step::Panel { .. } => return false,
            }
        }
        access.open_offset.is_none() && (0..self.step).contains(&low)
    }

    /// An address with so many values of the digit, and without what a dimension is in it.
    pub fn drop_from(self, access: &mut Access, dim: usize, kept: i64) {
        let without = |step: i64| match self.count {
            Some(count) if self.is_above(step) => step / count.max(1) * kept,
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
