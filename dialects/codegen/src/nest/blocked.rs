//! Reduced dimensions in blocks: the accumulators of a tile lie where its results will, from one block to the next.

use super::chains::{Count, own_terms, sum_of_reals, terms};
use super::rows_of_bytes::RowsOfBytes;
use super::scaled::Scaled;
use super::schedule::Schedule;
use super::space::{MOST_TERMS, Operand, Space};

/// Why the blocks of a reduced dimension, so many elements each, do not compute what a space says.
pub fn unfit(space: &Space, schedule: &Schedule, (dim, each): (usize, i64)) -> Option<String> {
    let is_other = schedule.around().iter().any(|own| space.dims[own.dim].is_reduced && own.dim != dim);
    let known = space.dims[dim];
    if is_other || schedule.reductions().first() != Some(&dim) {
        return Some(format!("d{dim} is cut into blocks: it must be the only one, with the outermost loop in a tile"));
    }
    if !known.is_open && known.extent <= each {
        return Some(format!("d{dim} has {} elements, which are no several blocks of {each}", known.extent));
    }
    let is_vectorized = schedule.vectors().is_some_and(|vectors| space.dims[vectors.dim].is_reduced);
    if is_vectorized || schedule.unrolled() > 0 || schedule.grouped().is_some() {
        return Some(format!("d{dim} is cut into blocks: no reduction is vectorized, unrolled, or has groups"));
    }
    if !has_accumulators(space) {
        return Some("accumulators can't lie where the results will from one block to the next".to_string());
    }
    let is_other_sum = schedule.vectors().is_some_and(|vectors| RowsOfBytes::of(space, vectors.dim).is_some());
    if is_other_sum || Scaled::of(space).is_some() || space.combiner().is_none() || space.shared() > 0 {
        return Some("what is combined has no blocks".to_string());
    }
    let unit = unit(space, schedule, dim);
    if each % unit != 0 {
        return Some(format!("blocks of {each} elements are no whole chains of {unit} terms"));
    }
    let is_long = !known.is_open && known.extent / unit > MOST_TERMS && (known.extent - 1) / each >= MOST_TERMS;
    is_long.then(|| format!("more than {MOST_TERMS} blocks are combined"))
}

/// Elements along a reduced dimension of which blocks have whole multiples: so sums have the same chains with blocks as without.
pub fn unit(space: &Space, schedule: &Schedule, dim: usize) -> i64 {
    if sum_of_reals(space).is_none() {
        return 1;
    }
    let inner = schedule.reductions().into_iter().filter(|other| *other != dim).collect::<Vec<_>>();
    let within = terms(space, schedule, &inner, own_terms(space));
    Count::of(space, schedule, dim).parts(within).first().copied().unwrap_or(1)
}

/// Elements that a dimension has at most in all its blocks, where only a run knows how many.
pub fn most(space: &Space, (dim, each): (usize, i64)) -> Option<i64> {
    (space.dims[dim].is_open && sum_of_reals(space).is_some()).then(|| each.saturating_mul(MOST_TERMS))
}

/// Whether the output has room for accumulators, and nothing is read that is written.
fn has_accumulators(space: &Space) -> bool {
    let main = &space.main.computation;
    let is_given = |operand: usize| match space.operands.get(operand) {
        Some(Operand::Passed { is_only_read, .. }) => *is_only_read,
        Some(Operand::Constant(_)) => true,
        _ => false,
    };
    let fetched = || space.stages().flat_map(|stage| stage.computation.fetched());
    space.further.is_empty()
        && main.type_of(main.result).is_some()
        && main.type_of(main.result) == space.element(space.output.0)
        && space.reads().all(|(operand, _)| is_given(operand))
        && fetched().all(is_given)
}
