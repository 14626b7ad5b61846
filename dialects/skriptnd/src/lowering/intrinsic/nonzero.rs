//! Positions of elements other than zero, as columns in row-major order. They are counted, then written: so the result has just
//! the extent that it needs.

use super::super::emit::{arithmetic, zero};
use super::loops::{nest, up_to};
use super::{Invocation, counted, whole};
use crate::lowering::plan::TensorShape;
use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::{arith, scf, tensor};
use skriptnd_syntax::ast::BinaryOp;

pub fn emit<'c: 'a, 'a>(invocation: &mut Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let builder = invocation.builder;
    let (shape, input) = invocation.input(0)?;
    let (shape, rank): (TensorShape, _) = (shape.clone(), shape.shape.len());
    let bounds = up_to(&builder, &invocation.indices(&shape.shape)?)?;
    let counted_so_far = nest(builder, &bounds, &[builder.index(0)?], |builder, at, carried| {
        let [count] = *carried else { return Err("a loop without a count".into()) };
        let is_set = is_set(&builder, shape.dtype, tensor::extract(&builder, input, at)?)?;
        Ok(vec![arith::select(&builder, is_set, builder.index_plus(count, 1)?, count)?])
    })?;
    let &[count] = counted_so_far.as_slice() else { return Err("a loop without a count".into()) };
    invocation.tell(0, 1, count)?;
    let [result] = *invocation.results()?.as_slice() else { return Err("has another number of results".into()) };
    // A bound keeps the result as small as planned, whatever is counted.
    let extents = invocation.indices(&invocation.output(0)?.shape)?;
    let columns = *extents.get(1).ok_or("has a result of another rank")?;
    let written = nest(builder, &bounds, &[result, builder.index(0)?], |builder, at, carried| {
        let [result, column] = *carried else { return Err("a loop without a result".into()) };
        let is_set = is_set(&builder, shape.dtype, tensor::extract(&builder, input, at)?)?;
        let has_room = whole(&builder, BinaryOp::Lt, column, columns)?;
        let writes = arith::andi(&builder, is_set, has_room)?;
        let branch = scf::r#if(&builder, writes, &[result.r#type(), column.r#type()])?;
        let inside = branch.then;
        let column_written = (0..rank).try_fold(result, |result, row| {
            tensor::insert(&inside, counted(&inside, at[row])?, result, &[inside.index(row as i64)?, column])
        })?;
        scf::r#yield(&inside, &[column_written, inside.index_plus(column, 1)?])?;
        scf::r#yield(&branch.otherwise, carried)?;
        Ok(branch.operation.result_values())
    })?;
    Ok(written[..1].to_vec())
}

/// Whether an element is not zero; what is not a number is not.
fn is_set<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    dtype: ScalarType,
    item: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    if dtype == ScalarType::Bool {
        return Ok(item);
    }
    let zero = arithmetic::constant(builder, &zero(dtype), dtype)?;
    arithmetic::binary(builder, BinaryOp::Ne, dtype, item, zero)
}
