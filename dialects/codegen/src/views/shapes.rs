//! Extents as types say them, and what structured operations write.

use skriptnd_mlir::ir::{OperationRef, Type, Value, types};
use skriptnd_mlir::ops::linalg;

/// The operands that a structured operation writes; none for other operations.
pub fn outputs<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let segments =
        operation.get_integers("operandSegmentSizes").filter(|_| operation.full_name() == linalg::GENERIC)?;
    let inputs = usize::try_from(*segments.first()?).ok()?;
    Some(operation.operands().skip(inputs).collect())
}

/// The shape of a tensor or memref whose extents are all static; empty for scalars.
pub fn static_shape(r#type: Type<'_>) -> Option<Vec<i64>> {
    match types::shape(r#type) {
        Some(shape) => shape.into_iter().map(|extent| i64::try_from(extent?).ok()).collect(),
        None => Some(Vec::new()),
    }
}

/// Number of elements.
pub fn volume(shape: &[i64]) -> i64 {
    shape.iter().fold(1i64, |product, &extent| product.saturating_mul(extent))
}
