//! Ops that pass on elements, and what becomes of the encodings of these.

use super::builder::{static_dims, tensor};
use super::transposes::transpose;
use crate::apply::{Elements, Encoding, Graph, OutputDef};
use crate::dialect::encoding::{output_def, tensor_type};
use crate::engine::IrGraph;
use crate::generated::operations::{
    ChannelShuffleOp, ConcatOp, DepthToSpaceOp, GatherNdOp, GatherOp, ReshapeOp, SliceShapeOp, SpaceToDepthOp,
    StridedSliceOp, TileOp, TransposeOp,
};
use crate::placement::is_conversion;
use skriptnd_mlir::ir::{OperationRef, Type, Value, types};

/// Whether an op passes on elements of its first operand.
pub fn moves(op: OperationRef<'_, '_>) -> bool {
    TransposeOp::new(op).is_some()
        || ReshapeOp::new(op).is_some()
        || SliceShapeOp::new(op).is_some()
        || StridedSliceOp::new(op).is_some()
        || GatherOp::new(op).is_some()
        || GatherNdOp::new(op).is_some()
        || TileOp::new(op).is_some()
        || ChannelShuffleOp::new(op).is_some()
        || DepthToSpaceOp::new(op).is_some()
        || SpaceToDepthOp::new(op).is_some()
        || is_conversion(op)
}

/// The encoding of elements that an op passes on; none where it computes others, or they have none together.
pub fn passed_on(op: OperationRef<'_, '_>) -> Option<Encoding> {
    let def = |value: Value<'_, '_>| output_def(value.r#type());
    if let Some(concat) = ConcatOp::new(op) {
        let parts = concat.inputs().into_iter().map(|part| Some(def(part)?.encoding)).collect::<Option<Vec<_>>>()?;
        let axis = match IrGraph::default().constant(concat.axis().ok()?)? {
            Elements::Ints(axes) => usize::try_from(*axes.first()?).ok()?,
            Elements::Reals(_) => return None,
        };
        return Encoding::concatenated(&parts, axis);
    }
    let to = static_dims(op.result(0).ok()?.r#type())?;
    let OutputDef { dims, encoding } = def(op.operand(0).ok()?).filter(|_| moves(op))?;
    behind(op, &encoding, &dims, &to)
}

/// The encoding behind a move of elements from one shape to another.
fn behind(op: OperationRef<'_, '_>, encoding: &Encoding, from: &[u64], to: &[u64]) -> Option<Encoding> {
    if encoding.channels().is_none() || is_conversion(op) {
        return Some(encoding.clone());
    }
    if let Some(transposed) = TransposeOp::new(op) {
        return encoding.transposed(&transpose(transposed)?.1);
    }
    if let Some(part) = SliceShapeOp::new(op) {
        return encoding.sliced(&static_dims(part.start().ok()?.r#type())?, to);
    }
    ReshapeOp::new(op).and_then(|_| encoding.reshaped(from, to))
}

/// The encoding before a move of which this is the one behind it.
fn before(op: OperationRef<'_, '_>, encoding: &Encoding, from: &[u64], to: &[u64]) -> Option<Encoding> {
    if encoding.channels().is_none() || is_conversion(op) {
        return Some(encoding.clone());
    }
    if let Some(transposed) = TransposeOp::new(op) {
        let (_, permutation) = transpose(transposed)?;
        let place = |axis: usize| permutation.iter().position(|from| *from == axis);
        return encoding.transposed(&(0..permutation.len()).map(place).collect::<Option<Vec<_>>>()?);
    }
    ReshapeOp::new(op).and_then(|_| encoding.reshaped(to, from))
}

/// The type of what a move makes of a tensor of this type in the place of its first operand.
pub fn type_behind<'c>(op: OperationRef<'c, '_>, ty: Type<'c>) -> Option<Type<'c>> {
    let OutputDef { dims, encoding } = output_def(ty)?;
    let to = static_dims(op.result(0).ok()?.r#type())?;
    let encoding = behind(op, &encoding, &dims, &to)?;
    with_elements(ty, OutputDef { dims: to, encoding })
}

/// The type that the first operand of a move has where its result has this one.
pub fn type_before<'c>(op: OperationRef<'c, '_>, ty: Type<'c>) -> Option<Type<'c>> {
    let OutputDef { dims, encoding } = output_def(ty)?;
    let from = static_dims(op.operand(0).ok()?.r#type())?;
    let encoding = before(op, &encoding, &from, &dims)?;
    with_elements(ty, OutputDef { dims: from, encoding })
}

/// A tensor type with the elements of another where these are the same: they may be more exact than what rules see of them.
fn with_elements<'c>(elements: Type<'c>, def: OutputDef) -> Option<Type<'c>> {
    match def.encoding.channels() {
        None => tensor(types::element(elements), &def.dims).ok(),
        Some(_) => tensor_type(elements.context(), &def),
    }
}
