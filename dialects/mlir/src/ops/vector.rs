//! The vector dialect.

use crate::Failure;
use crate::ir::{Builder, Type, Value};

conversion! {
    broadcast = "vector.broadcast";
}

/// `vector.load`
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.load", &[&[memory], indices].concat(), &[], r#type)
}

/// `vector.store`
pub fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    memory: Value<'c, 'a>,
    indices: &[Value<'c, 'a>],
) -> Result<(), Failure> {
    builder.operation("vector.store", &[&[value, memory], indices].concat(), &[], &[]).map(drop)
}

/// `vector.step`: the numbers of the lanes.
pub fn step<'c, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
    builder.value("vector.step", &[], &[], r#type)
}
