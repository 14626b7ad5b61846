//! Sums of many tensors, element by element, one operation for each: what the operation before has computed is read like any other
//! operand, not written over. So they become one operation, as other elementwise operations do, and bufferization, which compares all that
//! shares memory with each other, finds no long chains.

use super::operations::copy_body;
use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, block_arguments, block_operations, operations_named};
use skriptnd_mlir::ops::{linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Lets elementwise operations read what they have gone on with. Returns how many do.
pub fn read_accumulated<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut changed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(structured) = Structured::read(operation) else { continue };
        let Some(empty) = accumulates(&structured) else { continue };
        let builder = Builder::before(operation)?;
        let fresh = builder.copy(empty, &empty.operands().collect::<Vec<_>>())?.result(0)?;
        let Structured { inputs, outputs, maps, reduced, body, .. } = &structured;
        // The map of the output is the last one: what was written over is read in the same order.
        let maps: Vec<_> = maps.iter().chain(maps.last()).cloned().collect();
        let made = linalg::generic(&builder, &[inputs.as_slice(), outputs].concat(), &[fresh], &maps, reduced)?;
        let known = block_arguments(*body).zip(made.arguments).map(|(old, new)| (old.key(), new)).collect();
        linalg::r#yield(&made.builder, &copy_body(*body, &made.builder, known)?)?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &made.operation.result_values()))?;
        changed += 1;
    }
    Ok(changed)
}

/// The empty tensor into which an elementwise operation has written what another one goes on with.
fn accumulates<'c: 'a, 'a>(operation: &Structured<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let [before] = operation.outputs.as_slice() else { return None };
    let is_whole = operation.is_parallel() && operation.output_map()?.is_permutation();
    let is_plain = block_operations(operation.body).all(|operation| operation.region_count() == 0);
    let goes_on = is_whole && is_plain && operation.reads(operation.inputs.len()) && before.has_one_use();
    let producer = before.defining_operation().filter(|_| goes_on).and_then(Structured::read)?;
    let [destination] = producer.outputs.as_slice() else { return None };
    let same = producer.operation.block() == operation.operation.block() && producer.is_parallel();
    destination.defining_operation().filter(|empty| same && empty.full_name() == tensor::EMPTY)
}
