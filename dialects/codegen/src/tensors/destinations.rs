//! Destinations of their own: operations that write into the same empty or filled tensor would have to share one buffer,
//! which ties everything that they compute together, for bufferization as well as for kernels.

use super::operations::reordered;
use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_operations, operations_named, types, walk};
use skriptnd_mlir::ops::{linalg, tensor};
use std::collections::HashMap;

/// So many operations go on with the same tensor in a row: bufferization compares all that shares memory with each other, which
/// takes the cube of their number.
const MOST_LINKS: usize = 16;

/// Cuts long rows of operations that go on with the same tensor, by copies. Returns how many were made.
pub fn cut_chains<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut made = 0;
    let mut links: HashMap<usize, usize> = HashMap::new();
    for operation in operations_named(function, linalg::GENERIC) {
        for (index, result) in destinations(operation).zip(operation.result_values()) {
            let value = operation.operand(index)?;
            let mut count = links.get(&value.key()).map_or(1, |before| before + 1);
            if count > MOST_LINKS {
                let rank = types::rank(value.r#type()).unwrap_or_default();
                let copied = reordered(operation, value, &Map::identity(rank), &(0..rank).collect::<Vec<_>>())?;
                operation.set_operand(index, copied)?;
                (made, count) = (made + 1, 1);
            }
            links.insert(result.key(), count);
        }
    }
    Ok(made)
}

/// Gives each operation of a function that writes into an empty or filled tensor a tensor that nothing else uses. Returns
/// how many were made.
pub fn separate<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut made = 0;
    for operation in walk(function) {
        for index in destinations(operation) {
            let value = operation.operand(index)?;
            if value.has_one_use() && !value.is_block_argument() || is_changed_in_part(operation, value) {
                continue;
            }
            let copied = match value.defining_operation() {
                Some(fill) if is_fill(fill) => {
                    Builder::before(operation)?.copy(fill, &fill.operands().collect::<Vec<_>>())?.result(0)?
                }
                None if operation.full_name() == linalg::GENERIC && is_argument(function, value) => {
                    let rank = types::rank(value.r#type()).unwrap_or_default();
                    reordered(operation, value, &Map::identity(rank), &(0..rank).collect::<Vec<_>>())?
                }
                _ => continue,
            };
            operation.set_operand(index, copied)?;
            made += 1;
        }
    }
    for empty in operations_named(function, tensor::EMPTY) {
        for (user, index) in empty.result_values().iter().flat_map(Value::uses).skip(1) {
            let copied = Builder::before(user)?.copy(empty, &empty.operands().collect::<Vec<_>>())?;
            user.set_operand(index, copied.result(0)?)?;
            made += 1;
        }
    }
    Ok(made)
}

/// Whether a value is an argument of a function, which nothing may write to.
fn is_argument(function: OperationRef<'_, '_>, value: Value<'_, '_>) -> bool {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    value.as_argument().is_some_and(|(block, _)| Some(block) == body)
}

/// Whether an operation puts a part of a tensor back of which nothing else is used: bufferization computes that in place.
fn is_changed_in_part<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, whole: Value<'c, 'a>) -> bool {
    let others = whole.uses().into_iter().map(|(user, _)| user).filter(|user| *user != operation);
    operation.full_name() == tensor::INSERT_SLICE
        && others.into_iter().all(|user| {
            let same = |name| user.get_integers(name) == operation.get_integers(name);
            user.full_name() == tensor::EXTRACT_SLICE
                && ["static_offsets", "static_sizes", "static_strides"].into_iter().all(same)
        })
}

/// Numbers of the operands into which an operation writes.
pub(super) fn destinations(operation: OperationRef<'_, '_>) -> std::ops::Range<usize> {
    match operation.full_name() {
        linalg::GENERIC => {
            operation.operand_count().saturating_sub(operation.result_count())..operation.operand_count()
        }
        tensor::INSERT_SLICE | tensor::INSERT => 1..2,
        _ => 0..0,
    }
}

/// Whether an operation does nothing but fill a tensor with a scalar.
fn is_fill(operation: OperationRef<'_, '_>) -> bool {
    if operation.full_name() == linalg::FILL {
        return true;
    }
    let scalar = |input: &Value<'_, '_>| types::rank(input.r#type()).is_none();
    Structured::read(operation).is_some_and(|fill| {
        let single = fill.outputs.len() == 1 && block_operations(fill.body).count() == 1;
        single && fill.inputs.iter().all(scalar) && !fill.reads(fill.inputs.len())
    })
}
