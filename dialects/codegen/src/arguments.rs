//! The arguments of functions.

use crate::Error;
use crate::structured::{static_shape, volume};
use skriptnd_mlir::ir::{OperationRef, Type, Value, attributes, block_arguments, types};

/// The inputs and results of a function's type.
pub fn signature<'c>(function: OperationRef<'c, '_>) -> Result<(Vec<Type<'c>>, Vec<Type<'c>>), Error> {
    let kind = function.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
    kind.ok_or_else(|| Error::malformed("a function without a type"))
}

/// Adds an argument behind the others.
pub fn add<'c: 'a, 'a>(function: OperationRef<'c, 'a>, kind: Type<'c>) -> Result<Value<'c, 'a>, Error> {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a function without a body"))?;
    let argument = body.add_argument(kind, function.location());
    let (mut inputs, results) = signature(function)?;
    inputs.push(kind);
    set_signature(function, &inputs, &results);
    function.unset("arg_attrs");
    Ok(argument)
}

/// Says what a function takes and gives.
pub fn set_signature<'c>(function: OperationRef<'c, '_>, inputs: &[Type<'c>], results: &[Type<'c>]) {
    function.set("function_type", attributes::r#type(types::function(function.context(), inputs, results)));
}

/// Inputs, variables and prepared memory belong to the caller: bufferization may compute nothing in their place.
pub fn protect(function: OperationRef<'_, '_>) -> Result<(), Error> {
    let context = function.context();
    let read_only = attributes::dictionary(context, &[("bufferization.writable", attributes::boolean(context, false))]);
    let count = signature(function)?.0.len();
    function.set("arg_attrs", attributes::array(context, &vec![read_only; count]));
    Ok(())
}

/// Gives unused arguments without elements a type of one dimension: LLVM's conversion of memrefs can't take all others.
pub fn flatten_empty<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let Some(body) = body else { return Ok(()) };
    let mut inputs: Vec<Type<'c>> = Vec::new();
    for argument in block_arguments(body) {
        let kind = argument.r#type();
        let empty = kind.is_mem_ref() && static_shape(kind).is_some_and(|shape| volume(&shape) == 0);
        if empty && !argument.is_used() {
            let flat = types::memref(types::element(kind), &[Some(0)]);
            argument.set_type(flat.ok_or_else(|| Error::malformed("no memref without elements"))?);
        }
        inputs.push(argument.r#type());
    }
    set_signature(function, &inputs, &signature(function)?.1);
    Ok(())
}
