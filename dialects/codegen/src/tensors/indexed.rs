//! What is read of a tensor by indices that are operands: an element, or one of its extents. Where the tensor's dimensions
//! change their order, so do the indices: nothing is copied, which would be done for each element that is read.

use super::reshapes::Order;
use crate::Error;
use crate::views::constants::integer;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_operations};
use skriptnd_mlir::ops::{linalg, tensor};

/// Lets an operation read by index what has its dimensions in a new order. False for operations that read otherwise.
///
/// # Errors
/// Where the IR can't be changed.
pub fn reorder_indices(operation: OperationRef<'_, '_>, order: &Order) -> Result<bool, Error> {
    match operation.full_name() {
        tensor::EXTRACT => {
            let indices: Vec<_> = operation.operands().skip(1).collect();
            for (place, &dimension) in order.iter().enumerate() {
                let index = indices.get(dimension).ok_or_else(|| Error::malformed("an element without an index"))?;
                operation.set_operand(1 + place, *index)?;
            }
            Ok(true)
        }
        tensor::DIM => {
            let asked = integer(operation.operand(1)?).and_then(|asked| usize::try_from(asked).ok());
            let Some(place) = asked.and_then(|asked| order.iter().position(|&dimension| dimension == asked)) else {
                return Ok(false);
            };
            operation.set_operand(1, Builder::before(operation)?.index(i64::try_from(place).unwrap_or_default())?)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Tensors of which a structured operation reads elements that lie where the result's do along some dimension, as images that
/// are resized do along channels: they are read best in the layout of the result.
pub fn read_along<'c: 'a, 'a>(structured: &Structured<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let Some(output) = structured.output_map() else { return Vec::new() };
    let elements = block_operations(structured.body).filter(|inside| inside.full_name() == tensor::EXTRACT);
    let along = elements.filter_map(|element| {
        let mut operands = element.operands();
        let read = operands.next()?;
        let indices: Vec<_> = operands.collect();
        follows(structured, &indices, output).then_some(read)
    });
    along.collect()
}

/// Whether an index is the point's own, in the same place as in the result, along a dimension that has an extent.
fn follows(structured: &Structured<'_, '_>, indices: &[Value<'_, '_>], output: &Map) -> bool {
    let walked = |(index, expr): (&Value<'_, '_>, &Expr)| {
        let point = index.defining_operation().filter(|index| index.full_name() == linalg::INDEX);
        let dim = point.and_then(|point| usize::try_from(point.get_integer("dim")?).ok());
        dim.is_some_and(|dim| expr.as_dim() == Some(dim) && structured.extents.get(dim) != Some(&1))
    };
    indices.len() == output.results.len() && indices.iter().zip(&output.results).any(walked)
}
