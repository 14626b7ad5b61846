//! The memref dialect.

use super::{Size, segments};
use crate::Failure;
use crate::ir::{Builder, Type, Value, attributes, types};

/// The name of [`alloc`].
pub const ALLOC: &str = "memref.alloc";
/// The name of [`cast`].
pub const CAST: &str = "memref.cast";
/// The name of [`copy`].
pub const COPY: &str = "memref.copy";

/// `memref.alloc` of a static shape.
pub fn alloc<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value(ALLOC, &[], &[segments(builder.context(), &[0, 0])], r#type)
}

/// `memref.alloc` with the extents that the type leaves open.
pub fn alloc_open<'c, 'a>(
    builder: &Builder<'c, 'a>,
    r#type: Type<'c>,
    open: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(ALLOC, open, &[segments(builder.context(), &[open.len(), 0])], r#type)
}

/// The name of [`alloca`].
pub const ALLOCA: &str = "memref.alloca";

/// `memref.alloca` of a static shape, with an alignment in bytes.
pub fn alloca<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>, alignment: i64) -> Result<Value<'c, 'a>, Failure> {
    let alignment = ("alignment", attributes::integer(builder.context(), alignment));
    builder.value(ALLOCA, &[], &[segments(builder.context(), &[0, 0]), alignment], r#type)
}

/// How near to the processor what is asked for shall come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Near {
    /// To the second cache, where it is to be used later.
    SecondCache = 2,
    /// To the first one.
    FirstCache = 3,
}

/// `memref.prefetch`: asks for data that will be read, to be kept in all caches.
pub fn prefetch<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    address: Value<'c, 'a>,
    near: Near,
) -> Result<(), Failure> {
    let context = builder.context();
    let flags =
        [("isWrite", false), ("isDataCache", true)].map(|(name, flag)| (name, attributes::boolean(context, flag)));
    let locality = types::integer(context, 32);
    let locality = attributes::typed_integer(locality, near as i64).ok_or_else(|| Failure::new("no locality"))?;
    let attributes: Vec<_> = flags.into_iter().chain([("localityHint", locality)]).collect();
    builder.operation("memref.prefetch", &[memory, address], &attributes, &[]).map(drop)
}

conversion! {
    cast = "memref.cast";
}

/// `memref.copy`
pub fn copy<'c, 'a>(builder: &Builder<'c, 'a>, source: Value<'c, 'a>, target: Value<'c, 'a>) -> Result<(), Failure> {
    builder.operation(COPY, &[source, target], &[], &[]).map(drop)
}

/// The name of [`dim`].
pub const DIM: &str = "memref.dim";

/// `memref.dim`
pub fn dim<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    dimension: usize,
) -> Result<Value<'c, 'a>, Failure> {
    let dimension = builder.index(dimension as i64)?;
    builder.value(DIM, &[memory, dimension], &[], types::index(builder.context()))
}

/// The name of [`load`].
pub const LOAD: &str = "memref.load";

/// `memref.load`
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(LOAD, &[&[memory], indices].concat(), &[], types::element(memory.r#type()))
}

/// The name of [`store`].
pub const STORE: &str = "memref.store";

/// `memref.store`
pub fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    builder.operation(STORE, &[&[value, memory], indices].concat(), &[], &[]).map(drop)
}

/// The name of [`reinterpret_cast`].
pub const REINTERPRET_CAST: &str = "memref.reinterpret_cast";

/// `memref.reinterpret_cast` to a type of static extents, strides and offset.
pub fn reinterpret_cast<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let unknown = || Failure::new(format!("{type} is no memref of static form"));
    let shape: Option<Vec<i64>> =
        types::shape(r#type).and_then(|shape| shape.into_iter().map(|extent| i64::try_from(extent?).ok()).collect());
    let (shape, (strides, offset)) = (shape.ok_or_else(unknown)?, types::strides(r#type).ok_or_else(unknown)?);
    let attributes = [
        ("static_offsets", attributes::integers(context, &[offset])),
        ("static_sizes", attributes::integers(context, &shape)),
        ("static_strides", attributes::integers(context, &strides)),
        segments(context, &[1, 0, 0, 0]),
    ];
    builder.value(REINTERPRET_CAST, &[memory], &attributes, r#type)
}

/// `memref.reinterpret_cast` to so many elements from an offset that only a run knows.
pub fn elements_at<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    offset: Value<'c, 'a>,
    count: i64,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let unknown = || Failure::new(format!("{count} elements are no memory"));
    let r#type = types::strided_memref(types::element(memory.r#type()), &[count], &[1], types::OPEN);
    let attributes = [
        ("static_offsets", attributes::integers(context, &[types::OPEN])),
        ("static_sizes", attributes::integers(context, &[count])),
        ("static_strides", attributes::integers(context, &[1])),
        segments(context, &[1, 1, 0, 0]),
    ];
    builder.value(REINTERPRET_CAST, &[memory, offset], &attributes, r#type.ok_or_else(unknown)?)
}

/// The name of [`base`].
pub const BASE: &str = "memref.extract_strided_metadata";

/// `memref.extract_strided_metadata`: the memory that a memref is a part of, and where in it that begins.
pub fn base<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
    let index = types::index(builder.context());
    let base = types::memref(types::element(memory.r#type()), &[]);
    let base = base.ok_or_else(|| Failure::new(format!("{} is no memory", memory.r#type())))?;
    let rank = types::rank(memory.r#type()).unwrap_or(0);
    let results = [vec![base], vec![index; 1 + 2 * rank]].concat();
    let metadata = builder.operation(BASE, &[memory], &[], &results)?;
    Ok((metadata.result(0)?, metadata.result(1)?))
}

/// `memref.extract_aligned_pointer_as_index`: where the memory begins that a memref is a part of.
pub fn address<'c, 'a>(builder: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("memref.extract_aligned_pointer_as_index", &[memory], &[], types::index(builder.context()))
}

/// The distances of neighbours along each dimension, by `memref.extract_strided_metadata`.
pub fn strides<'c, 'a>(builder: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let index = types::index(builder.context());
    let base = types::memref(types::element(memory.r#type()), &[]);
    let base = base.ok_or_else(|| Failure::new(format!("{} is no memory", memory.r#type())))?;
    let rank = types::rank(memory.r#type()).unwrap_or(0);
    let results = [vec![base], vec![index; 1 + 2 * rank]].concat();
    Ok(builder.operation(BASE, &[memory], &[], &results)?.result_values().split_off(2 + rank))
}

/// `memref.reinterpret_cast` of contiguous memory to a shape; `type` has the identity layout.
pub fn shaped<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    shape: &[Size<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let strides = strides_within(builder, shape, Size::Known(1))?;
    laid_out(builder, memory, (shape, &strides), r#type)
}

/// The distances of neighbours in a shape whose innermost neighbours are so far apart, without gaps.
pub fn strides_within<'c, 'a>(
    builder: &Builder<'c, 'a>,
    shape: &[Size<'c, 'a>],
    innermost: Size<'c, 'a>,
) -> Result<Vec<Size<'c, 'a>>, Failure> {
    let mut strides = vec![innermost; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = match (shape[at], strides[at]) {
            (Size::Known(extent), Size::Known(stride)) => Size::Known(extent.saturating_mul(stride)),
            (extent, stride) => {
                let (extent, stride) = (extent.value(builder)?, stride.value(builder)?);
                Size::Value(super::arith::muli(builder, extent, stride)?)
            }
        };
    }
    Ok(strides)
}

/// `memref.reinterpret_cast` of memory that begins with its first element to a shape with such distances of neighbours.
pub fn laid_out<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    (shape, strides): (&[Size<'c, 'a>], &[Size<'c, 'a>]),
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    let ((known_sizes, sizes), (known_strides, strides)) = (Size::split(shape), Size::split(strides));
    let attributes = [
        ("static_offsets", attributes::integers(context, &[0])),
        ("static_sizes", attributes::integers(context, &known_sizes)),
        ("static_strides", attributes::integers(context, &known_strides)),
        segments(context, &[1, 0, sizes.len(), strides.len()]),
    ];
    // The cast knows its strides one by one; only another cast forgets them.
    let (known, offset) = (known_strides, 0);
    let exact = types::strided(types::element(r#type), &types::shape(r#type).unwrap_or_default(), &known, offset);
    let exact = exact.ok_or_else(|| Failure::new(format!("{type} is no memref")))?;
    let cast = [&[memory], sizes.as_slice(), strides.as_slice()].concat();
    let exact = builder.value("memref.reinterpret_cast", &cast, &attributes, exact)?;
    if exact.r#type() == r#type { Ok(exact) } else { self::cast(builder, exact, r#type) }
}

/// `memref.view`: a part of memory, from a byte on, as a memref; with the extents that its type leaves open.
pub fn view<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    byte: Value<'c, 'a>,
    open: &[Value<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("memref.view", &[&[memory, byte], open].concat(), &[], r#type)
}

names! {
    ASSUME_ALIGNMENT = "memref.assume_alignment";
    COLLAPSE_SHAPE = "memref.collapse_shape";
    DEALLOC = "memref.dealloc";
    EXPAND_SHAPE = "memref.expand_shape";
    GET_GLOBAL = "memref.get_global";
    GLOBAL = "memref.global";
    MEMORY_SPACE_CAST = "memref.memory_space_cast";
    SUBVIEW = "memref.subview";
    TRANSPOSE = "memref.transpose";
}
