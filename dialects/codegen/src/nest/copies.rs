//! Schedules with two levels of tiles: blocks of what is read again are copied, in the order in which the tiles within read them.

use super::access::{Access, Step};
use super::blocked;
use super::packed::Packed;
use super::schedule::{Form, Kind, Loop, Pack, Schedule};
use super::space::Space;

/// Rows and columns of a block, at least.
const ROWS: i64 = 64;
const COLUMNS: i64 = 256;
/// Terms of sums in a block.
const TERMS: i64 = 256;
/// Bytes from which on a page has few elements.
const FAR: i64 = 1024;
/// Bytes of a page, and how many pages are found fast.
const PAGE: i64 = 4096;
const PAGES: i64 = 512;
/// Cycles in which an element is copied.
const COPIED: f64 = 1.5;
/// Cycles until what lies on another page is found.
const FOUND: f64 = 8.0;

/// The schedule with blocks of tiles in which an operand is copied, or several, and all terms of sums or blocks of them. Those that are
/// no improvement are among them, and some that are not legal.
pub fn two_level(space: &Space, schedule: &Schedule) -> Vec<Schedule> {
    let vectors = schedule.vectors().filter(|vectors| !vectors.is_scalable && !space.dims[vectors.dim].is_reduced);
    let (Some(vectors), Some(rows)) = (vectors, schedule.rows()) else { return Vec::new() };
    if !space.is_contraction() || !schedule.packs.is_empty() || schedule.blocks().is_some() {
        return Vec::new();
    }
    let is_once = |dim: usize| schedule.around().iter().filter(|own| own.dim == dim).count() == 1;
    if schedule.grouped().is_some() || !is_once(vectors.dim) || !is_once(rows.dim) {
        return Vec::new();
    }
    let moves = |dim: usize| move |(operand, access): (usize, &Access)| access.steps[dim].moves().then_some(operand);
    let [by_rows, by_vectors] = [rows.dim, vectors.dim].map(|dim| space.main.memory().find_map(moves(dim)));
    let sets = [vec![by_rows], vec![by_vectors], vec![by_rows, by_vectors]];
    let sets = sets.into_iter().filter_map(|set| set.into_iter().collect::<Option<Vec<usize>>>());
    let blocks = [vec![rows.dim], vec![rows.dim, vectors.dim]];
    let mut all = Vec::new();
    for (packs, blocked) in sets.flat_map(|set| blocks.iter().map(move |blocked| (set.clone(), blocked))) {
        for terms in [None, terms(space, schedule)] {
            all.push(arranged(space, schedule, (&packs, blocked, terms)));
        }
    }
    all.dedup();
    all
}

/// The blocks of the outermost reduced dimension, if there can be several.
fn terms(space: &Space, schedule: &Schedule) -> Option<Loop> {
    let dim = *schedule.reductions().first()?;
    let step = (TERMS / blocked::unit(space, schedule, dim)).max(1) * blocked::unit(space, schedule, dim);
    Some(Loop { dim, step, kind: Kind::Reduce, form: Form::Elements })
}

/// Loops over blocks of parallel dimensions outermost, then those over blocks of sums, in which operands are copied, and the loops that
/// there were; of tiles those over rows innermost, so that a panel stays near.
fn arranged(
    space: &Space,
    schedule: &Schedule,
    (packs, blocked, terms): (&[usize], &[usize], Option<Loop>),
) -> Schedule {
    let around = schedule.around();
    let is_tiled = |own: &&Loop| schedule.tile(own.dim) > 1;
    let block = |dim: &usize| {
        let (tile, least) = (schedule.tile(*dim), if schedule.is_vectorized(*dim) { COLUMNS } else { ROWS });
        let step = ((least + tile - 1) / tile).max(2) * tile;
        let is_long = space.dims[*dim].is_open || space.dims[*dim].extent > step;
        is_long.then_some(Loop { dim: *dim, step, kind: Kind::Parallel, form: Form::Elements })
    };
    let mut loops: Vec<Loop> = around.iter().filter(|own| !is_tiled(own)).copied().collect();
    loops.extend(blocked.iter().filter_map(block));
    loops.extend(terms);
    let depth = loops.len();
    let mut tiles: Vec<Loop> = around.iter().filter(is_tiled).copied().collect();
    tiles.sort_by_key(|own| own.form == Form::Elements);
    loops.extend(tiles);
    loops.extend(&schedule.loops[around.len()..]);
    Schedule { loops, packs: packs.iter().map(|operand| Pack { operand: *operand, depth }).collect() }
}

/// Cycles in which a kernel copies operands.
pub fn copying(space: &Space, schedule: &Schedule, packs: &[Packed]) -> f64 {
    let copied = packs.iter().zip(&schedule.packs).map(|(packed, pack)| {
        let mut left: Vec<i64> = space.dims.iter().map(|dim| dim.extent).collect();
        let times = schedule.loops[..pack.depth].iter().map(|own| {
            let extent = std::mem::replace(&mut left[own.dim], own.step);
            (extent as f64 / own.step as f64).ceil()
        });
        times.product::<f64>() * packed.elements as f64 * COPIED
    });
    copied.sum()
}

/// Cycles that tiles wait for operands of which one term and the next one lie on different pages, too many to be found fast.
pub fn waiting(space: &Space, schedule: &Schedule) -> f64 {
    let far = space.main.memory().filter(|(operand, access)| is_far(space, schedule, *operand, access)).count();
    let along = (0..space.dims.len()).map(|dim| space.dims[dim].extent as f64 / schedule.tile(dim) as f64);
    FOUND * far as f64 * along.product::<f64>()
}

fn is_far(space: &Space, schedule: &Schedule, operand: usize, access: &Access) -> bool {
    let Some(&dim) = schedule.reductions().last() else { return false };
    let bytes = space.element(operand).map_or(1, |element| element.bytes());
    let distance = match access.steps[dim] {
        step @ (Step::Linear(_) | Step::Open(_)) => step.typical().saturating_mul(bytes),
        Step::Panel { .. } => 0,
    };
    distance >= FAR && distance.saturating_mul(space.dims[dim].extent) > PAGES * PAGE
}
