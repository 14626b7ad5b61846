//! The packs that a loop collects: one tensor each, with room for the largest items where data determine their extents, and these extents
//! of each item.

use super::LoopParts;
use crate::lowering::emit::extents::Extents;
use crate::lowering::plan::TensorShape;
use crate::passes::convert::Converter;
use crate::passes::convert::found::named;
use crate::passes::convert::packs::Layout;
use crate::passes::convert::rooms::Room;
use crate::scalars::Scalars as _;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Type, Value, block_operations, types};
use skriptnd_mlir::ops::{Size, linalg, tensor};
use std::sync::Arc;

/// A pack that is collected. Its state in the loop: the items and, where data determine extents of them, these.
pub(super) struct Collected<'c, 'a> {
    layout: Layout<'c, 'a>,
    room: Room<'c>,
    /// The types of the items.
    kinds: Vec<Type<'c>>,
}

/// The forms of what a loop collects.
pub(super) fn collected<'c: 'a, 'a>(
    converter: &Converter<'c, 'a>,
    builder: &Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
) -> Result<Vec<Collected<'c, 'a>>, Failure> {
    let items: Vec<Type<'c>> = parts.operation.collected().iter().map(|item| item.r#type()).collect();
    let packs = yielded_types(parts).len();
    if packs == 0 {
        return Ok(Vec::new());
    }
    let most = items.len() / packs;
    if most == 0 || items.len() % packs != 0 {
        return Err("collects another number of tensors than it has results".into());
    }
    items.chunks(most).map(|kinds| Collected::of(converter, builder, kinds)).collect()
}

/// The types of the items that an iteration yields.
pub(super) fn yielded_types<'c: 'a, 'a>(parts: &LoopParts<'c, 'a>) -> Vec<Type<'c>> {
    let yielded = block_operations(parts.body).last().map(|last| last.operand_types()).unwrap_or_default();
    yielded.into_iter().skip(parts.carried.len()).collect()
}

impl<'c: 'a, 'a> Collected<'c, 'a> {
    fn of(converter: &Converter<'c, 'a>, builder: &Builder<'c, 'a>, kinds: &[Type<'c>]) -> Result<Self, Failure> {
        let room = converter.room(builder, kinds[0])?;
        for kind in kinds {
            if converter.room(builder, *kind)?.shape != room.shape {
                return Err("collects tensors of several shapes, of which data don't determine each".into());
            }
        }
        let shape = TensorShape { dtype: named(kinds[0])?.dtype, shape: room.shape.clone() };
        let layout = Layout::of(builder, &converter.extents, &shape, (room.kind, kinds.len() as i64))?;
        Ok(Collected { layout, room, kinds: kinds.to_vec() })
    }

    /// How many items there can be.
    pub(super) fn most(&self) -> i64 {
        self.kinds.len() as i64
    }

    /// How many values its state has.
    pub(super) fn width(&self) -> usize {
        if self.room.told.is_empty() { 1 } else { 2 }
    }

    /// The state before the first item; items that there will not be have the extents 0.
    pub(super) fn empty(&self, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut state = vec![self.layout.empty(builder)?];
        if !self.room.told.is_empty() {
            let shape = [Some(self.kinds.len() as u64), Some(self.room.told.len() as u64)];
            let kind = types::tensor(types::integer(builder.context(), 64), &shape).ok_or("no tensor of extents")?;
            state.push(linalg::fill(builder, builder.int(0)?, tensor::empty(builder, kind, &[])?)?);
        }
        Ok(state)
    }

    /// The state with another item, of a type whose extents are known here.
    pub(super) fn with_item(
        &self,
        (converter, builder): (&Converter<'c, 'a>, &Builder<'c, 'a>),
        state: &[Value<'c, 'a>],
        item: (Value<'c, 'a>, Type<'c>),
        place: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let (item, told) = converter.stored(builder, item, &self.room, Some("item"))?;
        let mut next = vec![self.layout.with_item(builder, (state[0], Size::Value(place)), item)?];
        if let Some(extents) = state.get(1) {
            let noted = told.into_iter().enumerate().try_fold(*extents, |extents, (at, extent)| {
                tensor::insert(builder, extent, extents, &[place, builder.index(at as i64)?])
            });
            next.push(noted?);
        }
        Ok(next)
    }

    /// The items; their extents are known from here on.
    pub(super) fn items(
        &self,
        (converter, builder): (&mut Converter<'c, 'a>, &Builder<'c, 'a>),
        state: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        if let Some(extents) = state.get(1) {
            for (number, kind) in self.kinds.iter().enumerate() {
                for (at, symbol) in told(&converter.extents, *kind)?.into_iter().enumerate() {
                    let place = [builder.index(number as i64)?, builder.index(at as i64)?];
                    let extent = tensor::extract(builder, *extents, &place)?;
                    converter.tell(builder, &symbol.1, extent)?;
                }
            }
        }
        let stored = converter.packs.taken_apart(builder, state[0], &self.layout)?;
        let items = stored.into_iter().zip(&self.kinds);
        items.map(|(item, kind)| converter.taken(builder, item, *kind)).collect()
    }
}

/// The dimensions of a type that are symbols without a value, and these.
pub(super) fn told<'c>(extents: &Extents<'c, '_>, kind: Type<'c>) -> Result<Vec<(usize, Arc<str>)>, Failure> {
    let shape = named(kind)?.shape.into_iter().enumerate();
    Ok(shape.filter_map(|(at, extent)| Some((at, extents.untold(&extent.value)?))).collect())
}
