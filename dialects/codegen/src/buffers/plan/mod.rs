//! The static memory plan: every allocation of a function becomes a view of one workspace. Buffers that are never alive
//! at the same time share memory.

mod open;
mod ranges;

use crate::nest::space::TYPICAL;
use crate::views::functions;
use crate::views::shapes::{static_shape, volume};
use crate::{Error, Target, notes};
use skriptnd_mlir::ir::{
    BlockRef, Builder, OperationRef, Type, Value, attributes, block_operations, operations_named, types, walk,
};
use skriptnd_mlir::ops::{func, memref, scf};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::{HashMap, HashSet};

/// Processors address no more.
const MOST_BYTES: i64 = 1 << 47;

/// Rounds up to the alignment of buffers ([`Target::alignment`]).
pub fn aligned(bytes: i64, alignment: i64) -> i64 {
    bytes.saturating_add(alignment - 1) / alignment * alignment
}

/// A buffer to be placed: its size, and the first and last operation that touch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// Size in bytes.
    pub bytes: i64,
    /// Position of the first use.
    pub first: usize,
    /// Position of the last use.
    pub last: usize,
}

/// Offsets for buffers, and the bytes that they take together. Large buffers are placed first, each into the smallest
/// gap that holds it between buffers that are alive at the same time.
pub fn place(buffers: &[Lifetime], alignment: i64) -> (Vec<i64>, i64) {
    let aligned = |bytes: i64| aligned(bytes, alignment);
    let mut order: Vec<usize> = (0..buffers.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(buffers[index].bytes), buffers[index].first));
    let mut offsets = vec![0; buffers.len()];
    let mut placed: Vec<usize> = Vec::new();
    for index in order {
        let buffer = &buffers[index];
        let meets = |&&other: &&usize| buffers[other].first <= buffer.last && buffer.first <= buffers[other].last;
        let mut taken: Vec<(i64, i64)> = placed
            .iter()
            .filter(meets)
            .map(|&other| (offsets[other], aligned(buffers[other].bytes).saturating_add(offsets[other])))
            .collect();
        taken.sort_unstable();
        offsets[index] = best_gap(&taken, aligned(buffer.bytes));
        placed.push(index);
    }
    let end = |index: usize| aligned(buffers[index].bytes).saturating_add(offsets[index]);
    let peak = (0..buffers.len()).map(end).max().unwrap_or(0);
    (offsets, peak)
}

fn best_gap(taken: &[(i64, i64)], bytes: i64) -> i64 {
    let mut best: Option<(i64, i64)> = None;
    let mut free = 0;
    for &(start, end) in taken {
        let gap = start - free;
        if gap >= bytes && best.is_none_or(|(smallest, _)| gap < smallest) {
            best = Some((gap, free));
        }
        free = free.max(end);
    }
    best.map_or(free, |(_, offset)| offset)
}

/// Plans the memory of each function of a module that none of its functions calls: a further argument of others would have
/// to be given by their callers. Kernels allocate nothing. The sizes are noted; where they depend on extents, a function
/// computes them.
pub fn plan_entries<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let context = module.context();
    let mut sizes = Vec::new();
    let calls = operations_named(module, func::CALL);
    let shared = functions::all(module).filter_map(|function| function.get_string(notes::SHARED));
    let called = calls.iter().filter_map(|call| attributes::as_symbol(call.get("callee")?));
    let called: HashSet<&str> = called.chain(shared).collect();
    for function in operations_named(module, func::FUNC) {
        let name = function.get_string("sym_name").unwrap_or_default();
        let has_body = function.region(0).is_ok_and(|body| body.first_block().is_some());
        if !called.contains(name) && !functions::is_of_extents(function) && has_body {
            sizes.push((name, attributes::integer(context, plan_memory(function)?)));
        }
    }
    module.set(notes::WORKSPACE, attributes::dictionary(context, &sizes));
    Ok(())
}

/// Replaces the allocations of a function by views of a further argument, its workspace. Returns the workspace's bytes
/// without the buffers whose sizes only a run knows.
fn plan_memory<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<i64, Error> {
    let context = function.context();
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a function without a body"))?;
    let positions = Positions::of(body);
    let all = operations_named(function, memref::ALLOC);
    let (allocations, open): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|allocation| allocation.result_types().into_iter().all(is_static));
    let buffers: Vec<Lifetime> =
        allocations.iter().map(|allocation| positions.lifetime(*allocation)).collect::<Result<_, _>>()?;
    let target = Target::noted(function);
    let (offsets, bytes) = place(&buffers, target.alignment());
    if bytes > MOST_BYTES {
        return Err(Error::Unsupported(format!(
            "buffers of {bytes} bytes: what data determine has room for its bound, which must be smaller"
        )));
    }
    let open = open.into_iter().map(|allocation| Ok((allocation, positions.lifetime(allocation)?)));
    let open = open.collect::<Result<Vec<_>, Error>>()?;
    let behind = if buffers.is_empty() && open.is_empty() { 0 } else { target.read_behind() };
    let kind = memory_type(context, if open.is_empty() { Some(bytes + behind) } else { None })?;
    for deallocation in operations_named(function, memref::DEALLOC) {
        with_rewriter(deallocation, |rewriter| rewriter.erase(deallocation))?;
    }
    let plan = open::Plan::make(function, &open, (bytes, behind), target.alignment())?;
    let workspace = functions::add_argument(function, kind)?;
    for (allocation, offset) in allocations.iter().zip(offsets) {
        let shift = Builder::before(*allocation)?.index(offset)?;
        replace(*allocation, workspace, shift)?;
    }
    for ((allocation, _), offset) in open.iter().zip(plan.offsets) {
        replace(*allocation, workspace, offset)?;
    }
    Ok(bytes + behind)
}

fn is_static(kind: Type<'_>) -> bool {
    static_shape(kind).is_some()
}

/// Memory of so many bytes, or of as many as a run finds.
fn memory_type(context: &skriptnd_mlir::ir::Context, bytes: Option<i64>) -> Result<Type<'_>, Error> {
    let byte = types::integer(context, 8);
    // The bare pointer that the interface gives has no size: this one is large enough for every view.
    let extent = bytes.unwrap_or(i64::from(i32::MAX));
    types::memref(byte, &[u64::try_from(extent).ok()]).ok_or_else(|| Error::malformed("no memref of bytes"))
}

fn replace<'c: 'a, 'a>(
    allocation: OperationRef<'c, 'a>,
    workspace: Value<'c, 'a>,
    shift: Value<'c, 'a>,
) -> Result<(), Error> {
    let builder = Builder::before(allocation)?;
    let open: Vec<Value<'c, 'a>> = allocation.operands().collect();
    let view = memref::view(&builder, workspace, shift, &open, allocation.result(0)?.r#type())?;
    with_rewriter(allocation, |rewriter| rewriter.replace(allocation, &[view]))?;
    Ok(())
}

/// Positions of the operations of a function's body.
struct Positions<'c, 'a> {
    body: BlockRef<'c, 'a>,
    by_operation: HashMap<usize, usize>,
}

impl<'c: 'a, 'a> Positions<'c, 'a> {
    fn of(body: BlockRef<'c, 'a>) -> Self {
        let mut by_operation = HashMap::new();
        for (position, operation) in block_operations(body).enumerate() {
            by_operation.extend(walk(operation).into_iter().map(|inside| (inside.key(), position)));
        }
        Positions { body, by_operation }
    }

    fn position(&self, operation: OperationRef<'c, 'a>) -> usize {
        self.by_operation.get(&operation.key()).copied().unwrap_or(0)
    }

    fn lifetime(&self, allocation: OperationRef<'c, 'a>) -> Result<Lifetime, Error> {
        let value: Value<'c, 'a> = allocation.result(0)?;
        let uses = self.uses(value);
        let own = self.position(allocation);
        let nested = allocation.block() != Some(self.body);
        let first = uses.iter().copied().min().unwrap_or(own);
        let last = uses.iter().copied().max().unwrap_or(own);
        let (first, last) = if nested { (first.min(own), last.max(own)) } else { (first, last) };
        Ok(Lifetime { bytes: estimate(value.r#type())?, first, last })
    }

    /// Positions of everything that uses the memory, under any name.
    fn uses(&self, value: Value<'c, 'a>) -> Vec<usize> {
        let mut positions = Vec::new();
        let mut seen = HashSet::from([value.key()]);
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            for (user, _) in value.uses() {
                positions.push(self.position(user));
                for name in other_names(user) {
                    if seen.insert(name.key()) {
                        pending.push(name);
                    }
                }
            }
        }
        positions
    }
}

/// Memrefs that may be the memory of an operation's operands: its results, the arguments of its regions, and for a
/// terminator the results of the operation around it and the arguments of that one's regions.
fn other_names<'c: 'a, 'a>(user: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut names = user.result_values();
    let mut owners = vec![user];
    if user.full_name().ends_with(".yield") || user.full_name() == scf::CONDITION {
        owners.extend(user.parent_operation());
    }
    for owner in owners {
        names.extend(owner.result_values());
        for block in owner.regions().flat_map(skriptnd_mlir::ir::region_blocks) {
            names.extend(skriptnd_mlir::ir::block_arguments(block));
        }
    }
    names.retain(|name| name.r#type().is_mem_ref());
    names
}

/// Bytes of a tensor or memref of static extents.
pub fn bytes(r#type: Type<'_>) -> Result<i64, Error> {
    let shape = static_shape(r#type)
        .ok_or_else(|| Error::Unsupported(format!("a buffer of type {type} has no size before the run")))?;
    Ok(volume(&shape).saturating_mul(element_bytes(r#type)?))
}

/// Bytes of an element of a tensor or memref.
fn element_bytes(r#type: Type<'_>) -> Result<i64, Error> {
    let element = types::element(r#type);
    let width = if element.is_index() { Some(64) } else { types::width(element) };
    let width = width.ok_or_else(|| Error::Unsupported(format!("a buffer of type {type}")))?;
    Ok(i64::from(width.div_ceil(8)))
}

/// Bytes of a memref, where open extents are taken for some number.
fn estimate(r#type: Type<'_>) -> Result<i64, Error> {
    let shape = types::shape(r#type).unwrap_or_default();
    let extents: Vec<i64> = shape.into_iter().map(|extent| extent.map_or(TYPICAL, |known| known as i64)).collect();
    Ok(volume(&extents).saturating_mul(element_bytes(r#type)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(bytes: i64, first: usize, last: usize) -> Lifetime {
        Lifetime { bytes, first, last }
    }

    #[test]
    fn buffers_that_do_not_meet_share_memory() {
        let (offsets, bytes) = place(&[buffer(100, 0, 1), buffer(100, 2, 3), buffer(100, 1, 2)], 64);
        assert_eq!(offsets[0], offsets[1]);
        assert_ne!(offsets[0], offsets[2]);
        assert_eq!(bytes, 256);
    }

    #[test]
    fn the_smallest_gap_is_taken() {
        assert_eq!(best_gap(&[(0, 64), (256, 320), (448, 512)], 128), 320);
        assert_eq!(best_gap(&[(64, 128)], 128), 128);
        assert_eq!(best_gap(&[(64, 128)], 64), 0);
    }

    #[test]
    fn buffers_alive_together_never_overlap() {
        let buffers: Vec<Lifetime> = (0..60usize)
            .map(|i| buffer(1 + (i as i64 * 7919) % 1000, i * 31 % 50, i * 31 % 50 + i * 17 % 13))
            .collect();
        let (offsets, bytes) = place(&buffers, 128);
        for (i, one) in buffers.iter().enumerate() {
            assert!(offsets[i] % 128 == 0 && offsets[i] + one.bytes <= bytes);
            for (j, other) in buffers.iter().enumerate().skip(i + 1) {
                let together = one.first <= other.last && other.first <= one.last;
                let apart = offsets[i] + one.bytes <= offsets[j] || offsets[j] + other.bytes <= offsets[i];
                assert!(!together || apart, "{i} and {j}");
            }
        }
    }
}
