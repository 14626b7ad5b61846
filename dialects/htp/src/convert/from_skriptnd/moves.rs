//! Operators that move elements and compute nothing.

use super::Converted;
use crate::convert::builder::{Nodes, permuted, static_dims, tensor};
use crate::convert::by_table::are_static;
use crate::convert::counterparts::ElementKinds;
use crate::convert::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST};
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::layout::{
    ConcatOp, FlattenOp, ReshapeOp, SplitOp, SqueezeOp, TransposeOp, UnflattenOp, UnsqueezeOp,
};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types};

/// Whatever leaves all elements in their order.
const RESHAPING: [&str; 5] = [ReshapeOp::NAME, FlattenOp::NAME, UnflattenOp::NAME, SqueezeOp::NAME, UnsqueezeOp::NAME];

/// What becomes of an operator that moves elements; `None` if it does not.
pub fn moved<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Option<Converted<'c, 'a>> {
    let made = if let Some(transposed) = TransposeOp::new(op) {
        transpose(transposed, to)
    } else if let Some(concat) = ConcatOp::new(op) {
        joined(concat, to)
    } else if let Some(split) = SplitOp::new(op) {
        return Some(parts(split, to));
    } else if RESHAPING.contains(&op.full_name()) {
        reshape(op, to)
    } else {
        return None;
    };
    Some(made.map(|value| vec![value]))
}

fn of_numbers(op: OperationRef<'_, '_>) -> Result<(), Kept> {
    match are_static(op, ElementKinds::Numbers) {
        true => Ok(()),
        false => Err(Kept::because("its tensors are not all of static shape and numbers")),
    }
}

/// A dimension counted from the front.
fn absolute(axis: i64, rank: usize) -> Result<usize, Kept> {
    let axis = usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok();
    axis.filter(|axis| *axis < rank).ok_or_else(|| Kept::because("it has no such dimension"))
}

fn reshape<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(op)?;
    let dims = static_dims(op.result(0)?.r#type()).unwrap_or_default();
    Ok(to.reshaped(op.operand(0)?, &dims)?)
}

fn transpose<'c: 'a, 'a>(transposed: TransposeOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(transposed.operation())?;
    let input = transposed.input()?;
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let given = transposed.perm().ok_or_else(|| Kept::because("its `perm` is not given"))?;
    // The dimensions before the first permuted one stay.
    let mut permutation: Vec<usize> = (0..rank.saturating_sub(given.len())).collect();
    for axis in given {
        permutation.push(absolute(axis, rank)?);
    }
    Ok(to.transpose(input, &permutation)?)
}

/// The dimension where a joined or split tensor's parts meet, and whether it is an image.
fn place(axis: i64, rank: usize) -> Result<(i64, bool), Kept> {
    let axis = absolute(axis, rank)?;
    let is_image = rank == 4;
    let moved = TO_CHANNELS_LAST.iter().position(|from| *from == axis).filter(|_| is_image);
    Ok((moved.unwrap_or(axis) as i64, is_image))
}

fn joined<'c: 'a, 'a>(concat: ConcatOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(concat.operation())?;
    let ty = concat.output()?.r#type();
    let (axis, is_image) = place(concat.axis()?, types::rank(ty).unwrap_or_default())?;
    let shaped = |input| if is_image { to.last(input) } else { Ok(input) };
    let inputs = concat.inputs().into_iter().map(shaped).collect::<Result<Vec<_>, Failure>>()?;
    let node = htp::ConcatOpBuilder::new(to).axis(to.ints(&[axis], &[1])?).inputs(inputs);
    let made = if is_image { permuted(ty, &TO_CHANNELS_LAST)? } else { ty };
    let output = node.output_type(made).build()?.output()?;
    Ok(if is_image { to.transpose(output, &TO_CHANNELS_FIRST)? } else { output })
}

/// The parts of a tensor, one op for each.
fn parts<'c: 'a, 'a>(split: SplitOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let op = split.operation();
    of_numbers(op)?;
    let input = split.input()?;
    let rank = types::rank(input.r#type()).unwrap_or_default();
    let (axis, is_image) = place(split.axis()?, rank)?;
    let input = if is_image { to.last(input)? } else { input };
    let along = usize::try_from(axis).unwrap_or_default();
    let mut made = Vec::new();
    let mut begin = 0;
    for ty in op.result_types() {
        let ty = if is_image { permuted(ty, &TO_CHANNELS_LAST)? } else { ty };
        let dims = static_dims(ty).unwrap_or_default();
        let mut start = vec![0; rank];
        start[along] = begin;
        begin += dims[along];
        let [start, size] = [to.shape(&start)?, to.shape(&dims)?];
        let part = htp::SliceShapeOpBuilder::new(to).input(input).start(start).size(size);
        let part = part.output_type(tensor(types::element(ty), &dims)?).build()?.output()?;
        made.push(if is_image { to.transpose(part, &TO_CHANNELS_FIRST)? } else { part });
    }
    Ok(made)
}
