//! Runs that end early: behind requirements of extents that data determine, `skriptnd.leave` ends the run where one did not hold,
//! as what follows would compute with shapes that do not fit. It is a call until functions consist of blocks without regions.

use crate::Error;
use crate::generated::operations::LeaveOp;
use crate::views::functions;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, operations_named, split_before, types};
use skriptnd_mlir::ops::{func, llvm};
use skriptnd_mlir::rewrite::with_rewriter;

/// The function that is called in the meantime; it does nothing.
const LEAVE: &str = LeaveOp::NAME;

/// Calls the function that stands for the end of a run where `holds` is false.
pub fn mark<'c: 'a, 'a>(builder: &Builder<'c, 'a>, holds: Value<'c, 'a>) -> Result<(), Error> {
    Ok(func::call(builder, LEAVE, &[holds], &[]).map(drop)?)
}

/// Defines that function.
pub fn define<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let context = module.context();
    let body = module.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
    let private = ("sym_visibility", attributes::string(context, "private"));
    let end = Builder::at_end(body, module.location());
    let function = func::func(&end, LEAVE, &[types::integer(context, 1)], &[], &[private])?;
    Ok(func::r#return(&function.builder, &[])?)
}

/// Replaces the calls in functions of the LLVM dialect by branches to the end.
pub fn branch<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    for function in functions::all(module).filter(|function| function.full_name() == llvm::FUNC) {
        let is_leave = |call: &OperationRef<'c, 'a>| call.get("callee").and_then(attributes::as_symbol) == Some(LEAVE);
        let calls: Vec<_> = operations_named(function, llvm::CALL).into_iter().filter(is_leave).collect();
        let Some(first) = calls.first() else { continue };
        let (end, _) = Builder::before(*first)?.append_block(function, 0, &[])?;
        llvm::r#return(&end, None)?;
        for call in calls {
            let block = call.block().ok_or_else(|| Error::malformed("a call in no block"))?;
            let next = call.next().ok_or_else(|| Error::malformed("a call at the end of a block"))?;
            let (holds, location) = (call.operand(0)?, call.location());
            let rest = split_before(next)?;
            with_rewriter(call, |rewriter| rewriter.erase(call))?;
            llvm::cond_br(&Builder::at_end(block, location), holds, (rest, &[]), (end.block(), &[]))?;
        }
    }
    Ok(())
}
