//! What moves the elements of a tensor and computes nothing: padding, slices and reshapes in a row.

use super::narrow::pads_with_zeros;
use super::operations::padded_by;
use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types};
use skriptnd_mlir::ops::tensor;

/// A tensor that has the elements of another.
pub struct Moved<'c, 'a> {
    /// The other.
    pub source: Value<'c, 'a>,
    /// What moves them, the last first. What is padded are zeros.
    moves: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Moved<'c, 'a> {
    /// Looks for the source of a tensor's elements, its own tensor where nothing moves them.
    pub fn of(mut source: Value<'c, 'a>) -> Self {
        let mut moves = Vec::new();
        while let Some(definition) = source.defining_operation().filter(|definition| is_move(*definition)) {
            let Ok(before) = definition.operand(0) else { break };
            moves.push(definition);
            source = before;
        }
        Moved { source, moves }
    }

    /// The first operation that moves them.
    pub fn first(&self) -> Option<OperationRef<'c, 'a>> {
        self.moves.last().copied()
    }

    /// Whether the elements lie as they did.
    pub fn is_still(&self) -> bool {
        self.moves.is_empty()
    }

    /// Whether there are zeros among them that the source has not.
    pub fn pads(&self) -> bool {
        self.moves.iter().any(|moved| moved.full_name() == tensor::PAD)
    }

    /// The elements of another tensor, shaped as the source, in the same places, with a number in place of the zeros of padding.
    pub fn again(&self, source: Value<'c, 'a>, fill: i64) -> Result<Value<'c, 'a>, Error> {
        let mut moved = source;
        for operation in self.moves.iter().rev() {
            let shape = types::shape(operation.result(0)?.r#type()).unwrap_or_default();
            let kind = types::tensor(types::element(source.r#type()), &shape);
            let kind = kind.ok_or_else(|| Error::malformed("no tensor of such elements"))?;
            moved = match operation.full_name() {
                tensor::PAD => padded_by(*operation, moved, kind, fill)?,
                name => {
                    let operands: Vec<_> = [moved].into_iter().chain(operation.operands().skip(1)).collect();
                    let attributes: Vec<_> = operation.attributes().collect();
                    Builder::before(*operation)?.value(name, &operands, &attributes, kind)?
                }
            };
        }
        Ok(moved)
    }
}

fn is_move(operation: OperationRef<'_, '_>) -> bool {
    match operation.full_name() {
        tensor::PAD => pads_with_zeros(operation),
        name => [tensor::EXTRACT_SLICE, tensor::EXPAND_SHAPE, tensor::COLLAPSE_SHAPE].contains(&name),
    }
}
