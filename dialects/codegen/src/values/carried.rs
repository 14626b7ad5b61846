//! What is said in the IR of the values of a function's arguments: what import knew of variables, and what preparation knew of
//! what it makes of them. Who calls the function keeps to it.

use super::range::Range;
use crate::generated::dialect_attributes::{ExtentAttr, ValuesAttr};
use crate::generated::discardable::{BoundAttribute, ShapeAttribute, ValuesAttribute};
use skriptnd_mlir::ir::{Attribute, OperationRef, Value, attributes, block_arguments};

/// The arguments of which something is said, and what that is.
pub(super) fn arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Range)> {
    let marks = function.get("arg_attrs").and_then(attributes::as_array).unwrap_or_default();
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let arguments = body.into_iter().flat_map(block_arguments).zip(marks);
    arguments.filter_map(|(argument, mark)| Some((argument, range(mark)?))).collect()
}

fn range(mark: Attribute<'_>) -> Option<Range> {
    if let Some(bound) = entry(mark, BoundAttribute::NAME).and_then(attributes::as_integer) {
        return Some(Range { least: 0.0, most: bound as f64, ..Range::NOTHING });
    }
    let values = ValuesAttr::new(entry(mark, ValuesAttribute::NAME)?)?;
    Some(Range::integer(values.least().ok()?).hull(Range::integer(values.most().ok()?)))
}

/// The greatest extent that an argument of a function may have along a dimension, if there is one.
pub(super) fn bound(argument: Value<'_, '_>, dim: usize) -> Option<i64> {
    let (block, number) = argument.as_argument()?;
    let marks = attributes::as_array(block.parent_operation()?.get("arg_attrs")?)?;
    let shape = attributes::as_array(entry(*marks.get(number)?, ShapeAttribute::NAME)?)?;
    attributes::as_integer(ExtentAttr::new(*shape.get(dim)?)?.bound().ok()??)
}

fn entry<'c>(mark: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    attributes::as_dictionary(mark)?.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
}
