//! What is known of the values that a function takes and gives is said in the IR, for passes behind what finds it out and for the interface.

use super::propagate::ranges;
use super::range::Range;
use crate::generated::dialect_attributes::ValuesAttr;
use crate::generated::discardable::{StateAttribute, ValuesAttribute};
use skriptnd_mlir::ir::{Attribute, OperationRef, Value, attributes, block_arguments};

/// Says between which numbers the arguments of a function lie, in order, where that is more than their types do.
pub fn carry(function: OperationRef<'_, '_>, ranges: &[Range]) {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let mut marks = Vec::new();
    for (argument, range) in body.into_iter().flat_map(block_arguments).zip(ranges) {
        let entries = mark(*range, argument);
        marks.push(attributes::dictionary(function.context(), entries.as_slice()));
    }
    function.set("arg_attrs", attributes::array(function.context(), &marks));
}

/// Says between which numbers the outputs of a function lie, where that is more than their types do, beside what is said of them already.
pub fn carry_results(function: OperationRef<'_, '_>) {
    let context = function.context();
    let terminator = function.region(0).ok().and_then(|region| region.first_block()).and_then(|body| body.terminator());
    let Some((terminator, ranges)) = terminator.map(|terminator| (terminator, ranges(function))) else { return };
    let said = function.get("res_attrs").and_then(attributes::as_array).unwrap_or_default();
    let mut marks = Vec::new();
    for (number, result) in terminator.operands().enumerate() {
        let mut entries = said.get(number).copied().and_then(attributes::as_dictionary).unwrap_or_default();
        // A variable may begin with other values than runs give it.
        if entries.iter().all(|(name, _)| *name != StateAttribute::NAME) {
            entries.extend(mark(ranges.get(result), result));
        }
        marks.push(attributes::dictionary(context, &entries));
    }
    function.set("res_attrs", attributes::array(context, &marks));
}

/// What is said of a value, where that is more than its type does. Nothing is, where the dialect that declares the attribute is not there.
fn mark<'c>(range: Range, value: Value<'c, '_>) -> Option<(&'static str, Attribute<'c>)> {
    let kind = value.r#type();
    let is_told = range.is_of_integer(kind);
    let values = is_told.then(|| ValuesAttr::get(kind.context(), range.least as i64, range.most as i64))?.ok()?;
    Some((ValuesAttribute::NAME, values.into()))
}
