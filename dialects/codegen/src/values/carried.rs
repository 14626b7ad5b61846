//! What is said in the IR of the values of a function's arguments: what import knew of variables, and what preparation knew of
//! what it makes of them. Who calls the function keeps to it.

use super::range::Range;
use crate::generated::dialect_attributes::ValuesAttr;
use crate::generated::discardable::ValuesAttribute;
use skriptnd_mlir::ir::{Attribute, OperationRef, Value, attributes, block_arguments};

/// The arguments of which something is said, and what that is.
pub(super) fn arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, Range)> {
    let marks = function.get("arg_attrs").and_then(attributes::as_array).unwrap_or_default();
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let arguments = body.into_iter().flat_map(block_arguments).zip(marks);
    arguments.filter_map(|(argument, mark)| Some((argument, range(mark)?))).collect()
}

fn range(mark: Attribute<'_>) -> Option<Range> {
    let entries = attributes::as_dictionary(mark)?;
    let values = entries.into_iter().find(|(name, _)| *name == ValuesAttribute::NAME)?.1;
    let values = ValuesAttr::new(values)?;
    Some(Range { least: values.least().ok()? as f64, most: values.most().ok()? as f64, ..Range::NOTHING })
}
