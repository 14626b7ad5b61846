//! Packs of which only a run knows the length: those that a graph takes and gives as one tensor, and those that are put together of
//! several parts, each written behind the items that there are before it, over what is none.

use super::packs::Layout;
use super::{Converter, parsed};
use crate::call::plain_type;
use crate::generated::operations::{ArrangeOp, ItemsOp, PackOp};
use crate::passes::named_shape;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, attributes};
use skriptnd_mlir::ops::Size;
use skriptnd_mlir::ops::tensor;

impl<'c: 'a, 'a> Converter<'c, 'a> {
    /// `skriptnd.items`: a copy that has room for all items that there can be, of which parts may be taken whatever the length is.
    pub(super) fn items(
        &mut self,
        builder: &Builder<'c, 'a>,
        operation: ItemsOp<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let (given, named) = (self.value(operation.whole()?)?, operation.items());
        let Some(layout) = self.layout(builder, &named)? else { return Ok(Vec::new()) };
        let length = self.pack_length(operation.whole()?.r#type(), named.len())?;
        let length = self.extents.size(builder, &length)?;
        let whole = match length == Size::Known(named.len() as i64) {
            true => given,
            false => tensor::insert_slice(builder, given, layout.empty(builder)?, &layout.first(length))?,
        };
        self.packs.taken_apart(builder, whole, &layout)
    }

    /// `skriptnd.pack`
    pub(super) fn pack(
        &mut self,
        builder: &Builder<'c, 'a>,
        operation: PackOp<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let named = operation.items();
        let kind = operation.whole()?.r#type();
        let layout = self.layout(builder, &named)?.ok_or("has no items")?;
        let length = self.pack_length(kind, named.len())?;
        let whole = self.packs.whole(builder, &self.values(&named)?, &layout)?;
        let length = self.extents.size(builder, &length)?;
        match length == Size::Known(named.len() as i64) {
            true => Ok(whole),
            false => tensor::extract_slice(builder, whole, &layout.first(length), plain_type(kind)),
        }
    }

    /// How long a pack is that is given as a tensor: at most so many items.
    fn pack_length(&self, whole: Type<'c>, most: usize) -> Result<SymExpr, Failure> {
        let length = named_shape(whole)?.shape.into_iter().next().ok_or("is no pack")?;
        match self.limits.is_at_most(&length, &SymExpr::Const(most as i64)) {
            true => Ok(length),
            false => Err(format!("has a pack of more than {most} items").into()),
        }
    }

    /// The form of a pack of which only a run knows the length as one tensor; none if it has no items.
    fn layout(&self, builder: &Builder<'c, 'a>, named: &[Value<'c, 'a>]) -> Result<Option<Layout<'c, 'a>>, Failure> {
        let Some(first) = named.first() else { return Ok(None) };
        let form = (plain_type(first.r#type()), named.len() as i64);
        Layout::of(builder, &self.extents, &named_shape(first.r#type())?, form).map(Some)
    }

    /// `skriptnd.arrange`
    pub(super) fn arrange(
        &mut self,
        builder: &Builder<'c, 'a>,
        operation: ArrangeOp<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let named = operation.items();
        let items = self.values(&named)?;
        let Some(layout) = self.layout(builder, &named)? else { return Ok(Vec::new()) };
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
