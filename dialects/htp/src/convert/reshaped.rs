//! Tensors of the language with other dimensions.

use super::builder::{static_dims, tensor};
use crate::dialect::encoding::of_language;
use skriptnd_dialect::generated::layout::ReshapeOpBuilder;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, types};

/// The same elements in the shape of a type.
pub fn reshape<'c: 'a, 'a>(to: &Builder<'c, 'a>, input: Value<'c, 'a>, ty: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    let dims = static_dims(ty).ok_or("expected a result of static shape")?;
    let rank = static_dims(input.r#type()).map_or(0, |dims| dims.len() as i64);
    let shape: Vec<i64> = dims.iter().map(|extent| i64::try_from(*extent).unwrap_or(i64::MAX)).collect();
    let reshaped = ReshapeOpBuilder::new(to).input(input).axis(0).rank(rank).shape(&shape);
    reshaped.output_type(ty).build()?.output()
}

/// A tensor of so many dimensions at most: extents of 1 before them say nothing. The constants that rules make have all four.
pub fn of_rank<'c: 'a, 'a>(value: Value<'c, 'a>, rank: usize, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let dims = static_dims(value.r#type()).unwrap_or_default();
    let surplus = dims.len().saturating_sub(rank);
    if surplus == 0 || dims[..surplus].iter().any(|extent| *extent != 1) {
        return Ok(value);
    }
    // A constant of integers becomes one of the language's.
    reshape(to, value, of_language(tensor(types::element(value.r#type()), &dims[surplus..])?))
}
