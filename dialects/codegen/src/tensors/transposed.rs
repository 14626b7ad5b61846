//! Products that use each element of an operand a few times read it where it lies: to transpose it before takes longer than they do.

use super::operations::set_maps;
use super::roles::is_fixed;
use crate::Error;
use crate::views::shapes::volume;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{OperationRef, Value, block_arguments, block_operations, operations_named};
use skriptnd_mlir::ops::linalg;

/// From so many uses of an element on it pays to transpose: products pack it anyway.
const MANY: i64 = 8;
/// Terms of a sum that fill a vector: as many lie beside each other in what is read.
const LEAST_TERMS: i64 = 16;

/// Lets products read the tensors of which their operands are transposed copies. Returns how many operands changed.
pub fn absorb_transposes<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut absorbed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(structured) = Structured::read(operation).filter(|view| view.contraction().is_some()) else {
            continue;
        };
        let mut maps = structured.maps.clone();
        for (number, input) in structured.inputs.iter().enumerate() {
            if let Some((source, map)) = source(*input, &maps[number]).filter(|(_, map)| pays(&structured, number, map))
            {
                operation.set_operand(number, source)?;
                maps[number] = map;
                absorbed += 1;
            }
        }
        if maps != structured.maps {
            set_maps(operation, &maps);
        }
    }
    Ok(absorbed)
}

/// What a tensor is a transposed copy of, with the map that reads there what another map reads of the copy.
pub(super) fn source<'c: 'a, 'a>(value: Value<'c, 'a>, read: &Map) -> Option<(Value<'c, 'a>, Map)> {
    let copy = copy(value).filter(|copy| copy.maps[0].is_permutation())?;
    Some((copy.inputs[0], read_through(&copy, read)?))
}

/// The operation that copies the elements of another tensor, each to one place or to several. What is prepared before runs lies as it
/// should.
pub(super) fn copy<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Structured<'c, 'a>> {
    let copy = value.defining_operation().filter(|_| !is_fixed(value)).and_then(Structured::read)?;
    let copies = block_operations(copy.body).count() == 1
        && copy.body.terminator()?.operand(0).ok()?.key() == block_arguments(copy.body).next()?.key();
    let is_one = matches!(copy.inputs[..], [_]) && matches!(copy.outputs[..], [_]) && copy.is_parallel();
    (copies && is_one && copy.maps[0].as_dims().is_some()).then_some(copy)
}

/// The map that reads of what is copied what another map reads of the copy.
pub(super) fn read_through(copy: &Structured<'_, '_>, read: &Map) -> Option<Map> {
    copy.maps[0].after(&copy.output_map()?.inverse()?.after(read)?)
}

/// Whether a product uses the elements of an operand rarely, and finds the terms of sums beside each other by a map.
fn pays(structured: &Structured<'_, '_>, operand: usize, map: &Map) -> bool {
    let last = map.results.last().and_then(|expr| expr.as_dim());
    let has_terms = |dim: usize| structured.reduced[dim] && structured.extents[dim] >= LEAST_TERMS;
    is_rarely_used(structured, operand) && last.is_some_and(has_terms)
}

/// Whether a product uses each element of an operand, which is a factor, a few times.
pub(super) fn is_rarely_used(structured: &Structured<'_, '_>, operand: usize) -> bool {
    let (extents, map) = (&structured.extents, &structured.maps[operand]);
    let is_free = |dim: &usize| !structured.reduced[*dim] && !map.results.iter().any(|expr| expr.uses(*dim));
    let uses = volume(&(0..extents.len()).filter(is_free).map(|dim| extents[dim]).collect::<Vec<_>>());
    let is_factor = structured.contraction().is_some_and(|product| product.factors.iter().any(|it| it.0 == operand));
    is_factor && uses < MANY
}
