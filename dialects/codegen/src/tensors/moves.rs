//! What moves the elements of a tensor and computes nothing: padding, slices, reshapes and other orders of dimensions in a row.

use super::narrow::pads_with_zeros;
use super::operations::{padded, padded_by};
use crate::Error;
use crate::views::structured::{Structured, copy};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, block_operations, types};
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
        Moved::by(source, |operation| is_move(operation) || is_turn(operation))
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
                linalg::GENERIC => turned_by(*operation, moved, kind)?,
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
    let turn = value.defining_operation().filter(|made| is_turn(*made)).and_then(Structured::read);
    let order = turn.as_ref().and_then(|turn| turn.maps[0].after(&turn.maps[1].inverse()?)?.as_dims());
    let (Some(turn), Some(order)) = (turn, order) else { return padded(place, value, high, fill) };
    let before: Vec<i64> = order.iter().map(|&dim| high[dim]).collect();
    let source = padded(place, turn.inputs[0], &before, fill)?;
    let shape = types::shape(value.r#type()).unwrap_or_default();
    let grown: Vec<_> =
        shape.iter().zip(high).map(|(extent, more)| extent.map(|own| own + more.unsigned_abs())).collect();
    let kind = types::tensor(types::element(value.r#type()), &grown);
    let kind = kind.ok_or_else(|| Error::malformed("no tensor of such elements"))?;
    copied(&Builder::before(place)?, &turn, source, kind)
}

/// Whether an operation copies a tensor whose dimensions get another order.
fn is_turn(operation: OperationRef<'_, '_>) -> bool {
    Structured::read(operation).is_some_and(|copy| {
        let is_copy = copy.inputs.len() == 1 && block_operations(copy.body).count() == 1 && copy.reads(0);
        is_copy && copy.is_static() && copy.maps.len() == 2 && copy.maps.iter().all(Map::is_permutation)
    })
}

/// The copy of another tensor that an operation is of its own.
fn turned_by<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    source: Value<'c, 'a>,
    kind: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let turn = Structured::read(operation).ok_or_else(|| Error::malformed("a copy that is none"))?;
    copied(&Builder::before(operation)?, &turn, source, kind)
}

fn copied<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    turn: &Structured<'c, 'a>,
    source: Value<'c, 'a>,
    kind: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let empty = tensor::empty(builder, kind, &[])?;
    Ok(copy(*builder, (source, &turn.maps[0]), (empty, &turn.maps[1]))?.result(0)?)
}

fn is_move(operation: OperationRef<'_, '_>) -> bool {
    match operation.full_name() {
        tensor::PAD => pads_with_zeros(operation),
        name => [tensor::EXTRACT_SLICE, tensor::EXPAND_SHAPE, tensor::COLLAPSE_SHAPE].contains(&name),
    }
}
