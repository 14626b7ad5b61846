//! What several accumulators of one operation begin with becomes one operation, as a group has one for that.

use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, block_operations, operations_named};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// Joins the operations that compute what the outputs of one operation begin with, in a function.
///
/// # Errors
/// Where an operation can't be built.
pub fn join<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(main) = Structured::read(operation).filter(|main| main.outputs.len() > 1) else { continue };
        if main.maps[main.inputs.len()..].windows(2).any(|maps| maps[0] != maps[1]) {
            continue;
        }
        let begins: Option<Vec<_>> = main.outputs.iter().map(|output| begin(*output, &main)).collect();
        let Some(begins) = begins else { continue };
        let joined = build(&begins, &main)?;
        for (number, result) in joined.result_values().into_iter().enumerate() {
            operation.set_operand(main.inputs.len() + number, result)?;
        }
        with_rewriter(operation, |rewriter| begins.iter().try_for_each(|begin| rewriter.erase(begin.operation)))?;
    }
    Ok(())
}

/// What computes an output of an operation and nothing else, each element in its place.
fn begin<'c: 'a, 'a>(output: Value<'c, 'a>, main: &Structured<'c, 'a>) -> Option<Structured<'c, 'a>> {
    let made = output.defining_operation().filter(|_| output.has_one_use())?;
    let is_scalar =
        |operation: OperationRef<'c, 'a>| operation.region_count() == 0 && operation.full_name() != linalg::INDEX;
    Structured::read(made).filter(|begin| {
        made.block() == main.operation.block()
            && begin.is_parallel()
            && begin.output_map().is_some_and(|map| *map == Map::identity(map.dims))
            && !begin.reads(begin.inputs.len())
            && block_operations(begin.body).all(is_scalar)
    })
}

/// One operation that computes what several do.
fn build<'c: 'a, 'a>(begins: &[Structured<'c, 'a>], main: &Structured<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
    let inputs: Vec<_> = begins.iter().flat_map(|begin| begin.inputs.iter().copied()).collect();
    let outputs: Vec<_> = begins.iter().flat_map(|begin| begin.outputs.iter().copied()).collect();
    let maps = begins.iter().flat_map(|begin| begin.maps[..begin.inputs.len()].iter());
    let maps: Vec<_> = maps.chain(begins.iter().filter_map(Structured::output_map)).cloned().collect();
    let builder = Builder::before(main.operation)?;
    let reduced = begins.first().map(|begin| begin.reduced.clone()).unwrap_or_default();
    let joined = linalg::generic(&builder, &inputs, &outputs, &maps, &reduced)?;
    let (mut read, mut results) = (joined.arguments.iter().copied(), Vec::new());
    for begin in begins {
        let own = block_arguments(begin.body).take(begin.inputs.len());
        let mut values: HashMap<usize, Value<'c, 'a>> = own.map(|argument| argument.key()).zip(&mut read).collect();
        for operation in block_operations(begin.body) {
            let operands = operation.operands().map(|value| values.get(&value.key()).copied().unwrap_or(value));
            let operands: Vec<_> = operands.collect();
            if operation.full_name() == linalg::YIELD {
                results.extend(operands);
                continue;
            }
            let copied = joined.builder.copy(operation, &operands)?;
            values.extend(operation.results().map(|own| own.key()).zip(copied.results()));
        }
    }
    linalg::r#yield(&joined.builder, &results)?;
    Ok(joined.operation)
}
