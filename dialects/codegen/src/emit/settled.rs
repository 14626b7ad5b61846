//! Values that are computed before what follows: where tiles have as many vectors as there are registers, LLVM computes parts of them all at once,
//! or moves products behind the loops before which they stand, and keeps in memory what these need.

use super::kernel::Kernel;
use crate::Error;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::llvm;

/// No instruction, which takes a vector register and leaves it as it is: none is moved across it.
const SETTLED: (&str, &str) = ("", "=v,0");

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// A vector of the target's length that is there before anything is begun that stands behind.
    pub(super) fn settled(self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        Ok(llvm::inline_asm(&self.builder, SETTLED, &[value], &[value.r#type()])?.result(0)?)
    }
}
