//! The bufferization dialect.

use super::segments;
use crate::Failure;
use crate::ir::{Builder, Type, Value, attributes};

/// The name of [`materialize_in_destination`].
pub const MATERIALIZE: &str = "bufferization.materialize_in_destination";
/// The name of [`to_tensor`].
pub const TO_TENSOR: &str = "bufferization.to_tensor";
/// The name of [`to_buffer`].
pub const TO_BUFFER: &str = "bufferization.to_buffer";

/// `bufferization.alloc_tensor` that copies a tensor.
pub fn copied<'c, 'a>(builder: &Builder<'c, 'a>, tensor: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let sizes = segments(builder.context(), &[0, 1, 0]);
    builder.value("bufferization.alloc_tensor", &[tensor], &[sizes], tensor.r#type())
}

/// `bufferization.materialize_in_destination` of tensors.
pub fn materialize_in_destination<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    destination: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value(MATERIALIZE, &[tensor, destination], &[], tensor.r#type())
}

/// `bufferization.materialize_in_destination` in memory that nothing else reads until it is read as a whole.
pub fn materialize_in_memory<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    memory: Value<'c, 'a>,
) -> Result<(), Failure> {
    let unit = attributes::unit(builder.context());
    let attributes = [("restrict", unit), ("writable", unit)];
    builder.operation(MATERIALIZE, &[tensor, memory], &attributes, &[]).map(drop)
}

/// `bufferization.to_tensor` of memory that is written as this tensor only from then on.
pub fn to_tensor<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let unit = attributes::unit(builder.context());
    builder.value(TO_TENSOR, &[memory], &[("restrict", unit), ("writable", unit)], r#type)
}

/// `bufferization.to_buffer` of a tensor whose memory is read only.
pub fn to_buffer<'c, 'a>(
    builder: &Builder<'c, 'a>,
    tensor: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let read_only = [("read_only", attributes::unit(builder.context()))];
    builder.value(TO_BUFFER, &[tensor], &read_only, r#type)
}

/// `bufferization.to_tensor` of memory that is only read.
pub fn to_read_only_tensor<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let unit = attributes::unit(builder.context());
    builder.value(TO_TENSOR, &[memory], &[("restrict", unit)], r#type)
}
