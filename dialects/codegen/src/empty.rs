//! Tensors without elements. Operations on them do nothing, and their buffers are never touched; what remains are
//! arguments, whose types LLVM's conversion of memrefs must be able to take.

use crate::Error;
use crate::structured::{Structured, static_shape, volume};
use skriptnd_mlir::ir::{
    InContext, OperationExt, OperationLike, OperationRef, RegionLike, Type, TypeLike, ValueExt, ValueLike, attributes,
    block_arguments, operations_named, types,
};
use skriptnd_mlir::rewrite::with_rewriter;

/// Erases structured operations on memrefs whose iteration space is empty. Returns their number.
pub fn erase_empty<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut erased = 0;
    for operation in operations_named(module, "linalg.generic") {
        let empty = Structured::read(operation).is_some_and(|view| view.extents.contains(&0));
        if empty && operation.result_count() == 0 {
            with_rewriter(operation, |rewriter| rewriter.erase(operation))?;
            erased += 1;
        }
    }
    Ok(erased)
}

/// Gives unused arguments without elements a type of one dimension.
pub fn flatten_empty_arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    let Some(body) = function.region(0).ok().and_then(|region| region.first_block()) else { return Ok(()) };
    let mut inputs: Vec<Type<'c>> = Vec::new();
    for argument in block_arguments(body) {
        let kind = argument.r#type();
        let empty = kind.is_mem_ref() && static_shape(kind).is_some_and(|shape| volume(&shape) == 0);
        if empty && !ValueExt::is_used(&argument) {
            let flat = types::memref(types::element(kind), &[Some(0)]);
            argument.set_type(flat.ok_or_else(|| Error::malformed("no memref without elements"))?);
        }
        inputs.push(argument.r#type());
    }
    let results = function.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
    let (_, results) = results.ok_or_else(|| Error::malformed("a function without a type"))?;
    function.set("function_type", attributes::r#type(types::function(function.in_context(), &inputs, &results)));
    Ok(())
}
