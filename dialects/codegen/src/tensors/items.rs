//! Items of tensors that a loop's index tells: where a loop takes one after the other, what all iterations take is the tensor itself.

use crate::views::constants::integer;
use crate::views::shapes::static_shape;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{OperationRef, Value};
use skriptnd_mlir::ops::arith::IntegerPredicate;
use skriptnd_mlir::ops::{arith, linalg, tensor};

/// The index of a loop that begins at 0.
#[derive(Clone, Copy)]
pub struct Counter<'c, 'a> {
    pub index: Value<'c, 'a>,
    /// How many iterations there are.
    pub count: i64,
}

impl<'c: 'a, 'a> Counter<'c, 'a> {
    /// The tensor whose item at the index a value is, in each iteration, and of which nothing else is left.
    pub fn all_items(&self, item: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let definition = item.defining_operation()?;
        let all = match definition.full_name() {
            tensor::EXTRACT_SLICE => self.sliced(definition)?,
            linalg::GENERIC => self.gathered(definition)?,
            _ => return None,
        };
        let expected = [&[self.count], static_shape(item.r#type())?.as_slice()].concat();
        (static_shape(all.r#type())? == expected).then_some(all)
    }

    /// A slice at the index, whole in all other dimensions.
    fn sliced(&self, slice: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let source = slice.operand(0).ok()?;
        let numbers = |name| slice.get_integers(name);
        let offsets = numbers("static_offsets")?;
        let is_first = offsets.first()? == &i64::MIN && offsets[1..].iter().all(|offset| *offset == 0);
        let sizes = numbers("static_sizes")?;
        let is_whole = sizes.first()? == &1 && sizes[1..] == static_shape(source.r#type())?[1..];
        let is_dense = numbers("static_strides")?.iter().all(|stride| *stride == 1);
        (is_first && is_whole && is_dense && self.is_index(slice.operand(1).ok()?, None)).then_some(source)
    }

    /// Elements that are read at the index, and at those of their place.
    fn gathered(&self, gather: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let structured = Structured::read(gather)?;
        let element = structured.body.terminator()?.operand(0).ok()?.defining_operation()?;
        let is_plain = structured.is_parallel() && structured.output_map()?.as_dims()?.is_sorted();
        if element.full_name() != tensor::EXTRACT || !is_plain {
            return None;
        }
        let [source, first, places @ ..] = &element.operands().collect::<Vec<_>>()[..] else { return None };
        let follows = |(dim, place): (usize, &Value<'c, 'a>)| {
            let made = place.defining_operation();
            let own = made.filter(|made| made.full_name() == linalg::INDEX).and_then(|made| made.get_integer("dim"));
            own == i64::try_from(dim).ok() || structured.extents.get(dim) == Some(&1) && integer(*place) == Some(0)
        };
        let is_item = places.len() == structured.extents.len() && places.iter().enumerate().all(follows);
        (is_item && self.is_index(*first, Some(&structured))).then_some(*source)
    }

    /// Whether a number, of the elements that an operation gives, is the index, whatever limits it to numbers that it has anyhow.
    fn is_index(&self, value: Value<'c, 'a>, within: Option<&Structured<'c, 'a>>) -> bool {
        if value.key() == self.index.key() {
            return true;
        }
        let Some(made) = value.defining_operation() else {
            let input = value.as_argument().zip(within).and_then(|((_, place), within)| within.inputs.get(place));
            return input.is_some_and(|input| self.is_index(*input, None));
        };
        let operand = |place: usize| made.operand(place).ok();
        let is_index = |place: usize| operand(place).is_some_and(|operand| self.is_index(operand, within));
        let limit = || operand(1).and_then(integer);
        match made.full_name() {
            arith::INDEX_CAST | tensor::FROM_ELEMENTS => made.operand_count() == 1 && is_index(0),
            arith::MINSI => is_index(0) && limit().is_some_and(|most| most >= self.count - 1),
            arith::MAXSI => is_index(0) && limit().is_some_and(|least| least <= 0),
            arith::SELECT => is_index(2) && operand(0).is_some_and(|condition| self.is_never(condition, within)),
            _ => false,
        }
    }

    /// Whether a condition asks for an index below 0.
    fn is_never(&self, condition: Value<'c, 'a>, within: Option<&Structured<'c, 'a>>) -> bool {
        let asked = condition.defining_operation().filter(|asked| asked.full_name() == arith::CMPI);
        asked.is_some_and(|asked| {
            let [left, right] = [0, 1].map(|place| asked.operand(place).ok());
            asked.get_integer("predicate") == Some(IntegerPredicate::Slt as i64)
                && right.and_then(integer).is_some_and(|limit| limit <= 0)
                && left.is_some_and(|left| self.is_index(left, within))
        })
    }
}
