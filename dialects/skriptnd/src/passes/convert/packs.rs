//! Packs through which loops go, or that they collect, as one tensor: item `n` is its part at `n` of a first dimension. So a
//! loop of any length has one body.

use crate::lowering::emit::extents::Extents;
use crate::lowering::plan::TensorShape;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, types};
use skriptnd_mlir::ops::{Size, tensor};
use std::collections::HashMap;

const COLLAPSE: &str = tensor::COLLAPSE_SHAPE;
const SLICE: &str = tensor::EXTRACT_SLICE;

/// Items of packs that are parts of whole tensors.
#[derive(Default)]
pub(super) struct Packs<'c, 'a> {
    /// The whole tensor and the number of the item, by the key of the item.
    items: HashMap<usize, (Value<'c, 'a>, i64)>,
}

/// The form of a pack as one tensor.
pub(super) struct Layout<'c, 'a> {
    item: Type<'c>,
    whole: Type<'c>,
    /// Extents of an item.
    sizes: Vec<Size<'c, 'a>>,
    count: i64,
}

impl<'c: 'a, 'a> Layout<'c, 'a> {
    /// Of so many items of a shape.
    pub(super) fn of(
        builder: &Builder<'c, 'a>,
        extents: &Extents<'c, 'a>,
        shape: &TensorShape,
        (item, count): (Type<'c>, i64),
    ) -> Result<Self, Failure> {
        let known = u64::try_from(count).map_err(|_| Failure::new("a pack of a negative length"))?;
        let inner = types::shape(item).ok_or("a pack of something else than tensors")?;
        let whole = types::tensor(types::element(item), &[&[Some(known)], inner.as_slice()].concat());
        let sizes = extents.sizes(builder, &shape.shape)?;
        Ok(Layout { item, whole: whole.ok_or("no such tensor type")?, sizes, count })
    }

    /// A tensor for items that are computed one after the other.
    pub(super) fn empty(&self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let open = self.sizes.iter().filter_map(|size| match size {
            Size::Value(value) => Some(*value),
            Size::Known(_) => None,
        });
        tensor::empty(builder, self.whole, &open.collect::<Vec<_>>())
    }

    /// One item.
    pub(super) fn item(
        &self,
        builder: &Builder<'c, 'a>,
        whole: Value<'c, 'a>,
        number: Size<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let part = tensor::extract_slice(builder, whole, &self.slice(number), self.part()?)?;
        tensor::collapse_shape(builder, part, &self.groups(), self.item)
    }

    /// The whole with another item.
    pub(super) fn with_item(
        &self,
        builder: &Builder<'c, 'a>,
        (whole, number): (Value<'c, 'a>, Size<'c, 'a>),
        item: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let shape = [&[Size::Known(1)], self.sizes.as_slice()].concat();
        let part = tensor::expand_shape(builder, item, &self.groups(), &shape, self.part()?)?;
        tensor::insert_slice(builder, part, whole, &self.slice(number))
    }

    /// So many items, from the first one on.
    pub(super) fn first(&self, count: Size<'c, 'a>) -> tensor::Slice<'c, 'a> {
        self.part_from(0, count)
    }

    /// So many items, from one on.
    fn part_from(&self, first: i64, count: Size<'c, 'a>) -> tensor::Slice<'c, 'a> {
        tensor::Slice {
            offsets: [vec![Size::Known(first)], vec![Size::Known(0); self.sizes.len()]].concat(),
            sizes: [&[count], self.sizes.as_slice()].concat(),
            strides: vec![1; self.sizes.len() + 1],
        }
    }

    fn slice(&self, number: Size<'c, 'a>) -> tensor::Slice<'c, 'a> {
        tensor::Slice {
            offsets: [&[number], vec![Size::Known(0); self.sizes.len()].as_slice()].concat(),
            sizes: [&[Size::Known(1)], self.sizes.as_slice()].concat(),
            strides: vec![1; self.sizes.len() + 1],
        }
    }

    /// The type of an item with the first dimension.
    fn part(&self) -> Result<Type<'c>, Failure> {
        let inner = types::shape(self.item).unwrap_or_default();
        let part = types::tensor(types::element(self.item), &[&[Some(1)], inner.as_slice()].concat());
        part.ok_or_else(|| "no such tensor type".into())
    }

    /// The first dimension goes with the next one.
    fn groups(&self) -> Vec<Vec<usize>> {
        match self.sizes.len() {
            0 => Vec::new(),
            rank => [vec![0, 1]].into_iter().chain((2..=rank).map(|dimension| vec![dimension])).collect(),
        }
    }
}

impl<'c: 'a, 'a> Packs<'c, 'a> {
    /// Notes which values are the parts of a tensor along its first dimension.
    pub(super) fn note(&mut self, values: &[Value<'c, 'a>]) {
        for value in values {
            let Some(dropped) = value.defining_operation() else { continue };
            let slice = dropped.operand(0).ok().and_then(|part| part.defining_operation());
            let slice = slice.filter(|slice| dropped.full_name() == COLLAPSE && slice.full_name() == SLICE);
            let Some((slice, number)) = slice.and_then(|slice| Some((slice, row(slice)?))) else { continue };
            let Ok(whole) = slice.operand(0) else { continue };
            let inner = types::shape(whole.r#type()).unwrap_or_default();
            if slice.operand_count() == 1 && types::shape(value.r#type()).as_deref() == inner.get(1..) {
                self.items.insert(value.key(), (whole, number));
            }
        }
    }

    /// The items of a whole tensor, one by one.
    pub(super) fn taken_apart(
        &mut self,
        builder: &Builder<'c, 'a>,
        whole: Value<'c, 'a>,
        layout: &Layout<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let item = |number| {
            let item = layout.item(builder, whole, Size::Known(number))?;
            self.items.insert(item.key(), (whole, number));
            Ok(item)
        };
        (0..layout.count).map(item).collect()
    }

    /// A tensor of all items: the one of which they are the parts, or a new one.
    pub(super) fn whole(
        &self,
        builder: &Builder<'c, 'a>,
        items: &[Value<'c, 'a>],
        layout: &Layout<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        match self.common(items) {
            Some((whole, 0)) if whole.r#type() == layout.whole => return Ok(whole),
            Some((whole, from)) => {
                let part = layout.part_from(from, Size::Known(items.len() as i64));
                return tensor::extract_slice(builder, whole, &part, layout.whole);
            }
            None => {}
        }
        items.iter().enumerate().try_fold(layout.empty(builder)?, |whole, (number, item)| {
            layout.with_item(builder, (whole, Size::Known(number as i64)), *item)
        })
    }

    /// The tensor whose parts are these, in order, and the number of the first one there.
    fn common(&self, items: &[Value<'c, 'a>]) -> Option<(Value<'c, 'a>, i64)> {
        let (whole, from) = *self.items.get(&items.first()?.key())?;
        let is_next = |(number, item): (usize, &Value<'c, 'a>)| {
            let known = self.items.get(&item.key());
            known.is_some_and(|(tensor, place)| tensor.key() == whole.key() && *place == from + number as i64)
        };
        items.iter().enumerate().all(is_next).then_some((whole, from))
    }

    /// What a formula computed or, where it only put all parts of a whole tensor together again, that.
    pub(super) fn rejoined(&self, computed: Value<'c, 'a>) -> Value<'c, 'a> {
        let mut items = Vec::new();
        let mut current = computed;
        while let Some((rest, item, number)) = insertion(current) {
            items.push((number, item));
            current = rest;
        }
        items.reverse();
        let in_order = items.iter().enumerate().all(|(place, (number, _))| *number == place as i64);
        let items: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
        let common = self.common(&items).filter(|(_, from)| *from == 0).map(|(whole, _)| whole);
        let whole = common.filter(|whole| in_order && whole.r#type() == computed.r#type());
        let count = whole.and_then(|whole| types::shape(whole.r#type())?.first().copied().flatten());
        whole.filter(|_| count == u64::try_from(items.len()).ok()).unwrap_or(computed)
    }
}

/// For an item that is put somewhere into a tensor along its first dimension: the tensor, the item and its place.
fn insertion<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>, i64)> {
    let insertion = value.defining_operation().filter(|definition| definition.full_name() == tensor::INSERT_SLICE)?;
    let part = insertion.operand(0).ok()?;
    let expansion = part.defining_operation().filter(|definition| definition.full_name() == tensor::EXPAND_SHAPE);
    let item = expansion.map_or(Some(part), |expansion| expansion.operand(0).ok())?;
    Some((insertion.operand(1).ok()?, item, row(insertion)?))
}

/// The place along the first dimension of what an operation takes or puts there, which is one element long; it has the
/// other dimensions from their beginnings on.
fn row(operation: OperationRef<'_, '_>) -> Option<i64> {
    let numbers = |name| operation.get_integers(name);
    let (offsets, sizes) = (numbers("static_offsets")?, numbers("static_sizes")?);
    let (number, others) = offsets.split_first()?;
    let from_begin = *number >= 0 && others.iter().all(|&offset| offset == 0);
    let dense = numbers("static_strides")?.iter().all(|&stride| stride == 1);
    (from_begin && dense && sizes.first() == Some(&1)).then_some(*number)
}
