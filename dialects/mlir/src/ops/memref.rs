//! The memref dialect.

use super::segments;
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

conversion! {
    cast = "memref.cast";
}

/// `memref.copy`
pub fn copy<'c, 'a>(builder: &Builder<'c, 'a>, source: Value<'c, 'a>, target: Value<'c, 'a>) -> Result<(), Failure> {
    builder.operation(COPY, &[source, target], &[], &[]).map(drop)
}

/// `memref.load`
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("memref.load", &[&[memory], indices].concat(), &[], types::element(memory.r#type()))
}

/// `memref.store`
pub fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    builder.operation("memref.store", &[&[value, memory], indices].concat(), &[], &[]).map(drop)
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

/// `memref.view`: a part of memory, from a byte on, as a memref of a static shape.
pub fn view<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    byte: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("memref.view", &[memory, byte], &[], r#type)
}

names! {
    ASSUME_ALIGNMENT = "memref.assume_alignment";
    COLLAPSE_SHAPE = "memref.collapse_shape";
    DEALLOC = "memref.dealloc";
    EXPAND_SHAPE = "memref.expand_shape";
    GET_GLOBAL = "memref.get_global";
    MEMORY_SPACE_CAST = "memref.memory_space_cast";
    SUBVIEW = "memref.subview";
    TRANSPOSE = "memref.transpose";
}
