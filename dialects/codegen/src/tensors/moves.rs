//! What moves the elements of a tensor and computes nothing: padding, slices, reshapes and other orders of dimensions in a row.

use super::narrow::pads_with_zeros;
use super::operations::{padded, padded_by, reordered};
use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_operations, types};
use skriptnd_mlir::ops::{linalg, tensor};

/// A tensor that has the elements of another.
pub struct Moved<'c, 'a> {
    /// The other.
    pub source: Value<'c, 'a>,
    /// What moves them, the last first. What is padded are zeros.
    moves: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Moved<'c, 'a> {
    /// Looks for the source of a tensor's elements, its own tensor where nothing moves them.
    pub fn of(source: Value<'c, 'a>) -> Self {
        Moved::by(source, is_move)
    }

    /// The same, also where a copy has the dimensions of a tensor in another order.
    pub fn of_turned(source: Value<'c, 'a>) -> Self {
        Moved::by(source, |operation| is_move(operation) || turn_of(operation).is_some())
    }

    fn by(mut source: Value<'c, 'a>, moves_all: impl Fn(OperationRef<'c, 'a>) -> bool) -> Self {
        let mut moves = Vec::new();
        while let Some(definition) = source.defining_operation().filter(|definition| moves_all(*definition)) {
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
                linalg::GENERIC => turned(*operation, moved, &turn_of(*operation).unwrap_or_default())?,
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

/// Appends a number to a tensor, `high` further elements in each dimension, before `place`: before its dimensions get another order, if they do.
/// So what is added lies beside each other, and what has the other order is copied whole.
pub fn padded_before_turns<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
    high: &[i64],
    fill: i64,
) -> Result<Value<'c, 'a>, Error> {
    let turn = value.defining_operation();
    let Some((turn, order)) = turn.and_then(|turn| Some((turn, turn_of(turn)?))) else {
        return padded(place, value, high, fill);
    };
    let before: Vec<i64> = order.iter().map(|&dim| high[dim]).collect();
    let source = padded(place, turn.operand(0)?, &before, fill)?;
    turned(place, source, &order)
}

/// What the dimensions of a tensor are in the copy that an operation is of it, if it puts them in another order.
fn turn_of(operation: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    let copy = Structured::read(operation)?;
    let is_copy = copy.inputs.len() == 1 && block_operations(copy.body).count() == 1 && copy.reads(0);
    let [read, written] = copy.maps.as_slice() else { return None };
    let order = read.after(&written.inverse()?).filter(|_| is_copy && read.is_permutation())?;
    order.as_dims()
}

/// A copy of a tensor with its dimensions so, before `place`.
fn turned<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    order: &[usize],
) -> Result<Value<'c, 'a>, Error> {
    let map = Map { dims: order.len(), results: order.iter().map(|&dim| Expr::Dim(dim)).collect() };
    let mut of_source = vec![0; order.len()];
    order.iter().enumerate().for_each(|(dim, &own)| of_source[own] = dim);
    reordered(place, source, &map, &of_source)
}

fn is_move(operation: OperationRef<'_, '_>) -> bool {
    match operation.full_name() {
        tensor::PAD => pads_with_zeros(operation),
        name => [tensor::EXTRACT_SLICE, tensor::EXPAND_SHAPE, tensor::COLLAPSE_SHAPE].contains(&name),
    }
}
