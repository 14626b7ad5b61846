//! VTCM of a module: places of what kernels have there, and the code of the DMA that fills it.

mod dma;
mod place;

use crate::Error;
pub use dma::lower;
pub use place::place;
use skriptnd_mlir::ir::{Builder, OperationRef, block_operations};

/// Before all that a function does.
fn begin<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Builder<'c, 'a>, Error> {
    let block = function.region(0).ok().and_then(|region| region.first_block());
    let first = block.and_then(|block| block_operations(block).next());
    Ok(Builder::before(first.ok_or_else(|| Error::malformed("a function without a body"))?)?)
}
