//! Which loop becomes the innermost one. Results don't depend on it; speed does.

use super::program::{Access, LoopSet, NodeKind, Program, Schedule};
use skriptnd_syntax::ast::AssignOp;

/// Elements that could be processed in the time that starting a row takes.
const ROW_OVERHEAD: i64 = 64;
/// Time to fetch an element from a row of its own cache line, in elements processed.
const STRIDED_FETCH: i64 = 3;

/// The cheapest loop whose iterations may be executed together.
pub(super) fn choose(program: &Program) -> Schedule {
    let loops = 0..program.extents.len();
    let allowed =
        |&number: &usize| number < LoopSet::DISTINCT && program.extents[number] > 1 && is_free(program, number);
    let lane = loops.clone().filter(allowed).min_by_key(|&number| cost(program, number));
    Schedule { lane, order: loops.filter(|&number| Some(number) != lane).collect() }
}

/// Whether iterations that differ in this index only may be exchanged with any others. They may if the assignment
/// accumulates (with rounding only at the end, the order is immaterial) and reads nothing of what it writes; or if no
/// two of them touch the same elements of the tensors written, neither writing nor reading.
fn is_free(program: &Program, number: usize) -> bool {
    let reads = || {
        program.nodes.iter().filter_map(|node| if let NodeKind::Load(load) = &node.kind { Some(load) } else { None })
    };
    let target_of = |load: &Access| program.targets.iter().find(|target| target.tensor == load.tensor);
    let accumulates = !matches!(program.op, AssignOp::Set | AssignOp::Update);
    if accumulates && reads().all(|load| target_of(load).is_none()) {
        return true;
    }
    let alone = |target: &Access| {
        target.forms.iter().position(|form| {
            form.as_ref().is_some_and(|form| form.coefficient(number) != 0 && form.loops().count() == 1)
        })
    };
    let once = |target: &Access| program.targets.iter().filter(|other| other.tensor == target.tensor).count() == 1;
    let disjoint_reads = |load: &Access| {
        target_of(load).is_none_or(|target| {
            alone(target).is_some_and(|dimension| load.forms[dimension] == target.forms[dimension])
        })
    };
    program.targets.iter().all(|target| once(target) && alone(target).is_some()) && reads().all(disjoint_reads)
}

/// Estimated time per iteration with this loop innermost, scaled.
fn cost(program: &Program, number: usize) -> i64 {
    let loads =
        program.nodes.iter().filter_map(|node| if let NodeKind::Load(load) = &node.kind { Some(load) } else { None });
    let accesses = loads.chain(&program.targets);
    let strided = accesses.filter(|access| access.offset.coefficient(number).unsigned_abs() > 1).count() as i64;
    let rows = program.nodes.len() as i64 * ROW_OVERHEAD * 16 / program.extents[number].max(1);
    rows + strided * STRIDED_FETCH * 16
}
