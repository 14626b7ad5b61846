//! Reads of their own: bufferization looks at all uses of a tensor for each of them, which takes the square of their number.

use super::destinations::destinations;
use crate::Error;
use crate::views::shapes::static_shape;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{arith, bufferization, linalg, tensor};

/// Tensors with more uses than this are read through memory.
const MOST_USES: usize = 16;

/// Lets operations read tensors of many uses from their memory, each by itself: arguments, which nothing writes, constants,
/// and what is computed into memory of its own. Returns how many tensors that are.
pub fn separate<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let Some(body) = function.region(0).ok().and_then(|region| region.first_block()) else { return Ok(0) };
    let mut separated = 0;
    if let Some(first) = body.first_operation() {
        for argument in block_arguments(body) {
            separated += usize::from(through_memory(argument, first, body)?);
        }
    }
    for operation in operations_named(function, linalg::GENERIC) {
        let (Some(next), Some(block)) = (operation.next(), operation.block()) else { continue };
        if operation.result_count() == 1 && writes_into_empty(operation) {
            separated += usize::from(through_memory(operation.result(0)?, next, block)?);
        }
    }
    for constant in operations_named(function, arith::CONSTANT) {
        separated += usize::from(repeated(constant)?);
    }
    Ok(separated)
}

/// Makes a constant tensor once for each of many uses; all of them become the same memory.
fn repeated(constant: OperationRef<'_, '_>) -> Result<bool, Error> {
    let uses = constant.result(0)?.uses();
    if uses.len() <= MOST_USES || !constant.result(0)?.r#type().is_ranked_tensor() {
        return Ok(false);
    }
    for (user, index) in uses.into_iter().skip(1) {
        user.set_operand(index, Builder::before(user)?.copy(constant, &[])?.result(0)?)?;
    }
    Ok(true)
}

/// Whether what an operation computes has memory that nothing else has.
fn writes_into_empty(operation: OperationRef<'_, '_>) -> bool {
    let destination = Structured::read(operation).and_then(|structured| structured.outputs.first().copied());
    let definition = destination.filter(Value::has_one_use).and_then(|value| value.defining_operation());
    definition.is_some_and(|definition| definition.full_name() == tensor::EMPTY)
}

/// Reads a tensor from its memory, from an operation of a block on. False where it has few uses, or one that writes it or
/// goes on with it.
fn through_memory<'c: 'a, 'a>(
    tensor: Value<'c, 'a>,
    from: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Result<bool, Error> {
    let kind = tensor.r#type();
    let shape = static_shape(kind).filter(|_| kind.is_ranked_tensor());
    let extents: Option<Vec<_>> =
        shape.and_then(|shape| shape.into_iter().map(|extent| Some(u64::try_from(extent).ok())).collect());
    let Some(memory) = extents.and_then(|extents| types::memref(types::element(kind), &extents)) else {
        return Ok(false);
    };
    let uses = tensor.uses();
    let reads = |(user, index): &(OperationRef<'c, 'a>, usize)| {
        let structured = user.full_name() == linalg::GENERIC && user.block() == Some(block);
        structured && user.result_count() > 0 && !destinations(*user).contains(index)
    };
    if uses.len() <= MOST_USES || !uses.iter().all(reads) {
        return Ok(false);
    }
    let memory = bufferization::to_buffer(&Builder::before(from)?, tensor, memory)?;
    for (user, index) in uses {
        user.set_operand(index, bufferization::to_read_only_tensor(&Builder::before(user)?, memory, kind)?)?;
    }
    Ok(true)
}
