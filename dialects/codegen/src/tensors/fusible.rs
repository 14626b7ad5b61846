//! What is asked of operations where they may become part of what reads them: what they compute, how they read, and what stands before.

use crate::nest::table::MOST as MOST_OF_TABLE;
use crate::views::shapes::static_shape;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{OperationRef, block_operations, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};

/// Operations on scalars, each of a cycle, that are computed again rather than stored.
pub const MOST_REPEATED: usize = 4;

/// Operations between sums and what is made of them that are looked at, at most.
const MOST_BEFORE: usize = 16;

/// Whether an operation computes each element of its one result from elements alone.
pub fn is_elementwise(operation: &Structured<'_, '_>) -> bool {
    let is_plain = |operation: OperationRef<'_, '_>| {
        let name = operation.full_name();
        name.starts_with("arith.") || name.starts_with("math.") || name == linalg::YIELD || reads_table(operation)
    };
    operation.is_parallel()
        && operation.outputs.len() == 1
        && operation.operation.result_count() == 1
        && !operation.reads(operation.inputs.len())
        && block_operations(operation.body).all(is_plain)
}

/// Whether an operation reads an element of a table of integers by index: few enough to stay near.
fn reads_table(operation: OperationRef<'_, '_>) -> bool {
    let table = (operation.full_name() == tensor::EXTRACT).then(|| operation.operand(0).ok()).flatten();
    table.is_some_and(|table| {
        let shape = static_shape(table.r#type()).unwrap_or_default();
        let has_words = [8, 16, 32].iter().any(|bits| types::is_integer(types::element(table.r#type()), *bits));
        has_words && matches!(shape[..], [extent] if (1..=MOST_OF_TABLE).contains(&extent))
    })
}

/// Whether an operation extends integers that are stored in fewer bits: these are less to load, for however many readers.
pub fn is_extension(operation: &Structured<'_, '_>) -> bool {
    let steps: Vec<_> = block_operations(operation.body).collect();
    matches!(steps[..], [step, _] if [arith::EXTSI, arith::EXTUI].contains(&step.full_name()))
}

/// Whether an operation cuts integers.
pub fn is_cut(operation: &Structured<'_, '_>) -> bool {
    let steps: Vec<_> = block_operations(operation.body).collect();
    matches!(steps[..], [step, _] if step.full_name() == arith::TRUNCI)
}

/// Whether an operation only moves elements, or repeats them, or extends what is stored in fewer bits.
pub fn is_copy(operation: &Structured<'_, '_>) -> bool {
    block_operations(operation.body).count() == 1 || is_extension(operation)
}

/// Whether an operation on numbers takes about a cycle.
pub fn is_quick(name: &str) -> bool {
    let is_slow = ["div", "rem"].iter().any(|part| name.contains(part));
    name.starts_with("arith.") && !is_slow || name == "math.absf"
}

/// Whether vectors stay vectors: along the dimension in which the reader finds neighbours, or writes them, the producer's operands
/// have neighbours or the same element.
pub fn is_kept_along(producer: &Structured<'_, '_>, neighbours: &Map, dims: &Map) -> bool {
    let Some(lane) = neighbours.results.iter().rev().find_map(Expr::as_dim) else { return true };
    producer.inputs.iter().zip(&producer.maps).all(|(input, map)| {
        let Some(map) = map.after(dims) else { return false };
        // Neighbours are those along the last dimension that has several elements.
        let shape = types::shape(input.r#type()).unwrap_or_default();
        let long = map.results.iter().zip(shape).filter(|(_, extent)| *extent != Some(1));
        let results: Vec<_> = long.map(|(expr, _)| expr).collect();
        let Some((last, others)) = results.split_last() else { return true };
        !others.iter().any(|expr| expr.uses(lane)) && (!last.uses(lane) || last.as_dim() == Some(lane))
    })
}

/// Whether an operation has no vectors along what it writes: what it reads is transposed.
pub fn turns(operation: &Structured<'_, '_>) -> bool {
    let own = Map::identity(operation.extents.len());
    operation.output_map().is_some_and(|written| !is_kept_along(operation, written, &own))
}

/// Whether an operation is a few quick steps.
pub fn is_short(operation: &Structured<'_, '_>) -> bool {
    let mut steps = block_operations(operation.body).filter(|step| step.full_name() != linalg::YIELD);
    steps.by_ref().take(MOST_REPEATED).all(|step| is_quick(step.full_name())) && steps.next().is_none()
}

/// Whether a producer reads what the reader writes over, in another order.
pub fn reads_destination(root: &Structured<'_, '_>, producer: &Structured<'_, '_>, dims: &Map) -> bool {
    let outputs = root.outputs.iter().zip(&root.maps[root.inputs.len()..]);
    let inputs = || producer.inputs.iter().zip(&producer.maps);
    outputs.into_iter().any(|(output, written)| {
        inputs().any(|(input, map)| input.key() == output.key() && map.after(dims).as_ref() != Some(written))
    })
}

/// Whether an operation stands behind a reduction that nothing else reads: it belongs to that one's kernel.
pub fn follows_reduction(operation: &Structured<'_, '_>) -> bool {
    read_only_here(operation).any(|before| !before.is_parallel())
}

/// Whether what an operation gives has fewer bits than the sums that it is made of, as quantized values have: it is stored rather than these.
pub fn ends_reduction<'c: 'a, 'a>(operation: &Structured<'c, 'a>) -> bool {
    let bits = |made: &Structured<'c, 'a>| types::width(types::element(made.outputs.first()?.r#type()));
    let mut before: Vec<_> = read_only_here(operation).collect();
    let mut sums = None;
    for _ in 0..MOST_BEFORE {
        let Some(at) = before.pop() else { break };
        match at.is_parallel() {
            true => before.extend(read_only_here(&at)),
            false => sums = sums.max(bits(&at)),
        }
    }
    sums.is_some_and(|sums| bits(operation).is_some_and(|own| own < sums))
}

/// What else than an operation nobody reads.
fn read_only_here<'c: 'a, 'a>(operation: &Structured<'c, 'a>) -> impl Iterator<Item = Structured<'c, 'a>> {
    let alone = operation.inputs.iter().filter(|input| input.has_one_use());
    alone.filter_map(|input| input.defining_operation().and_then(Structured::read))
}
