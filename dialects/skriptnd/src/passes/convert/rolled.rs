//! Formulas over packs of which only a run knows the length, in loops over the packs as tensors.

use super::packs::Layout;
use super::{Converter, parsed};
use crate::call::OPERAND_SEGMENTS;
use crate::generated::discardable::LengthsAttribute;
use crate::lowering::plan::{TensorShape, Tensors};
use crate::lowering::reroll::{OpenPack, rerolled};
use skriptnd_language::compose::formula::Formula;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes};
use std::borrow::Cow;

/// A formula, and the tensors that it reads.
pub(super) struct Rolled<'f, 'c, 'a> {
    pub formula: Cow<'f, Formula>,
    pub inputs: Vec<TensorShape>,
    pub operands: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// The formula of an operation with as few assignments as there can be.
    pub(super) fn rolled<'f>(
        &self,
        builder: &Builder<'c, 'a>,
        operation: OperationRef<'c, 'a>,
        formula: &'f Formula,
        (inputs, outputs): (&[TensorShape], &[TensorShape]),
        operands: &[Value<'c, 'a>],
    ) -> Result<Rolled<'f, 'c, 'a>, Failure> {
        let mut rolled =
            Rolled { formula: Cow::Borrowed(formula), inputs: inputs.to_vec(), operands: operands.to_vec() };
        let mut packs = open_packs(operation)?;
        packs.retain(|pack| pack.whole(inputs).is_some());
        let wholes: Vec<TensorShape> = packs.iter().filter_map(|pack| pack.whole(inputs)).collect();
        let all = [inputs, &wholes].concat();
        let constants: Vec<_> = formula.constants.iter().map(TensorShape::of_constant).collect();
        let tensors = Tensors { inputs: &all, outputs, constants: &constants, limits: &self.limits };
        let (formula, taken) = rerolled(formula, &packs, tensors);
        if taken.is_empty() {
            return Ok(rolled);
        }
        for (number, pack) in packs.iter().enumerate() {
            let items = &operands[pack.first..pack.first + pack.count];
            // Nothing reads the others.
            let value = match taken.contains(&number) {
                true => {
                    let form = (items[0].r#type(), pack.count as i64);
                    let layout = Layout::of(builder, &self.extents, &inputs[pack.first], form)?;
                    self.packs.whole(builder, items, &layout)?
                }
                false => items[0],
            };
            rolled.operands.push(value);
        }
        Ok(Rolled { formula: Cow::Owned(formula), inputs: all, operands: rolled.operands })
    }
}

/// The packs among the operands of which only a run knows the length.
fn open_packs(operation: OperationRef<'_, '_>) -> Result<Vec<OpenPack>, Failure> {
    let lengths = operation.get(LengthsAttribute::NAME).and_then(attributes::as_strings).unwrap_or_default();
    let sizes = operation.get_integers(OPERAND_SEGMENTS).unwrap_or_else(|| vec![1; lengths.len()]);
    let (mut packs, mut first) = (Vec::new(), 0);
    for (text, size) in lengths.into_iter().zip(sizes) {
        let count = usize::try_from(size).unwrap_or(0);
        if !text.is_empty() {
            packs.push(OpenPack { first, count, length: parsed(text)? });
        }
        first += count;
    }
    Ok(packs)
}
