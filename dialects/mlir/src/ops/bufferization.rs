//! The bufferization dialect.

use super::segments;
use crate::Failure;
use crate::ir::{Builder, Value};

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
    builder.value("bufferization.materialize_in_destination", &[tensor, destination], &[], tensor.r#type())
}
