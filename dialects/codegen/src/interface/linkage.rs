//! Who may call what was compiled.

use crate::Error;
use skriptnd_mlir::ir::{OperationRef, attributes};

/// Gives a function with a body internal linkage: only the exported functions call it.
pub fn hide(function: OperationRef<'_, '_>) -> Result<(), Error> {
    if function.region(0).is_ok_and(|body| body.first_block().is_some()) {
        let internal = attributes::parse(function.context(), "#llvm.linkage<internal>");
        function.set("llvm.linkage", internal.ok_or_else(|| Error::malformed("no attribute for linkage"))?);
    }
    Ok(())
}
