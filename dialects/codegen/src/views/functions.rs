//! The functions of a module, and their arguments.

use super::shapes::{static_shape, volume};
use crate::Error;
use skriptnd_mlir::ir::{BlockRef, OperationRef, Type, Value, attributes, block_arguments, block_operations, types};
use skriptnd_mlir::ops::func;

/// Name of the compiled function that runs the model.
pub const RUN: &str = "run";
/// Name of the function that prepares.
pub const PREPARE: &str = "prepare";

/// Name of the function that marks where operations of a run begin and end.
pub const MARK: &str = "skriptnd.mark";
/// Name of the function that gives the VTCM that a run has.
pub const VTCM: &str = "skriptnd.vtcm";
/// Name of the function that tells the number of the process among those that share a graph.
pub const RANK: &str = "skriptnd.rank";
/// Name of the function that tells how many processes there are.
pub const PROCESSES: &str = "skriptnd.processes";
/// Name of the function that computes the shapes of inputs, outputs and new values of variables from the extents.
pub const SHAPES: &str = "skriptnd.shapes";
/// Name of the function that requires of the extents what must hold of them.
pub const CHECKS: &str = "skriptnd.checks";
/// Name of the function that computes the bytes of a run's workspace from the extents and the shapes.
pub const WORKSPACE: &str = "skriptnd.workspace";

/// Whether a function works on extents only.
pub fn is_of_extents(function: OperationRef<'_, '_>) -> bool {
    matches!(function.get_string("sym_name"), Some(SHAPES | CHECKS | WORKSPACE))
}

/// Whether an operation is in the function that runs the model.
pub fn is_in_run(operation: OperationRef<'_, '_>) -> bool {
    function_around(operation).is_some_and(|function| function.get_string("sym_name") == Some(RUN))
}

/// The function that an operation is in.
pub fn function_around<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    std::iter::successors(Some(operation), |operation| operation.parent_operation())
        .find(|operation| operation.full_name() == func::FUNC)
}

/// The operations of a module's body, functions among them.
pub fn all<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let body: Option<BlockRef<'c, 'a>> = module.region(0).ok().and_then(|region| region.first_block());
    body.into_iter().flat_map(block_operations)
}

/// A function of a module, by its name.
///
/// # Errors
/// Where there is none.
pub fn named<'c: 'a, 'a>(module: OperationRef<'c, 'a>, name: &str) -> Result<OperationRef<'c, 'a>, Error> {
    let found = all(module).find(|operation| operation.get_string("sym_name") == Some(name));
    found.ok_or_else(|| Error::malformed(format!("no function `{name}`")))
}

/// The inputs and results of a function's type.
pub fn signature<'c>(function: OperationRef<'c, '_>) -> Result<(Vec<Type<'c>>, Vec<Type<'c>>), Error> {
    let kind = function.get("function_type").and_then(attributes::as_type).and_then(types::function_parts);
    kind.ok_or_else(|| Error::malformed("a function without a type"))
}

/// Adds an argument behind the others.
pub fn add_argument<'c: 'a, 'a>(function: OperationRef<'c, 'a>, kind: Type<'c>) -> Result<Value<'c, 'a>, Error> {
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
pub fn protect_arguments(function: OperationRef<'_, '_>) -> Result<(), Error> {
    let context = function.context();
    let read_only = attributes::dictionary(context, &[("bufferization.writable", attributes::boolean(context, false))]);
    let count = signature(function)?.0.len();
    function.set("arg_attrs", attributes::array(context, &vec![read_only; count]));
    Ok(())
}

/// Gives unused arguments without elements a type of one dimension: LLVM's conversion of memrefs can't take all others.
pub fn flatten_empty_arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
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
