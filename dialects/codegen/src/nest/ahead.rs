//! What loops will read of a large operand next. Where tiles of rows are computed one after the other with the same panel of it, the next panel
//! can come from memory meanwhile, a part with each of them: processors by themselves fetch no further ahead than the first of these tiles
//! needs it, and that one waits.

use super::access::{Access, Step};
use super::schedule::{Loop, Schedule};
use super::space::Space;
use crate::target::Target;

/// Tiles among which a panel is divided at most: a line is asked for several times otherwise.
const MOST_PARTS: i64 = 8;
/// With more tiles a panel is used so often that nobody sees it come.
const MOST_TILES: i64 = 32;

/// What is asked for ahead of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead<'n> {
    /// The operand, and where.
    pub operand: (usize, &'n Access),
    /// The loop that goes from panel to panel.
    pub panels: &'n Loop,
    /// The loops within that, which go over tiles with the same panel.
    pub tiles: &'n [Loop],
    /// Elements of a panel, which lie beside each other.
    pub panel: i64,
    /// How many parts it has: a tile asks for one.
    pub parts: i64,
    /// Whether only a run knows how many tiles there are: those behind the parts ask for nothing.
    pub may_be_many: bool,
}

impl<'n> Ahead<'n> {
    /// What a schedule asks for, if that pays.
    pub fn of(space: &'n Space, schedule: &'n Schedule, target: &Target) -> Option<Ahead<'n>> {
        let vectors = schedule.vectors().filter(|vectors| !vectors.is_scalable)?;
        if !target.has_threads()
            || schedule.blocks().is_some()
            || !space.has_reduction()
            || space.dims[vectors.dim].is_reduced
        {
            return None;
        }
        let group = schedule.grouped().map_or(1, |grouped| grouped.atom.group);
        let is_panel = |access: &Access| access.steps[vectors.dim].in_tile(vectors.tile) == Some(group);
        let mut large = space.main.memory().filter(|(operand, access)| {
            let count = space.dims.iter().zip(&access.steps).filter(|(_, step)| step.moves());
            let count = count.fold(1, |count: i64, (dim, _)| count.saturating_mul(dim.extent));
            let bytes = space.element(*operand).map_or(0, |element| element.bytes());
            space.is_only_read(*operand) && is_panel(access) && count.saturating_mul(bytes) > target.cache_bytes
        });
        let (operand, access) = large.next()?;
        let loops = schedule.around();
        let inner = loops.iter().rev().take_while(|own| !access.steps[own.dim].moves()).count();
        let (outer, tiles) = loops.split_at(loops.len() - inner);
        let parts = parts(iterations(space, loops, tiles)?)?;
        let may_be_many = tiles.iter().any(|own| space.dims[own.dim].is_open);
        let panel = panel(space, schedule, access, vectors.tile * group)?;
        Some(Ahead { operand: (operand, access), panels: outer.last()?, tiles, panel, parts, may_be_many })
    }

    /// How far elements of a panel are apart for which an index along a reduced dimension differs by 1, in the mean of a group.
    pub fn distance(&self, dim: usize) -> i64 {
        match self.operand.1.steps[dim] {
            Step::Panel { size, outer, .. } => outer / size,
            step => step.typical(),
        }
    }
}

/// How many iterations the last ones of some loops have together, at least: along dimensions of which only a run knows the extents these are
/// few where it matters, and as many as is typical, or as make sense, where there are no others. None where a dimension has several loops.
fn iterations(space: &Space, loops: &[Loop], last: &[Loop]) -> Option<i64> {
    let is_only = |own: &Loop| loops.iter().filter(|other| other.dim == own.dim).count() == 1;
    let product =
        |own: &mut dyn Iterator<Item = &Loop>| own.fold(1, |all: i64, own| all.saturating_mul(own.iterations(space)));
    let (open, known): (Vec<_>, Vec<_>) = last.iter().partition(|own| space.dims[own.dim].is_open);
    let all = match product(&mut known.into_iter()) {
        1 if !open.is_empty() => product(&mut open.into_iter()).min(MOST_TILES),
        known => known,
    };
    last.iter().all(is_only).then_some(all)
}

/// Into how many parts a panel is divided that so many tiles use.
fn parts(tiles: i64) -> Option<i64> {
    (2..=MOST_TILES).contains(&tiles).then(|| 1 << tiles.min(MOST_PARTS).ilog2())
}

/// The elements of a panel with so many in a vector's tile, if they lie beside each other.
fn panel(space: &Space, schedule: &Schedule, access: &Access, tile: i64) -> Option<i64> {
    let mut reductions: Vec<usize> = schedule.reductions();
    reductions.sort_by_key(|dim| access.steps[*dim].typical());
    reductions.into_iter().try_fold(tile, |beside, dim| {
        let known = space.dims[dim];
        let (size, outer) = match access.steps[dim] {
            Step::Panel { size, outer, inner: 1 } => (size, outer),
            step => (1, step.linear()?),
        };
        let count = known.extent / size + i64::from(known.extent % size > 0);
        (outer == beside && beside % size == 0 && !known.is_open).then(|| beside.checked_mul(count))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::search::choose;
    use crate::nest::space::Operand;
    use crate::nest::testing::{product, product_of_bytes, targets};

    /// Factors that nothing writes.
    fn read_only(mut space: Space) -> Space {
        for operand in &mut space.operands {
            if let Operand::Passed { is_only_read, .. } = operand {
                *is_only_read = true;
            }
        }
        space
    }

    /// Parts and elements of panels that the schedule of a target asks for.
    fn asked(space: &Space, target: &Target) -> Option<(i64, i64)> {
        let schedule = choose(space, target);
        Ahead::of(space, &schedule, target).map(|ahead| (ahead.parts, ahead.panel))
    }

    #[test]
    fn panels_of_large_factors_are_asked_for_by_parts() {
        let targets = targets();
        let of = |m, n, k| asked(&read_only(product(m, n, k)), &targets[0]);
        // 49 rows are four tiles, 200 more than are told apart.
        assert_eq!(of(49, 2048, 512), Some((4, 32 * 512)));
        assert_eq!(of(200, 2048, 512), Some((8, 32 * 512)));
        // One tile has nothing to wait for meanwhile, many use a panel often, and a small factor stays near.
        assert_eq!([of(8, 2048, 512), of(4096, 2048, 512), of(49, 64, 64)], [None; 3]);
        // What may be written is not asked for, nor on Hexagon.
        assert_eq!(asked(&product(49, 2048, 512), &targets[0]), None);
        assert_eq!(asked(&read_only(product(49, 2048, 512)), &targets[4]), None);
    }

    #[test]
    fn panels_are_asked_for_by_as_many_rows_as_there_may_be() {
        let target = &targets()[0];
        // Of rows alone as many as are typical, of those around known ones none but these.
        let mut space = read_only(product(64, 2048, 512));
        space.dims[0].is_open = true;
        let schedule = choose(&space, target);
        let ahead = Ahead::of(&space, &schedule, target).unwrap();
        assert_eq!((ahead.parts, ahead.may_be_many), (4, true));
        let known = read_only(product(64, 2048, 512));
        let schedule = choose(&known, target);
        assert!(!Ahead::of(&known, &schedule, target).unwrap().may_be_many);
    }

    #[test]
    fn panels_of_groups_are_asked_for() {
        let targets = targets();
        let space = read_only(product_of_bytes(196, 2048, 512));
        assert_eq!(asked(&space, &targets[0]).map(|(_, panel)| panel), Some(32 * 512));
        assert_eq!(asked(&space, &targets[5]).map(|(_, panel)| panel), Some(32 * 512));
        let schedule = choose(&space, &targets[0]);
        assert_eq!(Ahead::of(&space, &schedule, &targets[0]).unwrap().distance(2), 32);
    }
}
