//! Tensors whose elements are stored in fewer bits, and extended one by one.

use super::operations::converted;
use crate::Error;
use crate::nest::element::Number;
use crate::values::range::Ranges;
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, Type, Value, block_operations, types};
use skriptnd_mlir::ops::arith;

/// Elements that were stored in a narrow form, extended one by one.
#[derive(Clone, Copy)]
pub struct Extended<'c, 'a> {
    /// The tensor as it is stored.
    pub source: Value<'c, 'a>,
    /// What its elements are.
    pub number: Number,
    /// What extends an element.
    pub extension: &'static str,
}

/// What extends elements, and whether they have no sign.
const EXTENSIONS: [(&str, bool); 5] =
    [(arith::EXTSI, false), (arith::EXTUI, true), (arith::SITOFP, false), (arith::UITOFP, true), (arith::EXTF, false)];

/// What extends integers to more bits.
pub fn extension(number: Number) -> &'static str {
    if matches!(number, Number::Unsigned(_)) { arith::EXTUI } else { arith::EXTSI }
}

impl<'c: 'a, 'a> Extended<'c, 'a> {
    /// What extends the elements of a tensor, if that is all that is done to them.
    pub fn of(value: Value<'c, 'a>) -> Option<Self> {
        let structured = value.defining_operation().and_then(Structured::read)?;
        let plain = structured.inputs.len() == 1 && structured.is_parallel() && !structured.reads(1);
        let same = structured.maps.iter().all(|map| *map == Map::identity(structured.extents.len()));
        let body: Vec<_> = block_operations(structured.body).collect();
        let [extension, _] = body.as_slice() else { return None };
        let (name, is_unsigned) = *EXTENSIONS.iter().find(|(name, _)| extension.full_name() == *name)?;
        let source = structured.inputs[0];
        let number = Number::of(elements::of(types::element(source.r#type()))?, is_unsigned)?;
        (plain && same).then_some(Extended { source, number, extension: name })
    }

    /// The same of another tensor.
    pub fn again(
        self,
        builder: &Builder<'c, 'a>,
        source: Value<'c, 'a>,
        wide: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        converted(builder, source, self.extension, wide)
    }

    /// The largest magnitude of its elements; none of reals.
    pub fn largest(&self, ranges: &Ranges) -> Option<i64> {
        let known = ranges.get(self.source).magnitude() as i64;
        match self.number {
            Number::Signed(..=16) => Some(known),
            Number::Unsigned(bits @ ..=16) if ranges.get(self.source).least < 0.0 => Some((1 << bits) - 1),
            Number::Unsigned(..=16) => Some(known),
            _ => None,
        }
    }
}
