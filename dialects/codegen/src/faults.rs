//! What a run requires (`skriptnd.require`): where it does not hold, the number of the fault and the values of its message
//! go to a record that the caller gives. What is said of each number stands in the metadata.

use crate::Error;
use crate::tensors::operations;
use serde_json::{Value as Json, json};
use skriptnd_mlir::ir::locations::{Frame, call_stack};
use skriptnd_mlir::ir::{
    Attribute, Block, BlockLike, BlockRef, InContext, Location, Operation, OperationBuilder, OperationExt,
    OperationLike, OperationRef, Region, RegionLike, Type, Value, ValueLike, attributes, operations_named, types,
};
use skriptnd_mlir::rewrite::with_rewriter;

/// Words of the record: the number, then the values.
pub const RECORD_WORDS: u64 = 4;

/// Replaces what a function on buffers requires by code that writes to a record, which becomes its last argument. Returns
/// what the metadata say of the faults; where there are none, the function stays as it is.
pub fn record_faults<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Vec<Json>, Error> {
    let required = operations_named(function, "skriptnd.require");
    let mut faults: Vec<Json> = Vec::new();
    if required.is_empty() {
        return Ok(faults);
    }
    let record = add_record(function)?;
    for requirement in required {
        let fault = describe(requirement);
        let number = faults.iter().position(|known| *known == fault).unwrap_or_else(|| {
            faults.push(fault);
            faults.len() - 1
        });
        replace_requirement(requirement, record, number as i64 + 1)?;
    }
    for question in operations_named(function, "skriptnd.holds") {
        let number = load(question, record, 0)?;
        let holds = equals(question, number, 0)?;
        with_rewriter(question, |rewriter| rewriter.replace(question, &[holds]))?;
    }
    Ok(faults)
}

/// What the metadata say of a fault.
fn describe(requirement: OperationRef<'_, '_>) -> Json {
    let text = |name: &str| requirement.get_string(name).unwrap_or_default();
    let stack = call_stack(requirement.location());
    let place = |frame: &Frame| {
        let ((line, column), (end_line, end_column)) = (frame.start, frame.end);
        json!({"file": frame.file, "start": [line, column], "end": [end_line, end_column]})
    };
    let call = |frame: &Frame| json!({"operator": frame.name.as_deref().unwrap_or_default(), "place": place(frame)});
    json!({
        "code": text("code"),
        "message": text("message"),
        "label": text("label"),
        "help": text("help"),
        "place": stack.first().map_or_else(|| json!({"file": "?", "start": [1, 1], "end": [1, 1]}), place),
        "calls": stack.iter().skip(1).map(call).collect::<Vec<_>>(),
    })
}

/// Adds the record to the arguments; no fault is in it when the function begins.
fn add_record<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let context = function.in_context();
    let body: Option<BlockRef<'c, 'a>> = function.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a function without a body"))?;
    let kind = types::memref(types::integer(context, 64), &[Some(RECORD_WORDS)]);
    let kind = kind.ok_or_else(|| Error::malformed("no record of faults"))?;
    let record = body.add_argument(kind, function.location());
    let parts = function.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
    let (inputs, results) = parts.ok_or_else(|| Error::malformed("a function without a type"))?;
    let inputs: Vec<Type<'c>> = inputs.into_iter().chain([kind]).collect();
    function.set("function_type", attributes::r#type(types::function(context, &inputs, &results)));
    function.unset("arg_attrs");
    let first = body.first_operation().ok_or_else(|| Error::malformed("a function without a body"))?;
    let (zero, place) = (integer(first, 0)?, index(first, 0)?);
    operations::insert(first, store(first.location(), zero, record, place)?);
    Ok(record)
}

/// The record is written in a branch of its own, which is hardly ever taken.
fn replace_requirement<'c: 'a, 'a>(
    requirement: OperationRef<'c, 'a>,
    record: Value<'c, 'a>,
    number: i64,
) -> Result<(), Error> {
    let location = requirement.location();
    let operands: Vec<Value<'c, 'a>> = requirement.operands().collect();
    let (holds, values) = operands.split_first().ok_or_else(|| Error::malformed("a requirement of nothing"))?;
    let truth = operations::value(
        requirement,
        "arith.constant",
        &[],
        types::integer(requirement.in_context(), 1),
        &[("value", attributes::boolean(requirement.in_context(), true))],
    )?;
    let fails = operations::value(
        requirement,
        "arith.xori",
        &[*holds, truth],
        types::integer(requirement.in_context(), 1),
        &[],
    )?;
    let branch = OperationBuilder::new("scf.if", location)
        .add_operands(&[fails])
        .add_regions([empty_branch(location)?, Region::new()])
        .build()
        .map_err(skriptnd_mlir::Error::from)?;
    let branch = operations::insert(requirement, branch);
    let block = branch.region(0).ok().and_then(|region| region.first_block());
    let end = block.and_then(|block| block.first_operation()).ok_or_else(|| Error::malformed("an empty branch"))?;
    let known = load(end, record, 0)?;
    let is_first = equals(end, known, 0)?;
    let number = integer(end, number)?;
    for (word, value) in [number].iter().chain(values).enumerate() {
        let known = load(end, record, word as i64)?;
        let new = operations::value(end, "arith.select", &[is_first, *value, known], value.r#type(), &[])?;
        let place = index(end, word as i64)?;
        operations::insert(end, store(location, new, record, place)?);
    }
    with_rewriter(requirement, |rewriter| rewriter.erase(requirement))?;
    Ok(())
}

fn empty_branch(location: Location<'_>) -> Result<Region<'_>, Error> {
    let block = Block::new(&[]);
    let end = OperationBuilder::new("scf.yield", location).build().map_err(skriptnd_mlir::Error::from)?;
    block.append_operation(end);
    let region = Region::new();
    region.append_block(block);
    Ok(region)
}

fn integer<'c: 'a, 'a>(place: OperationRef<'c, 'a>, value: i64) -> Result<Value<'c, 'a>, Error> {
    let context = place.in_context();
    let value = ("value", attributes::integer(context, value));
    operations::value(place, "arith.constant", &[], types::integer(context, 64), &[value])
}

fn index<'c: 'a, 'a>(place: OperationRef<'c, 'a>, value: i64) -> Result<Value<'c, 'a>, Error> {
    let kind = types::index(place.in_context());
    let value = attributes::typed_integer(kind, value).ok_or_else(|| Error::malformed("no index constant"))?;
    operations::value(place, "arith.constant", &[], kind, &[("value", value)])
}

fn equals<'c: 'a, 'a>(place: OperationRef<'c, 'a>, a: Value<'c, 'a>, b: i64) -> Result<Value<'c, 'a>, Error> {
    let context = place.in_context();
    let predicate: (&str, Attribute<'c>) = ("predicate", attributes::integer(context, 0));
    operations::value(place, "arith.cmpi", &[a, integer(place, b)?], types::integer(context, 1), &[predicate])
}

fn load<'c: 'a, 'a>(place: OperationRef<'c, 'a>, record: Value<'c, 'a>, word: i64) -> Result<Value<'c, 'a>, Error> {
    let i64 = types::integer(place.in_context(), 64);
    operations::value(place, "memref.load", &[record, index(place, word)?], i64, &[])
}

fn store<'c>(
    location: Location<'c>,
    value: Value<'c, '_>,
    record: Value<'c, '_>,
    place: Value<'c, '_>,
) -> Result<Operation<'c>, Error> {
    let built = OperationBuilder::new("memref.store", location).add_operands(&[value, record, place]).build();
    Ok(built.map_err(skriptnd_mlir::Error::from)?)
}
