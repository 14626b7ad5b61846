//! Which schedules compute what a space says.

use super::access::{Access, Step};
use super::atom::Atom;
use super::blocked;
use super::element::Element;
use super::groups;
use super::op::Op;
use super::packed::Packed;
use super::rows_of_bytes::{RowsOfBytes, WORDS};
use super::schedule::{Form, Grouped, Kind, Lanes, Loop, Rows, Schedule, Tail, Vectors};
use super::space::{Grouping, Rounding, Space, Stage};
use super::woven::Woven;

/// Lanes that a vector may have: LLVM splits those that are longer than registers.
const MOST_LANES: i64 = 128;
/// The same where only the processor knows the length: of those that are longer, LLVM does not always take a part.
const MOST_SCALABLE_LANES: i64 = 16;
/// How far lanes may lie apart in what is written.
const MOST_APART: i64 = 4;
/// Instructions for each element from which on vectors are worth it where lanes are stored one by one.
const LEAST_COMPUTED: usize = 4;
/// Points that a tile may have.
pub const MOST_POINTS: i64 = 128;
/// Points of all tiles that the innermost loop may have when reduced dimensions are unrolled.
const MOST_UNROLLED: i64 = 2048;

/// Loops over blocks that a schedule may have: each has code of its own for what it leaves over.
const MOST_BLOCKS: usize = 8;

/// Why a schedule does not fit a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal {
    /// The dimension that it is about.
    pub dim: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

fn illegal<T>(dim: impl Into<Option<usize>>, reason: impl Into<String>) -> Result<T, Illegal> {
    Err(Illegal { dim: dim.into(), reason: reason.into() })
}

/// Whether a schedule computes what the space says.
///
/// # Errors
/// Why not.
pub fn check(space: &Space, schedule: &Schedule) -> Result<(), Illegal> {
    let parallel = schedule.around().iter().filter(|own| own.kind == Kind::Parallel);
    each_once_or_blocked(space, &parallel.map(|own| own.dim).collect::<Vec<_>>(), false)?;
    each_once_or_blocked(space, &schedule.reductions(), true)?;
    blocks(schedule)?;
    reduced_blocks(space, schedule)?;
    match Packed::all(space, schedule) {
        Ok((reading, _)) => computes_tiles(&reading, schedule),
        Err((pack, reason)) => {
            illegal(schedule.loops.get(..pack.depth).and_then(<[Loop]>::last).map(|own| own.dim), reason)
        }
    }
}

/// Whether a schedule fits the space in its tiles.
fn computes_tiles(space: &Space, schedule: &Schedule) -> Result<(), Illegal> {
    let unfit = schedule.grouped().and_then(|of| Some((of.dim, groups::unfit(space, schedule, of)?)));
    if let Some((dim, reason)) = unfit {
        return illegal(dim, reason);
    }
    if let Some(vectors) = schedule.vectors() {
        vectorized(space, vectors, schedule.rows(), schedule.grouped())?;
    }
    rows(space, schedule)?;
    reductions(space, schedule)?;
    points(schedule)
}

fn each_once_or_blocked(space: &Space, dims: &[usize], reduced: bool) -> Result<(), Illegal> {
    let kind = if reduced { "reduced" } else { "parallel" };
    for (place, &dim) in dims.iter().enumerate() {
        match space.dims.get(dim) {
            None => return illegal(dim, format!("there is no dimension d{dim}")),
            Some(known) if known.is_shared => return illegal(dim, shared_loop(dim)),
            Some(known) if known.is_reduced != reduced => return illegal(dim, format!("d{dim} is not {kind}")),
            Some(_) if reduced && dims[..place].contains(&dim) => {
                return illegal(dim, format!("d{dim} has a loop already"));
            }
            Some(_) => {}
        }
    }
    match space.dims_that_are(reduced).find(|dim| !dims.contains(dim)) {
        Some(missing) => illegal(None, format!("no loop goes along d{missing}, which is {kind}")),
        None => Ok(()),
    }
}

/// Whether blocks of a reduced dimension fit a space, and so do loops without them where a run may find more than there can be.
fn reduced_blocks(space: &Space, schedule: &Schedule) -> Result<(), Illegal> {
    let known = |own: &&Loop| !schedule.is_block(own) && own.form == Form::Elements && own.step != 1;
    if let Some(block) = schedule.loops.iter().filter(|own| own.kind != Kind::Parallel).find(known) {
        return illegal(block.dim, format!("no loop goes over the elements of blocks of d{}", block.dim));
    }
    let Some(blocks) = schedule.blocks() else { return Ok(()) };
    if let Some(reason) = blocked::unfit(space, schedule, blocks) {
        return illegal(blocks.0, reason);
    }
    match blocked::most(space, blocks) {
        Some(_) => check(space, &schedule.in_one_block()),
        None => Ok(()),
    }
}

/// Whether of several loops along a dimension each goes over parts of what the one around it leaves.
fn blocks(schedule: &Schedule) -> Result<(), Illegal> {
    let loops = &schedule.loops;
    if let Some(block) = loops.iter().filter(|own| schedule.is_block(own)).nth(MOST_BLOCKS) {
        return illegal(block.dim, format!("more than {MOST_BLOCKS} loops go over blocks"));
    }
    for (place, inner) in loops.iter().enumerate() {
        let dim = inner.dim;
        let Some(outer) = loops[..place].iter().rev().find(|own| own.dim == dim) else { continue };
        if outer.form != Form::Elements {
            return illegal(dim, format!("d{dim} is cut into vectors already; no loop stands within"));
        }
        if inner.step < 1 || outer.step <= inner.step || outer.step % inner.step != 0 {
            return illegal(dim, format!("blocks of {} are not made of several parts of {}", outer.step, inner.step));
        }
        if matches!(inner.form, Form::Vectors(Lanes { is_scalable: true, .. })) {
            return illegal(dim, "vectors whose length only the processor knows have no blocks around them");
        }
    }
    Ok(())
}

fn shared_loop(dim: usize) -> String {
    format!("the loop along d{dim} goes around other computations, too")
}

/// Whether a dimension may be vectorized.
///
/// # Errors
/// Why not.
pub fn vectorized(
    space: &Space,
    vectors: Vectors,
    rows: Option<Rows>,
    grouped: Option<Grouped>,
) -> Result<(), Illegal> {
    let Vectors { dim, lanes, tile, .. } = vectors;
    let least = if grouped.is_none() && may_be_single(space, vectors) { 1 } else { 2 };
    if !(least..=MOST_LANES).contains(&lanes) || lanes.count_ones() != 1 {
        return illegal(dim, format!("vectors have {least}, {}, ... {MOST_LANES} lanes, not {lanes}", 2 * least));
    }
    if tile < lanes || tile % lanes != 0 {
        return illegal(dim, format!("a tile of {tile} elements is not cut into vectors of {lanes}"));
    }
    if !has_vector_form(space) {
        return illegal(dim, "what is computed has no form for vectors");
    }
    let is_open = |access: &Access| matches!(access.steps.get(dim), Some(Step::Open(_)));
    if vectors.tail == Tail::Mask && space.reads().any(|(_, access)| is_open(access)) {
        return illegal(dim, "lanes that are so far apart as only a run knows are not masked");
    }
    if vectors.tail == Tail::Mask && !space.stages().all(|stage| space.is_total(stage)) {
        return illegal(dim, "what is computed fails for some values, which masked lanes could have");
    }
    let Some(known) = space.dims.get(dim) else { return illegal(dim, format!("there is no dimension d{dim}")) };
    if known.is_shared {
        return illegal(dim, shared_loop(dim));
    }
    if vectors.is_scalable {
        scalable(space, vectors, grouped)?;
    }
    match (known.is_reduced, grouped) {
        (true, Some(_)) => illegal(dim, "products are added in groups along reduced dimensions, not in vectors"),
        (true, None) => reduced_vectors(space, vectors),
        (false, _) => parallel_vectors(space, vectors, rows, grouped),
    }
}

/// Whether a dimension may be cut into vectors whose length only the processor knows.
fn scalable(space: &Space, vectors: Vectors, grouped: Option<Grouped>) -> Result<(), Illegal> {
    let Vectors { dim, lanes, tail, .. } = vectors;
    let fails = |reason: &str| illegal(dim, format!("vectors whose length only the processor knows {reason}"));
    if lanes > MOST_SCALABLE_LANES {
        return fails(&format!("have up to [{MOST_SCALABLE_LANES}] lanes"));
    }
    if tail != Tail::Mask {
        return fails("have a masked rest");
    }
    if grouped.is_some() {
        return fails("have no atoms with groups");
    }
    if !has_scalable_form(space) {
        return fails("have no form for what is computed");
    }
    match space.accesses().all(|access| matches!(access.steps[dim], Step::Linear(0 | 1))) {
        true => Ok(()),
        false => fails("take neighbours only"),
    }
}

/// Whether nothing is computed for which LLVM would take vectors apart, lane by lane.
fn has_scalable_form(space: &Space) -> bool {
    let fits = |element: Element| match element {
        Element::Real(bits) => bits >= 32,
        Element::BFloat => false,
        Element::Integer(_) | Element::Index => true,
    };
    let computed = |stage: &Stage| {
        let mut instructions = stage.computation.instructions.iter();
        instructions.all(|it| it.op.facts().is_scalable && it.results.iter().copied().all(fits))
    };
    let operands = (0..space.operands.len()).filter_map(|operand| space.element(operand));
    operands.into_iter().all(fits) && space.stages().all(computed)
}

/// Whether the computations and their operands have a form for vectors.
pub fn has_vector_form(space: &Space) -> bool {
    let numbers = |operand: usize| {
        matches!(space.element(operand), Some(Element::Real(_) | Element::BFloat | Element::Integer(2..)))
    };
    let fits = |operand: usize| numbers(operand) || space.element(operand) == Some(Element::Index);
    space.stages().all(|stage| stage.computation.fetched().all(fits))
        && space.reads().all(|(operand, _)| fits(operand))
        && space.outputs().all(|(operand, _)| numbers(*operand))
}

fn parallel_vectors(
    space: &Space,
    vectors: Vectors,
    rows: Option<Rows>,
    grouped: Option<Grouped>,
) -> Result<(), Illegal> {
    let Vectors { dim, lanes, tile, .. } = vectors;
    let grouping = grouped.and_then(|grouped| Some((space.grouping()?, grouped.atom)));
    if lanes == 1 {
        return columns(space, dim, tile);
    }
    whole_vectors(space, vectors, grouping)?;
    // A shorter vector may have a part of a row, but for what is repeated.
    let is_whole = vectors.tail == Tail::Mask || !space.dims[dim].is_open && space.dims[dim].extent % lanes == 0;
    let is_woven = |access: &Access| {
        let step = access.steps[dim];
        rows.is_none() && Woven::of(step, lanes).is_some() && (is_whole || Woven::repeated(step).is_some())
    };
    let is_cut = |size: &i64| size % tile != 0 && (lanes % size != 0 || rows.is_some());
    if let Some(size) = panel(space, dim, lanes).filter(is_cut) {
        return illegal(dim, format!("a tile of {tile} elements does not divide the panels of {size} of an operand"));
    }
    let has_rows_of_bytes = RowsOfBytes::of(space, dim).is_some() && lanes == WORDS;
    let near = |access: &Access| match &grouping {
        Some((grouping, _)) => grouped_lanes(grouping, access, vectors),
        None => {
            let is_near = access.steps[dim].in_tile(tile).is_some_and(lies_near);
            let is_put_together = is_woven(access) || spreads(access.steps[dim], lanes);
            is_near || is_put_together || has_rows_of_bytes || crosses(space, access, dim, rows)
        }
    };
    let contiguous = space.reads().all(|(_, access)| near(access));
    let stored = space.outputs().all(|(_, access)| match access.steps[dim] {
        // Lanes are stored one by one then: what was computed before is worth that.
        Step::Linear(distance @ 2..=MOST_APART) => grouping.is_none() && distance > 0 && computes(space),
        step => {
            let has_columns = Woven::of(step, lanes).is_some_and(Woven::has_columns);
            step.in_tile(tile) == Some(1) || grouping.is_none() && is_woven(access) && !has_columns
        }
    });
    if !contiguous || !stored {
        return illegal(dim, format!("the elements along d{dim} are not neighbours in every operand"));
    }
    Ok(())
}

/// Whether single elements may be the columns of a tile.
fn columns(space: &Space, dim: usize, tile: i64) -> Result<(), Illegal> {
    match space.accesses().all(|access| access.steps[dim].in_tile(tile).is_some()) {
        true => Ok(()),
        false => illegal(dim, format!("{tile} elements along d{dim} are not evenly apart")),
    }
}

/// Whether vectors may have one lane: so tiles have columns where there are no vectors. Rests are single elements already.
fn may_be_single(space: &Space, Vectors { dim, is_scalable, tail, .. }: Vectors) -> bool {
    let is_known = space.dims.get(dim).is_some_and(|known| !known.is_reduced && !known.is_open);
    is_known && !is_scalable && tail == Tail::Split
}

/// What has whole vectors only.
fn whole_vectors(
    space: &Space,
    Vectors { dim, lanes, tail, .. }: Vectors,
    grouping: Option<(Grouping<'_>, &Atom)>,
) -> Result<(), Illegal> {
    let own_groups = grouping.filter(|(grouping, atom)| grouping.is_apart && atom.takes_words());
    if let Some((grouping, atom)) = own_groups.filter(|(grouping, atom)| lanes != atom.widest() * grouping.size) {
        let wanted = atom.widest() * grouping.size;
        return illegal(dim, format!("{} takes groups of which each lane has its own for {wanted} lanes", atom.name));
    }
    let has_rest = tail == Tail::Split && space.dims[dim].extent % lanes != 0;
    let is_whole = own_groups.is_some() || RowsOfBytes::of(space, dim).is_some();
    if has_rest && (is_whole || space.accesses().any(|access| spreads(access.steps[dim], lanes))) {
        return illegal(dim, "a vector has several panels of an operand, or groups of its own: shorter ones would not");
    }
    let is_panel = |access: &Access| matches!(access.steps[dim], Step::Panel { .. });
    if space.dims[dim].is_open && space.accesses().any(is_panel) && !space.may_repeat() {
        return illegal(dim, "the last vector has several panels, and nothing may be computed again");
    }
    Ok(())
}

/// Whether a vector of so many lanes is put together of several panels.
fn spreads(step: Step, lanes: i64) -> bool {
    step.spread(lanes).or_else(|| step.for_panels(lanes)).is_some()
}

/// Whether an operand of a kernel that adds groups lies as vectors want it: whole groups lie beside each other in the filter; all lanes
/// multiply the same group of the input, or each has its own.
fn grouped_lanes(grouping: &Grouping<'_>, access: &Access, Vectors { dim, lanes, tile, .. }: Vectors) -> bool {
    let Grouping { size, factors: [input, filter], is_apart, .. } = grouping;
    let step = access.steps[dim];
    let is_vector = step.in_tile(tile) == Some(1) || spreads(step, lanes);
    if std::ptr::eq(access, filter.1) {
        return step.in_tile(tile) == Some(*size) || step.repeats(lanes, *size);
    }
    match (std::ptr::eq(access, input.1), is_apart) {
        (true, true) => is_vector,
        (true, false) => !step.moves() || step.for_panels(lanes).is_some(),
        (false, _) => is_vector || step.in_tile(tile) == Some(0),
    }
}

/// Whether lanes so far apart are loaded as vectors: the same for all, neighbours, backwards, or every second.
pub fn lies_near(distance: i64) -> bool {
    (-1..=2).contains(&distance)
}

/// Whether lanes that are a step apart are loaded one by one, or across.
pub fn lies_far(step: Step) -> bool {
    match step {
        Step::Linear(distance) => !lies_near(distance),
        Step::Open(_) => true,
        Step::Panel { .. } => false,
    }
}

/// Whether lanes along a dimension lie far apart in what is read, and those of the rows beside each other: tiles of both are
/// transposed in registers, where no accumulators are.
pub fn crosses(space: &Space, access: &Access, dim: usize, rows: Option<Rows>) -> bool {
    lies_far(access.steps[dim])
        && !space.has_reduction()
        && rows.is_some_and(|rows| access.steps[rows.dim] == Step::Linear(1))
}

/// Whether more is computed than copies are.
fn computes(space: &Space) -> bool {
    let instructions = space.stages().map(|stage| stage.computation.instructions.len()).sum::<usize>();
    space.has_reduction() || instructions >= LEAST_COMPUTED
}

fn reduced_vectors(space: &Space, vectors: Vectors) -> Result<(), Illegal> {
    let dim = vectors.dim;
    if vectors.is_scalable {
        return scalable_reduction(space, dim);
    }
    let is_search = space.main.computation.search().is_some() && space.dims_that_are(true).count() == 1;
    if space.combiner().is_none() && !is_search {
        return illegal(dim, unsplit(space));
    }
    let near = space.reads().all(|(_, access)| matches!(access.steps[dim], Step::Linear(0 | 1)));
    if !near || space.is_indexed() && !is_search {
        return illegal(dim, format!("the elements along d{dim} are not neighbours in every operand"));
    }
    Ok(())
}

/// Vectors of partial results, of which those of the rest keep what they have where they are masked.
fn scalable_reduction(space: &Space, dim: usize) -> Result<(), Illegal> {
    match space.combiner() {
        None => illegal(dim, unsplit(space)),
        Some(combiner) if matches!(combiner.op, Op::MulF | Op::MulI) => {
            illegal(dim, "no instruction multiplies the lanes of a vector whose length only the processor knows")
        }
        Some(_) if space.is_indexed() => {
            illegal(dim, format!("the elements along d{dim} are not neighbours in every operand"))
        }
        Some(_) => Ok(()),
    }
}

/// Whether a vector of so many lanes has several panels.
fn crosses_panels(step: Step, lanes: i64, group: i64) -> bool {
    step.spread(lanes).is_some() || step.repeats(lanes, group) || step.for_panels(lanes).is_some()
}

/// Length of the panels into which an operand cuts a dimension, but for those of which a vector of so many lanes has several.
pub fn panel(space: &Space, dim: usize, lanes: i64) -> Option<i64> {
    space.reads().find_map(|(_, access)| match access.steps[dim] {
        Step::Panel { size, inner, .. } if !crosses_panels(access.steps[dim], lanes, inner) => Some(size),
        Step::Panel { .. } | Step::Linear(_) | Step::Open(_) => None,
    })
}

/// Whether a dimension may be unrolled.
pub fn is_steady(space: &Space, dim: usize) -> bool {
    !space.dims[dim].is_reduced
        && !space.dims[dim].is_shared
        && space.accesses().all(|access| access.steps[dim].is_even())
}

/// Whether the rows of a tile are evenly apart, also within panels.
pub fn has_rows(space: &Space, rows: Rows) -> bool {
    let is_even = |step: Step| step.is_even() || step.in_tile(rows.count).is_some();
    let dim = space.dims[rows.dim];
    !dim.is_reduced && !dim.is_shared && space.accesses().all(|access| is_even(access.steps[rows.dim]))
}

fn rows(space: &Space, schedule: &Schedule) -> Result<(), Illegal> {
    let Some(rows) = schedule.rows() else { return Ok(()) };
    let dim = rows.dim;
    let is_tile =
        |own: &&Loop| own.form == Form::Elements && own.step != 1 && schedule.innermost(own.dim) == Some(*own);
    if let Some(other) = schedule.around().iter().filter(is_tile).find(|own| own.dim != dim) {
        return illegal(other.dim, format!("d{dim} is cut into rows already; one dimension can be"));
    }
    if rows.count < 1 {
        return illegal(dim, "a tile has 1 row or more");
    }
    match has_rows(space, rows) {
        true => Ok(()),
        false => illegal(dim, format!("an operand is cut into panels along d{dim}")),
    }
}

fn reductions(space: &Space, schedule: &Schedule) -> Result<(), Illegal> {
    let dot = schedule.vectors().map(|vectors| vectors.dim).filter(|dim| space.dims[*dim].is_reduced);
    if let Some(dim) = dot.filter(|dim| schedule.reductions().last() != Some(dim)) {
        return illegal(dim, format!("d{dim} is reduced and vectorized: its loop must be the innermost"));
    }
    let usual = usual_reductions(space, None);
    if space.combiner().is_none() && schedule.reductions() != usual {
        return illegal(schedule.reductions().first().copied(), "the result depends on the order of this reduction");
    }
    if dot.is_some() && schedule.unrolled() > 0 {
        return illegal(dot, "reductions around a vectorized one can't be unrolled");
    }
    let reductions = schedule.reductions();
    let unrolled = &reductions[reductions.len() - schedule.unrolled()..];
    if let Some(&dim) = unrolled.iter().find(|dim| space.dims[**dim].is_open) {
        return illegal(dim, format!("only a run knows the extent of d{dim}, which is unrolled"));
    }
    let work =
        unrolled.iter().fold(tile_points(schedule), |work, &dim| work.saturating_mul(schedule.iterations(space, dim)));
    if schedule.unrolled() > 0 && work > MOST_UNROLLED {
        return illegal(unrolled.first().copied(), format!("{work} points are unrolled; the limit is {MOST_UNROLLED}"));
    }
    Ok(())
}

/// Why partial results are not combined.
fn unsplit(space: &Space) -> &'static str {
    match space.main.computation.combiner() {
        Some(_) => "the terms of the formula are combined one after the other, where it is rounded as it says",
        None => "the reduction can't be split into several",
    }
}

/// Reduced dimensions in the order of their distances in memory, with one of them innermost; in that of the formula where it is
/// rounded as it says.
pub fn usual_reductions(space: &Space, innermost: Option<usize>) -> Vec<usize> {
    let mut dims: Vec<usize> = space.dims_that_are(true).filter(|&dim| Some(dim) != innermost).collect();
    let distance = |dim: usize| {
        let steps = space.main.memory().map(|(_, access)| access.steps[dim]).filter(|step| step.is_even());
        steps.map(Step::typical).max().unwrap_or(0)
    };
    // The first of several that are found is the first in the order of the dimensions.
    if space.further.is_empty() && space.rounding == Rounding::Bounded {
        dims.sort_by_key(|&dim| std::cmp::Reverse(distance(dim)));
    }
    dims.into_iter().chain(innermost).collect()
}

/// Points of a whole tile.
pub fn tile_points(schedule: &Schedule) -> i64 {
    let vectors = schedule.vectors().map_or(1, |vectors| vectors.tile / vectors.lanes.max(1));
    vectors.saturating_mul(schedule.rows().map_or(1, |rows| rows.count))
}

fn points(schedule: &Schedule) -> Result<(), Illegal> {
    let points = tile_points(schedule);
    if points > MOST_POINTS {
        let dim = schedule.rows().map(|rows| rows.dim).or(schedule.vectors().map(|vectors| vectors.dim));
        return illegal(dim, format!("a tile has {points} vectors or single elements; the limit is {MOST_POINTS}"));
    }
    Ok(())
}
