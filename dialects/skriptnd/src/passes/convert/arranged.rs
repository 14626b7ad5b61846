//! Packs that are put together of parts of which only a run knows the lengths: each part is written behind the items that there
//! are before it, over what is none.

use super::packs::Layout;
use super::{Converter, parsed};
use crate::generated::operations::ArrangeOp;
use crate::passes::named_shape;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, attributes};
use skriptnd_mlir::ops::Size;

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// `skriptnd.arrange`
    pub(super) fn arrange(
        &mut self,
        builder: &Builder<'c, 'a>,
        operation: ArrangeOp<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let named = operation.items();
        let items = self.values(&named)?;
        let (Some(first), Some(shape)) = (items.first(), named.first()) else { return Ok(Vec::new()) };
        let form = (first.r#type(), items.len() as i64);
        let layout = Layout::of(builder, &self.extents, &named_shape(shape.r#type())?, form)?;
        let lengths = operation.lengths_attribute().and_then(attributes::as_strings).unwrap_or_default();
        let (mut whole, mut place, mut rest) = (layout.empty(builder)?, SymExpr::Const(0), items.as_slice());
        for (count, length) in operation.parts().unwrap_or_default().into_iter().zip(lengths) {
            let split = usize::try_from(count).ok().and_then(|count| rest.split_at_checked(count));
            let (part, others) = split.ok_or("has parts that don't match its operands")?;
            for (at, item) in (0i64..).zip(part) {
                let number = self.number(builder, &place, at, items.len())?;
                whole = layout.with_item(builder, (whole, number), *item)?;
            }
            place = place.plus(&parsed(length)?).ok_or("has a pack that is too long")?;
            rest = others;
        }
        self.packs.taken_apart(builder, whole, &layout)
    }

    /// The number of an item behind so many others, inside of a pack of at most `most` items.
    fn number(
        &self,
        builder: &Builder<'c, 'a>,
        place: &SymExpr,
        at: i64,
        most: usize,
    ) -> Result<Size<'c, 'a>, Failure> {
        let number = place.plus(&SymExpr::Const(at)).ok_or("has a pack that is too long")?;
        if !self.limits.is_at_most(&number, &SymExpr::Const(most as i64 - 1)) {
            return Err(format!("has a pack of more than {most} items").into());
        }
        self.extents.size(builder, &number)
    }
}
