//! The affine dialect.

use crate::Failure;
use crate::ir::affine::Map;
use crate::ir::{Builder, Value, types};

/// `affine.delinearize_index`: places along several dimensions from one.
pub const DELINEARIZE_INDEX: &str = "affine.delinearize_index";

/// `affine.apply`: the only result of a map.
pub fn apply<'c, 'a>(
    builder: &Builder<'c, 'a>,
    map: &Map,
    indices: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Failure> {
    let context = builder.context();
    builder.value("affine.apply", indices, &[("map", map.attribute(context))], types::index(context))
}
