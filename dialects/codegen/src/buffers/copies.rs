//! Copies between memrefs.

use crate::Error;
use crate::views::structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::memref;
use skriptnd_mlir::rewrite::with_rewriter;

/// Copies between memrefs as structured operations, which become kernels; copies of a memref to itself go.
pub fn structure<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    for copy in operations_named(function, memref::COPY) {
        let values: Vec<Value<'c, 'a>> = copy.operands().collect();
        let [source, destination] = values.as_slice() else { continue };
        let same = source.key() == destination.key();
        let Some(identity) = types::rank(source.r#type()).map(Map::identity) else { continue };
        if !same {
            structured::copy(Builder::before(copy)?, (*source, &identity), (*destination, &identity))?;
        }
        with_rewriter(copy, |rewriter| rewriter.erase(copy))?;
    }
    Ok(())
}
