//! Operators that move elements and compute nothing.

use super::Converted;
use crate::convert::builder::{Nodes, permuted, static_dims, tensor};
use crate::convert::by_table::are_static;
use crate::convert::counterparts::ElementKinds;
use crate::convert::images::{TO_CHANNELS_FIRST, TO_CHANNELS_LAST};
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::layout::{
    BroadcastOp, CastOp, ConcatOp, DepthToSpaceOp, FlattenOp, ReshapeOp, SpaceToDepthOp, SplitOp, SqueezeOp, StackOp,
    TileOp, TransposeOp, UnflattenOp, UnsqueezeOp, UnstackOp,
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
    } else if let Some(stack) = StackOp::new(op) {
        stacked(stack, to)
    } else if let Some(unstack) = UnstackOp::new(op) {
        return Some(slices(unstack, to));
    } else if let Some(tile) = TileOp::new(op) {
        tile.input().map_err(Kept::from).and_then(|input| repeated(op, input, to))
    } else if let Some(broadcast) = BroadcastOp::new(op) {
        broadcast.input().map_err(Kept::from).and_then(|input| repeated(op, input, to))
    } else if DepthToSpaceOp::new(op).is_some() || SpaceToDepthOp::new(op).is_some() {
        blocks(op, to)
    } else if CastOp::new(op).is_some() {
        cast(op, to)
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
        let part = part(input, along, begin, &dims, to)?;
        begin += dims[along];
        made.push(if is_image { to.transpose(part, &TO_CHANNELS_FIRST)? } else { part });
    }
    Ok(made)
}

/// A tensor's part with these extents along one dimension.
fn part<'c: 'a, 'a>(
    input: Value<'c, 'a>,
    along: usize,
    begin: u64,
    dims: &[u64],
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    let mut start = vec![0; dims.len()];
    start[along] = begin;
    let [start, size] = [to.shape(&start)?, to.shape(dims)?];
    let part = htp::SliceShapeOpBuilder::new(to).input(input).start(start).size(size);
    part.output_type(tensor(types::element(input.r#type()), dims)?).build()?.output()
}

/// Tensors with a dimension of extent 1 more, joined along it.
fn stacked<'c: 'a, 'a>(stack: StackOp<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(stack.operation())?;
    let ty = stack.output()?.r#type();
    let dims = static_dims(ty).unwrap_or_default();
    // A negative axis counts from the rank of what is stacked.
    let rank = stack.inputs().first().and_then(|first| types::rank(first.r#type())).unwrap_or_default();
    let axis = stack.axis()?;
    let axis = absolute(if axis < 0 { axis + rank as i64 } else { axis }, dims.len())?;
    let mut single = dims.clone();
    single[axis] = 1;
    let shaped = |input| if stack.squeeze().unwrap_or(false) { Ok(input) } else { to.reshaped(input, &single) };
    let inputs = stack.inputs().into_iter().map(shaped).collect::<Result<Vec<_>, Failure>>()?;
    let node = htp::ConcatOpBuilder::new(to).axis(to.ints(&[axis as i64], &[1])?).inputs(inputs);
    Ok(node.output_type(ty).build()?.output()?)
}

/// The slices of a tensor along a dimension, which may vanish.
fn slices<'c: 'a, 'a>(unstack: UnstackOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    let op = unstack.operation();
    of_numbers(op)?;
    let input = unstack.input()?;
    let mut dims = static_dims(input.r#type()).unwrap_or_default();
    let axis = absolute(unstack.axis()?, dims.len())?;
    dims[axis] = 1;
    let mut made = Vec::new();
    for (index, ty) in op.result_types().into_iter().enumerate() {
        let slice = part(input, axis, index as u64, &dims, to)?;
        let result = static_dims(ty).unwrap_or_default();
        made.push(if result == dims { slice } else { to.reshaped(slice, &result)? });
    }
    Ok(made)
}

/// A tensor repeated to the extents of the result.
fn repeated<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    input: Value<'c, 'a>,
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(op)?;
    let ty = op.result(0)?.r#type();
    let (from, into) = (static_dims(input.r#type()).unwrap_or_default(), static_dims(ty).unwrap_or_default());
    if from.len() != into.len() || from.contains(&0) {
        return Err(Kept::because("its extents do not tell how often each dimension is repeated"));
    }
    let multiples: Vec<i64> = into.iter().zip(&from).map(|(into, from)| (into / from) as i64).collect();
    let multiples = to.ints(&multiples, &[multiples.len() as u64])?;
    Ok(htp::TileOpBuilder::new(to).input(input).multiples(multiples).output_type(ty).build()?.output()?)
}

/// Blocks moved between the channels of images and their height and width.
fn blocks<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(op)?;
    let (input, ty) = (op.operand(0)?, op.result(0)?.r#type());
    let size = op.get_integers("block_size").unwrap_or_default();
    if size.len() != 2 || types::rank(ty) != Some(4) {
        return Err(Kept::because("it does not go over height and width of images"));
    }
    let has_channels_first = op.get_string("data_format") == Some("NCX");
    let mode = i64::from(op.get_bool("blocks_first") != Some(true));
    let (size, mode) = (to.ints(&size, &[2])?, to.ints(&[mode], &[1])?);
    let (input, ty) =
        if has_channels_first { (to.last(input)?, permuted(ty, &TO_CHANNELS_LAST)?) } else { (input, ty) };
    let output = if DepthToSpaceOp::new(op).is_some() {
        htp::DepthToSpaceOpBuilder::new(to)
            .input(input)
            .block_size(size)
            .mode(mode)
            .output_type(ty)
            .build()?
            .output()?
    } else {
        htp::SpaceToDepthOpBuilder::new(to)
            .input(input)
            .block_size(size)
            .mode(mode)
            .output_type(ty)
            .build()?
            .output()?
    };
    Ok(if has_channels_first { to.transpose(output, &TO_CHANNELS_FIRST)? } else { output })
}

fn cast<'c: 'a, 'a>(op: OperationRef<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Kept> {
    of_numbers(op)?;
    Ok(htp::CastOpBuilder::new(to).input(op.operand(0)?).output_type(op.result(0)?.r#type()).build()?.output()?)
}
